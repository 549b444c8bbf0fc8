"""Who is where, as one process says and sees it; `test_process` has several on a real database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from genial.server.processes.whereabouts import SEE, Pending, Whereabouts
from genial.server.tables.peers import NOWHERE, Elsewhere


class Database:
    """What others have said, and what we say."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, list[str], int]] = []
        self.said: list[tuple[Any, ...]] = []
        self.holds_back = list[asyncio.Event]()
        """When to tell the next answers, which are known at once."""

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        if sql == SEE:
            answer = [row for row in self.rows if row[0] in values[0]]
            if self.holds_back:
                await self.holds_back.pop(0).wait()
            return answer
        self.said.append(values)
        return []


def whereabouts_on(
    database: Database,
    moved: Callable[[str], None] = lambda table_id: None,
    tell: Callable[[list[str]], None] = lambda tables: None,
) -> Whereabouts:
    return Whereabouts("me", database.fetch, moved=moved, tell=tell, stir=lambda: None)


async def slow_look(
    whereabouts: Whereabouts, database: Database
) -> tuple[asyncio.Event, asyncio.Task[Elsewhere]]:
    """When to tell the answer to a look, and the look: it found Ada at a table, who has left since."""
    late = asyncio.Event()
    database.rows = [("t", "p1", ["ada"], 1)]
    database.holds_back = [late]
    look = asyncio.create_task(whereabouts.look("t"))
    await asyncio.sleep(0)
    database.rows = []
    return late, look


def test_when_several_processes_end_nobody_connected_to_them_remains() -> None:
    async def body() -> None:
        database, moved = Database(), list[str]()
        database.rows = [("t", "p1", ["ada"], 1), ("t", "p2", ["ben"], 2), ("u", "p3", [], 1)]
        whereabouts = whereabouts_on(database, moved=moved.append)
        assert await whereabouts.look("t") == Elsewhere(frozenset({"ada", "ben"}), 3)
        assert await whereabouts.look("u") == Elsewhere(frozenset(), 1)
        whereabouts.forget({"p1", "p2"})
        assert whereabouts.elsewhere("t") == NOWHERE
        assert whereabouts.elsewhere("u").watching == 1
        assert moved == ["t", "u", "t"]

    asyncio.run(body())


def test_an_answer_that_comes_late_hides_no_later_one() -> None:
    async def body() -> None:
        database = Database()
        whereabouts = whereabouts_on(database)
        late, first = await slow_look(whereabouts, database)
        assert await whereabouts.look("t") == NOWHERE
        late.set()
        assert await first == NOWHERE
        database.rows = [("t", "p1", ["ada"], 1)]
        assert (await whereabouts.look("t")).devices == {"ada"}

    asyncio.run(body())


def test_an_answer_that_comes_late_brings_no_ended_process_back() -> None:
    async def body() -> None:
        database = Database()
        whereabouts = whereabouts_on(database)
        late, first = await slow_look(whereabouts, database)
        whereabouts.forget({"p1"})
        late.set()
        assert await first == NOWHERE

    asyncio.run(body())


def test_only_changes_are_written_unless_a_repeat_is_requested() -> None:
    async def body() -> None:
        database, told = Database(), list[list[str]]()
        whereabouts = whereabouts_on(database, tell=told.append)
        for devices in (["ada"], ["ada"]):
            whereabouts.tell_present("t", devices, 1)
            await whereabouts.exchange()
        assert database.said == [("t", "me", ["ada"], 1)]
        whereabouts.say_again()
        await whereabouts.exchange()
        whereabouts.tell_present("t", [], 0)
        await whereabouts.exchange()
        whereabouts.say_again()
        await whereabouts.exchange()
        assert database.said == [("t", "me", ["ada"], 1)] * 2 + [(["t"], "me")]
        assert told == [["t"]] * 3

    asyncio.run(body())


def test_failed_work_is_retried_in_the_next_round() -> None:
    pending, done = Pending(), list[str]()

    async def fails(tables: list[str]) -> None:
        pending.add(["b", "c"])
        raise ConnectionError

    async def works(tables: list[str]) -> None:
        done.extend(tables)

    pending.add(["a", "b"])
    with pytest.raises(ConnectionError):
        asyncio.run(pending.settle(fails))
    for _ in range(2):
        asyncio.run(pending.settle(works))
    assert done == ["a", "b", "c"]
