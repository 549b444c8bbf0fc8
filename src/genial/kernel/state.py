"""Where things stand in a state: one flat array of bytes that is a whole game, hidden tiles included.

A clone is a copy of the bytes. Numbers of one byte unless said otherwise; words are 8 bytes, little-endian.
"""

from __future__ import annotations

from genial.core.colours import COLOURS as _COLOURS
from genial.core.layout import NOTHING as _NOTHING
from genial.core.observation import PHASES, REASONS
from genial.core.tiles import TILES as _TILES

State = bytearray
"""One game, as Python holds it."""

# Phases. Dealing, drawing and ending are no phases here: they happen inside the act that brings them.
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
"""In the grid of halves: a start stone or nothing, which has no other half."""
MOST_SEATS = 4
NOBODY = 255
"""In place of a seat's number: none in particular."""

# What every title has
PHASE = 0
SEAT = 1
"""The seat to move."""
BONUS = 2
"""Bonus moves that the seat to move still owes."""
LAST_TURNS = 3
"""Turns left in the last round; 0 before it (3D-END)."""
REASON = 4
TOUCHED = 5
"""A bit for each start cell that a tile lies beside (FIRST-TILE, 3D-OPENING)."""
TURN = 6
"""How many turns have had all their placements; two bytes."""
RNG = 8
"""The random stream; a word."""
GAIN = 16
"""What the last tile or card moved the mover's markers, by colour; up to EARNED it is one word."""
EARNED = 22
"""The bonus moves that it earned."""
RACK_SIZES = 24
"""For each seat how many tiles it holds."""
LEVEL = 28
"""The height on which the last tile came to lie."""
SUPPLY = 29
"""How many tiles are in the bag or draw pile."""
DISCARDED = 31
"""Cards: how many lie on the discard pile."""
RESHUFFLED = 30
"""Cards: whether the last draw needed a reshuffle."""
KINDS_HELD = 32
"""For each seat a word with a bit for each kind on its rack."""
TRACKS = 64
"""For each track eight bytes, six used: places counted from the track's lowest one."""
RACKS = 96
"""For each seat the count of each kind."""
RACK_STRIDE = 24
BAG = 192
"""The count of each kind."""

# Boards
OPEN_PAIRS = 216
"""The set of pairs of cells on which a tile can physically lie: a bit for each of core's pairs."""
START_COLOURS = 280
"""For each start cell the colour of its symbol or stone, which may be covered by now (3D-START)."""
GRID = 288
"""The topmost symbol of each cell, on a grid with a border. What follows has the board's own size."""

# Cards
DISCARD = 216
"""The count of each kind on the discard pile."""
ROWS = 240
"""For each seat eight bytes: how many cards lie open, then their kinds, the oldest first."""
CARDS_SIZE = 272


def board_words(pairs: int) -> int:
    """How many words hold a set of pairs."""
    return -(-pairs // 64)


def padded(size: int, unit: int = 32) -> int:
    """A size rounded up, so that parts begin where vector instructions like them to."""
    return -(-size // unit) * unit
