"""The rules of a variant and seat count as one flat table of numbers, generated from core's title.

Nothing is repeated here: boards, lines, pairs, tiles, tracks, opening and ends all come from core's values
and functions. The compiled code knows a title only through these numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from genial.core.board import Board
from genial.core.numbering import Numbering, numbering
from genial.core.observation import REASONS, observation_size
from genial.core.sides import Sides
from genial.core.tiles import SYMBOLS, TILES
from genial.core.title import BoardPlan, CardPlan, Opening, Setup, setup
from genial.core.titles import title_of
from genial.core.tracks import GatedTrack, RaceTrack
from genial.kernel import state as at

Rules: TypeAlias = "array[int]"
"""The tables, as 16-bit numbers. Compiled code reads them by name (`source/rules.py`)."""

# Single numbers
IS_CARDS, SEATS, RACK, TILES_IN_ALL, IS_SOLO, SWAPS = 0, 1, 2, 3, 4, 5
COMPLETE = 6
"""The reason for ending when a track is complete; STUCK: the reason when no tile can be placed, or 0."""
STUCK, STUCK_AT_ONCE, LAST_ROUND_BELOW = 7, 8, 9
SPAN = 10
"""The highest step of a track, counted from its lowest."""
IS_SHARED, TRACK_COUNT, ORDER_MATTERS = 11, 12, 13
STACKING, EVERY_START, LOOSE_STONES = 14, 15, 16
STRIDE, GRID_SIZE, PAIRS, WORDS, CELLS = 17, 18, 19, 20, 21
DIRECTED = 22
"""How many planes a colour has: on a flat board the direction of the other half makes no difference."""
OPEN_CARDS, STATE_SIZE, ACTIONS, ROUND_ONE = 23, 24, 25, 26
"""ROUND_ONE: the number of turns for which the opening rule applies (FIRST-TILE)."""
# Where the parts of a board start, in the state
HEIGHTS, HALVES, SPOTS, PLANES = 27, 28, 29, 30
# and in the table
NEAR, PAIR_FIRST, PAIR_SECOND, PAIR_DIRECTION, PAIR_AT = 31, 32, 33, 34, 35
CELL_PAIRS, BESIDE, CELL_AT, CELL_OF = 36, 37, 38, 39
REGIONS = 40
"""How many regions a gated track has."""
SCAN_BEGIN, SCAN_LENGTH = 41, 42
"""The range of the grid that contains all cells, in whole vectors."""
OBSERVATION_SIZE = 43

FIXED = 64
"""Lists start here; if a list's position depends on the board, one of the single numbers gives its start."""
TRACK_OF = FIXED
START_AT = 72
"""The grid cell of each start cell."""
FIRST_COLOUR, SECOND_COLOUR = 80, 104
SHOWS = 128
"""For each colour, a word with the kinds that show it."""
DOUBLES, TWO_COLOURED = 152, 156
"""Words: the kinds with the same symbol twice, and the others."""
TILE_AT = 160
"""For each tile of the full set its kind, and in the high byte its number among its kind."""
DONE, OPEN = 280, 344
"""For each step: whether a marker there is as far as the game requires; whether it counts for a swap."""
ADVANCE = 408
"""For each step and points: the marker's next step."""
MOST_POINTS = 32
"""More points than any marker can use at once."""
REGION_OF, REGION_END = 408, 472
"""Cards, instead of ADVANCE, because their steps depend on the other markers (REGIONS)."""
STEPS_ON_TRACK = 55
"""More than the longest track has; the tables of tracks have room for this many."""
BONUS_FOR = ADVANCE + STEPS_ON_TRACK * MOST_POINTS
"""For each step before and after: the bonus moves earned."""
BOARD_PARTS = BONUS_FOR + STEPS_ON_TRACK * STEPS_ON_TRACK + 3
NO_PAIR = 0xFFFF
"""In PAIR_AT: no pair starts on this cell in this direction."""


@dataclass(frozen=True, eq=False)
class Tables:
    """What the compiled functions need to know about one variant and seat count."""

    setup: Setup
    rules: Rules
    state_size: int
    numbering: Numbering


@cache
def tables(variant: str, seats: int | None = None) -> Tables:
    """The tables of a variant.

    >>> tables("classic", 2).state_size, tables("cards", 3).state_size
    (2240, 272)
    """
    title = title_of(variant)
    found = setup(title, title.seats[0] if seats is None else seats)
    rules = _common(found)
    numbers, size = numbering(found), at.CARDS_SIZE
    if found.board is not None:
        rules = _with_board(found, found.board, rules)
        size = rules[STATE_SIZE]
    rules[STATE_SIZE], rules[ACTIONS], rules[PAIRS] = size, numbers.count, numbers.pairs
    rules[OBSERVATION_SIZE] = observation_size(found)
    return Tables(found, rules, size, numbers)


def _common(found: Setup) -> Rules:
    title, rules = found.title, _zeros(padded_items(BOARD_PARTS))
    track, plan = title.track, title.plan
    rules[IS_CARDS], rules[SEATS], rules[RACK] = isinstance(plan, CardPlan), found.seats, title.rack
    rules[TILES_IN_ALL], rules[IS_SOLO], rules[SWAPS] = len(found.tiles), title.is_solo, title.swaps
    rules[COMPLETE], rules[STUCK] = REASONS.index(title.end.complete), REASONS.index(title.end.stuck or "")
    rules[STUCK_AT_ONCE] = title.end.stuck == "board-full"
    rules[LAST_ROUND_BELOW] = title.end.last_round_below
    low, span = track.lowest_step, track.highest_step - track.lowest_step
    if span >= STEPS_ON_TRACK or len(found.tiles) > DONE - TILE_AT:
        raise ValueError(
            f"{title.variant} is too large for the kernel: {span} steps, {len(found.tiles)} tiles"
        )
    rules[SPAN], rules[IS_SHARED] = span, title.sides is Sides.SHARED
    rules[TRACK_COUNT] = title.sides.track_count(found.seats)
    rules[ORDER_MATTERS] = isinstance(track, RaceTrack) and track.boards > 1  # DOUBLE-TRACK
    for seat in range(found.seats):
        rules[TRACK_OF + seat] = title.sides.track_of(seat)
    shows = [0] * at.COLOURS
    for kind, tile in enumerate(TILES):
        first, second = SYMBOLS[tile]
        rules[FIRST_COLOUR + kind], rules[SECOND_COLOUR + kind] = first, second
        _put_word(rules, DOUBLES if first == second else TWO_COLOURED, 1 << kind)
        for colour in {first, second}:
            shows[colour] |= 1 << kind
    for colour, kinds in enumerate(shows):
        _put_word(rules, SHOWS + 4 * colour, kinds)
    for n, tile in enumerate(found.tiles):
        rules[TILE_AT + n] = TILES.index(tile) | found.tiles[:n].count(tile) << 8
    for step in range(span + 1):
        same = (step + low,) * at.COLOURS
        rules[DONE + step], rules[OPEN + step] = track.is_complete(same), bool(track.weakest(same))
        for after in range(step, span + 1):
            rules[BONUS_FOR + STEPS_ON_TRACK * step + after] = track.bonus_moves(step + low, after + low)
        for points in range(MOST_POINTS if not isinstance(track, GatedTrack) else 0):
            rules[ADVANCE + MOST_POINTS * step + points] = track.advance(same, 0, points) - low
    if isinstance(plan, CardPlan) and isinstance(track, GatedTrack):
        rules[OPEN_CARDS], rules[REGIONS] = plan.open_cards[found.seats], len(track.region_ends)
        _put(rules, REGION_OF, [track.region(step) for step in range(span + 1)])
        _put(rules, REGION_END, track.region_ends)
    return rules


def _with_board(found: Setup, board: Board, common: Rules) -> Rules:
    plan = found.title.plan
    assert isinstance(plan, BoardPlan)
    grid = Grid(board.radius)
    words, pairs = at.board_words(len(board.pairs)), board.pairs
    where = [grid.at(*cell) for cell in board.cells]
    start = {cell: n for n, cell in enumerate(board.start)}
    near, pair_at, cell_of = _zeros(grid.size), array("H", [NO_PAIR]) * (3 * grid.size), _zeros(grid.size)
    for n, neighbours in enumerate(board.neighbours):
        near[where[n]] = sum(1 << start[other] for other in neighbours if other in start)
    for number, pair in enumerate(pairs):
        pair_at[grid.size * pair.direction + where[pair.first]] = number
    for n, cell in enumerate(where):
        cell_of[cell] = n
    rules = common
    for name, part in {
        NEAR: near,
        PAIR_FIRST: [where[pair.first] for pair in pairs],
        PAIR_SECOND: [where[pair.second] for pair in pairs],
        PAIR_DIRECTION: [pair.direction for pair in pairs],
        PAIR_AT: pair_at,
        CELL_PAIRS: _sets(board.pairs_of, words),
        BESIDE: _sets([board.pairs_beside[cell] for cell in board.start], words),
        CELL_AT: where,
        CELL_OF: cell_of,
    }.items():
        rules[name] = len(rules)
        rules.extend(part)
        rules.extend(_zeros(-len(part) % 4))
    _put(rules, START_AT, [where[cell] for cell in board.start])
    rules[STRIDE], rules[GRID_SIZE], rules[WORDS] = grid.stride, grid.size, words
    rules[SCAN_BEGIN], rules[SCAN_LENGTH] = min(where), at.padded(max(where) + 1 - min(where))
    rules[CELLS], rules[STACKING] = len(board.cells), plan.stacking
    rules[EVERY_START] = plan.opening is Opening.EVERY_START
    rules[ROUND_ONE] = found.seats if plan.opening is Opening.FIRST_ROUND else 0
    rules[LOOSE_STONES] = plan.printed is None
    rules[DIRECTED] = 6 if plan.stacking else 1
    rules[HEIGHTS], rules[HALVES] = at.GRID + grid.size, at.GRID + 2 * grid.size
    rules[SPOTS] = at.GRID + 3 * grid.size
    rules[PLANES] = at.GRID + 6 * grid.size
    # Scanning a plane reads a few bytes beyond it; after the last plane they must exist.
    planes = at.COLOURS * rules[DIRECTED] * grid.size
    rules[STATE_SIZE] = at.padded(rules[PLANES] + planes + grid.stride)
    return rules


@dataclass(frozen=True)
class Grid:
    """Cells as rows of one flat grid, with a border wide enough that every line ends within it.

    A row is one q; to its right is one border cell, which is also to the left of the next row.
    """

    radius: int

    @property
    def stride(self) -> int:
        return 2 * self.radius + 2

    @property
    def size(self) -> int:
        return at.padded((2 * self.radius + 3) * self.stride)

    def at(self, q: int, r: int) -> int:
        return (q + self.radius + 1) * self.stride + r + self.radius


def padded_items(count: int) -> int:
    """A number of table items rounded up to whole words."""
    return at.padded(count, 4)


def mask_bytes(rules: Rules) -> int:
    """The size of a buffer for the lawful actions: one bit each, in whole words.

    >>> mask_bytes(tables("classic", 2).rules)
    1264
    """
    return (rules[ACTIONS] + 63) // 64 * 8


def _zeros(count: int) -> Rules:
    return array("H", bytes(2 * count))


def _put(rules: Rules, begin: int, numbers: Sequence[int]) -> None:
    rules[begin : begin + len(numbers)] = array("H", numbers)


def _sets(sets: Iterable[int], words: int) -> Rules:
    """Sets of pairs, each as `words` words."""
    filled = array("H")
    for bits in sets:
        filled.extend(bits >> 16 * n & 0xFFFF for n in range(4 * words))
    return filled


def _put_word(rules: Rules, at: int, bits: int) -> None:
    for n in range(4):
        rules[at + n] |= bits >> 16 * n & 0xFFFF
