"""What a seat may know, as bytes: the one layout shared by kernel, environments and data sets.

`observe` writes them from a view, so they cannot contain anything hidden. The kernel writes the same bytes
from its own states; a test compares the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import prod

from genial.core.colours import COLOURS
from genial.core.events import Placed
from genial.core.layout import NOTHING, Layout
from genial.core.moves import may_swap
from genial.core.open_cards import OpenCards
from genial.core.situation import Phase, markers_of
from genial.core.tiles import NORMAL, ORDER, TILES, Tile
from genial.core.title import BoardPlan, Setup
from genial.core.titles import LARGEST_RACK, LONGEST_TRACK, MOST_OPEN_CARDS, MOST_SEATS, MOST_TILES
from genial.core.view import View

PHASES = (Phase.PLACE, Phase.END_TURN, Phase.OVER)
"""The phases in which a seat has to act or the game is over, by number."""
REASONS = ("", "board-full", "all-max", "no-move", "last-round", "bag-empty", "goal")
"""Why a game ended, by number; 0 while it goes on, and when somebody left."""
MOST_OPEN = MOST_OPEN_CARDS + 1
"""Most open cards of a seat: one more during its own turn."""
_BYTE = 255


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an observation."""

    name: str
    offset: int
    """Where it starts."""
    shape: tuple[int, ...]
    """Its shape as an array of bytes; the last index varies fastest."""
    high: int
    """The largest value one of its bytes can have."""
    meaning: str

    @property
    def length(self) -> int:
        """How many bytes it has."""
        return prod(self.shape)

    def of(self, observation: bytes) -> bytes:
        """Its bytes in an observation."""
        return observation[self.offset : self.offset + self.length]


_Part = tuple[str, tuple[int, ...], int, str]
"""A field without its offset; fields follow one another without gaps."""

_SAME: tuple[_Part, ...] = (
    ("phase", (1,), 2, "0: a tile or card is to be placed; 1: the turn is to be ended; 2: the game is over"),
    ("mover", (1,), MOST_SEATS - 1, "how many seats after the observer the seat to move sits"),
    ("bonus", (1,), LARGEST_RACK, "bonus moves that the mover still owes"),
    ("last_turns", (1,), MOST_SEATS, "turns left in the last round; 0 before it"),
    ("reason", (1,), len(REASONS) - 1, f"why the game ended: {', '.join(REASONS[1:])}; 0 while it goes on"),
    ("supply", (1,), MOST_TILES, "tiles in the bag, cards in the draw pile"),
    ("discarded", (1,), MOST_TILES, "cards on the discard pile"),
    ("touched", (1,), 63, "a bit for each start cell, clockwise from the upper left: a tile lies beside it"),
    ("may_swap", (1,), 1, "whether the observer may swap now; 0 while another seat is to move"),
    ("turn", (2,), _BYTE, "how many turns have had all their placements, the low byte first"),
    ("unused", (1,), 0, "always 0"),
    ("rack_sizes", (MOST_SEATS,), LARGEST_RACK, "tiles or cards held, seat by seat from the observer on"),
    (
        "markers",
        (MOST_SEATS, len(COLOURS)),
        LONGEST_TRACK,
        "steps on the track from its lowest one, seat by seat from the observer on, as each seat sees them",
    ),
    ("rack", (len(TILES),), LARGEST_RACK, "how many of each kind the observer holds"),
    (
        "unseen",
        (len(TILES),),
        MOST_TILES,
        "how many of each kind the observer cannot see: in the bag, in other racks, on the discard pile",
    ),
)
"""The fields that every title has, in the same positions."""


@cache
def fields(setup: Setup) -> tuple[Field, ...]:
    """The fields of an observation of a title for one seat count, in order.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> [(field.name, field.offset, field.length) for field in fields(setup(title_of("3d"), 2))[-3:]]
    [('symbols', 82, 61), ('heights', 143, 61), ('halves', 204, 61)]
    """
    return _placed((*_SAME, *_table_parts(setup)))


def _table_parts(setup: Setup) -> tuple[_Part, ...]:
    board, plan = setup.board, setup.title.plan
    if board is None or not isinstance(plan, BoardPlan):
        told = "open cards, seat by seat from the observer on, the oldest first: kind + 1, or 0 for none"
        return (("open_cards", (MOST_SEATS, MOST_OPEN), len(TILES), told),)
    cells = (len(board.cells),)
    symbols: _Part = ("symbols", cells, NOTHING, f"the topmost symbol of each cell; {NOTHING}: none")
    if not plan.stacking:
        return (symbols,)
    towards = f"the direction of the other half of the topmost tile; {NOTHING}: none"
    return (
        symbols,
        ("heights", cells, MOST_TILES, "how many pieces lie on each cell"),
        ("halves", cells, NOTHING, towards),
    )


def _placed(parts: tuple[_Part, ...]) -> tuple[Field, ...]:
    found: list[Field] = []
    offset = 0
    for name, shape, high, meaning in parts:
        found.append(Field(name, offset, shape, high, meaning))
        offset += prod(shape)
    return tuple(found)


OFFSETS = {field.name: field.offset for field in _placed(_SAME)}
"""The offsets of the fields that every title has."""
TABLE = sum(field.length for field in _placed(_SAME))
"""Where the title's own fields start: what lies on the board, or the open cards."""


def observation_size(setup: Setup) -> int:
    """How many bytes an observation has.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> observation_size(setup(title_of("classic"), 2)), observation_size(setup(title_of("cards"), 4))
    (173, 94)
    """
    last = fields(setup)[-1]
    return last.offset + last.length


def observe(view: View, seat: int) -> bytes:
    """What a seat may know, in the layout of `fields`.

    The view must be that seat's own, taken when somebody has to act or the game is over. Where tiles cover
    tiles, it must include its events.

    >>> import genial
    >>> view = genial.new("cards", seats=2, seed=7).view({0})
    >>> observation = observe(view, 0)
    >>> len(observation), sum(observation[OFFSETS["rack"] :][:21])
    (94, 6)
    """
    setup = view.setup
    if seat not in view.viewer:
        raise ValueError(f"Seat {seat} asks for what it may know, but the view is of {sorted(view.viewer)}.")
    seats = [(seat + n) % setup.seats for n in range(setup.seats)]
    low = setup.title.track.lowest_step
    reason = view.result.reason if view.result else ""
    rack = Counter(view.racks[seat])
    written: dict[str, Iterable[int]] = {
        "phase": [PHASES.index(view.phase)],
        "mover": [(view.seat - seat) % setup.seats],
        "bonus": [view.bonus],
        "last_turns": [view.last_turns or 0],
        "reason": [REASONS.index(reason) if reason in REASONS else 0],
        "supply": [view.supply],
        "discarded": [view.discarded],
        "touched": [_touched(view.table)],
        "may_swap": [view.seat == seat and may_swap(view)],
        "turn": view.turn.to_bytes(2, "little"),
        "rack_sizes": [len(view.racks[other]) for other in seats],
        "markers": [place - low for other in seats for place in markers_of(view, other)],
        "rack": _counts(rack),
        "unseen": _counts(Counter(setup.tiles) - rack - _in_sight(view)),
        **_table(view.table, seats),
    }
    out = bytearray(observation_size(setup))
    for field in fields(setup):
        numbers = bytes(written.get(field.name, ()))
        out[field.offset : field.offset + len(numbers)] = numbers
    return bytes(out)


def _touched(table: Layout | OpenCards) -> int:
    if not isinstance(table, Layout):
        return 0
    untouched = set(table.untouched_starts())
    return sum(1 << n for n, cell in enumerate(table.board.start) if cell not in untouched)


def _counts(tiles: Counter[Tile]) -> list[int]:
    return [tiles[tile] for tile in TILES]


def _in_sight(view: View) -> Counter[Tile]:
    """Every tile that lies open or that everybody has seen leave the game."""
    table = view.table
    if isinstance(table, OpenCards):
        return Counter(tile for row in table.rows for tile in row)
    if table.stacking:
        if not view.events:
            raise ValueError(
                "Where tiles cover tiles, what is unseen can only be counted with the view's events."
            )
        return Counter(NORMAL[event.tile] for event in view.events if isinstance(event, Placed))
    found: Counter[Tile] = Counter()
    for cell, direction in enumerate(table.halves):
        if direction < 3:  # each tile once, from one of its halves
            other = table.board.rays[cell][direction][0]
            found[NORMAL[COLOURS[table.symbols[cell]] + COLOURS[table.symbols[other]]]] += 1
    return found


def _table(table: Layout | OpenCards, seats: list[int]) -> dict[str, bytes]:
    if isinstance(table, Layout):
        return {"symbols": table.symbols, "heights": table.heights, "halves": table.halves}
    rows = [[ORDER[tile] + 1 for tile in table.rows[seat]] for seat in seats]
    return {"open_cards": bytes(kind for row in rows for kind in (*row, *[0] * (MOST_OPEN - len(row))))}
