"""What a table may be set up with: the limits and choices of `settings.py`, told to the client."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct, inspect

from genial.server.protocol import JoinBody
from genial.server.settings import Clock, TableSettings

Range = tuple[int, int]


class TableOptions(Struct, frozen=True):
    """The least and the most of every number, and every choice, of `TableSettings` and of a join code."""

    name: Range
    """Characters of a person's or a table's name."""
    code: Range
    """Characters of what may be a table's code."""
    games: Range
    move: Range
    """Seconds for each move."""
    total: Range
    increment: Range
    chat: tuple[str, ...]
    start: tuple[str, ...]


@cache
def table_options() -> TableOptions:
    """The options, read from the structs that judge them.

    >>> table_options().games
    (1, 100)
    """
    table, clock = _fields(TableSettings), _fields(Clock)
    return TableOptions(
        name=_range(table["name"]),
        code=_range(_fields(JoinBody)["code"]),
        games=_range(table["games"]),
        move=_range(clock["move"]),
        total=_range(clock["total"]),
        increment=_range(clock["increment"]),
        chat=_choices(table["chat"]),
        start=_choices(table["start"]),
    )


def _fields(struct: type[Struct]) -> dict[str, Any]:
    found = inspect.type_info(struct)
    assert isinstance(found, inspect.StructType)
    return {field.name: _given(field.type) for field in found.fields}


def _given(kind: inspect.Type) -> inspect.Type:
    """The type without the choice to leave it out."""
    if isinstance(kind, inspect.UnionType):
        return next(each for each in kind.types if not isinstance(each, inspect.NoneType))
    return kind


def _range(kind: inspect.Type) -> Range:
    if isinstance(kind, inspect.StrType):
        low, high = kind.min_length, kind.max_length
    else:
        assert isinstance(kind, inspect.IntType)
        low, high = kind.ge, kind.le
    assert low is not None
    assert high is not None
    return int(low), int(high)


def _choices(kind: inspect.Type) -> tuple[str, ...]:
    assert isinstance(kind, inspect.LiteralType)
    return tuple(str(value) for value in kind.values)
