"""Legal moves as their readers put them together: the points of a tile are those of its two symbols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from genial.core.legal import LegalMoves


class Told(NamedTuple):
    """One placement in `legal`, as the server tells it."""

    tile: str
    pair: int
    turned: bool
    """True if the first symbol lies on the pair's second cell."""
    points: tuple[int, int]


def placements(legal: LegalMoves | dict[str, Any]) -> Iterator[Told]:
    """Every placement in `legal`, a message or what it is made from."""
    message = legal if isinstance(legal, dict) else msgspec.to_builtins(legal)
    for each in message["tiles"]:
        tile = each["tile"]
        one, two = (message["points"][symbol] for symbol in tile)
        for turned, first, second in ((False, "on_first", "on_second"), (True, "on_second", "on_first")):
            for pair, *points in zip(message["pairs"], one[first], two[second], strict=True):
                yield Told(tile, pair, turned, (points[0], points[1]))
