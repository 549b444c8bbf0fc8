"""How every call is read, over any transport: which call is meant, and what its query and body say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from genial.server.calls import bot, games, info, lessons, play, records, tables
from genial.server.calls.answering import unreadable
from genial.server.calls.call import Operation
from genial.server.tables.errors import NotFound, Refused

_T = TypeVar("_T")

IN_PATH = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A placeholder in the path of a call: its name, and `int` if it is a number."""
NUMBER = "[0-9]{1,6}"
"""A number in a path. Only a few digits: Python refuses to parse thousands of them."""


class WrongMethod(Refused):
    """The path is known, but not with this method."""

    status = 405


def every_call() -> list[Operation]:
    """Every call of the API."""
    parts = (info, tables, play, games, records, lessons, bot)
    return [operation for part in parts for operation in part.CALLS.operations]


class Directory:
    """Finds the call for a method and a path.

    >>> operation, names = Directory(every_call()).find("GET", "/api/boards/classic/2")
    >>> operation.path, names
    ('/api/boards/{variant}/{seats:int}', {'variant': 'classic', 'seats': 2})
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._operations = list(operations)

    def find(self, method: str, path: str) -> tuple[Operation, dict[str, Any]]:
        """The call, and the values of the placeholders in its path."""
        known = False
        for operation in self._operations:
            if (names := names_in(path, operation.path)) is None:
                continue
            if operation.method == method:
                return operation, names
            known = True
        raise WrongMethod("method-wrong") if known else NotFound("path-unknown")


def names_in(path: str, declared: str) -> dict[str, Any] | None:
    """The values of a declared path's placeholders, numbers as integers; None if the path doesn't match.

    >>> names_in("/api/tables/abc/games/0", "/api/tables/{table}/games/{game:int}")
    {'table': 'abc', 'game': 0}
    """
    match = _pattern(declared).fullmatch(path)
    if match is None:
        return None
    numbers = {name for name, kind in IN_PATH.findall(declared) if kind == "int"}
    return {name: int(text) if name in numbers else text for name, text in match.groupdict().items()}


@cache
def _pattern(declared: str) -> re.Pattern[str]:
    def named(part: re.Match[str]) -> str:
        return f"(?P<{part[1]}>{NUMBER if part[2] == 'int' else '[^/]+'})"

    return re.compile(IN_PATH.sub(named, declared))  # our paths contain no other special characters


def read_query(given: Mapping[str, str], kind: type[_T]) -> _T:
    """The query parameters as a struct."""
    try:
        return msgspec.convert(dict(given), kind, strict=False)
    except msgspec.ValidationError as error:
        raise unreadable(error) from None


def read_body(data: bytes, kind: type[_T], empty: bytes = b"{}") -> _T:
    """The body of a request as a struct; `empty` stands in for a missing body."""
    try:
        return msgspec.json.decode(data or empty, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable(error) from None
