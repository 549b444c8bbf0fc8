"""One catalogue, three languages: complete, with the same parameters, and no code without words."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import genial
from genial.core.actions import Place
from genial.core.errors import GenialError, IllegalAction
from genial.core.messages import LANGUAGES, Message, catalogue, render
from genial.core.titles import VARIANTS

SOURCE = Path(genial.__file__).parent


def _parameters(message: Message) -> set[str]:
    texts = message if isinstance(message, tuple) else (message,)
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_messages_with_the_same_parameters(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    for code, message in english.items():
        assert _parameters(other[code]) == _parameters(message), code
        assert isinstance(other[code], tuple) == isinstance(message, tuple), code


def test_translations_are_translations() -> None:
    same = [
        c for c, message in catalogue("en").items() if message in (catalogue("de")[c], catalogue("nl")[c])
    ]
    assert len(same) < 15, same


def test_every_code_in_the_source_has_words() -> None:
    raised = r'(?:IllegalAction|\w+Error|Breach)\(\s*"([a-z0-9-]+)"'
    for path in SOURCE.rglob("*.py"):
        for code in re.findall(raised, path.read_text(encoding="utf-8")):
            assert code in catalogue("en"), (path.name, code)


def test_every_title_and_colour_has_a_name() -> None:
    for language in LANGUAGES:
        for variant in VARIANTS:
            assert render(f"title-{variant}", {}, language)
        assert len({render(f"colour-{n}", {}, language) for n in range(6)}) == 6


def test_duel_is_labelled_reconstructed_in_every_language() -> None:
    """DUEL"""
    words = {"en": "reconstructed", "de": "rekonstruiert", "nl": "gereconstrueerd"}
    for language, word in words.items():
        assert word in render("title-duel", {}, language)


def test_an_error_says_what_was_got_and_expected_and_names_the_ruling() -> None:
    position = genial.new("classic", seats=2, seed=7)
    with pytest.raises(IllegalAction) as caught:
        position.apply(Place("OB", ((0, 0), (0, 2))))
    assert caught.value.ruling == "FREE-PLACEMENT"
    assert "(0, 2)" in str(caught.value)
    assert "FREE-PLACEMENT" in str(caught.value)


def test_what_is_quoted_from_outside_is_cut() -> None:
    with pytest.raises(GenialError) as caught:
        genial.new("x" * 10_000, seats=2, seed=1)
    assert len(str(caught.value)) < 400
