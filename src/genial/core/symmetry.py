"""Symmetries: other games that are really the same game, to get more data from each position.

A board looks the same turned by sixths and mirrored, and the rules treat all colours alike. Where symbols are
printed, each turn of the board goes with one permutation of colours that keeps the printed symbols where they
are: 12 symmetries. Loose start stones (3D-START) may lie in any order, so every permutation of colours
combines with every turn: 8,640. Cards have just the 720 permutations.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from genial.core.bits import bit_set, members
from genial.core.board import Board
from genial.core.colours import COLOURS
from genial.core.hexes import Cell
from genial.core.layout import NOTHING
from genial.core.numbering import Numbering, numbering
from genial.core.observation import fields
from genial.core.tiles import NORMAL, ORDER, SYMBOLS, TILES, Tile, is_double
from genial.core.title import BoardPlan, Setup

_TURNS = 12
"""Six rotations, and the same six of the mirrored board."""
_DIRECTIONS = 6


@dataclass(frozen=True, slots=True)
class Symmetry:
    """One way to see a game as another: a turn of the board together with a permutation of colours.

    >>> import genial
    >>> position = genial.new("classic", seats=2, seed=7)
    >>> turned = symmetries(position.setup)[1]
    >>> turned.cell((0, -5)), turned.tile("RG")
    ((5, -5), 'GB')
    """

    setup: Setup
    turn: int
    """Sixths of a turn, clockwise; from 6 on, the board is mirrored first."""
    colours: tuple[int, ...]
    """What each colour becomes, by number."""

    # The table

    def cell(self, cell: Cell) -> Cell:
        """Where a cell ends up."""
        q, r = cell if self.turn < _DIRECTIONS else cell[::-1]
        for _ in range(self.turn % _DIRECTIONS):
            q, r = -r, q + r
        return q, r

    def direction(self, direction: int) -> int:
        """What a direction becomes."""
        return ((direction if self.turn < _DIRECTIONS else 1 - direction) + self.turn) % _DIRECTIONS

    def tile(self, tile: Tile) -> Tile:
        """What a tile becomes, its symbols in the same order."""
        first, second = SYMBOLS[tile]
        return COLOURS[self.colours[first]] + COLOURS[self.colours[second]]

    # Actions and observations

    def numbers(self) -> array[int]:
        """For each action number, the number it becomes, as far as a mask can tell.

        To permute a mask or a policy, write entry n to index `numbers()[n]`. On double tracks use `action`
        for single actions: there the two orders of a double can trade places (DOUBLE-TRACK).
        """
        found, pairs, places = array("i"), numbering(self.setup).pairs, _places(self)
        for tile in TILES:
            kind, reversed_ = _kind(self, tile)
            for turned in (0, 1):
                for place, flipped in places:
                    other = turned if is_double(tile) else turned ^ reversed_ ^ flipped
                    found.append((2 * kind + other) * pairs + place)
        count = numbering(self.setup).count
        found.extend((count - 2, count - 1))
        return found

    def action(self, number: int, lawful: int = 0) -> int:
        """The number that an action becomes, given the lawful actions as a set of bits.

        The lawful actions matter only for doubles on double tracks.

        >>> import genial
        >>> position = genial.new("classic", seats=2, seed=7)
        >>> turned = symmetries(position.setup)[1]
        >>> turned.action(numbering(position.setup).refill)
        10080
        """
        numbers = numbering(self.setup)
        if number >= numbers.refill:
            return number
        group, pair = divmod(number, numbers.pairs)
        tile, turned = TILES[group >> 1], group & 1
        place, flipped = _places(self)[pair]
        kind, reversed_ = _kind(self, tile)
        if is_double(tile):
            # Where its order makes no difference, a double has only one number, not the turned one.
            turned ^= flipped and _both(numbers, group, pair, lawful)
        else:
            turned ^= reversed_ ^ flipped
        return (2 * kind + turned) * numbers.pairs + place

    def mask(self, lawful: int) -> int:
        """What a set of lawful actions becomes, both as bits."""
        return bit_set(self.action(number) for number in members(lawful))

    def observation(self, observation: bytes) -> bytes:
        """What an observation becomes."""
        out = bytearray(observation)
        for field in fields(self.setup):
            moved = _MOVED.get(field.name)
            if moved is not None:
                out[field.offset : field.offset + field.length] = moved(self, field.of(observation))
        return bytes(out)


@cache
def symmetries(setup: Setup) -> tuple[Symmetry, ...]:
    """Every symmetry of a title for one seat count; the first is the identity.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> [len(symmetries(setup(title_of(variant), 2))) for variant in ("classic", "3d", "cards")]
    [12, 8640, 720]
    """
    plan, same = setup.title.plan, range(len(COLOURS))
    turns = range(_TURNS) if isinstance(plan, BoardPlan) else range(1)
    if isinstance(plan, BoardPlan) and plan.printed is not None:
        printed = [COLOURS.index(letter) for letter in plan.printed]
        exchanges = [_keeping(Symmetry(setup, turn, tuple(same)), printed) for turn in turns]
        return tuple(Symmetry(setup, turn, exchange) for turn, exchange in zip(turns, exchanges, strict=True))
    return tuple(Symmetry(setup, turn, exchange) for turn in turns for exchange in permutations(same))


def _keeping(turned: Symmetry, printed: list[int]) -> tuple[int, ...]:
    """The permutation of colours that goes with a turn, so that printed symbols stay what they are."""
    starts = _starts(turned)
    becomes = {printed[n]: printed[start] for n, start in enumerate(starts)}
    return tuple(becomes[colour] for colour in range(len(COLOURS)))


def _board(setup: Setup) -> Board:
    board = setup.board
    assert board is not None
    return board


def _starts(symmetry: Symmetry) -> list[int]:
    """For each start cell, the index of the start cell where it ends up."""
    board = _board(symmetry.setup)
    return [board.start.index(board.number[symmetry.cell(board.cells[cell])]) for cell in board.start]


@cache
def _turned_cells(board: Board, turn: Symmetry) -> tuple[int, ...]:
    return tuple(board.number[turn.cell(cell)] for cell in board.cells)


def _bare(symmetry: Symmetry) -> Symmetry:
    """The turn alone, so that what depends on nothing else is computed once."""
    return Symmetry(symmetry.setup, symmetry.turn, tuple(range(len(COLOURS))))


def _places(symmetry: Symmetry) -> tuple[tuple[int, int], ...]:
    """For each pair, the pair it becomes, and whether its cells are then in the opposite order."""
    return _turned_pairs(_bare(symmetry))


@cache
def _turned_pairs(turn: Symmetry) -> tuple[tuple[int, int], ...]:
    board = turn.setup.board
    if board is None:
        return ((0, 0),)
    found = []
    for pair in board.pairs:
        cells = turn.cell(pair.cells[0]), turn.cell(pair.cells[1])
        place = board.pair_number[cells]
        found.append((place, int(board.pairs[place].cells != cells)))
    return tuple(found)


def _kind(symmetry: Symmetry, tile: Tile) -> tuple[int, int]:
    """The kind that a tile's kind becomes, and whether its symbols are then written in the opposite order."""
    becomes = symmetry.tile(tile)
    return ORDER[NORMAL[becomes]], int(NORMAL[becomes] != becomes)


def _both(numbers: Numbering, group: int, pair: int, lawful: int) -> bool:
    straight, turned = ((group & ~1 | order) * numbers.pairs + pair for order in (0, 1))
    return bool(lawful >> straight & lawful >> turned & 1)


# What becomes of each field of an observation; other fields stay as they are.


def _moved_touched(symmetry: Symmetry, field: bytes) -> bytes:
    if symmetry.setup.board is None:
        return field
    return bytes([bit_set(start for n, start in enumerate(_starts(symmetry)) if field[0] >> n & 1)])


def _moved_markers(symmetry: Symmetry, field: bytes) -> bytes:
    out, width = bytearray(field), len(COLOURS)
    for n, place in enumerate(field):
        out[n - n % width + symmetry.colours[n % width]] = place
    return bytes(out)


def _moved_kinds(symmetry: Symmetry, field: bytes) -> bytes:
    out = bytearray(field)
    for tile, count in zip(TILES, field, strict=True):
        out[_kind(symmetry, tile)[0]] = count
    return bytes(out)


def _moved_open_cards(symmetry: Symmetry, field: bytes) -> bytes:
    return bytes(_kind(symmetry, TILES[card - 1])[0] + 1 if card else 0 for card in field)


def _moved_cells(symmetry: Symmetry, field: bytes) -> bytes:
    out = bytearray(field)
    for place, there in zip(_turned_cells(_board(symmetry.setup), _bare(symmetry)), field, strict=True):
        out[place] = there
    return bytes(out)


def _moved_symbols(symmetry: Symmetry, field: bytes) -> bytes:
    return _moved_cells(symmetry, field).translate(_table(symmetry.colours))


def _moved_halves(symmetry: Symmetry, field: bytes) -> bytes:
    towards = tuple(symmetry.direction(direction) for direction in range(_DIRECTIONS))
    return _moved_cells(symmetry, field).translate(_table(towards))


def _table(becomes: tuple[int, ...]) -> bytes:
    """A translation table for bytes; `NOTHING` and above stay as they are."""
    return bytes((*becomes, *range(NOTHING, 256)))


_MOVED = {
    "touched": _moved_touched,
    "markers": _moved_markers,
    "rack": _moved_kinds,
    "unseen": _moved_kinds,
    "open_cards": _moved_open_cards,
    "symbols": _moved_symbols,
    "heights": _moved_cells,
    "halves": _moved_halves,
}
