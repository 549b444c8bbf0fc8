"""The ladder: names, budgets, determinism, advice, and what the lower levels overlook."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.play import games, seeds, walk

import genial
from genial import kernel
from genial.bots import BOTS, FOR_STUDY, bot_named
from genial.bots.bot import Budget
from genial.bots.eyes import Blinkered
from genial.bots.levels import FROZEN, LEVELS
from genial.bots.messages import WORDS
from genial.bots.searcher import Insight, SearchBot
from genial.bots.warm import warm
from genial.core.actions import Place, Refill, Swap
from genial.core.errors import SetupError
from genial.core.moves import outcome
from genial.core.position import Position
from genial.core.situation import Phase
from genial.kernel.engine import Found
from genial.kernel.source import called, choice
from genial.kernel.weights import weights_of

NODES = 40
FEW = Budget(nodes=NODES)


def _some(game: tuple[str, int], seed: int) -> Position:
    positions = [position for position in walk(game, seed, greedily=True) if not position.is_over]
    return positions[Random(seed).randrange(len(positions))]


def test_there_are_six_levels_with_names_in_every_language() -> None:
    assert [bot.name for bot in LEVELS] == [f"level-{n}" for n in range(1, 7)]
    for language in ("en", "de", "nl"):
        names = [WORDS.render(f"bot-{name}", {}, language) for name in BOTS]
        assert len(set(names)) == len(BOTS)
        assert max(map(len, names)) <= 11, names  # longer ones are cut off next to a move
        words = WORDS.messages(language)
        assert len({words[f"bot-{bot.name}-level"] for bot in LEVELS}) == len(LEVELS)
        assert len({words[f"bot-{name}-character"] for name in BOTS}) == len(BOTS)


def test_levels_are_offered_first_and_the_simple_bots_last() -> None:
    assert list(BOTS) == [bot.name for bot in (*LEVELS, *FOR_STUDY)]


def test_frozen_masters_never_change_and_are_found_only_by_name() -> None:
    master = bot_named("master-1")
    assert isinstance(master, SearchBot)
    assert master.insight == Insight(
        24_000, 1.0, 24, 16, endgame=True, lead=0.15, searches_ends=True, learned=1
    )
    weights = weights_of("classic", 2, master.insight.learned)
    assert weights is not None
    assert sha256(weights).hexdigest().startswith("551cdfe4d8f10841")
    assert bot_named("master-1@0.5").name == "master-1@0.5"
    assert not {bot.name for bot in FROZEN} & set(BOTS)


def test_a_level_that_looks_ahead_can_be_named_with_another_budget() -> None:
    whole, fifth = bot_named("level-6"), bot_named("level-6@0.2")
    assert isinstance(whole, SearchBot)
    assert isinstance(fifth, SearchBot)
    assert fifth.name == "level-6@0.2"
    assert fifth.insight.nodes == round(whole.insight.nodes / 5)
    assert fifth.insight.seconds == pytest.approx(whole.insight.seconds / 5)


@pytest.mark.parametrize(
    "name",
    [
        "level-7",
        "level-6@",
        "level-6@0",
        "level-6@-1",
        "level-6@0n",
        "level-6@nan",
        "greedy@0.5",
        "@1",
        "level-6@²n",
    ],
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SetupError):
        bot_named(name)


@given(games, seeds, st.sampled_from(sorted(BOTS)))
@settings(max_examples=40)
def test_the_same_seed_and_nodes_give_the_same_advice_led_by_the_choice(
    game: tuple[str, int], seed: int, name: str
) -> None:
    view = (position := _some(game, seed)).view({position.seat})
    bot = BOTS[name]
    advice = bot.advise(view, Random(seed), FEW)
    assert advice == bot.advise(view, Random(seed), FEW)
    assert bot.choose(view, Random(seed), FEW) == advice.candidates[0].action
    assert len({candidate.action for candidate in advice.candidates}) == len(advice.candidates)
    for candidate in advice.candidates:
        assert candidate.action in view.actions()


@given(games, seeds, st.sampled_from(sorted(BOTS)))
@settings(max_examples=40)
def test_a_bot_can_judge_any_action(game: tuple[str, int], seed: int, name: str) -> None:
    view = (position := _some(game, seed)).view({position.seat})
    actions = view.actions()
    asked = actions[Random(seed).randrange(len(actions))]
    found = [c for c in BOTS[name].advise(view, Random(seed), FEW, [asked]).candidates if c.action == asked]
    assert len(found) == 1
    if isinstance(asked, Place):
        assert found[0].gain == outcome(view, asked).score.gain


@given(games, seeds)
@settings(max_examples=30)
def test_a_searchs_advice_adds_up(game: tuple[str, int], seed: int) -> None:
    view = (position := _some(game, seed)).view({position.seat})
    advice = bot_named("level-5").advise(view, Random(seed), FEW)
    assert advice.nodes == sum(candidate.nodes for candidate in advice.candidates) >= NODES / 2
    assert sum(advice.shares) == pytest.approx(1)
    assert advice.unit == ("lowest" if view.setup.title.is_solo else "share")
    for candidate in advice.candidates:
        if not view.setup.title.is_solo:
            assert 0 <= candidate.value <= 1
            assert candidate.fear is None or candidate.fear.seat == (view.seat + 1) % view.setup.seats


def test_a_search_stops_at_its_deadline_with_a_best_candidate() -> None:
    view = genial.new("classic", seats=4, seed=3).view({0})
    advice = bot_named("level-6").advise(view, Random(1), Budget(seconds=0.01))
    whole = bot_named("level-6")
    assert isinstance(whole, SearchBot)
    assert 0 < advice.nodes < whole.insight.nodes
    assert advice.candidates[0].action in view.actions()


def test_level_1_forgets_to_swap_and_the_others_do_not() -> None:
    for seed in range(200):
        for position in walk(("cards", 2), seed):
            if position.phase is Phase.END_TURN and Swap() in position.actions():
                view = position.view({position.seat})
                assert bot_named("level-1").choose(view, Random(1)) == Refill()
                assert bot_named("level-2").choose(view, Random(1)) == Swap()
                return
    pytest.fail("no swap was open in any game")


def test_level_1_ignores_distant_symbols_and_misses_lines() -> None:
    """Seen points never exceed the true ones; with two symbols per line they never exceed twelve."""
    fewer = 0
    for position in walk(("classic", 2), 3, greedily=True):
        if position.phase is Phase.PLACE:
            view = position.view({position.seat})
            for options in Blinkered(reach=2, missed=2).options(view, Random(1)):
                for number, seen in enumerate(options.points):
                    action = options.action(number)
                    assert isinstance(action, Place)
                    true = [points for _, points in outcome(view, action).halves]
                    assert all(few <= min(points, 8) for few, points in zip(seen, true, strict=True))
                    fewer += seen < tuple(true)
    assert fewer


@pytest.mark.slow  # numba compiles
def test_nothing_is_compiled_after_the_warm_up(
    variant: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The warm-up compiles for exactly the types that searches use, whatever the variant."""
    numba = Found(called.load(), "")
    monkeypatch.setattr("genial.kernel.engine._look", lambda again: numba)
    warm()
    functions: list[Any] = [
        choice.choice_size,
        choice.choice_begin,
        choice.choice_step,
        choice.choice_result,
    ]
    before = [len(function.signatures) for function in functions]
    assert all(before)
    near_the_end = walk((variant, seats), 5, greedily=True)[-3]
    for position in (genial.new(variant, seats=seats, seed=1), near_the_end):
        view = position.view({position.seat})
        for level in (4, 6):
            bot_named(f"level-{level}").advise(view, Random(1), Budget(nodes=30))
    assert before == [len(function.signatures) for function in functions]


def test_without_the_kernel_the_higher_levels_play_like_level_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel, "available", lambda: kernel.Availability(False, "no numba"))
    monkeypatch.setattr(kernel, "_told", [])
    view = genial.new("classic", seats=2, seed=3).view({0})
    third = bot_named("level-3").choose(view, Random(5))
    assert [bot_named(f"level-{n}").choose(view, Random(5)) for n in (4, 5, 6)] == [third] * 3
    assert capsys.readouterr().err.count("no numba") == 1
