"""A title (edition): a small value that says how one game of the family is played.

The titles themselves are in `genial.core.titles`, one file per printed game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from genial.core.board import Board, hexagonal_board
from genial.core.colours import COLOURS
from genial.core.errors import SetupError
from genial.core.sides import Sides
from genial.core.tiles import Tile, TileSet
from genial.core.tracks import Markers, Track


class Opening(Enum):
    """When a tile must touch a start symbol that has no tile next to it."""

    FIRST_ROUND = "first-round"
    """Each seat's first tile (FIRST-TILE)."""
    EVERY_START = "every-start"
    """Until every start stone has a tile next to it (3D-OPENING)."""


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """The board for each seat count, and the symbols on it before the first tile."""

    radius: Mapping[int, int]
    ring: int
    """The six start symbols are on the corners of the hexagon of this radius."""
    printed: str | None
    """Their colours, clockwise from the upper left; None if they are loose stones (3D-START)."""
    opening: Opening
    stacking: bool = False

    def board(self, seats: int) -> Board:
        return hexagonal_board(self.radius[seats], self.ring)

    def printed_start(self, seats: int) -> tuple[int, ...]:
        """The start cell of each colour; for loose stones, in the order of the cells."""
        cells = self.board(seats).start
        return tuple(cells[(self.printed or COLOURS).index(letter)] for letter in COLOURS)


@dataclass(frozen=True, slots=True)
class CardPlan:
    """How many cards lie open in front of each seat when a turn begins, by seat count."""

    open_cards: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class EndRule:
    """The reasons for which a game of a title can end."""

    complete: str
    """A side's track is complete: `all-max` or `goal`."""
    stuck: str | None
    """No tile can be placed: `board-full`, checked after every tile, or `no-move`, when one must be placed.
    """
    last_round_below: int = 0
    """If a turn leaves fewer tiles than this in supply, the last round begins (3D-END)."""


@dataclass(frozen=True, slots=True)
class Citations:
    """The ruling to cite for each part of the rules when it is broken."""

    board: str = "BOARD"
    start: str = "PRINTED"
    tiles: str = "TILES"
    opening: str = "FIRST-TILE"
    placing: str = "FREE-PLACEMENT"
    scoring: str = "SCORING"
    track: str = "SCORING"
    bonus: str = "BONUS"
    swap: str = "SWAP"
    turn: str = "TURN"
    ranking: str = "RANKING"
    ends: Mapping[str, str] = field(
        default_factory=lambda: {"board-full": "BOARD-FULL", "all-max": "ALL-MAX"}
    )

    def end(self, reason: str) -> str:
        """The ruling about ending for this reason; the title's first one if it has none for it."""
        return self.ends.get(reason) or next(iter(self.ends.values()))


@dataclass(frozen=True, slots=True)
class Title:
    """One way to play one printed game."""

    variant: str
    seats: tuple[int, ...]
    plan: BoardPlan | CardPlan
    tiles: Mapping[int, TileSet]
    rack: int
    track: Track
    end: EndRule
    cites: Citations = field(default_factory=Citations)
    sides: Sides = Sides.EACH
    swaps: bool = True
    reconstructed: bool = False

    @property
    def is_solo(self) -> bool:
        """True for a game of one player: one tile at a time, no bonus moves (SOLO)."""
        return self.seats == (1,)

    def __hash__(self) -> int:
        return hash(self.variant)


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """A title for one seat count: what is on the table before the game."""

    title: Title
    seats: int
    tiles: tuple[Tile, ...]

    def __reduce__(self) -> tuple[object, ...]:
        return setup, (self.title, self.seats)

    @property
    def board(self) -> Board | None:
        plan = self.title.plan
        return plan.board(self.seats) if isinstance(plan, BoardPlan) else None

    @property
    def tracks(self) -> tuple[Markers, ...]:
        """The markers of every track at the start of the game."""
        return ((0,) * len(COLOURS),) * self.title.sides.track_count(self.seats)


@cache
def setup(title: Title, seats: int) -> Setup:
    """The title for this seat count."""
    if seats not in title.seats:
        raise SetupError("seats-unknown", variant=title.variant, seats=seats, expected=list(title.seats))
    return Setup(title, seats, title.tiles[seats].tiles())
