"""Dealing, scheme `genial-deal/1` (DEAL): every tile follows from the seed, on every platform.

A stream of numbers comes from SHA-256 in counter mode, keyed by seed, purpose and index. docs/notation.md
has the scheme in words, with test vectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

from genial.core.errors import SetupError
from genial.core.tiles import Tile, arranged

SCHEME = "genial-deal/1"
_SEED = re.compile(r"[0-9A-Za-z_.-]{1,128}")
_Item = TypeVar("_Item")


def as_seed(seed: object) -> str:
    """A seed in its canonical form, a short text; whole numbers become their decimal digits.

    >>> as_seed(7)
    '7'
    """
    text = str(seed) if isinstance(seed, int) and not isinstance(seed, bool) else seed
    if not isinstance(text, str) or not _SEED.fullmatch(text):
        raise SetupError("seed-unreadable", ruling="DEAL", seed=seed)
    return text


class Stream:
    """A stream of random numbers for one purpose.

    >>> stream = Stream("7", "bag")
    >>> [stream.below(100) for _ in range(5)]
    [40, 45, 45, 80, 27]
    """

    def __init__(self, seed: str, purpose: str, index: int = 0) -> None:
        self._words = _words(f"{SCHEME}|{seed}|{purpose}|{index}")

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, all equally likely."""
        fair = (1 << 32) // limit * limit
        while (word := next(self._words)) >= fair:
            pass
        return word % limit

    def shuffled(self, items: Sequence[_Item]) -> tuple[_Item, ...]:
        """The items in a random order (Fisher-Yates, from the back)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)

    def inserted(self, items: Sequence[_Item], more: Sequence[_Item]) -> tuple[_Item, ...]:
        """The items with more inserted, one by one, each at a random position."""
        mixed = list(items)
        for item in more:
            mixed.insert(self.below(len(mixed) + 1), item)
        return tuple(mixed)


def _words(key: str) -> Iterator[int]:
    counter = 0
    while True:
        block = sha256(f"{key}|{counter}".encode("ascii")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


@dataclass(frozen=True, slots=True)
class Dealer:
    """Knows the seed, how often tiles went back into the bag, and how often the pile was reshuffled."""

    seed: str
    returns: int = 0
    reshuffles: int = 0

    def lot(self, seats: int) -> int:
        """The place that starts, drawn by lot (FIRST-SEAT)."""
        return Stream(self.seed, "lot").below(seats)

    def start_stones(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """The start cells, shuffled among the colours (3D-START)."""
        return Stream(self.seed, "start").shuffled(cells)

    def bag(self, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        """The tiles of a set in the order they will be drawn."""
        return Stream(self.seed, "bag").shuffled(tiles)

    def give_back(self, bag: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], Dealer]:
        """The bag with swapped tiles mixed in."""
        stream = Stream(self.seed, "return", self.returns)
        return stream.inserted(bag, arranged(tiles)), replace(self, returns=self.returns + 1)

    def reshuffle(self, discard: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], Dealer]:
        """The discard pile as a new draw pile."""
        stream = Stream(self.seed, "reshuffle", self.reshuffles)
        return stream.shuffled(arranged(discard)), replace(self, reshuffles=self.reshuffles + 1)
