"""Symbols can be told apart: always by shape, and by colour with every kind of colour vision."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from genial.drawing.palette import PALETTES, STANDARD, Palette
from genial.drawing.symbols import symbol_path

# How colours look to a dichromat: Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> tuple[float, ...]:
    values = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG defines it."""
    lights = sorted(
        sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def oklab(rgb: tuple[float, ...]) -> tuple[float, ...]:
    r, g, b = rgb
    long, middle, short = (
        (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3),
        (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3),
        (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3),
    )
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def nearest(palette: Palette, eye: str) -> float:
    """The distance between the two colours that look most alike to this eye."""
    seen = [
        oklab(tuple(max(0.0, sum(a * b for a, b in zip(row, linear(c), strict=True))) for row in EYES[eye]))
        for c in palette.symbols
    ]
    return min(math.dist(one, other) for one, other in combinations(seen, 2))


def test_every_symbol_has_its_own_shape() -> None:
    """COLOURS: colour is never the only cue."""
    assert len({symbol_path(colour) for colour in range(6)}) == 6


@pytest.mark.parametrize("eye", EYES)
def test_a_palette_for_colour_blindness_keeps_its_colours_apart(eye: str) -> None:
    assert nearest(PALETTES[eye], eye) > 0.16
    assert nearest(PALETTES[eye], eye) > 3 * nearest(STANDARD, eye)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_symbols_stand_out_from_tiles_on_every_level(palette: Palette) -> None:
    for theme in (palette.light, palette.dark):
        for level in range(4):
            assert min(contrast(colour, theme.tile_on(level)) for colour in palette.symbols) >= 3


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_text_is_readable(palette: Palette) -> None:
    for theme in (palette.light, palette.dark):
        assert contrast(theme.text, theme.page) >= 7
        assert contrast(theme.quiet, theme.page) >= 4.5
        assert contrast(theme.on_tile, theme.tile_on(3)) >= 4.5


def test_high_contrast_is_high() -> None:
    palette = PALETTES["high-contrast"]
    for theme in (palette.light, palette.dark):
        assert all(contrast(colour, theme.tile) >= 7 for colour in palette.symbols)
        assert contrast(theme.lines, theme.page) >= 7
        assert contrast(theme.quiet, theme.page) >= 7
