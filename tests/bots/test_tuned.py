"""Bots with other parameters: what can be tuned is what the bot has, and the names say it all."""

from __future__ import annotations

from random import Random

import pytest

import genial
from genial.bots import BOTS, bot_named
from genial.bots.external import player_named
from genial.bots.searcher import SearchBot
from genial.bots.tuned import KNOBS, knobs_of, name_of, tuned, tuned_named
from genial.core.errors import SetupError
from genial.core.events import Placed
from genial.core.view import View


@pytest.mark.parametrize("bot", KNOBS)
def test_every_parameter_has_its_own_value_within_its_bounds(bot: str) -> None:
    assert bot in BOTS
    for knob in knobs_of(bot):
        assert knob.checked(knob.own) == knob.own
        steps = (knob.own - knob.low) / knob.step
        assert steps == pytest.approx(round(steps)), "tuning begins with what the bot has"
        for value in (knob.low - knob.step, knob.high + knob.step, float("nan")):
            with pytest.raises(SetupError) as refused:
                tuned(bot, {knob.name: value})
            assert refused.value.code == "knob-value"


def test_with_its_own_parameters_a_bot_plays_as_usual() -> None:
    own = {knob.name: knob.own for knob in knobs_of("level-3")}
    position = genial.new("travel", seats=2, seed=3)
    for turn in range(6):
        view = position.view({position.seat})
        action = bot_named("level-3").choose(view, Random(turn))
        assert tuned("level-3", own).choose(view, Random(turn)) == action
        position, _ = position.apply(action)


def test_a_bot_plays_by_the_parameters_it_is_given() -> None:
    bot = player_named("level-4@2000n[width=8,worlds=2]")
    assert isinstance(bot, SearchBot)
    assert (bot.insight.nodes, bot.insight.width, bot.insight.worlds) == (2000, 8, 2)
    assert bot.name == "level-4@2000n[width=8,worlds=2]"
    view = _after(8)
    hasty, patient = (tuned("level-3", {"patience": value}).choose(view, Random(1)) for value in (0.4, 4))
    assert hasty != patient


def _after(turns: int) -> View:
    """A position in the middle of a game, where what is ahead and what is behind differ."""
    position, chance = genial.new("travel", seats=2, seed=5), Random(5)
    while sum(isinstance(event, Placed) for event in position.events) < turns:
        view = position.view({position.seat})
        position, _ = position.apply(bot_named("greedy").choose(view, chance))
    while len(position.actions()) == 1:
        position, _ = position.apply(position.actions()[0])
    return position.view({position.seat})


def test_a_tuned_bots_name_is_read_back() -> None:
    name = name_of("level-3", {"patience": 1.3, "fear": 0.45})
    assert tuned_named(name).name == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("level-3[courage=1]", "knob-unknown"),
        ("level-3[fear]", "knob-value"),
        ("level-3[fear=much]", "knob-value"),
        ("level-4[width=8.5]", "knob-value"),
        ("greedy[fear=1]", "bot-untunable"),
        ("nobody[fear=1]", "bot-untunable"),
        ("level-3@0.5[fear=1]", "bot-unknown"),
    ],
)
def test_an_invalid_name_is_refused(name: str, code: str) -> None:
    with pytest.raises(SetupError) as refused:
        player_named(name)
    assert refused.value.code == code


def test_a_table_cannot_ask_for_a_tuned_bot() -> None:
    """Names from a file or the network are looked up with `bot_named`."""
    with pytest.raises(SetupError):
        bot_named("level-6[width=96]")
