"""Characters for a terminal: shapes or letters for the symbols, with or without colour, and text widths."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from genial.core.colours import COLOURS
from genial.drawing.palette import DARK, LIGHT, STANDARD

Colour = bool | Literal["256"]
"""No colour, 24-bit colour, or the 256 colours of older terminals."""

SHAPES = "✹◆☼●★○"
"""The six symbols as single characters that can be told apart without colour.

Fixed-width fonts have no hexagon, and their six-pointed and twelve-pointed stars are hard to tell apart, so
these are the nearest shapes that every terminal draws in one column.
"""

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_LEVELS = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True, slots=True)
class Pen:
    """How to write to a terminal."""

    colour: Colour = False
    unicode: bool = True

    def symbol(self, number: int) -> str:
        """The character for a symbol, without colour."""
        return (SHAPES if self.unicode else COLOURS)[number]

    def pick(self, shape: str, plain: str) -> str:
        """A character, or its replacement in plain ASCII."""
        return shape if self.unicode else plain

    def on_tile(self, text: str, number: int | None = None, level: int = 0) -> str:
        """Text on a tile, in a symbol's colour or in the text colour."""
        ink = STANDARD.symbols[number] if number is not None else DARK.on_tile
        return self._painted(text, f"{self._code(38, ink)};{self._code(48, LIGHT.tile_on(level))}")

    def on_back(self, text: str) -> str:
        """Text on the back of a tile."""
        return self._painted(text, f"{self._code(38, DARK.on_tile)};{self._code(48, DARK.raised)}")

    def bold(self, text: str) -> str:
        """Emphasised text."""
        return self._painted(text, "1")

    def quiet(self, text: str) -> str:
        """De-emphasised text."""
        return self._painted(text, "2")

    def _painted(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.colour and text else text

    def _code(self, ground: int, value: str) -> str:
        red, green, blue = (int(value[n : n + 2], 16) for n in (1, 3, 5))
        if self.colour == "256":
            return f"{ground};5;{nearest_256(red, green, blue)}"
        return f"{ground};2;{red};{green};{blue}"


def nearest_256(red: int, green: int, blue: int) -> int:
    """The nearest of the 256 colours: from the cube, or from the greys.

    >>> nearest_256(255, 90, 79), nearest_256(34, 38, 46)
    (203, 235)
    """
    steps = [min(range(6), key=lambda n: abs(_LEVELS[n] - value)) for value in (red, green, blue)]
    grey = max(0, min(23, round(((red + green + blue) / 3 - 8) / 10)))
    cube_colour = (_LEVELS[steps[0]], _LEVELS[steps[1]], _LEVELS[steps[2]])
    grey_colour = (8 + 10 * grey,) * 3

    def distance(colour: tuple[int, int, int]) -> int:
        return sum((a - b) ** 2 for a, b in zip(colour, (red, green, blue), strict=True))

    if distance(grey_colour) < distance(cube_colour):
        return 232 + grey
    return 16 + 36 * steps[0] + 6 * steps[1] + steps[2]


def columns(text: str) -> int:
    """How many columns a text takes; colour codes take none, wide characters two.

    >>> columns("Anna"), columns("安娜"), columns(Pen(colour=True).bold("Anna"))
    (4, 4, 4)
    """
    return sum(_character_columns(c) for c in _ESCAPE.sub("", text))


def _character_columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int) -> str:
    """The text, padded with spaces."""
    return text + " " * max(0, width - columns(text))


def cut(text: str, width: int) -> str:
    """A text without colour, cut to a width.

    >>> cut("Wilhelmina", 6)
    'Wilhe…'
    """
    if columns(text) <= width:
        return text
    while text and columns(text) > width - 1:
        text = text[:-1]
    return f"{text}…"[: max(width, 0)]


def ascii_only(text: str) -> str:
    """The text in plain ASCII: accents are dropped, and anything else becomes a question mark.

    >>> ascii_only("Zoë · 安… – −3")
    'Zoe, ?... - -3'
    """
    for special, plain in ((" · ", ", "), ("…", "..."), ("–", "-"), ("−", "-")):
        text = text.replace(special, plain)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return text.encode("ascii", "replace").decode("ascii")
