"""How bots think in a page: a second worker runs one search at a time.

Levels that don't look ahead think right here, in between; a move takes them less than a tenth of a second.
All others ask for searches (`genial.bots.thought`): a move comes before a hint, and both before an analysis.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from random import Random
from time import monotonic
from typing import TypeVar

from genial.bots import bot_named
from genial.bots.bot import Bot, Budget
from genial.bots.driver import opinion, stand_in, turn
from genial.bots.search import Question, Rows
from genial.bots.searcher import SearchBot
from genial.bots.thinking import ADVICE, MOVE, Choice, Opinion
from genial.bots.thought import Thought, elsewhere
from genial.core.actions import Action
from genial.core.view import View

log = logging.getLogger("genial.server")

_T = TypeVar("_T")

PATIENCE = 2.25
"""How many times a level's usual seconds it gets: a browser's kernel is half as fast as a native one, and a
phone's slower. With everything around it, no move then takes longer than 2.5 s.
"""
DEADLINE, RAISED = "deadline", "raised"
"""Reasons for a fallback, as in `bots.workers`."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A thought that is waiting for its turn, or has it."""

    tag: str
    caller: str
    begin: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class PageThinkers:
    """Thinks for bots, one thought at a time; `search` runs the searches."""

    def __init__(self, search: Callable[[Question], Awaitable[Rows]]) -> None:
        self._search = search
        self._line: list[tuple[int, int, _Waiting]] = []
        self._numbers = count()
        self._at_hand: _Waiting | None = None

    async def choose(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        priority: int = MOVE,
        caller: str = "",
    ) -> Choice:
        """What a bot does; if it fails or is late, what its stand-in does."""
        async with self._turn(priority, tag, caller):
            begun, problem = monotonic(), ""
            thought = turn(_patient(bot_named(bot)), view, Random(seed), budget, deadline)
            try:
                done = await self._thought(thought, deadline)
            except TimeoutError:
                problem = DEADLINE
            except Exception as error:
                problem = f"{RAISED}: {type(error).__name__}"
            seconds = monotonic() - begun
        if not problem:
            return Choice(done.action, tag, False, seconds, done.then)
        log.warning("a bot failed", extra={"error": problem})
        done = stand_in(view, Random(seed))
        return Choice(done.action, tag, True, seconds, done.then, problem)

    async def advise(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        include: Sequence[Action] = (),
        priority: int = ADVICE,
        caller: str = "",
    ) -> Opinion:
        """What a bot thinks of a position, and of these actions in any case; no advice if it fails."""
        async with self._turn(priority, tag, caller):
            begun = monotonic()
            thought = opinion(bot_named(bot), view, Random(seed), budget, include)
            try:
                return Opinion(await self._thought(thought, deadline), monotonic() - begun)
            except TimeoutError:
                problem = DEADLINE
            except Exception as error:
                problem = f"{RAISED}: {type(error).__name__}"
            log.warning("no advice", extra={"error": problem})
            return Opinion(None, monotonic() - begun, problem)

    def ahead(self, tag: str) -> int | None:
        """How many thoughts come before the one with this tag; None if it isn't waiting."""
        line = [waiting.tag for _, _, waiting in sorted(self._line, key=lambda each: each[:2])]
        return line.index(tag) if tag in line else None

    def under_way(self, caller: str) -> int:
        """How many of a caller's thoughts are waiting or in progress."""
        waiting = [each for _, _, each in self._line] + ([self._at_hand] if self._at_hand else [])
        return sum(each.caller == caller for each in waiting)

    async def _thought(self, thought: Thought[_T], deadline: float) -> _T:
        await asyncio.sleep(0)  # let the port's messages go first
        async with asyncio.timeout(deadline):
            return await elsewhere(thought, self._search)

    @asynccontextmanager
    async def _turn(self, priority: int, tag: str, caller: str) -> AsyncIterator[None]:
        """Wait until it is this thought's turn."""
        waiting = _Waiting(tag, caller)
        heappush(self._line, (priority, next(self._numbers), waiting))
        if self._at_hand is None:
            self._next()
        try:
            await waiting.begin
            yield
        finally:
            if self._at_hand is waiting:
                self._next()
            else:  # it is no longer wanted
                self._line = sorted(each for each in self._line if each[2] is not waiting)

    def _next(self) -> None:
        self._at_hand = heappop(self._line)[2] if self._line else None
        if self._at_hand is not None and not self._at_hand.begin.done():
            self._at_hand.begin.set_result(None)


def _patient(bot: Bot) -> Bot:
    """The same bot with more time for as many nodes: just as strong, if a little slower."""
    if not isinstance(bot, SearchBot):
        return bot
    return replace(bot, insight=replace(bot.insight, seconds=PATIENCE * bot.insight.seconds))
