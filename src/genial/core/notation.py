"""Moves and positions as one-line texts that can be read back. See docs/notation.md."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.board import Board
from genial.core.card_turns import open_count
from genial.core.cellnames import cell_name, parse_cell, rows
from genial.core.colours import COLOURS, NUMBER
from genial.core.deal import Dealer, as_seed
from genial.core.errors import NotationError, SetupError
from genial.core.events import Ended
from genial.core.fold import end_event
from genial.core.layout import NOTHING, Layout, empty_layout, restored_layout
from genial.core.open_cards import OpenCards
from genial.core.pairs import legal_pairs
from genial.core.position import Position
from genial.core.ranking import ranks_when_left
from genial.core.situation import Phase
from genial.core.tiles import NORMAL, Tile, arranged, missing, normal
from genial.core.title import BoardPlan, CardPlan, Setup, setup
from genial.core.titles import title_of
from genial.core.tracks import Markers

LONGEST = 4096
"""No position is longer than this; longer texts are refused unread."""

_NONE = "-"
_CELL = re.compile(r"(\.)|([ROYGBP])([0-5*])('*)")
_STATE = re.compile(
    r"([a-z-]+)(?::([a-z-]+)(?:@([0-3]))?)?;seat=(\d);turn=(\d{1,3});bonus=(\d{1,2})(?:;last=(\d))?"
)
_DEALER = re.compile(r"([0-9A-Za-z_.-]{1,128})\+(\d{1,4})\+(\d{1,4})")
_PLACE = re.compile(r"([A-Z]{2})@([a-z]\d{1,2}),([a-z]\d{1,2})")


# Moves


def move_text(setup: Setup, action: Action) -> str:
    """A move in one word: `RB@f6,f7`, `RB`, `refill` or `swap`.

    >>> import genial
    >>> position = genial.new("classic", seats=2, seed=7)
    >>> move_text(position.setup, position.actions()[0])
    'OB@g1,g2'
    """
    match action:
        case Place(tile, (first, second)) if setup.board is not None:
            return f"{tile}@{cell_name(setup.board, first)},{cell_name(setup.board, second)}"
        case Play(tile):
            return tile
        case Refill():
            return "refill"
        case Swap():
            return "swap"
    raise NotationError("move-unreadable", text=str(action))


def parse_move(setup: Setup, text: str) -> Action:
    """The move that a text stands for, lawful or not.

    >>> import genial
    >>> parse_move(genial.new("classic", seats=2, seed=7).setup, "RB@f6,f7")
    Place(tile='RB', cells=((0, 0), (1, 0)))
    """
    if not isinstance(text, str) or len(text) > LONGEST:
        raise NotationError("move-unreadable", text=_cut(text))
    if text == "refill":
        return Refill()
    if text == "swap":
        return Swap()
    board = setup.board
    if board is None:
        normal(text)
        return Play(text)
    match = _PLACE.fullmatch(text)
    if not match:
        raise NotationError("move-unreadable", text=_cut(text))
    normal(match[1])
    return Place(match[1], (parse_cell(board, match[2]), parse_cell(board, match[3])))


# Positions


def position_text(position: Position) -> str:
    """A position in one line: variant, table, tracks, racks, bag, discard pile, state, dealer.

    >>> import genial
    >>> text = position_text(genial.new("cards", seats=2, seed=7))
    >>> text.split()[0], text.split()[2]
    ('cards/2', '0.0.0.0.0.0/0.0.0.0.0.0')
    >>> parse_position(text) == genial.new("cards", seats=2, seed=7)
    True
    """
    dealer = position.dealer
    return " ".join(
        (
            _game_text(position),
            table_text(position.table),
            "/".join(".".join(map(str, markers)) for markers in position.tracks),
            "/".join(_tiles_text(rack) for rack in position.racks),
            _tiles_text(position.bag),
            _tiles_text(position.discard),
            _state_text(position),
            f"{dealer.seed}+{dealer.returns}+{dealer.reshuffles}" if dealer else _NONE,
        )
    )


def parse_position(text: str) -> Position:
    """The position that a text stands for, without its past.

    It must be playable: cells, tiles, tracks and turn have to fit the title.
    """
    if not isinstance(text, str) or len(text) > LONGEST:
        raise NotationError("position-long", limit=LONGEST)
    parts = text.split(" ")
    if len(parts) != 8:
        raise NotationError("position-fields", got=len(parts), expected=8)
    game, table, tracks, racks, bag, discard, state, dealer = parts
    found, stones = _parse_game(game)
    position = Position(
        setup=found,
        table=_parse_table(found, stones, table),
        racks=tuple(arranged(_parse_tiles(rack)) for rack in racks.split("/")),
        tracks=tuple(_parse_markers(found, markers) for markers in tracks.split("/")),
        bag=_parse_tiles(bag),
        discard=_parse_tiles(discard),
        dealer=_parse_dealer(dealer),
    )
    return _checked(_parse_state(position, state))


def table_text(table: Layout | OpenCards) -> str:
    """The board row by row, or the open cards seat by seat.

    A free cell is `.`; a half is its letter and the direction of its other half (0 to 5, or `*` for a
    printed symbol or start stone), with an apostrophe for each piece below it.
    """
    return _cards_text(table) if isinstance(table, OpenCards) else _layout_text(table)


def _cards_text(table: OpenCards) -> str:
    return "/".join(_tiles_text(row) for row in table.rows)


# After a move the same text is needed for each viewer in turn.
@lru_cache(maxsize=64)
def _layout_text(table: Layout) -> str:
    texts = [
        _top_text(symbol, half, height)
        for symbol, half, height in zip(table.symbols, table.halves, table.heights, strict=True)
    ]
    return "/".join("".join([texts[cell] for cell in row]) for row in _numbered_rows(table.board))


def _game_text(position: Position) -> str:
    text, table = f"{position.setup.title.variant}/{position.setup.seats}", position.table
    if isinstance(table, Layout) and _stones_are_loose(position.setup):
        text += ":" + "".join(COLOURS[table.start.index(cell)] for cell in table.board.start)
    return text


def _stones_are_loose(found: Setup) -> bool:
    return isinstance(found.title.plan, BoardPlan) and found.title.plan.printed is None


@cache
def _top_text(symbol: int, half: int, height: int) -> str:
    """The topmost half of a cell as text, `.` if there is none."""
    if symbol == NOTHING:
        return "."
    return f"{COLOURS[symbol]}{'*' if half == NOTHING else half}{chr(39) * (height - 1)}"


@cache
def _numbered_rows(board: Board) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(board.number[cell] for cell in row) for row in rows(board))


def _tiles_text(tiles: tuple[Tile, ...]) -> str:
    return "".join(tiles) or _NONE


def _state_text(position: Position) -> str:
    phase = position.phase.value
    if position.result:
        left = "" if position.result.by is None else f"@{position.result.by}"
        phase = f"{phase}:{position.result.reason}{left}"
    last = "" if position.last_turns is None else f";last={position.last_turns}"
    return f"{phase};seat={position.seat};turn={position.turn};bonus={position.bonus}{last}"


def _parse_game(text: str) -> tuple[Setup, str]:
    game, _, stones = text.partition(":")
    variant, _, seats = game.partition("/")
    try:
        found = setup(title_of(variant), int(seats) if re.fullmatch("[1-4]", seats) else 0)
    except SetupError as error:
        raise error.of_kind(NotationError) from None
    if sorted(stones) != (sorted(COLOURS) if _stones_are_loose(found) else []):
        raise NotationError("start-unreadable", ruling=found.title.cites.start, text=_cut(stones))
    return found, stones


def _parse_tiles(text: str) -> tuple[Tile, ...]:
    letters = "" if text == _NONE else text
    tiles = tuple(letters[n : n + 2] for n in range(0, len(letters), 2))
    if text == "" or any(NORMAL.get(tile) != tile for tile in tiles):
        raise NotationError("tiles-unreadable", ruling="COLOURS", text=_cut(text))
    return tiles


def _parse_markers(found: Setup, text: str) -> Markers:
    track = found.title.track
    if re.fullmatch(r"-?\d{1,2}(\.-?\d{1,2}){5}", text):
        markers = tuple(map(int, text.split(".")))
        if all(track.lowest_step <= step <= track.highest_step for step in markers):
            return markers
    low, high = track.lowest_step, track.highest_step
    raise NotationError("markers-unreadable", text=_cut(text), low=low, high=high)


def _parse_table(found: Setup, stones: str, text: str) -> Layout | OpenCards:
    lines = text.split("/")
    plan = found.title.plan
    if isinstance(plan, CardPlan):
        if len(lines) != found.seats:
            raise NotationError("rows-wrong", got=len(lines), expected=found.seats)
        return OpenCards(tuple(_parse_tiles(line) for line in lines))
    start = plan.printed_start(found.seats)
    if stones:
        start = tuple(plan.board(found.seats).start[stones.index(letter)] for letter in COLOURS)
    return _parse_layout(empty_layout(plan.board(found.seats), start, plan.stacking), lines)


def _parse_layout(empty: Layout, lines: list[str]) -> Layout:
    board, shape = empty.board, rows(empty.board)
    symbols, heights, halves = (bytearray(len(board.cells)) for _ in range(3))
    if len(lines) != len(shape):
        raise NotationError("rows-wrong", got=len(lines), expected=len(shape))
    for line, cells in zip(lines, shape, strict=True):
        marks = list(_CELL.finditer(line))
        if "".join(mark[0] for mark in marks) != line or len(marks) != len(cells):
            raise NotationError("row-wrong", row=_cut(line), expected=len(cells))
        for mark, cell in zip(marks, cells, strict=True):
            n = board.number[cell]
            symbols[n] = NUMBER[mark[2]] if mark[2] else NOTHING
            halves[n] = int(mark[3]) if mark[2] and mark[3] != "*" else NOTHING
            heights[n] = min(len(mark[4]) + 1, 255) if mark[2] else 0
    layout = restored_layout(empty, bytes(symbols), bytes(heights), bytes(halves))
    _check_layout(empty, layout)
    return layout


def _check_layout(empty: Layout, layout: Layout) -> None:
    board = layout.board
    for n, cell in enumerate(board.cells):
        symbol, half, height = layout.symbols[n], layout.halves[n], layout.heights[n]
        fits = True
        if symbol != NOTHING and half == NOTHING:  # a printed symbol or start stone: bare, on its own cell
            fits = height == 1 and empty.symbols[n] == symbol
        elif symbol != NOTHING:
            ray = board.rays[n][half]
            # On a flat board the other half must be visible; on a stacked one it may be covered.
            fits = bool(ray) and (empty.stacking or layout.halves[ray[0]] == (half + 3) % 6)
            fits = fits and (height == 1 or empty.stacking) and height > empty.heights[n]
        else:
            fits = empty.symbols[n] == NOTHING
        if not fits:
            raise NotationError(
                "cell-impossible",
                cell=cell_name(board, cell),
                text=_top_text(layout.symbols[n], layout.halves[n], layout.heights[n]),
            )


def _parse_state(position: Position, text: str) -> Position:
    match = _STATE.fullmatch(text)
    try:
        phase = Phase(match[1]) if match else None
    except ValueError:
        phase = None
    resting = phase in (Phase.PLACE, Phase.END_TURN, Phase.OVER)
    if not match or not resting or int(match[4]) >= position.setup.seats:
        raise NotationError("state-unreadable", text=_cut(text))
    position = position.change(
        phase=phase,
        seat=int(match[4]),
        turn=int(match[5]),
        bonus=int(match[6]),
        last_turns=int(match[7]) if match[7] else None,
        ending=match[2],
    )
    if (phase is Phase.OVER) != (match[2] is not None):
        raise NotationError("state-unreadable", text=_cut(text))
    return position.change(result=_result(position, match[3])) if phase is Phase.OVER else position


def _result(position: Position, by: str | None) -> Ended | None:
    end = end_event(position)
    if by is None:
        return end
    seats = position.setup.seats
    return Ended(end.reason, end.tracks, ranks_when_left(position.setup.title.sides, seats, int(by)), int(by))


def _parse_dealer(text: str) -> Dealer | None:
    if text == _NONE:
        return None
    match = _DEALER.fullmatch(text)
    if not match:
        raise NotationError("dealer-unreadable", ruling="DEAL", text=_cut(text))
    return Dealer(as_seed(match[1]), int(match[2]), int(match[3]))


def _checked(position: Position) -> Position:
    found, title = position.setup, position.setup.title
    if len(position.racks) != found.seats or len(position.tracks) != title.sides.track_count(found.seats):
        raise NotationError("position-seats", expected=found.seats)
    if any(len(rack) > title.rack for rack in position.racks):
        raise NotationError("rack-long", expected=title.rack)
    _check_turn(position)
    in_play = tuple(t for rack in position.racks for t in rack) + position.bag + position.discard
    if isinstance(position.table, OpenCards):
        in_play += tuple(t for row in position.table.rows for t in row)
    short = missing(found.tiles, in_play)
    if short:
        raise NotationError("tile-extra", ruling=title.cites.tiles, tile=short)
    return position


def _check_turn(position: Position) -> None:
    """Check that the seat to move has something to do, and that the game can go on whatever it does."""
    title, rack = position.setup.title, position.racks[position.seat]
    if isinstance(position.table, OpenCards):
        _check_rows(position, position.table)
    if position.phase is Phase.PLACE:
        if not rack:
            raise NotationError("rack-empty", seat=position.seat)
        if isinstance(position.table, Layout) and not legal_pairs(position):
            raise NotationError("position-stuck", ruling=title.cites.end(title.end.stuck or ""))
    elif position.phase is Phase.END_TURN:
        if title.is_solo or position.last_turns is not None:
            raise NotationError("end-turn-never", ruling=title.cites.turn)
        if len(rack) == title.rack or not position.bag + position.discard:
            raise NotationError("refill-nothing", ruling=title.cites.turn)


def _check_rows(position: Position, table: OpenCards) -> None:
    for seat, row in enumerate(table.rows):
        # The card just played stays until the oldest one is discarded at the end of the turn.
        played = position.phase is Phase.END_TURN and seat == position.seat
        expected = open_count(position.setup) + played
        if len(row) != expected and position.phase is not Phase.OVER:
            raise NotationError(
                "row-count", ruling="CARD-TURN-END", seat=seat, got=len(row), expected=expected
            )


def _cut(text: object) -> str:
    return str(text)[:200] if isinstance(text, str) else repr(type(text))
