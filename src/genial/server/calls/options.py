"""What a table may be set up with: the limits and choices of `settings.py`, for the client."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.inspect import Metadata, NoneType, StrType, StructType, UnionType, type_info

from genial.server.calls.protocol import JoinBody
from genial.server.tables.settings import Clock, TableSettings

Range = tuple[int, int]


class TableOptions(Struct, frozen=True):
    """The minimum and maximum of every number, and every choice, in `TableSettings` and in a join code."""

    name: Range
    """Characters in a person's or a table's name."""
    code: Range
    """Characters in what may be a table's code."""
    games: Range
    move: Range
    """Seconds for each turn."""
    total: Range
    increment: Range
    chat: tuple[str, ...]
    start: tuple[str, ...]


@cache
def table_options() -> TableOptions:
    """The options, read from the structs that enforce them.

    >>> table_options().games
    (1, 100)
    """
    return TableOptions(
        name=_range(TableSettings, "name"),
        code=_range(JoinBody, "code"),
        games=_range(TableSettings, "games"),
        move=_range(Clock, "move"),
        total=_range(Clock, "total"),
        increment=_range(Clock, "increment"),
        chat=_kind(TableSettings, "chat").values,
        start=_kind(TableSettings, "start").values,
    )


def _range(struct: type[Struct], field: str) -> Range:
    kind = _kind(struct, field)
    least, most = ("min_length", "max_length") if isinstance(kind, StrType) else ("ge", "le")
    return int(getattr(kind, least)), int(getattr(kind, most))


def _kind(struct: type[Struct], name: str) -> Any:
    """The type of a field, apart from None."""
    info = type_info(struct)
    assert isinstance(info, StructType)
    kind = next(field.type for field in info.fields if field.name == name)
    choices = kind.types if isinstance(kind, UnionType) else (kind,)
    found = next(choice for choice in choices if not isinstance(choice, NoneType))
    return found.type if isinstance(found, Metadata) else found
