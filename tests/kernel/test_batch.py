"""Many games in one buffer: one pass over each does what several do one after another."""

from __future__ import annotations

import numpy as np
import pytest

from genial import kernel
from genial.bots.worth import balanced_worth
from genial.kernel.batch import Batch
from genial.kernel.state import NOBODY, OVER, PHASE, RACKS, TRACKS
from genial.kernel.worth import worth_table

GAMES = 600
"""Enough for two threads."""


@pytest.mark.parametrize("viewer", [0, NOBODY])
def test_a_turn_is_a_step_plus_everything_reported(variant: str, seats: int, viewer: int) -> None:
    game = kernel.game(variant, seats)
    one, other = (Batch(game, GAMES, seed=5, threads=2) for _ in range(2))
    viewers, movers = np.full(GAMES, viewer, np.uint8), np.zeros(GAMES, np.uint8)
    masks = np.zeros((GAMES, game.mask_bytes), np.uint8)
    seen, lasts = (np.zeros((GAMES, game.observation_bytes), np.uint8) for _ in range(2))
    ended = 0
    for step in range(220):
        actions = one.choose().copy()
        assert np.array_equal(other.choose(), actions)
        actions[::7] = -1 if step % 5 == 0 else actions[::7]
        before = one.states.copy()
        refused = one.step(actions)
        told = {"masks": masks, "seen": seen} if step % 3 else {}
        assert other.turn(actions, viewers=viewers, seats=movers, lasts=lasts, **told) == refused
        assert np.array_equal(one.states, other.states)
        assert np.array_equal(one.over, other.over)
        assert np.array_equal(movers, one.seats())
        if told:
            assert np.array_equal(masks, one.masks())
            assert np.array_equal(seen, one.observe())
        for n in np.flatnonzero(one.over):
            last, view = before[n], np.zeros(game.observation_bytes, np.uint8)
            game.step(last, int(actions[n]))
            assert last[PHASE] == OVER
            assert np.array_equal(other.tracks[n], last[TRACKS:RACKS])
            game.observe(last, game.seat(last) if viewer == NOBODY else viewer, view)
            assert np.array_equal(lasts[n], view)
            assert np.array_equal(one.ranks[n], other.ranks[n])
            ended += 1
        going = one.over == 0
        assert np.array_equal(other.tracks[going], one.states[going, TRACKS:RACKS])
    assert ended
    one.close()
    other.close()


@pytest.mark.parametrize("policy", ["random", "greedy", "balanced"])
def test_only_the_games_asked_about_get_an_action(variant: str, seats: int, policy: str) -> None:
    game = kernel.game(variant, seats)
    worth = balanced_worth(game.tables.setup.title)
    table = np.array(worth_table(worth.steps, worth.bonus, seats), np.uint16)
    batch = Batch(game, GAMES, seed=5, threads=2)
    asked = (np.arange(GAMES) % 3 == 0).astype(np.uint8)
    for _ in range(60):
        before = batch.states.copy()
        batch.actions[...] = -1
        chosen = batch.choose(policy, asked, table)
        assert np.array_equal(chosen >= 0, asked == 1)
        assert np.array_equal(batch.states[asked == 0], before[asked == 0]), "no chance is spent on others"
        assert batch.step(chosen) == (asked == 0).sum()
    assert batch.step(batch.choose(policy, worth=table)) == 0
    batch.close()


def test_balanced_play_needs_its_table() -> None:
    batch = Batch(kernel.game("classic", 2), 2, seed=1)
    with pytest.raises(ValueError, match="table of worth"):
        batch.choose("balanced")


def test_masks_with_one_byte_per_action_say_the_same(variant: str, seats: int) -> None:
    game = kernel.game(variant, seats)
    batch = Batch(game, GAMES, seed=5, threads=2)
    out = np.full((GAMES + 1, game.actions), 7, np.int8)
    for _ in range(20):
        batch.step(batch.choose())
        masks = batch.masks()
        batch.spread(masks, out[:-1])
        wanted = np.unpackbits(masks, axis=1, count=game.actions, bitorder="little")
        assert np.array_equal(out[:-1], wanted)
        assert (out[-1] == 7).all()
    batch.close()
