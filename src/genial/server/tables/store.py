"""What is stored, and what the server needs from its store.

All times are milliseconds since the epoch, given by the caller: a store has no clock.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Status = Literal["open", "running", "over", "closed"]
BanKind = Literal["device", "address"]


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to append; the store numbers it."""

    time: int
    kind: str
    move_id: str | None
    data: bytes
    """JSON."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry of a table's log. `seq` counts from 1, without gaps."""

    table_id: str
    seq: int
    time: int
    kind: str
    move_id: str | None
    data: bytes


@dataclass(frozen=True, slots=True)
class TableRow:
    """What lists of tables show. It follows from the log, and is written along with it."""

    table_id: str
    code: str
    """For people to read out to each other; unique among open and running tables."""
    variant: str
    seats: int
    status: Status
    public: bool
    created: int
    updated: int
    open_places: int
    name: str

    @property
    def cursor(self) -> tuple[int, str]:
        """Where the next page of `Store.tables` begins if this is the last row of a page."""
        return self.created, self.table_id


@dataclass(frozen=True, slots=True)
class Sat:
    """A device sat down at a table, or set it up: it keeps the table in its list, and may view it later."""

    table_id: str
    device_hash: bytes
    since: int
    """When it first did."""


@dataclass(frozen=True, slots=True)
class Ban:
    """A device or address that is banned; for ever if `until` is None."""

    kind: BanKind
    key_hash: bytes
    until: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """A solo result. It belongs to the device, and stays when the table is deleted."""

    device_hash: bytes
    variant: str
    seats: int
    table_id: str
    number: int
    """The number of the game at its table."""
    lowest: int
    total: int
    time: int


@dataclass(frozen=True, slots=True)
class Secret:
    """One of the server's own secrets, such as the key that seals the tokens it issues."""

    name: str
    value: bytes


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """What bots think of a game, as far as they have got. A cache: it may be dropped at any time."""

    id: str
    key: bytes
    """A hash of the game; each game has one analysis."""
    record: bytes
    """The game, until the analysis is complete; then empty."""
    made: int
    thinker: str
    """The process that is working on it."""
    done: int
    choices: int
    """The total; the analysis is finished when as many are done."""
    data: bytes
    """JSON."""


@dataclass(frozen=True, slots=True)
class Append:
    """What to append to a table's log and write beside it: all or nothing."""

    table_id: str
    first_seq: int
    """The number of the first entry, which must be the table's next one, or the append is refused."""
    entries: Sequence[NewEntry]
    updated: int
    """When the table was last touched."""
    row: TableRow | None = None
    """Given if the table is new, or its row changes in more than `updated`."""
    sat: Sat | None = None
    """The device that sits down or sets the table up, if any."""
    result: Result | None = None
    """The solo result this leads to, if any."""

    def __post_init__(self) -> None:
        if any(part.table_id != self.table_id for part in (self.row, self.sat, self.result) if part):
            raise ValueError(f"a row, device or result of another table than {self.table_id}")
        if self.row is not None and self.row.updated != self.updated:
            raise ValueError(f"a row touched at {self.row.updated}, and an append at {self.updated}")

    @property
    def is_move(self) -> bool:
        """True for entries of an existing table and nothing else, as nearly all appends are."""
        return self.row is None and self.sat is None and self.result is None

    @property
    def last_seq(self) -> int:
        """The number of the table's last entry once this is written."""
        return self.first_seq + len(self.entries) - 1


class Store(Protocol):
    """What the server needs from its store. `genial.server.store.sql_store` documents each method."""

    async def append(self, append: Append) -> None: ...
    async def read(self, table_id: str, after: int = 0, limit: int | None = None) -> list[StoredEntry]: ...
    async def move(self, table_id: str, move_id: str) -> int | None: ...
    async def table(self, table_id: str) -> TableRow | None: ...
    async def table_by_code(self, code: str) -> TableRow | None: ...
    async def tables(
        self,
        status: Status | None = None,
        public: bool | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]: ...
    async def tables_of(
        self,
        device_hash: bytes,
        limit: int = 100,
        *,
        begun: bool = False,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]: ...
    async def sat_at(self, device_hash: bytes, table_id: str) -> bool: ...
    async def stale(self, status: Status, updated_before: int, limit: int = 100) -> list[TableRow]: ...
    async def newest(self, statuses: Sequence[Status], until: int = ...) -> int | None: ...
    async def count_live(self, updated_after: int) -> int: ...
    async def delete(self, table_id: str) -> None: ...
    async def ban(self, kind: BanKind, key_hash: bytes, until: int | None) -> None: ...
    async def unban(self, kind: BanKind, key_hash: bytes) -> None: ...
    async def banned(self, key_hash: bytes, now: int) -> bool: ...
    async def bans(self) -> list[Ban]: ...
    async def probe(self, key: str, now: int) -> bool: ...
    async def results(self, device_hash: bytes, variant: str, limit: int = 100) -> list[Result]: ...
    async def keep_secret(self, name: str, value: bytes) -> bytes: ...
    async def begin_analysis(
        self, new: StoredAnalysis, most: int, living: Collection[str]
    ) -> StoredAnalysis | None: ...
    async def analysis(self, analysis_id: str) -> StoredAnalysis | None: ...
    async def take_analysis(self, analysis_id: str, before: str, thinker: str) -> bool: ...
    async def put_opinions(self, analysis_id: str, thinker: str, done: int, data: bytes) -> bool: ...
    async def forget_analyses(self, made_before: int) -> int: ...


class WholeStore(Store, Protocol):
    """A store that can be copied as a whole, and closed."""

    async def sat_of(self, table_id: str) -> list[Sat]: ...
    async def add_result(self, result: Result) -> None: ...
    async def all_results(self, after: Result | None = None, limit: int = 1000) -> list[Result]: ...
    async def secrets(self) -> list[Secret]: ...
    async def put_secret(self, secret: Secret) -> None: ...
    async def close(self) -> None: ...
