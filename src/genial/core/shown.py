"""What people call themselves and each other, made fit to be shown: one cleaner for server and terminal."""

from __future__ import annotations

import unicodedata

NAME_LENGTH = 24
_MOST_MARKS = 3
"""Marks on one letter; what writes a language needs no more, and a tower of them covers the lines around."""
_ROOM = 4
"""So many times the length of a text is looked at; what is cleaned away may be most of it."""

_BLANK = frozenset(
    map(
        chr,
        (
            0x034F,  # combining grapheme joiner
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
            *(0x17B4, 0x17B5),  # Khmer vowels without a shape
            *range(0x180B, 0x1810),  # Mongolian variation selectors
            0x2800,  # Braille without a dot
            *range(0xFE00, 0xFE10),  # variation selectors
            0xFFFC,  # stands for an object that is not there
            0x16FE4,  # Khitan filler
            0x1D159,  # a note without a head
            *range(0xE0100, 0xE01F0),  # variation selectors
        ),
    )
)
"""Characters that show nothing, besides those of Unicode's categories for spaces, controls and formats."""
_CHOOSE_PICTURE = "\ufe0e\ufe0f"
"""After a symbol: as text, or as a coloured picture."""


def shown(text: str, longest: int = NAME_LENGTH) -> str:
    """A text with nothing in it that hides, disturbs or looks like nothing; maybe nothing is left.

    One line of visible characters with single spaces, in Unicode's composed form (NFC): without controls,
    directions, line ends, lone surrogates, private and unassigned characters, blanks and towers of marks.

    >>> shown("  Ada \\u202e\\n L. \\x00"), shown("\\u3164\\u2800"), shown("e\\u0301") == "é"
    ('Ada L.', '', True)
    """
    # Cut first: sorting a long row of marks takes Unicode's normal form quadratic time.
    visible = "".join(_visible(unicodedata.normalize("NFC", text[: _ROOM * longest])))
    return " ".join(unicodedata.normalize("NFC", visible).split())[:longest].rstrip()


def _visible(text: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if character.isspace():
            kept.append(" ")
            marks = _MOST_MARKS  # a mark needs something to stand on
        elif character in _CHOOSE_PICTURE and kept and unicodedata.category(kept[-1]) == "So":
            kept.append(character)
        elif category[0] == "C" or character in _BLANK:
            continue
        elif category[0] == "M":
            if kept and marks < _MOST_MARKS:
                kept.append(character)
                marks += 1
        else:
            kept.append(character)
            marks = 0
    return kept
