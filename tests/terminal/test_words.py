"""The three languages say the same things."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from genial import terminal
from genial.core.messages import LANGUAGES
from genial.terminal.words import say, words
from genial.terminal.words.commands import ALIASES


def placeholders(text: str | tuple[str, str]) -> set[str]:
    whole = text if isinstance(text, str) else " ".join(text)
    return {name for _, name, _, _ in string.Formatter().parse(whole) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    english, other = words("en"), words(language)
    assert list(english) == list(other)
    # The number 1 may be spelled out, so a pair is compared as a whole.
    assert {key: placeholders(text) for key, text in english.items()} == {
        key: placeholders(text) for key, text in other.items()
    }
    assert {key: isinstance(text, tuple) for key, text in english.items()} == {
        key: isinstance(text, tuple) for key, text in other.items()
    }


def test_every_text_is_used_somewhere() -> None:
    """A key appears in the code as it is, or is composed from a prefix that does."""
    whole, beginnings = set(), set()
    for path in Path(terminal.__file__).parent.rglob("*.py"):
        if path.stem in LANGUAGES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.JoinedStr([ast.Constant(str(text)), ast.FormattedValue(), *_]):
                    beginnings.add(text)
                case ast.Constant(str(text)):
                    whole.add(text)
    put_together = tuple(text for text in beginnings if re.fullmatch(r"[a-z]+-[a-z-]*", text))
    assert [key for key in words("en") if key not in whole and not key.startswith(put_together)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["help-keys", "help-marks", "help-keys-cards", "help-marks-cards"])
def test_help_fits_into_eighty_columns(key: str, language: str) -> None:
    assert max(map(len, say(key, language).splitlines())) <= 74


@pytest.mark.parametrize("language", ["de", "nl"])
def test_texts_are_translated(language: str) -> None:
    same = [key for key, text in words(language).items() if text == words("en")[key] and len(str(text)) > 25]
    assert same == []


def test_the_line_mode_help_names_the_same_commands_in_every_language() -> None:
    def commands(language: str) -> list[str]:
        return re.findall(r"^  (\w+)", say("plain-help", language), re.MULTILINE)

    assert commands("de") == commands("nl") == commands("en")


def test_no_command_alias_is_itself_a_command() -> None:
    assert ALIASES["tauschen"] == ALIASES["omruilen"] == ALIASES["s"] == "swap"
    assert not set(ALIASES) & set(ALIASES.values())
