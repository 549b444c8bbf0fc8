"""New games, by the name of a variant."""

from __future__ import annotations

from genial.core.deal import Dealer, as_seed
from genial.core.errors import SetupError
from genial.core.position import Position, dealt
from genial.core.title import setup
from genial.core.titles import title_of


def new(variant: str, *, seats: int | None = None, seed: int | str) -> Position:
    """A new game, dealt. The same variant, seats and seed give the same game everywhere (DEAL).

    Without `seats`, the smallest number the variant can be played with.

    >>> new("cards", seats=3, seed="evening").racks[0]
    ('RY', 'RP', 'OY', 'OG', 'OB', 'GB')
    """
    title = title_of(variant)
    if seats is None:
        seats = title.seats[0]
    if isinstance(seats, bool) or not isinstance(seats, int):
        raise SetupError("seats-unknown", variant=variant, seats=seats, expected=list(title.seats))
    return dealt(setup(title, seats), Dealer(as_seed(seed)))
