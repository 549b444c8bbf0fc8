"""What a store refuses, as codes with parameters. Where nothing else is said, nothing was changed."""

from __future__ import annotations

from genial.core.errors import GenialError


class StoreError(GenialError):
    """The store cannot do what was asked, or cannot be opened."""


class _Named(StoreError):
    """An error whose arguments are its parameters, so that no one who raises it can forget one."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(self.params.values())


class SequenceConflict(_Named):
    """The first number of an append is not the next one of its table.

    >>> print(SequenceConflict("t1", 8))
    Table t1 goes on with entry 8.
    """

    def __init__(self, game: str, expected_next: int) -> None:
        super().__init__("store-sequence", game=game, expected=expected_next)
        self.game = game
        self.expected_next = expected_next


class DuplicateMove(_Named):
    """This move is in the log already: acknowledge it again, as entry `seq`."""

    def __init__(self, game: str, move_id: str, seq: int) -> None:
        super().__init__("store-duplicate-move", game=game, move_id=move_id, seq=seq)
        self.game = game
        self.move_id = move_id
        self.seq = seq


class CodeTaken(_Named):
    """Another open or running table has this join code."""

    def __init__(self, code: str) -> None:
        super().__init__("store-code-taken", join=code)
        self.join = code


class UnknownTable(_Named):
    """No such table, and the append brought no row for it."""

    def __init__(self, game: str) -> None:
        super().__init__("store-no-table", game=game)
        self.game = game


class StoreBusy(_Named):
    """Too much waits to be written, or another process holds the store. Try again later."""

    def __init__(self) -> None:
        super().__init__("store-busy")


class StoreAway(_Named):
    """The database cannot be reached. An append under way may have been kept or not: read before going on."""

    def __init__(self, reason: str | None = None) -> None:
        super().__init__("store-away")
        self.reason = reason or "no answer"
        """What the system says, for whoever starts the server; players are told that it is away."""


class MigrationNeeded(_Named):
    """The file is of an older schema, empty or not there yet."""

    def __init__(self, path: str, got: int, expected: int) -> None:
        super().__init__("store-migration-needed", path=path, got=got, expected=expected)
        self.path = path
