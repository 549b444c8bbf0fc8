"""Names and chat: one cleaner for every text that other people see.

Fields of incoming messages are declared with `Name` or `shown_text`, and cleaned when a message is read
(`cleaned`). Anything else that takes text from outside calls `shown`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from genial.core.shown import NAME_LENGTH, shown
from genial.server.tables.errors import Refused

_T = TypeVar("_T")
_Cleaner = Callable[[Any], Any]

_EMPTY = "empty"
"""Marks a field that people see, with the refusal's code if cleaning leaves nothing."""


def shown_text(longest: int, *, empty: str) -> Meta:
    """Declares a field that people see; `empty` is the refusal's code if cleaning leaves nothing."""
    return Meta(max_length=longest, extra={_EMPTY: empty})


Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH, extra={_EMPTY: "name-empty"})]
"""The name of a person, a bot or a table, as shown."""


# Whole messages


def cleaned(message: _T) -> _T:
    """A message with every text that people see cleaned; refused if nothing is left of one."""
    return _of_struct(type(message))(message) if isinstance(message, Struct) else message


@cache
def _of_struct(kind: type[Struct]) -> _Cleaner:
    """How to clean structs of a type, derived once from the declarations of their fields."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    fields = {field.name: found for field in told.fields if (found := _cleaner(field.type)) is not None}
    if not fields:
        return lambda struct: struct

    def clean(struct: Struct) -> Struct:
        return replace(struct, **{name: found(getattr(struct, name)) for name, found in fields.items()})

    return clean


def _cleaner(declared: inspect.Type) -> _Cleaner | None:
    match declared:
        case inspect.Metadata(type=inspect.StrType(max_length=longest), extra={"empty": empty}):
            return lambda text: _cleaned_text(text, longest or NAME_LENGTH, empty) if text else text
        case inspect.Metadata(type=inner):
            return _cleaner(inner)
        case inspect.UnionType(types=types):
            found = [each for each in map(_cleaner, types) if each is not None]
            assert len(found) <= 1, "which of several a value is cannot be told"
            return (lambda value: None if value is None else found[0](value)) if found else None
        case inspect.ListType(item_type=item):
            each = _cleaner(item)
            return (lambda values: [each(value) for value in values]) if each else None
        case inspect.StructType(cls=kind):
            return _of_struct(kind)
    return None


def _cleaned_text(text: str, longest: int, empty: str) -> str:
    found = shown(text, longest)
    if not found:
        raise Refused(empty)
    return found
