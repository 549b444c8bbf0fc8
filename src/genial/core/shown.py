"""Cleans names and other texts that people give for display; shared by server and terminal."""

from __future__ import annotations

import unicodedata

NAME_LENGTH = 24
_MOST_MARKS = 3
"""Most marks on one letter. No script needs more, and a tower of them covers the lines around it."""
_ROOM = 4
"""How much of a text is looked at, as a multiple of the length wanted: cleaning may remove most of it."""

_BLANK = frozenset(
    map(
        chr,
        (
            0x034F,  # combining grapheme joiner
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
            *(0x17B4, 0x17B5),  # invisible Khmer vowels
            *range(0x180B, 0x1810),  # Mongolian variation selectors
            0x2800,  # blank Braille pattern
            *range(0xFE00, 0xFE10),  # variation selectors
            0xFFFC,  # placeholder for a missing object
            0x16FE4,  # Khitan filler
            0x1D159,  # a null notehead
            *range(0xE0100, 0xE01F0),  # variation selectors
        ),
    )
)
"""Characters that show nothing, in addition to Unicode's categories of spaces, controls and formats."""
_CHOOSE_PICTURE = "\ufe0e\ufe0f"
"""After a symbol: show it as text, or as an emoji."""


def shown(text: str, longest: int = NAME_LENGTH) -> str:
    """A text without anything hidden, disruptive or invisible; the result may be empty.

    One line of visible characters with single spaces, in Unicode's composed form (NFC): no controls,
    direction marks, line ends, lone surrogates, private or unassigned characters, blanks or towers of marks.

    >>> shown("  Ada \\u202e\\n L. \\x00"), shown("\\u3164\\u2800"), shown("e\\u0301") == "é"
    ('Ada L.', '', True)
    """
    # Cut first: normalising a long run of marks takes quadratic time.
    visible = "".join(_visible(unicodedata.normalize("NFC", text[: _ROOM * longest])))
    return " ".join(unicodedata.normalize("NFC", visible).split())[:longest].rstrip()


def _visible(text: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if character.isspace():
            kept.append(" ")
            marks = _MOST_MARKS  # a mark needs a character to attach to
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
