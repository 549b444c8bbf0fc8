"""One game played by core and followed by the kernel: everything that can be compared, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

import genial
from genial.core.actions import Action, Place, Play
from genial.core.bits import bit_set
from genial.core.events import Drew, Placed, Played
from genial.core.layout import Layout
from genial.core.moves import Phase, outcome
from genial.core.placements import Placements
from genial.core.position import Position
from genial.core.tiles import ORDER, arranged
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.compiled import State
from genial.kernel.convert import counts, rebuild
from genial.kernel.tables import CELL_AT, GRID_SIZE, PLANES


def bare(position: Position) -> Position:
    """The position as a state can hold it: no order of the bag, no dealer, no past."""
    return position.change(
        bag=arranged(position.bag), discard=arranged(position.discard), dealer=None, log=None
    )


def follow(game: Game, variant: str, seats: int, seed: int, *, greedily: bool = False) -> int:
    """Play a game in core, follow it in the kernel, then undo it all; how many acts were compared."""
    rng = Random(seed)
    position = genial.new(variant, seats=seats, seed=seed)
    state = game.from_core(position)
    past: list[tuple[Position, State]] = []
    while not position.is_over:
        compare(game, position, state, rng)
        compare_planes(game, position, state)
        if rng.random() < 0.02:
            compare_listing(game, position, state)
        past.append((position, game.clone(state)))
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        if greedily and position.phase is Phase.PLACE:
            few = [actions[rng.randrange(len(actions))] for _ in range(12)]
            action = max(few, key=lambda a: _gain(position, a))
        elif greedily:
            action = actions[-1]  # a swap where there is one
        after, events = position.apply(action)
        drawn = tuple(tile for event in events if isinstance(event, Drew) for tile in event.tiles)
        assert game.follow(state, game.number_of(action), counts(drawn)) == 0, action
        if isinstance(event := events[0], Placed | Played):
            assert tuple(state[at.GAIN : at.GAIN + 6].tolist()) == event.gain
            assert isinstance(action, Place | Play)
            assert state[at.EARNED] == outcome(position, action).score.bonus
        if isinstance(event, Placed):
            assert state[at.LEVEL] == event.level
        position = after
    compare(game, position, state, rng)
    assert position.result is not None
    assert at.REASONS[state[at.REASON]] == position.result.reason
    assert game.ranks(state) == position.result.ranks
    for earlier, kept in reversed(past):  # undo: the state is put back as it was
        state[:] = kept
        compare(game, earlier, state, rng)
    return 2 * len(past) + 1


def compare(game: Game, position: Position, state: State, rng: Random) -> None:
    """Whether position and state say the same: all they hold, what is lawful, and what it brings."""
    found, expected = game.to_core(state), bare(position)
    assert found == expected, _differences(found, expected)
    actions = position.actions()
    mask = np.empty(game.mask_bytes, np.uint8)
    assert game.mask(state, mask) == len(actions)
    assert int.from_bytes(mask.tobytes(), "little") == lawful(game, actions)
    for _ in range(min(len(actions), 4)):
        action = actions[rng.randrange(len(actions))]
        number = game.number_of(action)
        assert game.action_of(number) == action
        if isinstance(action, Place | Play):
            points = np.zeros(2, np.uint8)
            game.points(state, number, points)
            assert points.tolist() == [found for _, found in outcome(position, action).halves]
    number = rng.randrange(game.actions)
    if not mask[number >> 3] >> (number & 7) & 1:
        before = state.copy()
        assert game.step(state, number) == 1
        assert (state == before).all()


def lawful(game: Game, actions: Sequence[Action]) -> int:
    """Core's lawful actions as a set of their numbers. A long list of placements knows its groups."""
    if not isinstance(actions, Placements):
        return bit_set(game.number_of(action) for action in actions)
    found, pairs = 0, game.tables.places
    for tile, turned, places in actions._groups:
        found |= places << (2 * ORDER[tile] + turned) * pairs
    return found


def compare_listing(game: Game, position: Position, state: State) -> None:
    """The slow way: every action that core lists, one by one, with its points."""
    listed = game.legal(state)
    numbers = {game.number_of(action): action for action in position.actions()}
    assert listed.numbers.tolist() == sorted(numbers)
    for number, points in zip(listed.numbers.tolist(), listed.points.tolist(), strict=True):
        action = numbers[number]
        if isinstance(action, Place | Play):
            assert points == [found for _, found in outcome(position, action).halves]


def compare_planes(game: Game, position: Position, state: State) -> None:
    """Planes kept tile by tile are those worked out anew, and core's table of points."""
    if not isinstance(layout := position.table, Layout):
        return
    rules = game.tables.rules
    anew = state.copy()
    rebuild(rules, anew)
    begin, size = int(rules[CELL_AT]), int(rules[GRID_SIZE])
    cells = rules[begin : begin + len(layout.symbols)].astype(int)
    assert (state[: int(rules[PLANES])] == anew[: int(rules[PLANES])]).all()
    if not layout.stacking:  # covered cells of a flat board never score again
        cells = cells[np.frombuffer(layout.symbols, np.uint8) == at.FREE]
    planes = [s[int(rules[PLANES]) :][: 6 * (6 if layout.stacking else 1) * size] for s in (state, anew)]
    kept, fresh = [plane.reshape(-1, size)[:, cells] for plane in planes]
    assert (kept == fresh).all()
    if not layout.stacking:
        free = np.frombuffer(layout.symbols, np.uint8) == at.FREE
        assert (kept == np.array(layout.points_table())[:, free]).all()


def _gain(position: Position, action: Any) -> int:
    return sum(outcome(position, action).score.gain)


def _differences(found: Position, expected: Position) -> str:
    names = [name for name in Position.__slots__ if getattr(found, name) != getattr(expected, name)]
    return "; ".join(f"{name}: {getattr(found, name)} for {getattr(expected, name)}" for name in names)
