"""Who is where, as one process says and sees it; `test_processes` has several on a real database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from genial.server.peers import NOWHERE, Elsewhere
from genial.server.store import together
from genial.server.store.pending import Pending
from genial.server.store.whereabouts import Whereabouts


class Database:
    """What others have said, and what we say."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, list[str], int]] = []
        self.said: list[tuple[Any, ...]] = []

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        if sql == together.LOOK:
            return [row for row in self.rows if row[0] in values[0]]
        self.said.append(values)
        return []


def test_when_several_processes_end_at_once_nobody_of_theirs_stays() -> None:
    async def body() -> None:
        database, moved = Database(), list[str]()
        database.rows = [("t", "p1", ["ada"], 1), ("t", "p2", ["ben"], 2), ("u", "p3", [], 1)]
        found = Whereabouts("me", 3.0, database.fetch, moved=moved.append, tell=lambda games: None)
        assert await found.look("t") == Elsewhere(frozenset({"ada", "ben"}), 3)
        assert await found.look("u") == Elsewhere(frozenset(), 1)
        found.forget({"p1", "p2"})
        assert found.elsewhere("t") == NOWHERE
        assert found.elsewhere("u").watching == 1
        assert moved == ["t", "u", "t"]

    asyncio.run(body())


def test_only_news_is_said_and_all_of_it_again_to_who_forgot() -> None:
    async def body() -> None:
        database, told = Database(), list[list[str]]()
        found = Whereabouts("me", 3.0, database.fetch, moved=lambda game: None, tell=told.append)
        for devices in (["ada"], ["ada"]):
            found.here("t", devices, 1)
            await found.exchange()
        assert database.said == [("t", "me", ["ada"], 1)]
        found.say_again()
        await found.exchange()
        found.here("t", [], 0)
        await found.exchange()
        found.say_again()
        await found.exchange()
        assert database.said == [("t", "me", ["ada"], 1)] * 2 + [(["t"], "me")]
        assert told == [["t"]] * 3

    asyncio.run(body())


def test_what_fails_is_done_in_the_round_after() -> None:
    pending, done = Pending(), list[str]()

    async def fails(games: list[str]) -> None:
        pending.add(["b", "c"])
        raise ConnectionError

    async def works(games: list[str]) -> None:
        done.extend(games)

    pending.add(["a", "b"])
    with pytest.raises(ConnectionError):
        asyncio.run(pending.settle(fails))
    for _ in range(2):
        asyncio.run(pending.settle(works))
    assert done == ["a", "b", "c"]
