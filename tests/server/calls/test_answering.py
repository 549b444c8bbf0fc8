"""What is said about a text that is too long or too short: in words, for whatever people type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct, inspect
from tests.codes import bare

from genial.core.messages import LANGUAGES
from genial.server.calls.answering import Unreadable
from genial.server.calls.asking import every_call, read_body, read_query
from genial.server.calls.protocol import ClientMessage
from genial.server.messages import WORDS
from genial.server.operate import operator

TYPED = {"code", "name", "places[0].name", "settings.name", "text"}
"""What people type in the browser: their names, a table's, its code and what they say."""
SENT = {
    *("action", "bot", "cell", "key", "move", "moves[0]", "phrase", "places[0].bot"),
    *("settings.variant", "table", "tile"),
}
"""What only programs send: people choose it, or write the request themselves."""


def bounded(kind: inspect.Type, field: str = "") -> Iterator[tuple[str, inspect.StrType, list[str]]]:
    """The texts of limited length in a message: the field, its limits, and the keys that lead there."""
    match kind:
        case inspect.Metadata(type=inner):
            yield from bounded(inner, field)
        case inspect.StrType(min_length=least, max_length=most) if least or most:
            yield field, kind, []
        case inspect.UnionType(types=types):
            for each in types:
                yield from bounded(each, field)
        case inspect.ListType(item_type=item):
            for name, text, keys in bounded(item, f"{field}[0]"):
                yield name, text, ["", *keys]
        case inspect.StructType(fields=fields):
            for part in fields:
                path = f"{field}.{part.name}".removeprefix(".")
                for name, text, keys in bounded(part.type, path):
                    yield name, text, [part.encode_name, *keys]


def wrapped(keys: list[str], value: str) -> Any:
    """A message with this text under these keys and nothing else; an empty key is a list."""
    if not keys:
        return value
    inner = wrapped(keys[1:], value)
    return {keys[0]: inner} if keys[0] else [inner]


def refusals() -> Iterator[tuple[str, str, int, Unreadable]]:
    """Every text of every message, too long and too short: field, code, limit and what is answered."""
    calls = [*every_call(), *operator.CALLS.operations]
    kinds: list[tuple[type[Struct], bool]] = [(each.body, False) for each in calls if each.body]
    kinds += [(each.query, True) for each in calls]
    kinds += [(each, False) for each in ClientMessage.__args__]
    for kind, in_query in kinds:
        told = inspect.type_info(kind)
        tag = {told.tag_field: told.tag} if isinstance(told, inspect.StructType) and told.tag_field else {}
        for field, text, keys in bounded(told):
            for limit, length, code in (
                (text.max_length, (text.max_length or 0) + 1, "field-long"),
                (text.min_length, (text.min_length or 0) - 1, "field-short"),
            ):
                if not limit:
                    continue
                given = tag | wrapped(keys, "x" * length)
                with pytest.raises(Unreadable) as refused:
                    read_query(given, kind) if in_query else read_body(json.dumps(given).encode(), kind)
                yield field, code, limit, refused.value


def test_every_text_of_a_wrong_length_is_named_in_words_if_people_type_it() -> None:
    seen = set()
    for field, code, limit, error in refusals():
        seen.add(field)
        assert (error.code, error.params) == (code, {"field": field, "count": limit})
        for language in LANGUAGES:
            text, known = error.text(language), WORDS.messages(language)
            word = f"typed-{field.replace('[0]', '')}"
            assert str(limit) in text
            assert not bare(language, text), text
            if field in TYPED:
                assert text.startswith(f"{known[word]} "), text
            else:
                assert f"“{field}”" in text or f"„{field}“" in text, text
                assert word not in known
    assert seen == TYPED | SENT


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The table name is too long. Keep it to 24 characters."),
        ("de", "Der Tischname ist zu lang. Erlaubt sind 24 Zeichen."),
        ("nl", "De tafelnaam is te lang. Het maximum is 24 tekens."),
    ],
)
def test_a_long_table_name_is_called_what_the_form_calls_it(language: str, told: str) -> None:
    assert Unreadable("field-long", field="settings.name", count=24).text(language) == told
