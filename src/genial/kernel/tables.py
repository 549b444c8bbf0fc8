"""The rules of a variant and seat count as one flat table of numbers, made from core's title.

Nothing is typed in again here: boards, lines, pairs, tiles, tracks, opening and ends all come from core's
values and functions. The compiled code knows a title only by these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from genial.core.bits import members
from genial.core.board import Board
from genial.core.sides import Sides
from genial.core.tiles import SYMBOLS, TILES
from genial.core.title import BoardPlan, CardPlan, Opening, Setup, setup
from genial.core.titles import title_of
from genial.core.tracks import GatedTrack, RaceTrack
from genial.kernel import state as at
from genial.kernel.compiled import Rules

# Single numbers
IS_CARDS, SEATS, RACK, TILES_IN_ALL, IS_SOLO, SWAPS = 0, 1, 2, 3, 4, 5
COMPLETE = 6
"""The reason for an end by a complete track; STUCK the one when no tile can be placed, or 0."""
STUCK, STUCK_AT_ONCE, LAST_ROUND_BELOW = 7, 8, 9
SPAN = 10
"""The highest place of a track, counted from its lowest."""
IS_SHARED, TRACK_COUNT, ORDER_MATTERS = 11, 12, 13
STACKING, EVERY_START, LOOSE_STONES = 14, 15, 16
STRIDE, GRID_SIZE, PAIRS, WORDS, CELLS = 17, 18, 19, 20, 21
DIRECTED = 22
"""How many planes a colour has: on a flat board the direction of the other half makes no difference."""
OPEN_CARDS, STATE_SIZE, ACTIONS, ROUND_ONE = 23, 24, 25, 26
"""ROUND_ONE: the opening rule holds for so many turns (FIRST-TILE)."""
# Where the parts of a board begin, in the state
HEIGHTS, HALVES, SPOTS, PLANES = 27, 28, 29, 30
# and in the table
NEAR, PAIR_FIRST, PAIR_SECOND, PAIR_DIRECTION, PAIR_AT = 31, 32, 33, 34, 35
CELL_PAIRS, BESIDE, CELL_AT, CELL_OF = 36, 37, 38, 39
REGIONS = 40
"""How many regions a gated track has."""
SCAN_BEGIN, SCAN_LENGTH = 41, 42
"""The stretch of the grid that holds all cells, in whole vectors."""

# Small tables at fixed places
TRACK_OF = 64
START_AT = 72
"""The grid cell of each start cell."""
FIRST_COLOUR, SECOND_COLOUR = 80, 104
SHOWS = 128
"""For each colour a word: the kinds that show it."""
DOUBLES, TWO_COLOURED = 152, 156
"""Words: the kinds with the same symbol twice, and the others."""
TILE_AT = 160
"""For each tile of the full set its kind, and in the high byte which one of its kind it is."""
DONE, OPEN = 280, 344
"""For each place: whether a marker there is as far as the game asks; whether a swap looks at it."""
ADVANCE = 408
"""For each place and points: where the marker then stands."""
MOST_POINTS = 32
"""No marker can use more points than this at once."""
REGION_OF, REGION_END = 408, 472
"""Cards, in place of ADVANCE, because their steps depend on the other markers (REGIONS)."""
PLACES_ON_TRACK = 55
"""More than the longest track has; the tables of tracks are laid out for so many."""
BONUS_FOR = ADVANCE + PLACES_ON_TRACK * MOST_POINTS
"""For each place before and after: the bonus moves earned."""
BOARD_PARTS = BONUS_FOR + PLACES_ON_TRACK * PLACES_ON_TRACK + 3


@dataclass(frozen=True, eq=False)
class Tables:
    """What the compiled functions need to know about one variant and seat count."""

    setup: Setup
    rules: Rules
    state_size: int
    actions: int
    """How many numbers actions have: kinds x turned or not x pairs, then refill and swap."""
    places: int
    """Pairs of cells; 1 for cards."""

    @property
    def refill(self) -> int:
        return self.actions - 2

    @property
    def swap(self) -> int:
        return self.actions - 1


@cache
def tables(variant: str, seats: int | None = None) -> Tables:
    """The tables of a variant.

    >>> tables("classic", 2).actions, tables("cards", 3).actions
    (10082, 44)
    """
    title = title_of(variant)
    found = setup(title, title.seats[0] if seats is None else seats)
    rules = _common(found)
    places, size = 1, at.CARDS_SIZE
    if found.board is not None:
        places = len(found.board.pairs)
        rules = _with_board(found, found.board, rules)
        size = int(rules[STATE_SIZE])
    actions = 2 * at.KINDS * places + 2
    rules[STATE_SIZE], rules[ACTIONS], rules[PAIRS] = size, actions, places
    return Tables(found, rules, size, actions, places)


def _common(found: Setup) -> Rules:
    title, rules = found.title, np.zeros(padded_items(BOARD_PARTS), np.uint16)
    track, plan = title.track, title.plan
    reasons = at.REASONS
    rules[IS_CARDS], rules[SEATS], rules[RACK] = isinstance(plan, CardPlan), found.seats, title.rack
    rules[TILES_IN_ALL], rules[IS_SOLO], rules[SWAPS] = len(found.tiles), title.is_solo, title.swaps
    rules[COMPLETE], rules[STUCK] = reasons.index(title.end.complete), reasons.index(title.end.stuck or "")
    rules[STUCK_AT_ONCE] = title.end.stuck == "board-full"
    rules[LAST_ROUND_BELOW] = title.end.last_round_below
    low, span = track.lowest_place, track.highest_place - track.lowest_place
    if span >= PLACES_ON_TRACK or len(found.tiles) > DONE - TILE_AT:
        raise ValueError(
            f"{title.variant} does not fit the kernel's tables: {span} places, {len(found.tiles)} tiles"
        )
    rules[SPAN], rules[IS_SHARED] = span, title.sides is Sides.SHARED
    rules[TRACK_COUNT] = title.sides.tracks(found.seats)
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
    for place in range(span + 1):
        same = (place + low,) * at.COLOURS
        rules[DONE + place], rules[OPEN + place] = track.is_complete(same), bool(track.weakest(same))
        for after in range(place, span + 1):
            rules[BONUS_FOR + PLACES_ON_TRACK * place + after] = track.bonus_moves(place + low, after + low)
        for points in range(MOST_POINTS if not isinstance(track, GatedTrack) else 0):
            rules[ADVANCE + MOST_POINTS * place + points] = track.advance(same, 0, points) - low
    if isinstance(plan, CardPlan) and isinstance(track, GatedTrack):
        rules[OPEN_CARDS], rules[REGIONS] = plan.open_cards[found.seats], len(track.region_ends)
        rules[REGION_OF : REGION_OF + span + 1] = [track.region(place) for place in range(span + 1)]
        rules[REGION_END : REGION_END + len(track.region_ends)] = track.region_ends
    return rules


def _with_board(found: Setup, board: Board, common: Rules) -> Rules:
    plan = found.title.plan
    assert isinstance(plan, BoardPlan)
    grid = Grid(board.radius)
    words, pairs = at.board_words(len(board.pairs)), board.pairs
    where = [grid.at(*cell) for cell in board.cells]
    start = {cell: n for n, cell in enumerate(board.start)}
    near = np.zeros(grid.size, np.uint16)
    for n, neighbours in enumerate(board.neighbours):
        near[where[n]] = sum(1 << start[other] for other in neighbours if other in start)
    pair_at = np.full((3, grid.size), 0xFFFF, np.uint16)
    for number, pair in enumerate(pairs):
        pair_at[pair.direction, where[pair.first]] = number
    cell_of = np.zeros(grid.size, np.uint16)
    cell_of[where] = range(len(where))
    rules, begins = common, {}
    for name, part in {
        NEAR: near,
        PAIR_FIRST: _numbers(where[pair.first] for pair in pairs),
        PAIR_SECOND: _numbers(where[pair.second] for pair in pairs),
        PAIR_DIRECTION: _numbers(pair.direction for pair in pairs),
        PAIR_AT: pair_at.ravel(),
        CELL_PAIRS: _sets(board.pairs_of, words),
        BESIDE: _sets([board.pairs_beside[cell] for cell in board.start], words),
        CELL_AT: _numbers(where),
        CELL_OF: cell_of,
    }.items():
        begins[name] = len(rules)
        rules = np.concatenate([rules, part, np.zeros(-len(part) % 4, np.uint16)])
    for name, begin in begins.items():
        rules[name] = begin
    rules[START_AT : START_AT + 6] = [where[cell] for cell in board.start]
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
    # The scan of a plane reads a few bytes beyond it; behind the last one they must be there.
    planes = at.COLOURS * int(rules[DIRECTED]) * grid.size
    rules[STATE_SIZE] = at.padded(int(rules[PLANES]) + planes + grid.stride)
    return rules


@dataclass(frozen=True)
class Grid:
    """Cells as rows of one flat grid, with a border wide enough that every line ends before it leaves.

    A row is one q; right of it one border cell, which is also left of the next row.
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


def _numbers(values: Iterable[int]) -> Rules:
    return np.fromiter(values, np.uint16)


def _sets(sets: Iterable[int], words: int) -> Rules:
    """Sets of pairs, each as so many words."""
    filled: list[Rules] = []
    for bits in sets:
        part = np.zeros(words * 4, np.uint16)
        for n in members(bits):
            part[n >> 4] |= np.uint16(1 << (n & 15))
        filled.append(part)
    return np.concatenate(filled)


def _put_word(rules: Rules, place: int, bits: int) -> None:
    for n in range(4):
        rules[place + n] |= np.uint16(bits >> 16 * n & 0xFFFF)
