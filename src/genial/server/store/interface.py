"""What a store does. SQLite is one, PostgreSQL another, with the same few statements.

All times are milliseconds since the epoch, given by the caller: a store has no clock.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Status = Literal["open", "running", "over", "closed"]
Role = Literal["seat", "spectator", "host", "bot", "device"]
BanKind = Literal["device", "address"]

LIVE: tuple[Status, ...] = ("open", "running")
"""The tables whose join codes are in use."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be appended; the store gives it its number."""

    time: int
    kind: str
    move_id: str | None
    data: bytes
    """JSON."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry of a table's log. `seq` counts from 1, without gaps."""

    game: str
    seq: int
    time: int
    kind: str
    move_id: str | None
    data: bytes


@dataclass(frozen=True, slots=True)
class TableRow:
    """What lists of tables show. It follows from the log, and is written together with it."""

    game: str
    """The table's id."""
    code: str
    """What people read out to each other; unique among open and running tables."""
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
        """Where the next page of `Store.tables` begins when this is the last row of a page."""
        return self.created, self.game


@dataclass(frozen=True, slots=True)
class Credential:
    """What the holder of a token may do at a table. A token may hold several, as in pass-and-play."""

    token_hash: bytes
    game: str
    role: Role
    place: int | None
    device_hash: bytes | None
    created: int


@dataclass(frozen=True, slots=True)
class Ban:
    """A device or an address that is kept out, for ever if `until` is None."""

    kind: BanKind
    key_hash: bytes
    until: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """A solo result. It belongs to the device: it stays when the table is deleted."""

    device_hash: bytes
    variant: str
    seats: int
    game: str
    number: int
    """Which game of the table's series."""
    lowest: int
    total: int
    time: int


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """What bots think of a game, as far as they have thought. A cache: it may go at any time."""

    id: str
    key: bytes
    """A hash of the game; there is one analysis of each."""
    record: bytes
    """The game, until all of it is thought about; then nothing."""
    made: int
    thinker: str
    """The process that goes on with it."""
    done: int
    choices: int
    """How many there are; it is finished when as many are done."""
    data: bytes
    """JSON."""


class Store(Protocol):
    """The log of every table, its index, and who may do what.

    What returns has been done durably. What raises has changed nothing, with one exception: after the codes
    `store-failed`, `store-damaged` and `store-away` of an append, read before going on, because a disk that
    fails, or a connection that ends, does not say what was kept. Cancelling a caller does not take back what
    it asked for. Every writing method raises StoreBusy when too much is waiting.
    """

    async def append(
        self,
        game: str,
        first_seq: int,
        entries: Sequence[NewEntry],
        row: TableRow | None = None,
        credentials: Sequence[Credential] = (),
        result: Result | None = None,
    ) -> None:
        """Append entries numbered from `first_seq`, put row, credentials and solo result: all or nothing.

        A table begins with an append that brings its row. Without entries only the others are put,
        still on condition that `first_seq` is the next number. Of several reasons to refuse, the first of
        these is raised: DuplicateMove, SequenceConflict, UnknownTable, CodeTaken.
        """

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[StoredEntry]:
        """The entries of a table with numbers above `after`, in order."""

    async def move(self, game: str, move_id: str) -> int | None:
        """The number of the entry with this move id."""

    async def table(self, game: str) -> TableRow | None:
        """One table."""

    async def table_by_code(self, code: str) -> TableRow | None:
        """The open or running table with this code; where there is none, the newest that had it."""

    async def tables(
        self,
        status: Status | None = None,
        public: bool | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]:
        """Tables, the newest first; `before` is the `cursor` of the last row of the page before."""

    async def games_of(self, device_hash: bytes, limit: int = 100) -> list[TableRow]:
        """The tables where this device holds a credential, the last touched first."""

    async def stale(self, status: Status, updated_before: int, limit: int = 100) -> list[TableRow]:
        """Tables of this status that nothing has touched since, the oldest first."""

    async def count_live(self, updated_after: int) -> int:
        """How many tables are open or running, and were touched since."""

    async def delete(self, game: str) -> None:
        """Delete a table with its log, credentials and snapshot. Solo results stay with their devices."""

    async def credential(self, token_hash: bytes) -> list[Credential]:
        """All that this token may do."""

    async def credentials_of(self, game: str) -> list[Credential]:
        """All credentials of a table, the oldest first."""

    async def revoke(self, token_hash: bytes, game: str) -> None:
        """Take from this token everything it may do at this table."""

    async def ban(self, kind: BanKind, key_hash: bytes, until: int | None) -> None:
        """Keep a device or an address out; a second ban of the same key replaces the first."""

    async def unban(self, kind: BanKind, key_hash: bytes) -> None:
        """Lift a ban."""

    async def banned(self, key_hash: bytes, now: int) -> bool:
        """Whether a ban of this key, of either kind, holds at this time."""

    async def bans(self) -> list[Ban]:
        """All bans, those that have run out included."""

    async def add_result(self, result: Result) -> None:
        """Keep a solo result; one that is there already, by game, number and device, is left as it is."""

    async def results(self, device_hash: bytes, variant: str, limit: int = 100) -> list[Result]:
        """The results of a device, the best first: by lowest colour, then by total, then the older one."""

    async def all_results(self, after: Result | None = None, limit: int = 1000) -> list[Result]:
        """Everyone's results, page by page, for a copy of the store; `after` is the last of a page."""

    async def put_snapshot(self, game: str, seq: int, data: bytes) -> None:
        """Keep a state that folds the log up to `seq`. An older one, or one of no table, is ignored."""

    async def snapshot(self, game: str) -> tuple[int, bytes] | None:
        """The kept state of a table, and the number up to which it folds the log."""

    async def begin_analysis(
        self, new: StoredAnalysis, most: int, living: Collection[str]
    ) -> StoredAnalysis | None:
        """Keep a new analysis, or give the one that is kept of the same game.

        At most so many are kept: the oldest that is done goes first, then the oldest whose thinker is not
        among the living. None if there is no room.
        """

    async def analysis(self, analysis: str) -> StoredAnalysis | None:
        """One analysis."""

    async def take_analysis(self, analysis: str, before: str, thinker: str) -> bool:
        """Go on with the analysis of another thinker; False if somebody else does, or it is gone."""

    async def put_opinions(self, analysis: str, thinker: str, done: int, data: bytes) -> bool:
        """Keep what a thinker has thought so far; False if it is somebody else's now, or gone."""

    async def forget_analyses(self, made_before: int) -> int:
        """Delete the analyses that were begun before this time; gives how many."""

    async def backup(self, path: str | Path) -> None:
        """Write the store as it is at one moment into a file of its own, while it goes on working."""

    async def close(self) -> None:
        """Write what is waiting, then close. A second call does nothing."""
