"""The browser client's colours: generated from their sources, and readable in every theme and palette."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.drawing.test_palette import contrast

from genial.drawing.palette import PALETTES

WEB = Path(__file__).parents[2] / "web"
SCRIPT = WEB / "scripts" / "look.py"
TOKENS = json.loads((WEB / "src" / "lib" / "look" / "tokens.json").read_text())

TEXT = [
    ("text", ("cloth-hi", "cloth", "cloth-lo", "paper"), 7),
    ("quiet", ("cloth-hi", "cloth", "cloth-lo", "paper"), 4.5),
    ("on-accent", ("accent",), 4.5),
    ("on-them", ("them",), 4.5),
    ("on-rim", ("rim", "rim-hi"), 7),
    ("on-rim-quiet", ("rim", "rim-hi"), 4.5),
    ("me-on-rim", ("rim", "rim-hi"), 4.5),
    ("them-on-rim", ("rim", "rim-hi"), 4.5),
    ("engrave", ("rim", "rim-hi"), 4.5),
    ("on-tip", ("tip",), 7),
    ("tip-quiet", ("tip",), 4.5),
    ("mat-text", ("mat",), 4.5),
    ("on-tile", ("tile", "tile-hi", "tile-lo", "level-2"), 4.5),
]
"""The colours of text, their backgrounds, and the least contrast between them."""
MARKS = [
    ("control-edge", ("cloth-hi", "cloth", "cloth-lo", "paper"), 3),
    ("accent", ("cloth", "cloth-hi", "paper"), 3),
    ("focus", ("cloth", "paper", "rim"), 3),
    ("print-edge", ("print",), 1),
]


def test_the_clients_colours_match_the_palettes() -> None:
    found = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, f"{found.stdout}: run web/scripts/look.py"


def test_the_game_on_the_start_page_is_played_by_the_rules() -> None:
    script = WEB / "scripts" / "home_game.py"
    found = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, f"{found.stderr}: run web/scripts/home_game.py"


@pytest.mark.parametrize("palette", TOKENS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_token_stands_out_where_it_is_used(palette: str, theme: str) -> None:
    tokens = TOKENS[palette][theme]
    weak = [
        f"{name} on {ground}: {found:.2f} of {least}"
        for name, grounds, least in TEXT + MARKS
        for ground in grounds
        if (found := contrast(tokens[name], tokens[ground])) < least
    ]
    assert weak == []


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_symbol_stands_out_on_tiles_cards_and_tracks(palette: str, theme: str) -> None:
    tokens = TOKENS.get(palette, TOKENS["standard"])[theme]
    grounds = ("tile", "tile-hi", "tile-lo", "groove", "level-0", "level-1", "level-2")
    assert min(contrast(ink, tokens[ground]) for ink in PALETTES[palette].symbols for ground in grounds) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_high_contrast_is_plain_and_high(theme: str) -> None:
    tokens = TOKENS["high-contrast"][theme]
    for lit, plain in (("cloth-hi", "cloth"), ("rim-hi", "rim"), ("tile-hi", "tile-lo"), ("cell-hi", "cell")):
        assert tokens[lit] == tokens[plain]  # no gradients
    assert tokens["tile"] == "#000000"
    assert min(contrast(ink, tokens["tile"]) for ink in PALETTES["high-contrast"].symbols) >= 7
    for name in ("text", "quiet", "lines", "control-edge", "accent"):
        assert contrast(tokens[name], tokens["page"]) >= 7


def test_all_themes_have_the_same_tokens() -> None:
    names = {tuple(tokens) for themes in TOKENS.values() for tokens in themes.values()}
    assert len(names) == 1
