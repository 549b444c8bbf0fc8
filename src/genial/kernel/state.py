"""The layout of a state: one flat array of bytes for a whole game, hidden tiles included.

A clone is a copy of the bytes. Numbers take one byte unless noted; words are 8 bytes, little-endian.
"""

from __future__ import annotations

from genial.core.colours import COLOURS as _COLOURS
from genial.core.layout import NOTHING as _NOTHING
from genial.core.observation import PHASES, REASONS
from genial.core.tiles import TILES as _TILES

State = bytearray
"""One game, as stored in Python."""

# Phases. Dealing, drawing and ending are not phases here: they happen within the action that causes them.
PLACE, END_TURN, OVER = range(len(PHASES))
LAST_ROUND, BAG_EMPTY = REASONS.index("last-round"), REASONS.index("bag-empty")

COLOURS = len(_COLOURS)
KINDS = len(_TILES)
"""Kinds of tile, in the order of `genial.core.tiles.TILES`."""
FREE = _NOTHING
"""In the grid of symbols: a free cell."""
OUTSIDE = FREE + 1
"""In the grid of symbols: the border around the board, which ends every line."""
NO_HALF = _NOTHING
"""In the grid of halves: a start stone or nothing, neither of which has another half."""
MOST_SEATS = 4
NOBODY = 255
"""Instead of a seat's number: none in particular."""

# All titles
PHASE = 0
SEAT = 1
"""The seat to move."""
BONUS = 2
"""Bonus moves that the seat to move still owes."""
LAST_TURNS = 3
"""Turns left in the last round; 0 before it (3D-END)."""
REASON = 4
TOUCHED = 5
"""One bit for each start cell with a tile next to it (FIRST-TILE, 3D-OPENING)."""
TURN = 6
"""How many turns have completed their placements; two bytes."""
RNG = 8
"""The random stream; a word."""
GAIN = 16
"""How far the last tile or card moved the mover's markers, by colour; one word together with EARNED."""
EARNED = 22
"""The bonus moves that it earned."""
RACK_SIZES = 24
"""For each seat, how many tiles it holds."""
LEVEL = 28
"""The level on which the last tile was placed."""
SUPPLY = 29
"""How many tiles are in the bag or draw pile."""
DISCARDED = 31
"""Cards: how many are on the discard pile."""
RESHUFFLED = 30
"""Cards: whether the last draw needed a reshuffle."""
KINDS_HELD = 32
"""For each seat, a word with a bit for each kind on its rack."""
TRACKS = 64
"""For each track eight bytes, six of them used: steps counted from the track's lowest."""
RACKS = 96
"""For each seat, the count of each kind."""
RACK_STRIDE = 24
BAG = 192
"""The count of each kind."""

# Boards
OPEN_PAIRS = 216
"""The set of cell pairs on which a tile can physically lie: one bit for each of core's pairs."""
START_COLOURS = 280
"""For each start cell, the colour of its symbol or stone, which may be covered by now (3D-START)."""
GRID = 288
"""The topmost symbol of each cell, on a grid with a border. What follows depends on the board's size."""

# Cards
DISCARD = 216
"""The count of each kind on the discard pile."""
ROWS = 240
"""For each seat eight bytes: how many cards lie open, then their kinds, the oldest first."""
CARDS_SIZE = 272


def board_words(pairs: int) -> int:
    """How many words a set of pairs takes."""
    return -(-pairs // 64)


def padded(size: int, unit: int = 32) -> int:
    """A size rounded up, so that parts start where vector instructions want them to."""
    return -(-size // unit) * unit
