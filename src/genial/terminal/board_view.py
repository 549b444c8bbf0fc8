"""The board on the screen: shows a drawn board and reports which cell is clicked."""

from __future__ import annotations

from typing import Protocol

from rich.text import Text
from textual import events
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from genial.core.board import Board
from genial.core.hexes import Cell
from genial.terminal.board_text import Scale, cell_at


class Pointable(Protocol):
    """Something that wants to know about clicked cells."""

    def point_at(self, cell: Cell) -> None: ...


class BoardView(Static):
    """The board, or the open cards if there is no board."""

    def __init__(self, listener: Pointable, *, id: str, markup: bool) -> None:
        super().__init__(id=id, markup=markup)
        self._listener = listener
        self._board: Board | None = None
        self._scale: Scale | None = None

    def show(self, text: Text, board: Board, scale: Scale) -> None:
        self._board, self._scale = board, scale
        self.styles.width, self.styles.height = scale.width(board), scale.height(board)
        self.update(text)

    def show_cards(self, text: Text, width: int) -> None:
        self._board = self._scale = None
        self.styles.width, self.styles.height = width, "auto"
        self.update(text)

    def bring_into_view(self, cell: Cell) -> None:
        """Scroll to a cell on a board larger than the screen."""
        if self._board is not None and self._scale is not None:
            x, y = self._scale.corner(self._board, cell)
            region = Region(x, y, self._scale.columns, self._scale.lines)
            self.call_after_refresh(self._scroll, region)

    def _scroll(self, region: Region) -> None:
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(region, animate=False, center=True)

    def on_click(self, event: events.Click) -> None:
        if self._board is not None and self._scale is not None:
            cell = cell_at(self._board, self._scale, event.x, event.y)
            if cell is not None:
                self._listener.point_at(cell)
