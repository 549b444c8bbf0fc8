"""Who is at which table, and which bots listen, through which process: exchanged in the database."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from genial.server.store.postgres_driver import Fetch
from genial.server.tables.peers import NOWHERE, Elsewhere
from genial.server.tables.store_errors import StoreAway, StoreBusy

log = logging.getLogger("genial.server")

SEE = """
SELECT table_id, process, devices, watching FROM presence JOIN living ON living.id = presence.process
WHERE table_id = ANY($1::text[]) AND process <> $2
"""
_PRESENT = """
INSERT INTO presence (table_id, process, devices, watching) VALUES ($1, $2, $3, $4)
ON CONFLICT (table_id, process) DO UPDATE SET devices = excluded.devices, watching = excluded.watching
"""
_LISTEN = """
INSERT INTO listeners (device, process, name) VALUES ($1, $2, $3)
ON CONFLICT (device, process) DO UPDATE SET name = excluded.name
"""
_SILENT = "DELETE FROM listeners WHERE device = $1 AND process = $2"
_LISTENERS = """
SELECT DISTINCT device, name FROM listeners JOIN living ON living.id = listeners.process WHERE process <> $1
"""


class Pending:
    """Tables to do something for in the next round: in order of arrival, each once."""

    def __init__(self) -> None:
        self._tables: dict[str, None] = {}

    def add(self, tables: Iterable[str]) -> None:
        """Add tables for the next round."""
        self._tables.update(dict.fromkeys(tables))

    async def settle(self, work: Callable[[list[str]], Awaitable[None]]) -> None:
        """Do the work for all of them; if it fails, they stay for the next round, with any newcomers."""
        if not self._tables:
            return
        tables, self._tables = self._tables, {}
        try:
            await work(list(tables))
        except BaseException:
            self._tables = tables | self._tables
            raise


@dataclass(slots=True)
class _Present:
    devices: tuple[str, ...] = ()
    watching: int = 0


class Whereabouts:
    """What this process says about its own tables, and what it has seen of the others'.

    `moved` is called when somebody has come or gone elsewhere, `tell` with tables that the others should look
    at, `stir` when there is something to exchange. None of them may block.
    """

    def __init__(
        self,
        process: str,
        fetch: Fetch,
        *,
        moved: Callable[[str], None],
        tell: Callable[[list[str]], None],
        stir: Callable[[], None],
    ) -> None:
        self._process = process
        self._fetch = fetch
        self._moved = moved
        self._tell = tell
        self._stir = stir
        self._present: dict[str, _Present] = {}
        self._elsewhere: dict[str, dict[str, Elsewhere]] = {}
        """By table and process."""
        self._to_say = Pending()
        self._to_see = Pending()
        # Answers may come in another order than we asked.
        self._asked = 0
        self._under_way = 0
        self._answered: dict[str, int] = {}
        """The last question about a table that was answered, while another is under way."""
        self._forgot = 0
        """What we were told on questions up to this one may name a process that has ended."""

    def tell_present(self, table_id: str, devices: Iterable[str], watching: int) -> None:
        now = _Present(tuple(sorted(devices)), watching)
        if self._present.get(table_id, _Present()) == now:
            return
        self._to_say.add([table_id])
        self._to_see.add([table_id])
        if now == _Present():
            self._present.pop(table_id, None)
        else:
            self._present[table_id] = now
        self._stir()

    def elsewhere(self, table_id: str) -> Elsewhere:
        by_process = self._elsewhere.get(table_id)
        if not by_process:
            return NOWHERE
        devices = frozenset(device for each in by_process.values() for device in each.devices)
        return Elsewhere(devices, sum(each.watching for each in by_process.values()))

    async def look(self, table_id: str) -> Elsewhere:
        await self._see([table_id])
        return self.elsewhere(table_id)

    def heard(self, table_id: str, *, follows: bool) -> None:
        """Somebody came or went elsewhere. `follows`: the table is in our memory, or its game is ours."""
        if follows:
            self.see_again([table_id])
        else:
            self._elsewhere.pop(table_id, None)

    def forget(self, gone: Collection[str]) -> None:
        """Forget processes that have ended."""
        self._forgot = self._asked
        for table_id, by_process in list(self._elsewhere.items()):
            if [process for process in gone if by_process.pop(process, None) is not None]:
                self._moved(table_id)

    def say_again(self) -> None:
        """The others took this process for dead, and forgot who is here: announce everybody again."""
        self._to_say.add(self._present)

    def see_again(self, tables: Iterable[str]) -> None:
        """Look at these tables: what was announced about them may have gone unheard."""
        self._to_see.add(tables)
        self._stir()

    async def exchange(self) -> None:
        """Say who is here, and see who is elsewhere."""
        await self._to_say.settle(self._say)
        await self._to_see.settle(self._see)

    async def _say(self, tables: list[str]) -> None:
        left = [table_id for table_id in tables if table_id not in self._present]
        if left:
            absent = "DELETE FROM presence WHERE table_id = ANY($1::text[]) AND process = $2"
            await self._fetch(absent, left, self._process)
        for table_id in tables:
            if (now := self._present.get(table_id)) is not None:
                await self._fetch(_PRESENT, table_id, self._process, list(now.devices), now.watching)
        self._tell(tables)

    async def _see(self, tables: list[str]) -> None:
        question, rows = await self._answer(tables)
        seen: dict[str, dict[str, Elsewhere]] = {table_id: {} for table_id in tables}
        for table_id, process, devices, watching in rows:
            seen[table_id][process] = Elsewhere(frozenset(devices), watching)
        for table_id, there in seen.items():
            is_old = question < self._answered.get(table_id, 0)
            if self._under_way and not is_old:
                self._answered[table_id] = question
            if is_old or self._elsewhere.get(table_id, {}) == there:
                continue
            if there:
                self._elsewhere[table_id] = there
            else:
                self._elsewhere.pop(table_id, None)
            self._moved(table_id)
        if not self._under_way:
            self._answered.clear()

    async def _answer(self, tables: list[str]) -> tuple[int, list[Any]]:
        """Ask who is at these tables elsewhere. Returns the number of the question, and the answer."""
        self._under_way += 1
        try:
            while True:
                self._asked += 1
                question = self._asked
                rows = await self._fetch(SEE, tables, self._process)
                if question > self._forgot:
                    return question, rows
        finally:
            self._under_way -= 1


class Listeners:
    """The bots that listen here, for the others to know, and those that listen to others.

    `tell` is called when the others should look; it must not block.
    """

    def __init__(self, process: str, fetch: Fetch, tell: Callable[[], None]) -> None:
        self.elsewhere: dict[str, str] = {}
        """Names by device, as last seen."""
        self._process = process
        self._fetch = fetch
        self._tell = tell
        self._here: dict[str, str] = {}
        self._to_say: dict[str, str | None] = {}
        self._changed = True

    def tell_present(self, device: str, name: str | None) -> None:
        """A bot listens to this process under a name; with None it no longer does."""
        if name is None:
            self._here.pop(device, None)
        else:
            self._here[device] = name
        self._to_say[device] = name

    def say_again(self) -> None:
        """The others took this process for dead, and forgot who listens here."""
        self._to_say = {**self._here, **self._to_say}

    def look_soon(self) -> None:
        """Something has changed elsewhere, or may have."""
        self._changed = True

    async def exchange(self) -> None:
        """Say who listens here, and see who listens elsewhere."""
        while self._to_say:
            device, name = next(iter(self._to_say.items()))
            try:
                await self._say(device, name)
            except (StoreAway, StoreBusy):
                raise
            except Exception as error:
                # If the database refuses it now, it will refuse it later: it must not hold up the rest.
                log.warning("listener not shared", extra={"error": type(error).__name__})
            if self._to_say.get(device) == name:
                del self._to_say[device]
            self._tell()
        if self._changed:
            self._changed = False
            try:
                self.elsewhere = dict(await self._fetch(_LISTENERS, self._process))
            except BaseException:
                self._changed = True
                raise

    async def _say(self, device: str, name: str | None) -> None:
        if name is None:
            await self._fetch(_SILENT, device, self._process)
        else:
            await self._fetch(_LISTEN, device, self._process, name)
