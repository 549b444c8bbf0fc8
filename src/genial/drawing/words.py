"""The few words on pictures. Names of titles, colours and reasons come from core's catalogue."""

from __future__ import annotations

from genial.core.messages import render

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "lowest": "lowest",
        "bag": "bag",
        "to-move": "to move",
        "reconstructed": "reconstructed",
        "draw-pile": "draw pile",
        "discard-pile": "discard pile",
        "rank": "rank",
        "player": "player",
        "bonus": "bonus move",
        "bonuses": "bonus moves",
        "over": "Game over",
        "goes-next": "goes next",
        "hidden": "hidden",
        "last-round": "last round",
        "tracks": "Tracks",
        "rack": "Rack",
        "hand": "Hand",
        "open-cards": "Open cards",
        "board": "Board",
        "level": "level",
        "printed": "start symbols",
        "no-tiles": "no tiles yet",
        "preview": "Preview",
        "empty": "empty",
    },
    "de": {
        "lowest": "niedrigste",
        "bag": "Beutel",
        "to-move": "am Zug",
        "reconstructed": "rekonstruiert",
        "draw-pile": "Nachziehstapel",
        "discard-pile": "Ablagestapel",
        "rank": "Rang",
        "player": "Spieler",
        "bonus": "Bonuszug",
        "bonuses": "Bonuszüge",
        "over": "Spielende",
        "goes-next": "geht als nächste",
        "hidden": "verdeckt",
        "last-round": "letzte Runde",
        "tracks": "Punktetafeln",
        "rack": "Bank",
        "hand": "Hand",
        "open-cards": "Offene Karten",
        "board": "Brett",
        "level": "Ebene",
        "printed": "Startsymbole",
        "no-tiles": "noch keine Steine",
        "preview": "Vorschau",
        "empty": "leer",
    },
    "nl": {
        "lowest": "laagste",
        "bag": "zak",
        "to-move": "aan zet",
        "reconstructed": "gereconstrueerd",
        "draw-pile": "trekstapel",
        "discard-pile": "aflegstapel",
        "rank": "plaats",
        "player": "speler",
        "bonus": "bonusbeurt",
        "bonuses": "bonusbeurten",
        "over": "Einde van het spel",
        "goes-next": "gaat als volgende",
        "hidden": "verborgen",
        "last-round": "laatste ronde",
        "tracks": "Scoreborden",
        "rack": "Rek",
        "hand": "Hand",
        "open-cards": "Open kaarten",
        "board": "Bord",
        "level": "niveau",
        "printed": "startsymbolen",
        "no-tiles": "nog geen stenen",
        "preview": "Voorbeeld",
        "empty": "leeg",
    },
}


def word(key: str, language: str = "en") -> str:
    """A word in a language; in English where the language is not known.

    >>> word("bag"), word("bag", "de"), word("bag", "fr")
    ('bag', 'Beutel', 'bag')
    """
    return _WORDS.get(language, _WORDS["en"])[key]


def counted(count: int, one: str, several: str, language: str = "en") -> str:
    """A number of things.

    >>> counted(2, "bonus", "bonuses")
    '2 bonus moves'
    """
    return f"{count} {word(one if count == 1 else several, language)}"


def colour_word(colour: int, language: str = "en") -> str:
    """The name of a colour.

    >>> colour_word(5, "de")
    'lila'
    """
    return render(f"colour-{colour}", {}, language)


def title_words(variant: str, language: str = "en") -> str:
    """The name of a title."""
    return render(f"title-{variant}", {}, language)


def reason_words(reason: str, language: str = "en") -> str:
    """Why a game is over."""
    return render(f"reason-{reason}", {}, language)


def capital(text: str) -> str:
    """The text with a capital first letter, the rest untouched."""
    return text[:1].upper() + text[1:]
