"""The same rules as `genial.core`, on flat arrays and compiled: for search, mass simulation and batches.

Nothing here is imported before it is asked for: `available` says whether numpy and numba are usable, and
`game` gives the compiled face of one variant and seat count.

>>> from genial import kernel
>>> if kernel.available():
...     game = kernel.game("classic", 2)
...     state = game.new(seed=7)
...     placements = game.playout(state)
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from genial.kernel.api import Game

__all__ = ["Availability", "available", "fallback_notice", "game"]


class Availability(NamedTuple):
    """Whether the kernel can be used, and if not, why. True or false as a whole."""

    usable: bool
    reason: str

    def __bool__(self) -> bool:
        return self.usable


@cache
def available() -> Availability:
    """Whether the kernel can be used here. Who asks and hears no falls back to core, and says so once.

    >>> available().reason if not available() else "usable"
    'usable'
    """
    try:
        from genial.kernel import compiled
    except (
        Exception
    ) as error:  # missing, too old for this Python or numpy, or broken: whatever it is, core works
        return Availability(False, f"{error}; install it with: pip install 'genial[fast]'")
    return Availability(*compiled.works())


_told: list[str] = []


def fallback_notice() -> str | None:
    """What to tell who falls back to core: a sentence the first time, None after that or with the kernel.

    >>> fallback_notice() if available() else None
    """
    usable = available()
    if usable or _told:
        return None
    _told.append(
        f"The fast kernel cannot be used, so this runs on the readable core, slower: {usable.reason}"
    )
    return _told[0]


def game(variant: str, seats: int | None = None) -> Game:
    """The compiled game of a variant; without `seats`, the smallest number it is played with."""
    from genial.kernel.api import Game

    return Game.of(variant, seats)
