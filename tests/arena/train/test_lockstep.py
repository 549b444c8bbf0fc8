"""Games in lockstep are the games that the kernel plays one after another."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from tests.arena.train.rows import Rows

from genial.arena.train.games import NO_WEIGHTS, balanced_table
from genial.arena.train.layers import Array, Network
from genial.arena.train.lockstep import Judged, Lockstep
from genial.arena.train.workshop import Heat
from genial.kernel.api import Game
from genial.kernel.network import FEATURE_COUNT, WEIGHTS
from genial.kernel.source import selfplay
from genial.kernel.source.called import rules_of
from genial.kernel.source.shortlist import new_desk
from genial.kernel.state import COLOURS, SEAT

pytestmark = pytest.mark.slow  # numba compiles
ROOM = 6


def in_step(variant: str, seats: int, games: int) -> Lockstep:
    game = Game.of(variant, seats)
    return Lockstep(game, Rows(game), games, ROOM)


def one_by_one(variant: str, seats: int, games: int, seed: int) -> Array:
    """A contest of balanced play as the kernel plays it."""
    game, results = Game.of(variant, seats), np.zeros((games, 2), np.float32)
    rules, worth = rules_of(game.tables), balanced_table(game)
    fresh, state = np.frombuffer(game.fresh, np.uint8), np.zeros(game.tables.state_size, np.uint8)
    desk = new_desk(rules, ROOM)
    selfplay.contest(rules, fresh, state, worth, NO_WEIGHTS, NO_WEIGHTS, seed, games, desk, results)
    return results


def test_a_contest_of_balanced_play_matches_the_kernels(
    variant: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = 2 * seats
    found = in_step(variant, seats, games)

    def deal(seed: int) -> None:
        """The deals of `selfplay.contest`."""
        for n in range(games):
            stream = (seed + n // seats) * 0x9E3779B97F4A7C15 % (1 << 64)
            signed = stream - (1 << 64) if stream >> 63 else stream
            found.card.launch("deal", 1, state=found.states[n : n + 1], seed=signed)

    monkeypatch.setattr(found, "deal_alike", deal)
    monkeypatch.setattr(found, "judge", lambda _: Judged(found.by_worth(), None, None))
    nobody = Network(np, np.zeros(WEIGHTS, np.float32))
    assert np.array_equal(found.contest(nobody, None, 7), one_by_one(variant, seats, games, 7))


def test_samples_hold_what_the_mover_sees_after_each_move(variant: str, seats: int) -> None:
    found, game = in_step(variant, seats, 3), Game.of(variant, seats)
    found.deal(5)
    for _ in range(6):
        found.offer()
        before = found.states.copy()
        samples = found._samples.reshape(3, ROOM, found.views, FEATURE_COUNT)
        for n, state in enumerate(before):
            seat = int(state[SEAT])
            for m, action in enumerate(found.actions[n].tolist()):
                after = bytearray(state)
                if action < 0 or game.step(after, action):
                    assert action < 0
                    continue
                for view, other in enumerate(found.others[seat].tolist()):
                    wanted = array("f", bytes(4 * FEATURE_COUNT))
                    game.engine.features(game.tables.rules, after, seat, other, wanted)
                    assert samples[n, m, view].tolist() == list(wanted)
        found.advance(np.zeros(3, np.int64))


def test_targets_are_how_the_games_ended(variant: str, seats: int) -> None:
    found = in_step(variant, seats, 4)
    noted = found.gather(None, Heat(0.1), 3, 0.0, 1.0)
    share, lead, finals = noted.targets
    assert len(noted.samples) == len(share) == len(lead) == len(finals) > 10 * seats
    lowest = finals.min(2).astype(int)
    if found.solo:
        assert np.array_equal(lead, lowest[:, 0])
    elif variant != "duel":  # there the lead counts colours
        assert np.array_equal(lead, lowest[:, 0] - lowest[:, 1])
        assert (share[lead > 0] == 1).all()
    assert finals.shape[1:] == (2, COLOURS)
    assert set(np.unique(share)) <= {0.0, 0.5, 1.0}


def test_the_networks_later_values_are_trusted_as_far_as_asked() -> None:
    found = in_step("cards", 2, 4)
    even = Network(np, np.zeros(WEIGHTS, np.float32))  # says a half for everything
    all_even = found.gather(even, Heat(0.1), 3, 1.0, 1.0).targets.share
    half = found.gather(even, Heat(0.1), 3, 0.5, 1.0).targets.share
    ends = found.gather(even, Heat(0.1), 3, 0.0, 1.0).targets.share
    assert np.abs(ends - 0.5).mean() > np.abs(half - 0.5).mean() > np.abs(all_even - 0.5).mean()
