"""The few words in pictures. Names of titles, colours and reasons come from core's catalogue."""

from __future__ import annotations

from genial.core.editions import name_of
from genial.core.messages import render

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "lowest": "lowest",
        "one-left": "{count} tile left",
        "several-left": "{count} tiles left",
        "turn": "{name}'s turn",
        "reconstructed": "reconstructed",
        "draw-pile": "draw pile",
        "discard-pile": "discard pile",
        "rank": "{rank}th",
        "rank-1": "1st",
        "rank-2": "2nd",
        "rank-3": "3rd",
        "player": "Player {number}",
        "one-bonus": "{count} bonus move",
        "several-bonus": "{count} bonus moves",
        "over": "Game over",
        "goes-next": "discarded next",
        "hidden": "hidden",
        "last-round": "last round",
        "tracks": "Scores",
        "rack": "Rack",
        "hand": "Hand",
        "open-cards": "Face-up cards",
        "board": "board",
        "level": "level",
        "printed": "printed symbols",
        "stones": "start stones",
        "no-tiles": "no tiles yet",
        "preview": "Preview",
        "empty": "empty",
    },
    "de": {
        "lowest": "schwächste",
        "one-left": "noch {count} Stein",
        "several-left": "noch {count} Steine",
        "turn": "{name} ist dran",
        "reconstructed": "rekonstruiert",
        "draw-pile": "Nachziehstapel",
        "discard-pile": "Ablagestapel",
        "rank": "{rank}. Platz",
        "player": "Person {number}",
        "one-bonus": "{count} Bonuszug",
        "several-bonus": "{count} Bonuszüge",
        "over": "Spielende",
        "goes-next": "als Nächste abgelegt",
        "hidden": "verdeckt",
        "last-round": "Schlussrunde",
        "tracks": "Punktetafeln",
        "rack": "Ablagebank",
        "hand": "Handkarten",
        "open-cards": "Offene Karten",
        "board": "Spielplan",
        "level": "Ebene",
        "printed": "aufgedruckte Symbole",
        "stones": "Startsteine",
        "no-tiles": "noch keine Steine",
        "preview": "Vorschau",
        "empty": "leer",
    },
    "nl": {
        "lowest": "laagste",
        "one-left": "nog {count} steen",
        "several-left": "nog {count} stenen",
        "turn": "{name} is aan de beurt",
        "reconstructed": "gereconstrueerd",
        "draw-pile": "trekstapel",
        "discard-pile": "aflegstapel",
        "rank": "{rank}e plaats",
        "player": "Speler {number}",
        "one-bonus": "{count} bonusbeurt",
        "several-bonus": "{count} bonusbeurten",
        "over": "Einde van het spel",
        "goes-next": "als volgende afgelegd",
        "hidden": "verborgen",
        "last-round": "laatste ronde",
        "tracks": "Scoretabellen",
        "rack": "Voorraadbank",
        "hand": "Hand",
        "open-cards": "Open kaarten",
        "board": "bord",
        "level": "niveau",
        "printed": "afgedrukte symbolen",
        "stones": "startstenen",
        "no-tiles": "nog geen stenen",
        "preview": "Voorvertoning",
        "empty": "leeg",
    },
}


def word(key: str, language: str = "en", **params: object) -> str:
    """A word in a language; English if the language is unknown.

    >>> word("board"), word("board", "de"), word("board", "fr"), word("turn", name="Anna")
    ('board', 'Spielplan', 'board', "Anna's turn")
    """
    return _WORDS.get(language, _WORDS["en"])[key].format(**params)


def counted(count: int, thing: str, language: str = "en") -> str:
    """A number of things.

    >>> counted(2, "bonus"), counted(1, "left", "de")
    ('2 bonus moves', 'noch 1 Stein')
    """
    return word(f"{'one' if count == 1 else 'several'}-{thing}", language, count=count)


def rank_words(rank: int, language: str = "en") -> str:
    """A rank in the result.

    >>> rank_words(2), rank_words(4), rank_words(2, "de"), rank_words(2, "nl")
    ('2nd', '4th', '2. Platz', '2e plaats')
    """
    key = f"rank-{rank}"
    return word(key if key in _WORDS.get(language, _WORDS["en"]) else "rank", language, rank=rank)


def colour_word(colour: int, language: str = "en") -> str:
    """The name of a colour.

    >>> colour_word(5, "de")
    'Lila'
    """
    return render(f"colour-{colour}", {}, language)


def title_words(variant: str, language: str = "en") -> str:
    """The name of a title."""
    return name_of(variant, language)


def reason_words(reason: str, language: str = "en") -> str:
    """Why a game is over."""
    return render(f"reason-{reason}", {}, language)


def capital(text: str) -> str:
    """The text with a capital first letter, the rest untouched."""
    return text[:1].upper() + text[1:]
