"""Every colour that Genial draws with: the two themes, and the six colours for every kind of vision.

A quiet board, dark tiles, bright symbols: the only saturated colours are the six. Shape is what distinguishes
the symbols first, so palettes can be exchanged without changing the meaning (COLOURS).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Theme:
    """Everything but the six colours."""

    page: str
    cell: str
    lines: str
    tile: str
    edge: str
    """Around tiles; the tile's own colour if the page is light enough to show it."""
    text: str
    quiet: str
    """De-emphasised text and marks."""
    raised: str
    """A lighter tile: backs of hidden tiles, and previewed points."""
    on_tile: str
    """Text on tiles."""
    levels: tuple[str, str, str]
    """Tiles on level 1, on level 2, and on all higher levels: the higher, the lighter."""
    slopes: tuple[str, str, str]
    """The sides of stacked tiles: towards the light, across it, away from it."""

    def tile_on(self, level: int) -> str:
        """The colour of a tile on a level; 0 is the board."""
        return (self.tile, *self.levels)[min(level, len(self.levels))]


LIGHT = Theme(
    page="#F3EFE7",
    cell="#F7F4EE",
    lines="#D3CCBE",
    tile="#22262E",
    edge="#22262E",
    text="#22262E",
    quiet="#6B6558",
    raised="#7B8494",
    on_tile="#F7F4EE",
    levels=("#292F38", "#313743", "#39404D"),
    slopes=("#A9B0BC", "#7F8795", "#59616F"),
)
DARK = Theme(
    page="#121418",
    cell="#2B313C",
    lines="#3A4250",
    tile="#0B0D10",
    edge="#4A5362",
    text="#ECE8E0",
    quiet="#A39E94",
    raised="#5D6778",
    on_tile="#ECE8E0",
    levels=("#171B21", "#222831", "#2D3540"),
    slopes=("#8C96A6", "#657082", "#465060"),
)
THEMES: dict[ThemeName, Theme] = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True, slots=True)
class Palette:
    """Six colours for the symbols on tiles, in the order of COLOURS, and the themes they are used in."""

    name: str
    symbols: tuple[str, str, str, str, str, str]
    light: Theme = LIGHT
    dark: Theme = DARK


STANDARD = Palette("standard", ("#FF5A4F", "#FF9F2E", "#FFE45C", "#35C26B", "#4DA3FF", "#C58BFF"))
# For each of the three kinds of colour blindness, the six were chosen so that, as such an eye sees them, any
# two are at least .16 apart in OKLab (the standard six get as close as .02), and still match their names.
PROTANOPIA = Palette("protanopia", ("#F14F6C", "#FCA216", "#FEFC33", "#93E1C2", "#5CABFB", "#E932E9"))
DEUTERANOPIA = Palette("deuteranopia", ("#D66978", "#FD9E16", "#FEFE33", "#88F2C9", "#3F8AF8", "#F97AFA"))
TRITANOPIA = Palette("tritanopia", ("#FD542F", "#F7B35F", "#FEFE3B", "#47F6C2", "#57A7E4", "#B465F6"))
# Similar shapes (the two stars; disc and hexagon) get dissimilar greys.
GREY = Palette("grey", ("#8C8C8C", "#A4A4A4", "#F2F2F2", "#D8D8D8", "#BCBCBC", "#CBCBCB"))
HIGH_CONTRAST = Palette(
    "high-contrast",
    ("#FF7A70", "#FFA733", "#FFF04D", "#4FE388", "#6CB8FF", "#D9A6FF"),
    light=Theme(
        page="#FFFFFF",
        cell="#FFFFFF",
        lines="#595959",
        tile="#000000",
        edge="#000000",
        text="#000000",
        quiet="#3D3D3D",
        raised="#6B6B6B",
        on_tile="#FFFFFF",
        levels=("#101010", "#1C1C1C", "#282828"),
        slopes=("#C4C4C4", "#8F8F8F", "#5C5C5C"),
    ),
    dark=Theme(
        page="#000000",
        cell="#1C1C1C",
        lines="#9A9A9A",
        tile="#000000",
        edge="#FFFFFF",
        text="#FFFFFF",
        quiet="#D6D6D6",
        raised="#6B6B6B",
        on_tile="#FFFFFF",
        levels=("#101010", "#1C1C1C", "#282828"),
        slopes=("#C4C4C4", "#8F8F8F", "#5C5C5C"),
    ),
)
PALETTES: dict[str, Palette] = {
    palette.name: palette for palette in (STANDARD, PROTANOPIA, DEUTERANOPIA, TRITANOPIA, HIGH_CONTRAST, GREY)
}


@dataclass(frozen=True, slots=True)
class Ink:
    """The colours for one picture."""

    theme: Theme
    symbols: tuple[str, str, str, str, str, str]

    @property
    def has_edges(self) -> bool:
        """True if a tile needs a line around it to be visible."""
        return self.theme.edge != self.theme.tile


def ink(theme: str = "light", palette: str | Palette | None = None) -> Ink:
    """The colours of a picture, by the names of a theme and a palette.

    >>> ink("dark").theme.page, ink(palette="grey").symbols[0]
    ('#121418', '#8C8C8C')
    """
    if theme not in ("light", "dark"):
        raise ValueError(f"There's no theme called {theme!r}. Choose light or dark.")
    if isinstance(palette, str):
        if palette not in PALETTES:
            raise ValueError(f"There's no palette called {palette!r}. Choose from: {', '.join(PALETTES)}.")
        palette = PALETTES[palette]
    chosen = palette or STANDARD
    return Ink(chosen.dark if theme == "dark" else chosen.light, chosen.symbols)
