"""The page where a game is played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from genial.core.actions import Action, Refill, Swap
from genial.core.errors import GenialError
from genial.core.layout import Layout
from genial.core.situation import Phase
from genial.terminal.board_text import Scale, board_text, fitting_scale, usable_scales
from genial.terminal.board_view import BoardView
from genial.terminal.bot_worker import BotWorker
from genial.terminal.curtain_page import CurtainPage
from genial.terminal.game_words import header_text, keys_now, moves_text, now_text
from genial.terminal.half_made import HalfMade
from genial.terminal.page import KeyLine, Page
from genial.terminal.preview import Preview, preview_of
from genial.terminal.rack_text import open_cards_text, rack_text
from genial.terminal.result_page import ResultPage
from genial.terminal.session import Session
from genial.terminal.telling import Teller
from genial.terminal.tracks_text import tracks_text

if TYPE_CHECKING:
    from genial.core.hexes import Cell

_SIDE = 18
"""The fewest columns the tracks get."""
_OTHER_LINES = 9
"""The lines of header, rack, sentences and keys."""


class _Table(ScrollableContainer, can_focus=False):
    """Contains the board; scrolls if it is larger than the screen."""


class GamePage(Page):
    """Board, tracks, rack, and the one sentence that says what to do now."""

    CSS: ClassVar[str] = """
    GamePage #header { height: 1; background: #2B313C; padding: 0 1; }
    GamePage #header, GamePage #tracks, GamePage #moves { text-wrap: nowrap; text-overflow: ellipsis; }
    GamePage #middle { height: 1fr; }
    GamePage _Table { height: 100%; scrollbar-size: 1 1; }
    GamePage #side { width: 1fr; height: 100%; padding: 0 0 0 1; }
    GamePage #tracks { height: auto; }
    GamePage #moves { height: 1fr; padding: 1 0 0 0; color: #A39E94; }
    GamePage #rack { height: 3; padding: 0 1; }
    GamePage #now { height: 3; padding: 0 1; }
    GamePage #keys { height: 2; padding: 0 1; background: #2B313C; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"pick({number - 1})", show=False) for number in range(1, 7)),
        *(Binding(way, f"go('{way}')", show=False) for way in ("left", "right", "up", "down")),
        Binding("r,tab", "rotate(1)", show=False),
        Binding("R,shift+tab", "rotate(-1)", show=False),
        Binding("f", "flip", show=False),
        Binding("enter", "confirm", show=False),
        Binding("space", "next", show=False),
        Binding("s", "swap", show=False),
        Binding("u", "take_back", show=False),
        Binding("m", "heat", show=False),
        Binding("z", "zoom", show=False),
    ]

    def __init__(self, session: Session, bots: BotWorker, pause: float, note: str | None = None) -> None:
        super().__init__()
        self.session = session
        self._bots = bots
        self.half_made = HalfMade()
        self.message = note
        """What was wrong with the last key, or a note at the beginning, until the next key."""
        self._pause = pause
        self._waiting: Timer | None = None
        self._thinking: Worker[None] | None = None
        self._heat = False
        self._zoom: Scale | None = None
        self._started = False

    def parts(self) -> Iterable[Widget]:
        yield Static(id="header", markup=False)
        board = BoardView(self, id="board", markup=False)
        side = Vertical(Static(id="tracks", markup=False), Static(id="moves", markup=False), id="side")
        yield Horizontal(_Table(board), side, id="middle")
        yield Static(id="rack", markup=False)
        yield Static(id="now", markup=False)
        yield KeyLine(id="keys", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self._started = True
        self.proceed()

    # The course of the game

    def proceed(self) -> None:
        """Do whatever comes next: let bots move, hand over the keyboard, or show the result."""
        session = self.session
        if session.bot_to_move:
            if self._pause:
                self._waiting = self.set_timer(self._pause, self._bot_and_on)
            else:
                self._bot_and_on()
        self.draw()
        if session.is_over:
            self.app.push_screen(ResultPage(session))
        elif session.curtain_for is not None:
            back_to = session.back_to
            page = CurtainPage(
                session.names[session.curtain_for], None if back_to is None else session.names[back_to]
            )
            self.app.push_screen(page, self._after_curtain)

    def _bot_and_on(self) -> None:
        self._waiting = None
        self._thinking = self.run_worker(self._bot_turn(), exclusive=True)

    async def _bot_turn(self) -> None:
        """Do one placement of a bot, with the end of its turn. The screen stays live meanwhile, or may go."""
        session, seat = self.session, self.session.position.seat
        session.act(await session.bot_action(self._bots))
        while (
            session.bot_to_move and session.position.seat == seat and session.position.phase is Phase.END_TURN
        ):
            session.act(await session.bot_action(self._bots))
        if self.app.is_running:  # if the app ends meanwhile, parts of this page disappear first
            self.proceed()

    def _after_curtain(self, lifted: bool | None) -> None:
        if lifted:
            self.session.lift_curtain()
            self.draw()
        else:
            self.session.take_back()
            self.proceed()

    def _act(self, action: Action) -> None:
        session, before = self.session, self.session.position.seat
        try:
            session.act(action)
        except GenialError as error:
            self.message = Teller(session).problem(error)
            self.draw()
            return
        self.half_made.drop()
        if session.position.seat != before and len(session.people) > 1:
            session.drop_curtain()
        self.proceed()

    @property
    def _my_turn(self) -> bool:
        session = self.session
        return not session.is_over and not session.bot_to_move and session.curtain_for is None

    # Keys

    def action_pick(self, number: int) -> None:
        if self._my_turn:
            self.half_made.pick(self.session.view(), number)
            self._redraw()

    def action_go(self, way: str) -> None:
        if self.session.setup.board is None:
            self.action_flip()
        else:
            self.half_made.move(self.session.setup.board, way)
            self._redraw()

    def point_at(self, cell: Cell) -> None:
        """Pick a cell with the mouse; picking it again turns the tile."""
        if cell == self.half_made.cell:
            self.action_rotate(1)
        else:
            self.half_made.cell = cell
            self._redraw()

    def action_rotate(self, step: int) -> None:
        view = self.session.view()
        if self.session.setup.board is None:
            self.action_flip()
        elif self.half_made.tile(view) is not None:
            self.half_made.rotate(view, step)
            self._redraw()

    def action_flip(self) -> None:
        self.half_made.flipped = not self.half_made.flipped
        self._redraw()

    def action_next(self) -> None:
        if self._waiting is not None:
            self.action_confirm()
        elif self.session.setup.board is not None and self._my_turn:
            self.half_made.next_fitting(self.session.view(), self.session.setup.board)
            self._redraw()

    def action_confirm(self) -> None:
        session = self.session
        if self._waiting is not None:
            self._waiting.stop()
            self._bot_and_on()
        elif session.is_over:
            self.app.push_screen(ResultPage(session))
        elif self._my_turn and session.position.phase is Phase.END_TURN:
            self._act(Refill())
        elif self._my_turn:
            guidance = self.half_made.guidance(session.view())
            if guidance.action is not None:
                self._act(guidance.action)
            else:
                self.message = Teller(session).problem(guidance)
                self.draw()

    def action_swap(self) -> None:
        if self._my_turn:
            self._act(Swap())

    def action_take_back(self) -> None:
        session = self.session
        if not self._my_turn and not session.can_take_back:
            return
        self.half_made.drop()
        taken = session.take_back()
        if taken:
            self._forget_bot()
        self.message = self.say("taken-back" if taken else "nothing-to-take-back")
        self.proceed() if session.curtain_for is not None else self.draw()

    def _forget_bot(self) -> None:
        """Cancel the bot's pending move: its position has passed."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def action_heat(self) -> None:
        self._heat = not self._heat
        self._redraw()

    def action_zoom(self) -> None:
        table = self.session.position.table
        if isinstance(table, Layout):
            scales = usable_scales(table)
            self._zoom = scales[(scales.index(self._scale(table)) + 1) % len(scales)]
            self._redraw()

    def _redraw(self) -> None:
        self.message = None
        self.draw()

    # Drawing

    def _scale(self, table: Layout) -> Scale:
        if self._zoom is not None:
            return self._zoom
        width, height = self.app.size
        return fitting_scale(table, width - _SIDE, height - _OTHER_LINES)

    def draw(self) -> None:
        if not self._started or self.has_class("small"):
            return
        self.session.language = self.language
        session, view = self.session, self.session.view()
        preview = preview_of(view, self.half_made, heat=self._heat)
        width = self._draw_table(preview)
        room = max(self.app.size.width - width - 2, _SIDE - 1)
        lines = self.app.size.height - _OTHER_LINES
        self._show("#header", header_text(session, view))
        self._show("#tracks", tracks_text(session, view, room, lines, preview.markers))
        self._show("#moves", moves_text(session, view, lines))
        self._show("#rack", rack_text(session, view, self.half_made))
        self._show("#now", now_text(session, view, self.half_made, preview, self.message))
        self.query_one(KeyLine).show(keys_now(session, view, waiting=self._waiting is not None))

    def _draw_table(self, preview: Preview) -> int:
        session, view, board = self.session, self.session.view(), self.query_one(BoardView)
        if isinstance(view.table, Layout):
            scale = self._scale(view.table)
            board.show(board_text(view.table, scale, preview.marks), view.table.board, scale)
            shown = min(scale.width(view.table.board), self.app.size.width - _SIDE)
            if self._zoom is not None:
                board.bring_into_view(self.half_made.cell)
        else:
            shown = max(self.app.size.width * 3 // 5, 40)
            board.show_cards(open_cards_text(session, view, self.half_made), shown)
        self.query_one(_Table).styles.width = shown
        return shown

    def _show(self, selector: str, text: object) -> None:
        self.query_one(selector, Static).update(text)  # type: ignore[arg-type]
