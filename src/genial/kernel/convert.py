"""Conversion between core's positions and actions and the kernel's states and numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from genial.core.deal import Dealer
from genial.core.events import Ended
from genial.core.layout import Layout, empty_layout, restored_layout
from genial.core.observation import PHASES, REASONS
from genial.core.open_cards import OpenCards
from genial.core.position import Position
from genial.core.ranking import ranks
from genial.core.situation import Phase
from genial.core.tiles import ORDER, TILES, Tile, normal
from genial.core.title import BoardPlan
from genial.kernel import state as at
from genial.kernel.engine import Buffer, engine
from genial.kernel.state import State
from genial.kernel.tables import CELL_AT, HALVES, HEIGHTS, START_AT, Rules, Tables, tables


def counts(tiles: tuple[Tile, ...]) -> State:
    """Tiles as counts of kinds.

    >>> list(counts(("RR", "OR", "RO")))[:3]
    [1, 2, 0]
    """
    found = bytearray(at.KINDS)
    for tile in tiles:
        found[ORDER[normal(tile)]] += 1
    return found


def tiles_of(found: Iterable[int]) -> tuple[Tile, ...]:
    """Counts of kinds as tiles in canonical order."""
    return tuple(tile for tile, count in zip(TILES, found, strict=True) for _ in range(count))


@cache
def fresh(found: Tables) -> State:
    """A state before dealing: every new game starts as a copy of it. Loose stones have no colour yet."""
    state = bytearray(found.state_size)
    rules, track = found.rules, found.setup.title.track
    state[at.TRACKS : at.RACKS] = bytes([-track.lowest_step]) * (at.RACKS - at.TRACKS)
    state[at.BAG : at.BAG + at.KINDS] = counts(found.setup.tiles)
    state[at.SUPPLY] = len(found.setup.tiles)
    plan, board = found.setup.title.plan, found.setup.board
    if board is not None and isinstance(plan, BoardPlan):
        engine().clear(rules, state)
        layout = empty_layout(board, plan.printed_start(found.setup.seats), plan.stacking)
        _write_layout(rules, state, layout)
        if plan.printed is None:  # 3D-START
            for cell in rules[START_AT : START_AT + at.COLOURS]:
                state[at.GRID + cell] = at.FREE
        engine().rebuild(rules, state)
    return state


def _write_layout(rules: Rules, state: State, layout: Layout) -> None:
    heights, halves = rules[HEIGHTS], rules[HALVES]
    shown = zip(_where(rules, layout), layout.symbols, layout.heights, layout.halves, strict=True)
    for cell, symbol, height, half in shown:
        state[at.GRID + cell], state[heights + cell], state[halves + cell] = symbol, height, half
    for colour, cell in enumerate(layout.start):
        state[at.START_COLOURS + layout.board.start.index(cell)] = colour


def _where(rules: Rules, layout: Layout) -> Rules:
    """The grid index of each cell, in core's order."""
    begin = rules[CELL_AT]
    return rules[begin : begin + len(layout.symbols)]


def from_core(position: Position, seed: int = 0) -> State:
    """A state for a position in which a player has to act or the game is over.

    The order of the bag is lost: tiles come from the state's own stream, or from outside.
    """
    if position.phase not in PHASES:
        raise ValueError(
            f"The kernel needs a player to act or a finished game, not the phase {position.phase.value!r}."
        )
    setup, title = position.setup, position.setup.title
    found = tables(title.variant, setup.seats)
    state = fresh(found).copy()
    low = title.track.lowest_step
    state[at.PHASE], state[at.SEAT], state[at.BONUS] = (
        PHASES.index(position.phase),
        position.seat,
        position.bonus,
    )
    state[at.LAST_TURNS] = position.last_turns or 0
    reason = position.ending or ""
    state[at.REASON] = REASONS.index(reason) if reason in REASONS else 0
    state[at.TURN], state[at.TURN + 1] = position.turn & 255, position.turn >> 8
    for n, markers in enumerate(position.tracks):
        begin = at.TRACKS + 8 * n
        state[begin : begin + at.COLOURS] = bytes(step - low for step in markers)
    for seat, rack in enumerate(position.racks):
        begin = at.RACKS + at.RACK_STRIDE * seat
        state[begin : begin + at.KINDS] = counts(rack)
    state[at.BAG : at.BAG + at.KINDS] = counts(position.bag)
    state[at.SUPPLY] = len(position.bag)
    engine().note_racks(found.rules, state)
    table = position.table
    if isinstance(table, Layout):
        _write_layout(found.rules, state, table)
        engine().rebuild(found.rules, state)
    else:
        state[at.DISCARD : at.DISCARD + at.KINDS] = counts(position.discard)
        state[at.DISCARDED] = len(position.discard)
        for seat, row in enumerate(table.rows):
            begin = at.ROWS + 8 * seat
            state[begin] = len(row)
            state[begin + 1 : begin + 1 + len(row)] = bytes(ORDER[tile] for tile in row)
    state[at.RNG : at.RNG + 8] = (seed % (1 << 64)).to_bytes(8, "little")
    return state


def to_core(found: Tables, given: Buffer, dealer: Dealer | None = None) -> Position:
    """The position of a state, without its past. The bag is in canonical order; a dealer can be given."""
    setup, title, state = found.setup, found.setup.title, bytes(given)
    low, phase = title.track.lowest_step, PHASES[state[at.PHASE]]
    tracks = tuple(
        tuple(step + low for step in state[at.TRACKS + 8 * n : at.TRACKS + 8 * n + at.COLOURS])
        for n in range(title.sides.track_count(setup.seats))
    )
    ending = REASONS[state[at.REASON]] or None
    result = None
    if phase is Phase.OVER:
        shown = tuple(tracks[title.sides.track_of(seat)] for seat in range(setup.seats))
        result = Ended(ending or "", shown, ranks(title.sides, setup.seats, tracks))
    racks = tuple(
        tiles_of(state[at.RACKS + at.RACK_STRIDE * seat : at.RACKS + at.RACK_STRIDE * seat + at.KINDS])
        for seat in range(setup.seats)
    )
    return Position(
        setup=setup,
        table=_layout(found, state) if setup.board else _open_cards(state, setup.seats),
        racks=racks,
        tracks=tracks,
        bag=tiles_of(state[at.BAG : at.BAG + at.KINDS]),
        dealer=dealer,
        phase=phase,
        seat=state[at.SEAT],
        turn=state[at.TURN] + 256 * state[at.TURN + 1],
        bonus=state[at.BONUS],
        last_turns=state[at.LAST_TURNS] or None,
        discard=() if setup.board else tiles_of(state[at.DISCARD : at.DISCARD + at.KINDS]),
        ending=ending,
        result=result,
    )


def _layout(found: Tables, state: bytes) -> Layout:
    board, plan = found.setup.board, found.setup.title.plan
    assert board is not None
    assert isinstance(plan, BoardPlan)
    colours = state[at.START_COLOURS : at.START_COLOURS + at.COLOURS]
    start = tuple(board.start[colours.index(colour)] for colour in range(at.COLOURS))
    empty = empty_layout(board, start, plan.stacking)
    where = _where(found.rules, empty)
    begins = (at.GRID, found.rules[HEIGHTS], found.rules[HALVES])
    return restored_layout(empty, *(bytes([state[begin + cell] for cell in where]) for begin in begins))


def _open_cards(state: bytes, seats: int) -> OpenCards:
    rows = [state[at.ROWS + 8 * seat : at.ROWS + 8 * seat + 8] for seat in range(seats)]
    return OpenCards(tuple(tuple(TILES[kind] for kind in row[1 : 1 + row[0]]) for row in rows))
