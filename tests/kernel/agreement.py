"""One game played by core and followed by the kernel: everything that can be compared, move by move."""

from __future__ import annotations

from random import Random
from typing import Any

import genial
from genial.core.actions import Place, Play
from genial.core.events import Drew, Placed, Played
from genial.core.layout import Layout
from genial.core.moves import outcome
from genial.core.observation import REASONS, observe
from genial.core.position import Position
from genial.core.situation import Phase
from genial.core.tiles import arranged
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.convert import counts
from genial.kernel.state import State
from genial.kernel.tables import CELL_AT, DIRECTED, GRID_SIZE, PLANES


def bare(position: Position) -> Position:
    """The position as a state can hold it: no order of the bag, no dealer, no past."""
    return position.change(
        bag=arranged(position.bag), discard=arranged(position.discard), dealer=None, log=None
    )


def follow(game: Game, variant: str, seats: int, seed: int, *, greedily: bool = False) -> int:
    """Play a game in core, follow it in the kernel, then undo it all. Returns how many were compared."""
    rng = Random(seed)
    position = genial.new(variant, seats=seats, seed=seed)
    state = game.from_core(position)
    past: list[tuple[Position, State]] = []
    while not position.is_over:
        compare(game, position, state, rng)
        compare_planes(game, position, state)
        compare_observations(game, position, state)
        if rng.random() < 0.02:
            compare_listing(game, position, state)
        past.append((position, game.clone(state)))
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        if greedily and position.phase is Phase.PLACE:
            few = [actions[rng.randrange(len(actions))] for _ in range(12)]
            action = max(few, key=lambda a: _gain(position, a))
        elif greedily:
            action = actions[-1]  # a swap if there is one
        after, events = position.apply(action)
        drawn = tuple(tile for event in events if isinstance(event, Drew) for tile in event.tiles)
        assert game.follow(state, game.number_of(action), counts(drawn)) == 0, action
        if isinstance(event := events[0], Placed | Played):
            assert tuple(state[at.GAIN : at.GAIN + 6]) == event.gain
            assert isinstance(action, Place | Play)
            assert state[at.EARNED] == outcome(position, action).score.bonus
        if isinstance(event, Placed):
            assert state[at.LEVEL] == event.level
        position = after
    compare(game, position, state, rng)
    compare_observations(game, position, state)
    assert position.result is not None
    assert REASONS[state[at.REASON]] == position.result.reason
    assert game.ranks(state) == position.result.ranks
    for earlier, kept in reversed(past):  # undo: restore the state as it was
        state[:] = kept
        compare(game, earlier, state, rng)
    return 2 * len(past) + 1


def compare(game: Game, position: Position, state: State, rng: Random) -> None:
    """Check that position and state agree: on their contents, on what is lawful, and on what it scores."""
    found, expected = game.to_core(state), bare(position)
    assert found == expected, _differences(found, expected)
    actions = position.actions()
    mask = bytearray(b"\xaa" * game.mask_bytes)
    assert game.mask(state, mask) == len(actions)
    assert int.from_bytes(mask, "little") == game.tables.numbering.numbers_of(actions)
    for _ in range(min(len(actions), 4)):
        action = actions[rng.randrange(len(actions))]
        number = game.number_of(action)
        assert game.action_of(number) == action
        if isinstance(action, Place | Play):
            points = bytearray(2)
            game.points(state, number, points)
            assert list(points) == [found for _, found in outcome(position, action).halves]
    number = rng.randrange(game.actions)
    if not mask[number >> 3] >> (number & 7) & 1:
        before = game.clone(state)
        assert game.step(state, number) == 1
        assert state == before


def compare_observations(game: Game, position: Position, state: State) -> None:
    """The kernel writes the bytes that core writes from each seat's view."""
    out = bytearray(b"\xaa" * game.observation_bytes)
    for seat in range(position.setup.seats):
        game.observe(state, seat, out)
        assert out == observe(position.view({seat}), seat), seat


def compare_listing(game: Game, position: Position, state: State) -> None:
    """The slow way: every action that core lists, one by one, with its points."""
    found = game.legal(state)
    numbers = {game.number_of(action): action for action in position.actions()}
    assert list(found.numbers) == sorted(numbers)
    for number, *points in zip(found.numbers, found.points[::2], found.points[1::2], strict=True):
        action = numbers[number]
        if isinstance(action, Place | Play):
            assert points == [points for _, points in outcome(position, action).halves]
        else:
            assert points == [0, 0]


def compare_planes(game: Game, position: Position, state: State) -> None:
    """Planes updated tile by tile equal recomputed ones, and core's table of points."""
    if not isinstance(layout := position.table, Layout):
        return
    rules = game.tables.rules
    anew = game.clone(state)
    game.engine.rebuild(rules, anew)
    size, planes, cells = rules[GRID_SIZE], rules[PLANES], len(layout.symbols)
    assert state[:planes] == anew[:planes]
    # Covered cells of a flat board never score again.
    kept = [n for n in range(cells) if layout.stacking or layout.symbols[n] == at.FREE]
    where = [rules[rules[CELL_AT] + n] for n in kept]
    table = layout.points_table() if not layout.stacking else []
    for number in range(at.COLOURS * rules[DIRECTED]):
        begin = planes + size * number
        plane = [state[begin + cell] for cell in where]
        assert plane == [anew[begin + cell] for cell in where]
        if not layout.stacking:
            assert plane == [table[number][n] for n in kept]


def _gain(position: Position, action: Any) -> int:
    return sum(outcome(position, action).score.gain)


def _differences(found: Position, expected: Position) -> str:
    names = [name for name in Position.__slots__ if getattr(found, name) != getattr(expected, name)]
    return "; ".join(f"{name}: {getattr(found, name)} for {getattr(expected, name)}" for name in names)
