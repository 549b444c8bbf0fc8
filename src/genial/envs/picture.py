"""A position as an environment shows it: as text, or as pixels with numpy alone.

Cells are stamped one by one, in the colours and roughly the shapes of our drawings.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from genial.core.colours import COLOURS
from genial.core.layout import NOTHING, Layout
from genial.core.position import Position
from genial.core.situation import markers_of
from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.core.view import View
from genial.drawing.geometry import RADIUS, SPACING, centre
from genial.drawing.palette import DARK, STANDARD
from genial.drawing.text import text

Pixels = NDArray[np.uint8]
RENDER_MODES = ["ansi", "human", "rgb_array"]
_CELL = 10.0
"""From the centre of a cell to its corners, in pixels."""
_SCALE = _CELL / RADIUS
_WIDTH, _HEIGHT = SPACING * _SCALE, 2 * _CELL
_MARGIN = 8
_BAR = 4
"""The height of a marker's bar."""


def shown(view: View, mode: str | None) -> str | Pixels | None:
    """A view in one of `RENDER_MODES`: as text, as pixels, or printed. Without a mode, nothing.

    >>> import genial
    >>> shown(genial.new("cards", seats=2, seed=7).view({0}), "ansi").splitlines()[0]
    'Card game'
    """
    if mode is None:
        return None
    if mode == "rgb_array":
        return picture(view)
    drawn = text(view, colour=False)
    if mode == "ansi":
        return drawn
    print(drawn)
    return None


def checked_mode(mode: str | None) -> str | None:
    """The mode, if it exists."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"There's no render mode {mode!r}. Choose from: {', '.join(RENDER_MODES)}.")
    return mode


def picture(situation: View | Position) -> Pixels:
    """What lies on the table, below it the rack of the seat to move, and everybody's markers as bars.

    >>> import genial
    >>> picture(genial.new("classic", seats=2, seed=7).view({0})).shape
    (278, 243, 3)
    """
    stamps = _table_stamps(situation)
    wide = max(x for x, _, _, _ in stamps) + _WIDTH
    down = max(y for _, y, _, _ in stamps) + _HEIGHT + _MARGIN
    rack = situation.racks[situation.seat]
    stamps += [
        stamp
        for n, tile in enumerate(rack)
        for stamp in _tile_stamps(tile, _MARGIN + n * (2 * _WIDTH + 4), down)
    ]
    down += _HEIGHT + _MARGIN
    seats, height = situation.setup.seats, (len(COLOURS) * _BAR + _MARGIN)
    wide = max([wide, *(x + _WIDTH for x, _, _, _ in stamps)]) + _MARGIN
    canvas = np.empty((int(down + seats * height), int(wide), 3), np.uint8)
    canvas[:] = _rgb(DARK.page)
    for x, y, symbol, ground in stamps:
        _stamp(canvas, x, y, symbol, ground)
    for seat in range(seats):
        _bars(canvas, situation, seat, int(down) + seat * height)
    return canvas


_Stamp = tuple[float, float, int, str]
"""The position of a cell (its upper left corner), the symbol on it, and the background colour."""


def _table_stamps(situation: View | Position) -> list[_Stamp]:
    table = situation.table
    if not isinstance(table, Layout):
        return [
            stamp
            for seat, row in enumerate(table.rows)
            for n, tile in enumerate(row)
            for stamp in _tile_stamps(
                tile, _MARGIN + n * (2 * _WIDTH + 4), _MARGIN + seat * (_HEIGHT + _MARGIN)
            )
        ]
    found, radius = [], table.board.radius
    for n, cell in enumerate(table.board.cells):
        x, y = centre(cell)
        ground = DARK.cell if table.halves[n] == NOTHING else DARK.tile_on(table.heights[n] - 1)
        across, along = x * _SCALE + radius * _WIDTH, y * _SCALE + radius * 1.5 * _CELL
        found.append((_MARGIN + across, _MARGIN + along, table.symbols[n], ground))
    return found


def _tile_stamps(tile: Tile, x: float, y: float) -> list[_Stamp]:
    first, second = (NOTHING, NOTHING) if tile == HIDDEN else SYMBOLS[tile]
    return [(x, y, first, DARK.tile), (x + _WIDTH, y, second, DARK.tile)]


def _stamp(canvas: Pixels, x: float, y: float, symbol: int, ground: str) -> None:
    shape = _shapes()
    high, wide = shape[NOTHING].shape
    part = canvas[int(y) : int(y) + high, int(x) : int(x) + wide]
    part[shape[NOTHING]] = _rgb(ground)
    if symbol != NOTHING:
        part[shape[symbol]] = _rgb(STANDARD.symbols[symbol])


@cache
def _shapes() -> tuple[NDArray[np.bool_], ...]:
    """The pixels of each symbol in a cell, by colour; finally those of the cell itself."""
    y, x = np.mgrid[0 : int(_HEIGHT), 0 : int(_WIDTH)]
    across, along = (x + 0.5 - _WIDTH / 2) / _CELL, (y + 0.5 - _HEIGHT / 2) / _CELL
    away, angle = np.hypot(across, along), np.arctan2(along, across)

    def star(points: int, outer: float, inner: float) -> NDArray[np.bool_]:
        waves: NDArray[np.bool_] = away < inner + (outer - inner) * (1 + np.cos(points * angle)) / 2
        return waves

    side = np.sqrt(3) / 2
    cell = (np.abs(across) < side * 0.95) & (np.abs(across) / 2 + side * np.abs(along) < side * 0.95)
    return (
        star(12, 0.68, 0.40),
        (np.abs(along) < side * 0.6) & (np.abs(along) / 2 + side * np.abs(across) < side * 0.6),
        (away < 0.36) | ((away > 0.46) & (away < 0.68) & (np.cos(12 * angle) > 0)),
        away < 0.5,
        star(6, 0.72, 0.30),
        (away < 0.6) & (away > 0.3),
        cell,
    )


def _bars(canvas: Pixels, situation: View | Position, seat: int, top: int) -> None:
    track = situation.setup.title.track
    span, room = track.highest_step - track.lowest_step, canvas.shape[1] - 2 * _MARGIN
    for colour, place in enumerate(markers_of(situation, seat)):
        row, reach = top + colour * _BAR, int(room * (place - track.lowest_step) / span)
        canvas[row : row + _BAR - 1, _MARGIN : _MARGIN + room] = _rgb(DARK.lines)
        canvas[row : row + _BAR - 1, _MARGIN : _MARGIN + reach] = _rgb(STANDARD.symbols[colour])


@cache
def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
