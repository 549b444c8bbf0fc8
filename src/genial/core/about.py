"""What others want to know of an edition beside its rules: names, length, a sample game, its page of rules.

Everything may be left out. `genial.core.editions` says what holds then, so nobody else needs to ask by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from genial.core.title import Title


@dataclass(frozen=True, slots=True)
class SampleGame:
    """The beginning of a game: for the picture on the edition's card, and for the scenes of its lesson."""

    seats: int
    seed: str
    moves: str
    """In notation, without the refills: a turn that ends with no swap ends with a refill."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known of an edition; `register` takes it together with the title."""

    names: Mapping[str, str] = field(default_factory=dict)
    """By language. English stands in for a missing one, and the variant for English."""
    page: str | None = None
    """The page in docs/rules/LANGUAGE/ that tells its rules, without the `.md`."""
    like: Title | None = None
    """For an edition without a page: the title it is played like, whose page and lesson teach it too."""
    ours: bool = False
    """We made it up: nobody prints it."""
    turns: Mapping[int, int] = field(default_factory=dict)
    """How many turns a player usually has, by seat count, measured over games of balanced bots. A bonus move
    belongs to the turn that earned it."""
    game: SampleGame | None = None
    patience: float = 1.0
    """For playouts: with more patience, points of colours that are ahead count more. Found by trial."""
    decisive_lead: float | None = None
    """For the search: how large a lead is as good as a win."""
