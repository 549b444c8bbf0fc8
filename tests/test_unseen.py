"""The client's count of unseen symbols relies on this: every set of tiles has each colour equally often."""

from __future__ import annotations

from collections import Counter

import pytest

from genial.core.colours import COLOURS
from genial.core.title import Title
from genial.core.titles import TITLES


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_each_colour_is_on_equally_many_halves(title: Title) -> None:
    for seats in title.seats:
        tiles = title.tiles[seats].tiles()
        count = Counter(symbol for tile in tiles for symbol in tile)
        assert count == dict.fromkeys(COLOURS, 2 * len(tiles) // len(COLOURS))
