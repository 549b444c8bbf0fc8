"""What a store refuses, as codes with parameters. Where nothing else is said, nothing was changed."""

from __future__ import annotations

from genial.core.errors import GenialError
from genial.server.messages import WORDS


class StoreError(GenialError):
    """The store cannot do what was asked, or cannot be opened."""

    words = WORDS
    is_told = False
    """Whether players are told. Where the store is and what ails it is mostly the operator's business."""


class NotKept(StoreError):
    """The browser does not keep it: whoever plays there is the one to do something about it."""

    is_told = True


class _Named(StoreError):
    """An error whose arguments are its parameters, so that no one who raises it can forget one."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(self.params.values())


class SequenceConflict(_Named):
    """The first number of an append is not the next one of its table.

    >>> print(SequenceConflict("t1", 8))
    Table t1 continues with entry 8.
    """

    def __init__(self, table_id: str, expected_next: int) -> None:
        super().__init__("store-sequence", table_id=table_id, expected=expected_next)
        self.table_id = table_id
        self.expected_next = expected_next


class DuplicateMove(_Named):
    """This move is in the log already: acknowledge it again, as entry `seq`."""

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
    """No such table, and the append brought no row for it."""

    def __init__(self, table_id: str) -> None:
        super().__init__("store-no-table", table_id=table_id)


class StoreBusy(_Named):
    """Too much waits to be written, or another process holds the store. Try again later."""

    is_told = True

    def __init__(self) -> None:
        super().__init__("store-busy")


class StoreAway(_Named):
    """The database cannot be reached. An append under way may have been kept or not: read before going on."""

    is_told = True

    def __init__(self, reason: str | None = None) -> None:
        super().__init__("store-away")
        self.reason = reason or "no answer"
        """What the system says, for whoever starts the server; players are told that it is away."""


class MigrationNeeded(_Named):
    """The file is of an older schema, empty or not there yet."""

    def __init__(self, path: str, got: int, expected: int) -> None:
        super().__init__("store-migration-needed", path=path, got=got, expected=expected)


class OtherBuild(_Named):
    """Processes of another build serve this database: theirs and ours could not share its tables."""

    def __init__(self, path: str) -> None:
        super().__init__("store-other-build", path=path)


class StoreHeld(_Named):
    """Another process has this file: a server, which is found at `by`, or a command."""

    def __init__(self, path: str, pid: str, by: str) -> None:
        super().__init__("store-held", path=path, pid=pid, by=by)
        self.by = by
