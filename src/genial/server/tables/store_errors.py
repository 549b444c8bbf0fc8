"""What a store refuses, as codes with parameters. Unless stated otherwise, nothing was changed."""

from __future__ import annotations

from genial.core.errors import GenialError
from genial.server.messages import WORDS


class StoreError(GenialError):
    """The store can't do what was asked, or can't be opened."""

    words = WORDS
    is_told = False
    """True if players are told. Where the store is and what is wrong with it is the operator's business."""


class NotKept(StoreError):
    """The browser isn't keeping the data; only the person playing there can do something about it."""

    is_told = True


class _Named(StoreError):
    """An error whose arguments are its parameters, so that nobody who raises it can forget one."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(self.params.values())


class SequenceConflict(_Named):
    """The first number of an append isn't the next one of its table.

    >>> print(SequenceConflict("t1", 8))
    Table t1 continues with entry 8.
    """

    def __init__(self, table_id: str, expected_next: int) -> None:
        super().__init__("store-sequence", table_id=table_id, expected=expected_next)
        self.table_id = table_id
        self.expected_next = expected_next


class DuplicateMove(_Named):
    """This move is already in the log: acknowledge it again, as entry `seq`."""

    def __init__(self, table_id: str, move_id: str, seq: int) -> None:
        super().__init__("store-duplicate-move", table_id=table_id, move_id=move_id, seq=seq)
        self.table_id = table_id
        self.move_id = move_id
        self.seq = seq


class CodeTaken(_Named):
    """Another open or running table has this join code."""

    def __init__(self, code: str) -> None:
        super().__init__("store-code-taken", join=code)


class UnknownTable(_Named):
    """There is no such table, and the append came without a row for it."""

    def __init__(self, table_id: str) -> None:
        super().__init__("store-no-table", table_id=table_id)


class StoreBusy(_Named):
    """Too much is waiting to be written, or another process holds the store. Try again later."""

    is_told = True

    def __init__(self) -> None:
        super().__init__("store-busy")


class StoreAway(_Named):
    """The database can't be reached. An append in progress may have been kept or not: read it back first."""

    is_told = True

    def __init__(self, reason: str | None = None) -> None:
        super().__init__("store-away")
        self.reason = reason or "no answer"
        """The system's message, for whoever starts the server; players only hear that the store is away."""


class MigrationNeeded(_Named):
    """The file has an older schema, or is empty or missing."""

    def __init__(self, path: str, got: int, expected: int) -> None:
        super().__init__("store-migration-needed", path=path, got=got, expected=expected)


class OtherBuild(_Named):
    """Processes of another build are serving this database, and could not share its tables with ours."""

    def __init__(self, path: str) -> None:
        super().__init__("store-other-build", path=path)


class StoreHeld(_Named):
    """Another process has this file open: a server, reachable at `by`, or a command."""

    def __init__(self, path: str, pid: str, by: str) -> None:
        super().__init__("store-held", path=path, pid=pid, by=by)
        self.by = by
