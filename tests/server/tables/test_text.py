"""Texts that people see: nothing in them hides, disrupts or looks empty, wherever they come from."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, inspect

import genial
from genial.core.record import read, record_of
from genial.core.shown import shown
from genial.server.calls.devices import device_of
from genial.server.calls.protocol import BotAccountBody, Chat, ChatBody, ClientMessage, NewTable
from genial.server.http.openapi import operations
from genial.server.study.replays import game_of, moments
from genial.server.tables.errors import Refused
from genial.server.tables.settings import PlaceChoice, TableSettings
from genial.server.tables.text import cleaned

BLANK = (
    "\u00ad\u034f\u115f\u1160\u17b4\u180b\u200b\u2060\u2800\u3164\ufe0f\ufeff\uffa0\ufffc\U000e0041\U000e0101"
)
WILD = (
    BLANK + "\x00\x1b\x7f\x9b\n\r\t\u2028\u202a\u202e\u2066\u200d\u0300\u0301\u0489\ue000\ud800 aé❤\U0001f600"
)
texts = st.text(max_size=120) | st.text(st.sampled_from(WILD), max_size=120)


@given(texts)
def test_a_cleaned_text_is_one_line_of_visible_characters(text: str) -> None:
    found = shown(text)
    assert len(found) <= 24
    assert found == " ".join(found.split())
    assert unicodedata.is_normalized("NFC", found)
    assert not set(found) & set(BLANK.replace("\ufe0f", ""))
    found.encode()
    for number, character in enumerate(found):
        assert unicodedata.category(character)[0] != "C"
        if character == "\ufe0f":
            assert unicodedata.category(found[number - 1]) == "So"


@given(texts)
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert shown(shown(text)) == shown(text)


@given(texts)
def test_no_letter_carries_a_tower_of_marks_and_no_mark_stands_alone(text: str) -> None:
    marks = "".join("M" if unicodedata.category(c)[0] == "M" and c != "\ufe0f" else "x" for c in shown(text))
    assert "MMMM" not in marks
    assert not marks.startswith("M")


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Zoë",
        "Łukasz",
        "Nguyễn Thị",
        "Ωμέγα",
        "Юлия",
        "דוד",
        "أحمد",
        "山田 太郎",
        "김민준",
        "สมชาย",
        "नमस्ते",
        "A❤️B",
        "😀",
        "O'Neil-Smith 3",
    ],
)
def test_names_in_all_languages_stay_as_they_are(name: str) -> None:
    assert shown(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "text", [*BLANK, BLANK, "\x00", " \u3000\n", "\u0301\u0302", "\ud800", "\ue000", "\u202e\u2066"]
)
def test_an_invisible_text_counts_as_empty(text: str) -> None:
    assert shown(text) == ""
    table: dict[str, Any] = {
        "settings": TableSettings("travel", 2),
        "places": [PlaceChoice("me")],
        "name": "Ada",
    }
    for body, code in (
        (BotAccountBody(text), "name-empty"),
        (NewTable(**table | {"name": text}), "name-empty"),
        (NewTable(**table | {"settings": TableSettings("travel", 2, name=text)}), "name-empty"),
        (NewTable(**table | {"places": [PlaceChoice("me", name=text)]}), "name-empty"),
        (ChatBody("1", text=text), "chat-empty"),
        (Chat("1", text="Hi", name=text), "name-empty"),
    ):
        with pytest.raises(Refused) as refused:
            cleaned(body)
        assert refused.value.code == code


def test_every_text_in_a_message_is_cleaned() -> None:
    wild = "a\x1b\u202eb"
    settings = TableSettings("travel", 2, name=wild)
    table = cleaned(NewTable(settings, [PlaceChoice("me", name=wild), PlaceChoice("open")], wild))
    assert (table.name, table.settings.name, table.places[0].name, table.places[1].name) == (
        "ab",
        "ab",
        "ab",
        None,
    )
    said = cleaned(Chat("1", text=f"{wild}\n{wild}", name=wild))
    assert (said.text, said.name) == ("ab ab", "ab")
    assert cleaned(Chat("1", phrase="hello")).text == ""


def test_a_name_in_a_token_or_in_a_record_is_cleaned() -> None:
    for name, left in (("a\x00\x1b\u202eb", "ab"), ("\u3164", None), ("é" * 40, "é" * 24)):
        in_token = base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
        device = device_of(f"0123456789abcdefghijkl.{in_token}")
        assert device is not None
        assert device.bot == left
    record = read(
        record_of(genial.new("travel", seed=7), names=["a\x1b\u202eb", "\u3164"], bots=[None, "x\ny"])
    )
    game = game_of(record, moments(record))
    assert (game.names, game.bots) == (("ab", ""), (None, "x y"))


MACHINE_WORDS = {"action", "bot", "code", "move", "moves", "phrase", "table", "variant"}
"""Texts in messages that nobody is shown: they are compared with what exists."""


def texts_of(kind: type[Struct]) -> Iterator[tuple[str, inspect.StrType, dict[str, Any]]]:
    """The texts in a message, with their declarations."""

    def look(name: str, found: inspect.Type, extra: dict[str, Any]) -> Iterator[Any]:
        match found:
            case inspect.Metadata(type=inner, extra=more):
                yield from look(name, inner, more or {})
            case inspect.StrType():
                yield name, found, extra
            case inspect.UnionType(types=types):
                for each in types:
                    yield from look(name, each, {})
            case inspect.ListType(item_type=item):
                yield from look(name, item, {})
            case inspect.StructType(cls=inner_kind):
                yield from texts_of(inner_kind)

    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    for field in told.fields:
        yield from look(field.name, field.type, {})


def test_every_incoming_text_is_cleaned_or_has_a_known_form() -> None:
    bodies = [operation.body for operation in operations() if operation.body is not None]
    cleaned_texts = set()
    for kind in (*bodies, *ClientMessage.__args__):
        for name, text, extra in texts_of(kind):
            if "empty" in extra:
                cleaned_texts.add(name)
            else:
                assert text.pattern or name in MACHINE_WORDS, f"{kind.__name__}.{name}"
    assert cleaned_texts == {"name", "text"}
