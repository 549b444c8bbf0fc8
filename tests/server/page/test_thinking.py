"""How a page's bots think: one at a time, moves first, and somebody always plays."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

import pytest

import genial
from genial.bots import bot_named
from genial.bots.bot import Budget
from genial.bots.driver import whole_turn
from genial.bots.levels import LEVELS
from genial.bots.search import Question, Rows
from genial.bots.searcher import SearchBot
from genial.bots.thinking import ADVICE, ANALYSIS, MOVE, Choice
from genial.server.page.thinking import PATIENCE, PageThinkers

VIEW = genial.new("classic", seats=2, seed=7).view({0})
FEW = Budget(nodes=100)


class Searching:
    """A search worker that does what it is asked once it is released."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.stopped = 0
        self.free = asyncio.Event()

    async def __call__(self, question: Question) -> Rows:
        self.asked.append(question)
        try:
            await self.free.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        return question.run()


def choice(
    thinkers: PageThinkers, tag: str = "t", bot: str = "level-5", deadline: float = 30.0
) -> Awaitable[Choice]:
    return thinkers.choose(bot, VIEW, seed="s", deadline=deadline, tag=tag, budget=FEW, caller="me")


def run(work: Callable[[PageThinkers, Searching], Awaitable[None]]) -> None:
    async def done() -> None:
        searching = Searching()
        await asyncio.wait_for(work(PageThinkers(searching), searching), 60)

    asyncio.run(done())


@pytest.mark.parametrize("bot", LEVELS, ids=lambda bot: bot.name)
def test_every_level_plays_as_it_does_elsewhere(bot: SearchBot) -> None:
    async def asked(thinkers: PageThinkers, searching: Searching) -> None:
        searching.free.set()
        found = await choice(thinkers, bot=bot.name)
        turn = whole_turn(bot, VIEW, Random("s"), FEW)
        assert (found.action, found.then, found.fallback) == (turn.action, turn.then, False)
        assert bool(searching.asked) == isinstance(bot, SearchBot)

    run(asked)


def test_a_level_has_the_same_nodes_and_more_time() -> None:
    async def asked(thinkers: PageThinkers, searching: Searching) -> None:
        level = bot_named("level-6")
        assert isinstance(level, SearchBot)
        task = asyncio.create_task(thinkers.choose("level-6", VIEW, seed="s", deadline=60, tag="t"))
        while not searching.asked:
            await asyncio.sleep(0)
        (question,) = searching.asked
        assert question.settings[0] == level.insight.nodes
        assert level.insight.seconds < question.seconds <= PATIENCE * level.insight.seconds
        task.cancel()

    run(asked)


def test_one_job_runs_at_a_time_and_moves_come_first() -> None:
    async def asked(thinkers: PageThinkers, searching: Searching) -> None:
        done: list[str] = []

        async def think(tag: str, priority: int) -> None:
            await thinkers.advise(
                "level-5", VIEW, seed=tag, deadline=30, tag=tag, budget=FEW, priority=priority, caller="me"
            )
            done.append(tag)

        wishes = [
            ("first", ANALYSIS),
            ("analysis", ANALYSIS),
            ("hint", ADVICE),
            ("move", MOVE),
            ("next", MOVE),
        ]
        tasks = []
        for tag, priority in wishes:
            tasks.append(asyncio.create_task(think(tag, priority)))
            await asyncio.sleep(0.01)
        assert len(searching.asked) == 1
        assert thinkers.under_way("me") == 5
        assert [thinkers.ahead(tag) for tag, _ in wishes] == [None, 3, 2, 0, 1]
        searching.free.set()
        await asyncio.gather(*tasks)
        assert done == ["first", "move", "next", "hint", "analysis"]
        assert thinkers.under_way("me") == 0

    run(asked)


def test_a_search_that_is_no_longer_wanted_is_stopped() -> None:
    async def asked(thinkers: PageThinkers, searching: Searching) -> None:
        first, waits = (
            asyncio.ensure_future(choice(thinkers, "1")),
            asyncio.ensure_future(choice(thinkers, "2")),
        )
        third = asyncio.ensure_future(choice(thinkers, "3"))
        while not searching.asked:
            await asyncio.sleep(0)
        waits.cancel()
        first.cancel()
        searching.free.set()
        assert (await third).tag == "3"
        assert searching.stopped == 1
        assert len(searching.asked) == 2  # for the first and the third; ends of turns need no search
        assert waits.cancelled()

    run(asked)


def test_a_fallback_plays_for_a_bot_that_is_late() -> None:
    async def asked(thinkers: PageThinkers, searching: Searching) -> None:
        found = await choice(thinkers, deadline=0.05)
        assert found.fallback
        assert found.problem == "deadline"
        assert found.action in VIEW.actions()
        late = await thinkers.advise("level-5", VIEW, seed="s", deadline=0.05, tag="t", budget=FEW)
        assert (late.advice, late.problem) == (None, "deadline")
        assert searching.stopped == 2

    run(asked)


def test_a_fallback_plays_for_a_bot_that_fails() -> None:
    async def broken(question: Question) -> Rows:
        raise OSError("the worker is gone")

    async def asked() -> None:
        thinkers = PageThinkers(broken)
        found = await choice(thinkers)
        assert (found.fallback, found.problem) == (True, "raised: OSError")
        opinion = await thinkers.advise("level-6", VIEW, seed="s", deadline=9, tag="t", budget=FEW)
        assert opinion.problem == "raised: OSError"
        assert not (await choice(thinkers, bot="level-2")).fallback

    asyncio.run(asked())


def test_a_question_holds_everything_the_search_needs() -> None:
    """A question can be run anywhere: a copy finds the same."""

    async def asked(thinkers: PageThinkers, searching: Searching) -> None:
        searching.free.set()
        await choice(thinkers)
        question = replace(searching.asked[0], seconds=600.0)
        assert question.run() == replace(question, worlds=bytearray(question.worlds)).run()

    run(asked)
