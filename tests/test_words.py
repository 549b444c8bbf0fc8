"""The words people read follow docs/glossary.md."""

from __future__ import annotations

import pytest
from tools import words


@pytest.mark.parametrize("place", words.FILES)
def test_no_avoided_words(place: str) -> None:
    assert [str(finding) for finding in words.findings(place)] == []


@pytest.mark.parametrize("place", words.FILES)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_texts_are_found(place: str, language: str) -> None:
    """Without texts to read, the check would find nothing wrong."""
    assert len(list(words.texts(place, language))) > 50 or (place == "docs" and language != "en")


def _found(language: str, place: str, text: str) -> list[str]:
    of_place = [rule for rule in words.rules() if rule.language == language and place in rule.places]
    return [word for rule in of_place for word in rule.found(text)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "That is no tile."),
        ("en", "No public table waits for players just now."),
        ("en", "No tile fits any more."),
        ("de", "Es passt kein Stein mehr auf das Brett."),
        ("de", "Deine niedrigste Farbe ist Rot."),
        ("de", "Lege zuerst einen Stein."),
        ("nl", "Jij bent aan zet."),
        ("nl", "Rek van Jan"),
        ("nl", "Ruil al je stenen."),
        ("nl", "Er zit niets meer in de zak."),
    ],
)
def test_avoided_words_are_found(language: str, text: str) -> None:
    assert _found(language, "engine", text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "There is no room left, and {name} is no longer here."),
        ("en", "Are there any more tiles?"),
        ("en", "The key “cells” is missing, and {cells:and} are too far apart."),
        ("de", "Auf der Ablagebank liegt nichts; die gedruckten Regeln sagen dazu nichts."),
        ("de", "Du hast alles gelegt. Spiel weiter!"),
        ("nl", "Op de voorraadbank ligt niets. Ruil al je stenen om."),
        ("nl", "De server luistert op poort {port}."),
    ],
)
def test_exceptions_are_allowed(language: str, text: str) -> None:
    assert _found(language, "engine", words._PARAMETER.sub("{}", text)) == []


def test_unknown_place_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        words.main(["nowhere"])
    assert exit_.value.code == 2
    assert "“nowhere” isn't a place" in capsys.readouterr().err
