"""Our bots with other parameters: `level-3[fear=0.3,patience=1.4]`.

What can be tuned is data: each parameter with its default, bounds and step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from genial.bots import bot_named
from genial.bots.bot import Bot
from genial.bots.errors import WrongBot
from genial.bots.levels import FEAR, LEVELS, PATIENCE, third_level
from genial.bots.searcher import SearchBot

Parameters = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Knob:
    """A tunable parameter. It is a whole number if its step is."""

    name: str
    own: float
    """The bot's current value."""
    low: float
    high: float
    step: float

    def checked(self, value: float) -> float:
        """The value, if it is within bounds; as a whole number if the knob requires one."""
        whole = isinstance(self.step, int)
        if not (isfinite(value) and self.low <= value <= self.high) or (whole and value != int(value)):
            raise WrongBot("knob-value", name=self.name, low=self.low, high=self.high, got=value)
        return int(value) if whole else value


def _of_search(bot: SearchBot) -> tuple[Knob, ...]:
    return (
        Knob("lead", bot.insight.lead, 0, 0.6, 0.05),
        Knob("width", bot.insight.width, 4, 96, 2),
        Knob("worlds", bot.insight.worlds, 1, 32, 1),
    )


KNOBS: Mapping[str, tuple[Knob, ...]] = {
    "level-3": (Knob("fear", FEAR, 0, 1, 0.05), Knob("patience", PATIENCE, 0.4, 4, 0.1)),
    **{bot.name: _of_search(bot) for bot in LEVELS if isinstance(bot, SearchBot)},
}
"""What can be tuned for each bot."""


def knobs_of(bot: str) -> tuple[Knob, ...]:
    """The parameters of a bot, whatever its budget."""
    base = bot.partition("@")[0]
    if base not in KNOBS:
        raise WrongBot("bot-untunable", name=bot, expected=list(KNOBS))
    return KNOBS[base]


def name_of(bot: str, parameters: Parameters) -> str:
    """The name of a bot with these parameters.

    >>> name_of("level-3", {"patience": 1.4, "fear": 0.3})
    'level-3[fear=0.3,patience=1.4]'
    """
    return f"{bot}[{','.join(f'{name}={value:g}' for name, value in sorted(parameters.items()))}]"


def tuned(bot: str, parameters: Parameters) -> Bot:
    """The bot with these parameters instead of its own.

    >>> tuned("level-4", {"width": 8}).insight.width
    8
    """
    knobs = {knob.name: knob for knob in knobs_of(bot)}
    for name in parameters:
        if name not in knobs:
            raise WrongBot("knob-unknown", bot=bot, name=name, expected=list(knobs))
    values: dict[str, Any] = {name: knobs[name].checked(value) for name, value in parameters.items()}
    own, called = bot_named(bot), name_of(bot, values)
    if isinstance(own, SearchBot):
        return replace(own, name=called, insight=replace(own.insight, **values))
    return third_level(called, **values)


def tuned_named(text: str) -> Bot:
    """The bot with this name, parameters included.

    >>> tuned_named("level-3[patience=1.4]").name
    'level-3[patience=1.4]'
    """
    bot, _, rest = text.removesuffix("]").partition("[")
    parameters: dict[str, float] = {}
    for part in filter(None, rest.split(",")):
        name, _, value = part.partition("=")
        try:
            parameters[name.strip()] = float(value)
        except ValueError:
            parameters[name.strip()] = float("nan")  # rejected later with the expected bounds
    return tuned(bot, parameters)


def of_the_house(name: str) -> Bot:
    """One of our bots by name, possibly with other parameters.

    >>> of_the_house("greedy").name, of_the_house("level-3[fear=0.3]").name
    ('greedy', 'level-3[fear=0.3]')
    """
    return tuned_named(name) if name.endswith("]") else bot_named(name)
