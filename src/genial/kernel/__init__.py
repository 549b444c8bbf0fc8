"""The rules of `genial.core` on flat arrays, compiled: for search, mass simulation and batches.

It has two halves. The source, for those who change it, is Python that numba compiles (`kernel/source`). The
library is the same code compiled in advance; it needs neither numba nor numpy. Nothing is loaded before it is
needed: `available` says whether there is a library or numba, and `game` returns the compiled game of one
variant and seat count.

>>> from genial import kernel
>>> if kernel.available():
...     game = kernel.game("classic", 2)
...     state = game.new(seed=7)
...     placements = game.playout(state)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from genial.kernel.engine import CORE, find, is_coming

if TYPE_CHECKING:
    from genial.kernel.api import Game

__all__ = ["Availability", "available", "fallback_notice", "game"]


class Availability(NamedTuple):
    """Whether the kernel can be used, and if not, why. Truthy if it can."""

    usable: bool
    reason: str
    engine: str = CORE
    """What runs it: `engine.LIBRARY`, `NUMBA` or `LENT`; without any of them, core plays."""

    def __bool__(self) -> bool:
        return self.usable


def available() -> Availability:
    """Whether the kernel can be used here. If not, callers fall back to core and say so once.

    >>> available().reason if not available() else "usable"
    'usable'
    """
    engine, reason = find()
    return Availability(True, "", engine.name) if engine else Availability(False, reason)


_told: list[str] = []


def fallback_notice() -> str | None:
    """What to tell a user when falling back to core: a sentence the first time, None later or if the kernel
    works.

    >>> fallback_notice() if available() else None
    """
    usable = available()
    if usable or _told:
        return None
    if is_coming():
        _told.append(
            "The kernel is being compiled. Until it's there, bots of levels 4 to 6 play as level 3 does."
        )
    else:
        _told.append(f"The fast kernel can't be used, so this runs on the slower core: {usable.reason}")
    return _told[0]


def game(variant: str, seats: int | None = None) -> Game:
    """The compiled game of a variant; without `seats`, the smallest number it can be played with."""
    from genial.kernel.api import Game

    return Game.of(variant, seats)
