"""Genial: play, study and research the Einfach Genial (Ingenious) family of tile games.

An unofficial implementation of the rules, in our own words and drawings, not connected with the
publishers or the author of the games.

>>> import genial
>>> position = genial.new("classic", seats=2, seed=7)
>>> position, events = position.apply(position.actions()[0])
"""

from __future__ import annotations

import secrets

from genial.core.new import new as _new
from genial.core.position import Position
from genial.core.referee import check, load
from genial.core.titles import VARIANTS

__all__ = ["VARIANTS", "__version__", "check", "load", "new"]
__version__ = "0.1.0"


def new(variant: str, *, seats: int | None = None, seed: int | str | None = None) -> Position:
    """A new game, dealt; without a seed, one that nobody can guess.

    >>> new("travel", seed=7).setup.seats
    2
    """
    return _new(variant, seats=seats, seed=secrets.token_hex(16) if seed is None else seed)
