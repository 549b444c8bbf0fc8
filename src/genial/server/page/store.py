"""The store of a page: the methods of `store/sql_store.py`, on rows in the browser.

A method that changes something reads what its decision depends on, and writes on condition that this hasn't
changed; if another tab was faster, it decides again. So several tabs can share a store without a lock, and
whatever is acknowledged is on disk. Lists scan all rows: they are only one person's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

import msgspec

from genial.server.page.analyses import PageAnalyses
from genial.server.page.transactions import Draft, asked
from genial.server.page.vault import Place, Vault, under
from genial.server.tables.store import (
    Append,
    Ban,
    BanKind,
    Result,
    Sat,
    Secret,
    Status,
    StoredEntry,
    TableRow,
)
from genial.server.tables.store_errors import (
    CodeTaken,
    DuplicateMove,
    SequenceConflict,
    UnknownTable,
)

KINDS = (
    *("shape", "tables", "log", "moves", "codes", "sat", "results"),
    *("secrets", "analyses", "bans", "probes"),
)
_SHAPE: Place = ("shape", ["shape"])
_LIVE = ("open", "running")
"""Tables whose join codes are in use."""
_EVER = 2**62
_PROBE_KEPT = 3_600_000

_row = msgspec.msgpack.Decoder(tuple[TableRow, int])
_entry = msgspec.msgpack.Decoder(StoredEntry)
_number = msgspec.msgpack.Decoder(int)
_text = msgspec.msgpack.Decoder(str)
_sat = msgspec.msgpack.Decoder(Sat)
_result = msgspec.msgpack.Decoder(Result)
_secret = msgspec.msgpack.Decoder(Secret)
_ban = msgspec.msgpack.Decoder(Ban)
_probe = msgspec.msgpack.Decoder(tuple[str, int])

Step = Callable[[Draft], Awaitable[None]]
"""Converts a store from one shape to the next."""
STEPS: Sequence[Step] = ()
"""Every change of shape since the first, in order."""


async def open_page_store(vault: Vault, steps: Sequence[Step] = STEPS) -> PageStore:
    """Open the store in a vault and bring it up to date; one from a later version is refused, unchanged."""
    shape = len(steps) + 1
    await asked(vault.open(shape, KINDS))
    # The browser knows the shape that the newest code has asked for; a row says how far the steps have got.
    while True:
        draft = Draft(vault)
        (kept,) = await draft.see(_SHAPE)
        done = _number.decode(kept) if kept else shape  # a new store has no rows to convert
        if kept and done >= shape:
            return PageStore(vault)
        if done < shape:
            await steps[done - 1](draft)
            done += 1
        draft.put(_SHAPE, done)
        await draft.write()  # if this fails, another tab has written


class PageStore(PageAnalyses):
    """The log of every table, its index, and what is kept by device. Use `open_page_store` to get one."""

    # Tables and their logs

    async def append(self, append: Append) -> None:
        """Append entries, and write what comes with them: all or nothing."""

        async def change(draft: Draft) -> None:
            await draft.see(*_places(append))
            _refuse_duplicates(draft, append)
            kept = draft.seen(_table(append.table_id))
            before, last = _row.decode(kept) if kept else (None, 0)
            if append.first_seq != last + 1:
                raise SequenceConflict(append.table_id, last + 1)
            if append.row is not None:
                _put_code(draft, before, append.row)
                draft.put(_table(append.table_id), (append.row, append.last_seq))
            elif before is not None:
                draft.put(_table(append.table_id), (replace(before, updated=append.updated), append.last_seq))
            else:
                raise UnknownTable(append.table_id)
            for seq, new in enumerate(append.entries, append.first_seq):
                entry = StoredEntry(append.table_id, seq, new.time, new.kind, new.move_id, new.data)
                draft.put(("log", [append.table_id, seq]), entry)
                if new.move_id is not None:
                    draft.put(_move(append.table_id, new.move_id), seq)
            if append.sat is not None:
                draft.put_once(_sat_place(append.sat), append.sat)
            if append.result is not None:
                draft.put_once(_result_place(append.result), append.result)

        await self._change(change)

    async def read(self, table_id: str, after: int = 0, limit: int | None = None) -> list[StoredEntry]:
        """A table's entries with numbers above `after`, in order."""
        span = "log", [table_id, after + 1], [table_id, []]
        return [_entry.decode(kept) for kept in await self._read(span, limit)]

    async def move(self, table_id: str, move_id: str) -> int | None:
        """The number of the entry with this move id."""
        kept = await self._get(_move(table_id, move_id))
        return _number.decode(kept) if kept else None

    async def table(self, table_id: str) -> TableRow | None:
        """One table."""
        kept = await self._get(_table(table_id))
        return _row.decode(kept)[0] if kept else None

    async def table_by_code(self, code: str) -> TableRow | None:
        """The open or running table with this code; if there is none, the newest that had it."""
        rows = [row for row in await self._rows() if row.code == code]
        return max(rows, key=lambda row: (row.status in _LIVE, row.cursor), default=None)

    async def tables(
        self,
        status: Status | None = None,
        public: bool | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]:
        """Tables, newest first; `before` is the `cursor` of the last row on the page before."""
        rows = [
            row
            for row in await self._rows()
            if (status is None or row.status == status)
            and (public is None or row.public == public)
            and (before is None or row.cursor < before)
        ]
        return sorted(rows, key=lambda row: row.cursor, reverse=True)[:limit]

    async def stale(self, status: Status, updated_before: int, limit: int = 100) -> list[TableRow]:
        """Tables with this status that nothing has touched since, oldest first."""
        rows = [row for row in await self._rows() if row.status == status and row.updated < updated_before]
        return sorted(rows, key=lambda row: (row.updated, row.table_id))[:limit]

    async def newest(self, statuses: Sequence[Status], until: int = _EVER) -> int | None:
        """When a table with one of these statuses was last touched, up to `until`; None if there is none."""
        touched = [row.updated for row in await self._rows() if row.status in statuses]
        return max((updated for updated in touched if updated <= until), default=None)

    async def count_live(self, updated_after: int) -> int:
        """The number of open or running tables touched since."""
        return sum(row.status in _LIVE and row.updated > updated_after for row in await self._rows())

    async def delete(self, table_id: str) -> None:
        """Delete a table with its log and the list of who sat at it. Solo results stay with their devices."""

        async def change(draft: Draft) -> None:
            (kept,) = await draft.see(_table(table_id))
            if kept is None:
                return
            row, _ = _row.decode(kept)
            draft.drop(_table(table_id))
            if row.status in _LIVE:
                draft.drop(_code(row.code))
            for kind in ("log", "moves", "sat"):
                draft.delete(under(kind, table_id))

        await self._change(change)

    async def _rows(self) -> Iterable[TableRow]:
        return [_row.decode(kept)[0] for kept in await self._read(under("tables"))]

    # Devices

    async def tables_of(
        self,
        device_hash: bytes,
        limit: int = 100,
        *,
        begun: bool = False,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]:
        """The tables where this device sat, latest touched first; with `begun`, only those with a game."""
        sat = {each.table_id for each in await self._sat() if each.device_hash == device_hash}
        rows = [
            row
            for row in await self._rows()
            if row.table_id in sat
            and not (begun and row.status == "open")
            and (before is None or (row.updated, row.table_id) < before)
        ]
        return sorted(rows, key=lambda row: (row.updated, row.table_id), reverse=True)[:limit]

    async def sat_at(self, device_hash: bytes, table_id: str) -> bool:
        """True if this device sat at this table, or set it up."""
        return await self._get(_sat_place(Sat(table_id, device_hash, 0))) is not None

    async def sat_of(self, table_id: str) -> list[Sat]:
        """All devices that sat at a table, earliest first."""
        return sorted(await self._sat(table_id), key=lambda sat: (sat.since, sat.device_hash))

    async def _sat(self, *table_id: str) -> Iterable[Sat]:
        return [_sat.decode(kept) for kept in await self._read(under("sat", *table_id))]

    async def ban(self, kind: BanKind, key_hash: bytes, until: int | None) -> None:
        """Ban a device or address; a second ban of the same key replaces the first."""
        await self._put(_ban_place(kind, key_hash), Ban(kind, key_hash, until))

    async def unban(self, kind: BanKind, key_hash: bytes) -> None:
        """Lift a ban."""

        async def change(draft: Draft) -> None:
            draft.drop(_ban_place(kind, key_hash))

        await self._change(change)

    async def banned(self, key_hash: bytes, now: int) -> bool:
        """True if a ban of this key, of either kind, is in force at this time."""
        of_key = [ban for ban in await self.bans() if ban.key_hash == key_hash]
        return any(ban.until is None or ban.until > now for ban in of_key)

    async def bans(self) -> list[Ban]:
        """All bans, including expired ones."""
        kept = [_ban.decode(each) for each in await self._read(under("bans"))]
        return sorted(kept, key=lambda ban: (ban.key_hash, ban.kind))

    # Health

    async def probe(self, key: str, now: int) -> bool:
        """True if what is written can be read back; raises if that is impossible."""
        kept = [_probe.decode(each) for each in await self._read(under("probes"))]

        async def change(draft: Draft) -> None:
            for other, time in kept:
                if time < now - _PROBE_KEPT:
                    draft.drop(("probes", [other]))
            draft.put(("probes", [key]), (key, now))

        await self._change(change)
        return await self._has_probe(key, now)

    async def _has_probe(self, key: str, now: int) -> bool:
        kept = await self._get(("probes", [key]))
        return kept is not None and _probe.decode(kept) == (key, now)

    # The page's own secrets

    async def keep_secret(self, name: str, value: bytes) -> bytes:
        """Keep a secret under this name, unless there is one already. Returns the one that is kept."""

        async def change(draft: Draft) -> bytes:
            (kept,) = await draft.see(("secrets", [name]))
            if kept is not None:
                return _secret.decode(kept).value
            draft.put(("secrets", [name]), Secret(name, value))
            return value

        return await self._change(change)

    async def put_secret(self, secret: Secret) -> None:
        """Keep a secret, replacing one of the same name: for a copy of the store."""
        await self._put(("secrets", [secret.name]), secret)

    async def secrets(self) -> list[Secret]:
        """All secrets, for a copy of the store."""
        kept = [_secret.decode(each) for each in await self._read(under("secrets"))]
        return sorted(kept, key=lambda secret: secret.name)

    # Results

    async def add_result(self, result: Result) -> None:
        """Keep a solo result; one already there, by table, number and device, is left as it is."""

        async def change(draft: Draft) -> None:
            await draft.see(_result_place(result))
            draft.put_once(_result_place(result), result)

        await self._change(change)

    async def results(self, device_hash: bytes, variant: str, limit: int = 100) -> list[Result]:
        """A device's results, best first: by lowest colour, then by total, then older first."""
        kept = [result for result in await self._results(device_hash.hex()) if result.variant == variant]
        best = sorted(kept, key=lambda one: (-one.lowest, -one.total, one.time, one.table_id, one.number))
        return best[:limit]

    async def all_results(self, after: Result | None = None, limit: int = 1000) -> list[Result]:
        """Everyone's results, page by page, for a copy of the store; `after` is the last of a page."""
        kept = sorted(await self._results(), key=_result_key)
        return [one for one in kept if after is None or _result_key(one) > _result_key(after)][:limit]

    async def _results(self, *device: str) -> Iterable[Result]:
        return [_result.decode(kept) for kept in await self._read(under("results", *device))]


def _table(table_id: str) -> Place:
    return "tables", [table_id]


def _move(table_id: str, move_id: str) -> Place:
    return "moves", [table_id, move_id]


def _code(code: str) -> Place:
    return "codes", [code]


def _sat_place(sat: Sat) -> Place:
    return "sat", [sat.table_id, sat.device_hash.hex()]


def _ban_place(kind: BanKind, key_hash: bytes) -> Place:
    return "bans", [kind, key_hash.hex()]


def _result_place(result: Result) -> Place:
    return "results", [result.device_hash.hex(), result.table_id, result.number]


def _result_key(result: Result) -> tuple[bytes, str, int]:
    return result.device_hash, result.table_id, result.number


def _places(append: Append) -> Iterable[Place]:
    """Everything that the decision about an append depends on."""
    yield _table(append.table_id)
    yield from (_move(append.table_id, new.move_id) for new in append.entries if new.move_id is not None)
    if append.row is not None:
        yield _code(append.row.code)
    if append.sat is not None:
        yield _sat_place(append.sat)
    if append.result is not None:
        yield _result_place(append.result)


def _refuse_duplicates(draft: Draft, append: Append) -> None:
    here: dict[str, int] = {}
    for seq, new in enumerate(append.entries, append.first_seq):
        if new.move_id is None:
            continue
        kept = draft.seen(_move(append.table_id, new.move_id))
        before = here.get(new.move_id) if kept is None else _number.decode(kept)
        if before is not None:
            raise DuplicateMove(append.table_id, new.move_id, before)
        here[new.move_id] = seq


def _put_code(draft: Draft, before: TableRow | None, after: TableRow) -> None:
    """Give the code to this table; refused if another live table has it."""
    if before is not None and before.status in _LIVE:
        draft.drop(_code(before.code))
    if after.status in _LIVE:
        holder = draft.seen(_code(after.code))
        if holder is not None and _text.decode(holder) != after.table_id:
            raise CodeTaken(after.code)
        draft.put(_code(after.code), after.table_id)
