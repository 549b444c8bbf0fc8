"""Tables, entries and credentials to put into stores."""

from __future__ import annotations

from genial.server.store import Credential, NewEntry, Result, Role, Status, StoredEntry, TableRow


def entry(number: int, move_id: str | None = None) -> NewEntry:
    return NewEntry(1_000 + number, "event", move_id, b'{"number": %d}' % number)


def entries(first: int, last: int) -> list[NewEntry]:
    return [entry(number, f"m{number}") for number in range(first, last + 1)]


def stored(game: str, seq: int, new: NewEntry) -> StoredEntry:
    return StoredEntry(game, seq, new.time, new.kind, new.move_id, new.data)


def row(
    game: str, *, code: str | None = None, status: Status = "open", public: bool = True, time: int = 1_000
) -> TableRow:
    return TableRow(
        game, code or f"code-{game}", "classic", 2, status, public, time, time, 1, f"Table of {game}"
    )


def credential(
    game: str,
    token: bytes = b"token",
    *,
    role: Role = "seat",
    place: int | None = 0,
    device: bytes | None = b"device",
    created: int = 1_000,
) -> Credential:
    return Credential(token, game, role, place, device, created)


def result(lowest: int, total: int, *, game: str = "solo", number: int = 1, time: int = 1_000) -> Result:
    return Result(b"device", "classic-solo", 1, game, number, lowest, total, time)
