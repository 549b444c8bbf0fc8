"""The player that looks one move ahead: its shortlist, what it may know, and how well it plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from tests.play import games, seeds, walk

from genial.arena.train.games import NO_WEIGHTS, Players, balanced_table
from genial.bots.worth import balanced_worth
from genial.core.actions import Action, Place, Play
from genial.core.moves import outcome
from genial.core.position import Position
from genial.core.situation import Phase, markers_of
from genial.kernel.api import Game
from genial.kernel.network import WEIGHTS
from genial.kernel.source import player
from genial.kernel.source.balanced import Worth
from genial.kernel.source.called import rules_of, state_of
from genial.kernel.source.compiled import State, compiled
from genial.kernel.source.features import Floats
from genial.kernel.source.rules import Rules
from genial.kernel.source.shortlist import Desk, new_desk, shortlist
from genial.kernel.weights import weights_of
from genial.kernel.worth import UNIT

pytestmark = pytest.mark.slow  # numba takes minutes to compile this; in `make test` the library plays

ROOM = 6


@compiled
def _listed(rules: Rules, state: State, worth: Worth, desk: Desk) -> int:
    return shortlist(rules, state, worth, desk, desk.room)


@compiled
def _chosen(rules: Rules, state: State, worth: Worth, weights: Floats, desk: Desk) -> int:
    return player.choose(rules, state, worth, weights, desk)


def placing(game: tuple[str, int], seed: int) -> Position:
    positions = [p for p in walk(game, seed, greedily=True) if p.phase is Phase.PLACE]
    return positions[Random(seed).randrange(len(positions))]


@given(games, seeds)
@settings(max_examples=20)
def test_the_shortlist_holds_what_balanced_play_likes_best(game: tuple[str, int], seed: int) -> None:
    kernel, position = Game.of(*game), placing(game, seed)
    markers, worth = markers_of(position, position.seat), balanced_worth(position.setup.title)

    def liked(action: Action) -> float:
        assert isinstance(action, Place | Play)
        return worth.gained(markers, outcome(position, action).score)

    rules = rules_of(kernel.tables)
    desk = new_desk(rules, ROOM)
    state, table = state_of(Game.from_core(position, seed)), balanced_table(kernel)
    best = sorted(map(liked, position.actions()), reverse=True)[:ROOM]
    assert _listed(rules, state, table, desk) == len(best)
    found = [liked(kernel.action_of(int(number))) for number in desk.actions[: len(best)]]
    assert found == pytest.approx(best, abs=4 / UNIT)


@given(games, seeds)
@settings(max_examples=20)
def test_a_player_chooses_by_what_its_seat_knows(game: tuple[str, int], seed: int) -> None:
    kernel, position = Game.of(*game), placing(game, seed)
    weights = np.random.default_rng(seed).normal(0, 0.05, WEIGHTS).astype(np.float32)
    other = position.determinize({position.seat}, Random(seed))
    chosen = {
        _chosen(
            rules_of(kernel.tables),
            state_of(Game.from_core(where, seed=1)),
            balanced_table(kernel),
            weights,
            new_desk(rules_of(kernel.tables), ROOM),
        )
        for where in (position, other)
    }
    assert len(chosen) == 1


def test_the_learned_weights_beat_balanced_play() -> None:
    """91.6% of 8,000 games; 200 are enough to see that these are the weights and the features they know."""
    weights = weights_of("classic", 2)
    assert weights is not None
    with ThreadPoolExecutor(1) as pool:
        players = Players("classic", 2, 24, pool)
        learned = np.frombuffer(weights, np.float32)
        results = players.contest(learned, NO_WEIGHTS, games=200, seed=1)
    assert results[:, 0].mean() > 0.82
