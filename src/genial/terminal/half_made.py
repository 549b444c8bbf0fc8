"""An unfinished move: the picked tile, which symbol comes first, the cell, the direction."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.board import Board
from genial.core.cellnames import rows
from genial.core.guidance import Guidance, Status, guide
from genial.core.hexes import DIRECTIONS, Cell
from genial.core.situation import Phase
from genial.core.tiles import Tile
from genial.core.view import View

LEFT, RIGHT, UP, DOWN = "left", "right", "up", "down"


@dataclass(slots=True)
class HalfMade:
    """What the player has picked so far. Everything else follows from that and the view.

    >>> import genial
    >>> view = genial.new("classic", seats=2, seed=7).view({0})
    >>> move = HalfMade(cell=(1, -5))
    >>> move.guidance(view).code
    'pick-tile'
    >>> move.pick(view, 0)
    >>> move.guidance(view).status.value
    'complete'
    """

    number: int | None = None
    """The position of the picked tile on the rack."""
    flipped: bool = False
    cell: Cell = (0, 0)
    wanted: int = 0
    """The direction asked for; if it does not fit, another is used."""

    def tile(self, view: View) -> Tile | None:
        """The picked tile, spelled with its leading symbol first."""
        if view.phase is not Phase.PLACE or view.seat not in view.viewer:
            return None
        rack = view.racks[view.seat]
        number = 0 if len(rack) == 1 else self.number
        if number is None or number >= len(rack):
            return None
        return rack[number][::-1] if self.flipped else rack[number]

    def pick(self, view: View, number: int) -> None:
        """Pick a tile; picking it again flips it."""
        if number < len(view.racks[view.seat]):
            self.flipped = not self.flipped if number == self.number else False
            self.number = number

    def drop(self) -> None:
        """Forget the tile but keep the cell."""
        self.number, self.flipped = None, False

    # Position

    def directions(self, view: View) -> tuple[int, ...]:
        """The directions in which the tile fits on its cell."""
        return guide(view, self.tile(view), self.cell).directions

    def direction(self, view: View) -> int:
        """The direction of the second symbol: the wanted one, or the next one round that fits."""
        fitting = self.directions(view)
        turned = [(self.wanted + turn) % len(DIRECTIONS) for turn in range(len(DIRECTIONS))]
        return next((direction for direction in turned if direction in fitting), self.wanted)

    def rotate(self, view: View, step: int = 1) -> None:
        """Turn the tile about its first symbol, to the next direction in which it fits."""
        fitting, now = self.directions(view), self.direction(view)
        turned = [(now + step * turn) % len(DIRECTIONS) for turn in range(1, len(DIRECTIONS) + 1)]
        self.wanted = next((direction for direction in turned if direction in fitting), turned[0])

    def guidance(self, view: View) -> Guidance:
        """How far the move has come, and what it still needs."""
        tile = self.tile(view)
        if tile is None or view.setup.board is None:
            return guide(view, tile)
        fits = guide(view, tile, self.cell)
        if fits.status is Status.IMPOSSIBLE:
            return fits
        return guide(view, tile, self.cell, self.direction(view))

    # The cursor

    def move(self, board: Board, way: str) -> None:
        """Move the cursor one cell: along the row, or to the nearest cell of the row above or below."""
        q, r = self.cell
        if way in (LEFT, RIGHT):
            cell = (q + 1, r) if way == RIGHT else (q - 1, r)
        else:
            # Up and down lean alternately left and right, so that they go straight up and down the screen.
            below = way == DOWN
            lean = r % 2 == 0
            cell = (q - lean, r + 1) if below else (q + (not lean), r - 1)
        if cell in board.number:
            self.cell = cell
        elif way in (UP, DOWN):
            row = [other for other in board.cells if other[1] == cell[1]]
            if row:
                self.cell = min(row, key=lambda other: abs(2 * other[0] + other[1] - 2 * q - r))

    def next_fitting(self, view: View, board: Board) -> None:
        """Move the cursor to the next cell where the tile fits, in reading order."""
        fitting = set(guide(view, self.tile(view)).cells)
        order = [cell for row in rows(board) for cell in row]
        start = order.index(self.cell) + 1
        self.cell = next((cell for cell in order[start:] + order[:start] if cell in fitting), self.cell)
