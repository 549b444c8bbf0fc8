"""Genial: play, study and research the Einfach Genial (Ingenious) family of tile games.

An unofficial implementation of the rules, in our own words and drawings, not connected with the
publishers or the author of the games.

>>> import genial
>>> position = genial.new("classic", seats=2, seed=7)
>>> position, events = position.apply(position.actions()[0])
"""

from __future__ import annotations

import secrets

from genial.core.about import About
from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.deal import Dealer, Stream
from genial.core.errors import Breach, GenialError, IllegalAction, NotationError, RecordError, SetupError
from genial.core.events import Dealt, Drew, Ended, Event, Opened, Placed, Played, Reshuffled, Swapped
from genial.core.explain import Explanation, explain
from genial.core.new import new as _new
from genial.core.notation import move_text, parse_move, parse_position, position_text
from genial.core.position import Position
from genial.core.record import Record, dump, read, record_of
from genial.core.referee import Verdict, check, load, replay
from genial.core.situation import Phase
from genial.core.title import Setup, Title, setup
from genial.core.titles import TITLES, register, title_of
from genial.core.view import EVERYONE, View
from genial.own_editions import load_named

__all__ = [
    "EVERYONE",
    "VARIANTS",
    "About",
    "Action",
    "Breach",
    "Dealer",
    "Dealt",
    "Drew",
    "Ended",
    "Event",
    "Explanation",
    "GenialError",
    "IllegalAction",
    "NotationError",
    "Opened",
    "Phase",
    "Place",
    "Placed",
    "Play",
    "Played",
    "Position",
    "Record",
    "RecordError",
    "Refill",
    "Reshuffled",
    "Setup",
    "SetupError",
    "Stream",
    "Swap",
    "Swapped",
    "Title",
    "Verdict",
    "View",
    "__version__",
    "check",
    "dump",
    "explain",
    "load",
    "move_text",
    "new",
    "parse_move",
    "parse_position",
    "position_text",
    "read",
    "record_of",
    "register",
    "replay",
    "setup",
    "title_of",
]
__version__ = "0.1.0"


def new(variant: str, *, seats: int | None = None, seed: int | str | None = None) -> Position:
    """A new game, dealt; without a seed, one that nobody can guess.

    >>> new("travel", seed=7).setup.seats
    2
    """
    return _new(variant, seats=seats, seed=secrets.token_hex(16) if seed is None else seed)


VARIANTS: tuple[str, ...]
"""The names of all editions that can be played."""


def __getattr__(name: str) -> object:
    if name == "VARIANTS":  # computed each time: an edition may have been registered since
        return tuple(TITLES)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


load_named()
