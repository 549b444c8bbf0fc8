"""What the rest of the program needs to know about an edition besides its rules: names, length, a sample
game, its rules page.

Every field is optional. `genial.core.editions` supplies the defaults, so no other code needs to check for
particular editions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from genial.core.title import Title


@dataclass(frozen=True, slots=True)
class SampleGame:
    """The opening moves of a game, for the picture on the edition's card and for the scenes of its lesson."""

    seats: int
    seed: str
    moves: str
    """In notation, without refills: a turn without a swap ends with a refill."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Facts about an edition, passed to `register` together with the title."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Names by language. A missing one falls back to English, and English to the variant."""
    page: str | None = None
    """Its rules page in docs/rules/LANGUAGE/, without the `.md`."""
    like: Title | None = None
    """For an edition without a page: the title it plays like, whose page and lesson teach it too."""
    ours: bool = False
    """Our own invention; not a printed game."""
    turns: Mapping[int, int] = field(default_factory=dict)
    """How many turns a player usually has, by seat count, measured over games of balanced bots. A bonus move
    is part of the turn that earned it.
    """
    game: SampleGame | None = None
    patience: float = 1.0
    """For playouts: with more patience, points in colours that are ahead count more. Found by trial."""
    decisive_lead: float | None = None
    """For the search: the lead that is as good as a win."""
