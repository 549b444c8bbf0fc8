"""Asks a bot for its next action, or for its whole turn, within a budget and a deadline.

Arena, `simulate`, terminal and server all use this module. A bot that minds the clock stops in time: one that
searches returns the best it has found so far, and a program is killed. The others do a bounded amount of work
and need no clock. When a bot fails, the caller decides what happens: a contest is lost, and in a game with
people `stand_in` takes over.

Whether a swap is possible is a secret, and so are when and how long a bot thinks about it. A whole turn is
therefore decided at once, at a cost that does not depend on this; the caller announces its end later.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Protocol, TypeGuard, runtime_checkable

from genial.bots.bot import Advice, Bot, Budget, Chosen, Turn
from genial.bots.simple import GREEDY
from genial.bots.thought import Thought, at_once
from genial.core.actions import Action
from genial.core.determinize import determinize
from genial.core.position import Position
from genial.core.situation import Phase
from genial.core.view import View

DEADLINE = 60.0
"""Seconds for a move by default."""
UNHURRIED = 900.0
"""Seconds for a move when nodes are counted: time must not matter, even if the kernel is compiled first."""
_SHARE = 0.9
"""Share of the deadline after which the end of a turn is not asked for: its answer would be late."""


@runtime_checkable
class MindsTheClock(Bot, Protocol):
    """A bot that might think for too long, but can be held to a time limit."""

    def choose_within(self, view: View, rng: Random, budget: Budget | None, seconds: float) -> Chosen:
        """Like `choose`, but within this many seconds."""

    def end_within(self, view: View, rng: Random, seconds: float) -> Action:
        """How to end the turn, within what is left of the whole turn's time."""


@runtime_checkable
class Searches(Bot, Protocol):
    """A bot that minds the clock too, and whose searches can run anywhere (`thought`)."""

    def advising(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Thought[Advice]:
        """Like `advise`."""

    def choosing_within(
        self, view: View, rng: Random, budget: Budget | None, seconds: float
    ) -> Thought[Chosen]:
        """Like `choose`, but within this many seconds."""

    def ending_within(self, view: View, rng: Random, seconds: float) -> Thought[Action]:
        """How to end the turn, within what is left of the whole turn's time."""


def choose(
    bot: Bot, view: View, rng: Random, budget: Budget | None = None, deadline: float = DEADLINE
) -> Chosen:
    """What a bot does, within `deadline` seconds. The bot's exceptions propagate.

    >>> import genial
    >>> from genial.bots import bot_named
    >>> view = genial.new("cards", seats=2, seed=7).view({0})
    >>> choose(bot_named("greedy"), view, Random(1)).action in view.actions()
    True
    """
    if _searches(bot):
        return at_once(bot.choosing_within(view, rng, budget, deadline))
    if _minds_the_clock(bot):
        return bot.choose_within(view, rng, budget, deadline)
    return Chosen(bot.choose(view, rng, budget))


def whole_turn(
    bot: Bot, view: View, rng: Random, budget: Budget | None = None, deadline: float = DEADLINE
) -> Turn:
    """What a bot does and, if that was the last action of its turn, how it ends the turn.

    >>> import genial
    >>> from genial.bots import bot_named
    >>> view = genial.new("classic", seats=2, seed=7).view({0})
    >>> whole_turn(bot_named("greedy"), view, Random(1)).then
    Refill()
    """
    return at_once(turn(bot, view, rng, budget, deadline))


def turn(
    bot: Bot, view: View, rng: Random, budget: Budget | None = None, deadline: float = DEADLINE
) -> Thought[Turn]:
    """The same, with searches that can run anywhere."""
    until = time.monotonic() + _SHARE * deadline
    if _searches(bot):
        chosen = yield from bot.choosing_within(view, rng, budget, deadline)
    else:
        chosen = choose(bot, view, rng, budget, deadline)
    try:
        then = yield from _ending(bot, view, chosen.action, rng, until)
    except Exception:  # the choice stands; an undecided ending is a refill
        then = None
    return Turn(chosen.action, then)


def opinion(
    bot: Bot, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
) -> Thought[Advice]:
    """A bot's opinion of a view, and of `include` in any case, with searches that can run anywhere."""
    if _searches(bot):
        return (yield from bot.advising(view, rng, budget, include))
    return bot.advise(view, rng, budget, include)


def stand_in(view: View, rng: Random) -> Turn:
    """A lawful turn in place of a bot that failed."""
    try:
        return whole_turn(GREEDY, view, rng)
    except Exception:
        return Turn(view.actions()[0])


def play_out(position: Position, bots: Sequence[Bot], rng: Random) -> Position:
    """Play the game to its end, one bot per seat.

    >>> import genial
    >>> from genial.bots import bot_named
    >>> end = play_out(genial.new("cards", seats=2, seed=7), [bot_named("greedy")] * 2, Random(1))
    >>> end.result.reason
    'goal'
    """
    while not position.is_over:
        view = position.view({position.seat})
        position, _ = position.apply(choose(bots[position.seat], view, rng).action)
    return position


def _ending(bot: Bot, view: View, action: Action, rng: Random, until: float) -> Thought[Action | None]:
    if view.phase is Phase.END_TURN:
        return None
    # Nobody draws in between, so what the bot will see does not depend on what it cannot see now.
    after, _ = determinize(view, rng).apply(action)
    if after.is_over or after.phase is not Phase.END_TURN or after.seat != view.seat:
        return None
    seen, left = after.view(view.viewer), until - time.monotonic()
    if _searches(bot):
        return (yield from bot.ending_within(seen, rng, left)) if left > 0 else None
    if _minds_the_clock(bot):
        return bot.end_within(seen, rng, left) if left > 0 else None
    return bot.choose(seen, rng)


def _searches(bot: Bot) -> TypeGuard[Searches]:
    return _has(type(bot), ("advising", "choosing_within", "ending_within"))


def _minds_the_clock(bot: Bot) -> TypeGuard[MindsTheClock]:
    return _has(type(bot), ("choose_within", "end_within"))


@cache
def _has(kind: type, methods: tuple[str, ...]) -> bool:
    # Cached per kind of bot: looking up methods takes longer than a fast bot's choice.
    return all(hasattr(kind, name) for name in methods)
