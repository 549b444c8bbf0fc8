"""All bots: lawful everywhere and blind to what they may not see. The simple ones: of different strength."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.play import GAMES, games, seeds, walk

import genial
from genial.bots import BOTS, bot_named, play_out
from genial.bots.bot import Budget
from genial.core.actions import Place, Play, Swap
from genial.core.errors import SetupError
from genial.core.moves import outcome
from genial.core.situation import Phase

FEW = Budget(nodes=12)
"""Few enough nodes that whole games of the levels that look ahead are quick."""


def test_bots_taking_turns_choose_only_lawful_actions(variant: str, seats: int) -> None:
    """Each of them at every stage of some game: they take turns, and a different one starts each game."""
    position, rng = genial.new(variant, seats=seats, seed=11), Random(1)
    names = list(BOTS)
    turn = GAMES.index((variant, seats))
    while not position.is_over:
        view = position.view({position.seat})
        action = BOTS[names[turn % len(names)]].choose(view, rng, FEW)
        assert action in view.actions()
        position, _ = position.apply(action)
        turn += 1


@pytest.mark.slow
@pytest.mark.parametrize("name", list(BOTS))
def test_bots_choose_only_lawful_actions(variant: str, seats: int, name: str) -> None:
    position, rng = genial.new(variant, seats=seats, seed=11), Random(1)
    while not position.is_over:
        view = position.view({position.seat})
        action = BOTS[name].choose(view, rng, FEW)
        assert action in view.actions()
        position, _ = position.apply(action)


@given(games, seeds, st.sampled_from(sorted(BOTS)))
def test_bots_choose_the_same_whatever_is_hidden_from_them(
    game: tuple[str, int], seed: int, name: str
) -> None:
    rng = Random(seed)
    positions = [position for position in walk(game, seed) if not position.is_over]
    position = positions[rng.randrange(len(positions))]
    other = position.determinize({position.seat}, rng)
    views = [p.view({p.seat}) for p in (position, other)]
    assert BOTS[name].choose(views[0], Random(seed), FEW) == BOTS[name].choose(views[1], Random(seed), FEW)
    assert BOTS[name].advise(views[0], Random(seed), FEW) == BOTS[name].advise(views[1], Random(seed), FEW)


def test_greedy_takes_the_most_points(variant: str, seats: int) -> None:
    position, rng = genial.new(variant, seats=seats, seed=5), Random(5)
    for _ in range(30):
        if position.is_over:
            break
        action = bot_named("greedy").choose(position.view({position.seat}), rng)
        if isinstance(action, Place | Play):
            best = max(
                sum(outcome(position, other).score.gain)
                for other in position.actions()
                if isinstance(other, Place | Play)
            )
            assert sum(outcome(position, action).score.gain) == best
        position, _ = position.apply(action)


def test_balanced_prefers_the_colour_that_is_behind() -> None:
    """Of two placements with equal points it takes the one for the lower marker."""
    position = genial.new("classic", seats=2, seed=7)
    ahead = (10, 10, 10, 10, 10, 0)
    view = position.change(tracks=(ahead, ahead)).view({0})
    action = bot_named("balanced").choose(view, Random(1))
    assert outcome(view, action).score.gain[5] > 0  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["greedy", "balanced"])
def test_an_open_swap_is_taken(name: str) -> None:
    for seed in range(200):
        for position in walk(("cards", 2), seed):
            if position.phase is Phase.END_TURN and Swap() in position.actions():
                assert bot_named(name).choose(position.view({position.seat}), Random(1)) == Swap()
                return
    pytest.fail("no swap was open in any game")


@pytest.mark.slow
def test_balanced_beats_greedy_and_both_beat_random() -> None:
    """Balanced beats greedy, and both beat random, at classic for two."""

    def share(better: str, worse: str, games: int) -> float:
        won = 0.0
        for seed in range(games):
            for seat in (0, 1):
                bots = [bot_named(worse)] * 2
                bots[seat] = bot_named(better)
                end = play_out(genial.new("classic", seats=2, seed=f"ladder-{seed}"), bots, Random(seed))
                assert end.result is not None
                mine, other = end.result.ranks[seat], end.result.ranks[1 - seat]
                won += (mine < other) + (mine == other) / 2
        return won / (2 * games)

    assert share("balanced", "greedy", 60) > 0.52
    assert share("greedy", "random", 10) >= 0.8
    assert share("balanced", "random", 10) == 1


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(SetupError) as caught:
        bot_named("nobody")
    assert "balanced" in str(caught.value)
