"""Between core's positions and actions and the kernel's states and numbers."""

from __future__ import annotations

from functools import cache

import numpy as np

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.deal import Dealer
from genial.core.events import Ended
from genial.core.layout import Layout, empty_layout, restored_layout
from genial.core.moves import Phase
from genial.core.open_cards import OpenCards
from genial.core.position import Position
from genial.core.ranking import ranks
from genial.core.tiles import ORDER, TILES, Tile, normal
from genial.core.title import BoardPlan
from genial.kernel import gains
from genial.kernel import state as at
from genial.kernel.compiled import Rules, State, compiled
from genial.kernel.supply import note_held
from genial.kernel.tables import CELL_AT, HALVES, HEIGHTS, START_AT, Tables, tables

PHASES = {at.PLACE: Phase.PLACE, at.END_TURN: Phase.END_TURN, at.OVER: Phase.OVER}
_NUMBER = {phase: number for number, phase in PHASES.items()}


@compiled
def _clear(rules: Rules, state: State) -> None:
    gains.clear(rules, state)


@compiled
def rebuild(rules: Rules, state: State) -> None:
    """Work out everything that follows from what lies on the board and from the racks."""
    gains.rebuild(rules, state)


@compiled
def _note_racks(state: State, seats: int) -> None:
    for seat in range(seats):
        note_held(state, seat)


def counts(tiles: tuple[Tile, ...]) -> State:
    """Tiles as counts of kinds.

    >>> counts(("RR", "OR", "RO")).nonzero()[0].tolist()
    [0, 1]
    """
    found = np.zeros(at.KINDS, np.uint8)
    for tile in tiles:
        found[ORDER[normal(tile)]] += 1
    return found


def tiles_of(found: State) -> tuple[Tile, ...]:
    """Counts of kinds as tiles in canonical order."""
    return tuple(tile for tile, count in zip(TILES, found.tolist(), strict=False) for _ in range(count))


@cache
def fresh(found: Tables) -> State:
    """A state before dealing: every new game begins as a copy of it. Loose stones have no colour yet."""
    state = np.zeros(found.state_size, np.uint8)
    rules, track = found.rules, found.setup.title.track
    state[at.TRACKS : at.RACKS] = -track.lowest_place
    state[at.BAG : at.BAG + at.KINDS] = counts(found.setup.tiles)
    state[at.SUPPLY] = len(found.setup.tiles)
    plan, board = found.setup.title.plan, found.setup.board
    if board is not None and isinstance(plan, BoardPlan):
        _clear(rules, state)
        layout = empty_layout(board, plan.printed_start(found.setup.seats), plan.stacking)
        _write_layout(rules, state, layout)
        if plan.printed is None:  # 3D-START
            state[at.GRID + rules[START_AT : START_AT + 6]] = at.FREE
        rebuild(rules, state)
    state.setflags(write=False)
    return state


def _write_layout(rules: Rules, state: State, layout: Layout) -> None:
    where = _where(rules, layout)
    state[at.GRID + where] = np.frombuffer(layout.symbols, np.uint8)
    state[int(rules[HEIGHTS]) + where] = np.frombuffer(layout.heights, np.uint8)
    state[int(rules[HALVES]) + where] = np.frombuffer(layout.halves, np.uint8)
    for colour, cell in enumerate(layout.start):
        state[at.START_COLOURS + layout.board.start.index(cell)] = colour


def _where(rules: Rules, layout: Layout) -> np.typing.NDArray[np.intp]:
    begin = int(rules[CELL_AT])
    return rules[begin : begin + len(layout.symbols)].astype(np.intp)


def from_core(position: Position, seed: int = 0) -> State:
    """A state for a position in which a player is to act or the game is over.

    The order of the bag stays behind: tiles come from the state's own stream, or from outside.
    """
    if position.phase not in _NUMBER:
        raise ValueError(
            f"a state needs a player to act or a game that is over, got {position.phase.value!r}"
        )
    setup, title = position.setup, position.setup.title
    found = tables(title.variant, setup.seats)
    state = fresh(found).copy()
    low = title.track.lowest_place
    state[at.PHASE], state[at.SEAT], state[at.BONUS] = _NUMBER[position.phase], position.seat, position.bonus
    state[at.LAST_TURNS] = position.last_turns or 0
    reason = position.ending or ""
    state[at.REASON] = at.REASONS.index(reason) if reason in at.REASONS else 0
    state[at.TURN], state[at.TURN + 1] = position.turn & 255, position.turn >> 8
    for n, markers in enumerate(position.tracks):
        begin = at.TRACKS + 8 * n
        state[begin : begin + at.COLOURS] = [place - low for place in markers]
    for seat, rack in enumerate(position.racks):
        begin = at.RACKS + at.RACK_STRIDE * seat
        state[begin : begin + at.KINDS] = counts(rack)
    state[at.BAG : at.BAG + at.KINDS] = counts(position.bag)
    state[at.SUPPLY] = len(position.bag)
    _note_racks(state, setup.seats)
    table = position.table
    if isinstance(table, Layout):
        _write_layout(found.rules, state, table)
        rebuild(found.rules, state)
    else:
        state[at.DISCARD : at.DISCARD + at.KINDS] = counts(position.discard)
        state[at.DISCARDED] = len(position.discard)
        for seat, row in enumerate(table.rows):
            begin = at.ROWS + 8 * seat
            state[begin] = len(row)
            state[begin + 1 : begin + 1 + len(row)] = [ORDER[tile] for tile in row]
    state[at.RNG : at.RNG + 8] = np.frombuffer((seed % (1 << 64)).to_bytes(8, "little"), np.uint8)
    return state


def to_core(found: Tables, state: State, dealer: Dealer | None = None) -> Position:
    """The position of a state, without its past. The bag is in canonical order; a dealer may be given."""
    setup, title = found.setup, found.setup.title
    low, phase = title.track.lowest_place, PHASES[int(state[at.PHASE])]
    tracks = tuple(
        tuple(place + low for place in state[at.TRACKS + 8 * n : at.TRACKS + 8 * n + at.COLOURS].tolist())
        for n in range(title.sides.tracks(setup.seats))
    )
    ending = at.REASONS[state[at.REASON]] or None
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
        seat=int(state[at.SEAT]),
        turn=int(state[at.TURN]) + 256 * int(state[at.TURN + 1]),
        bonus=int(state[at.BONUS]),
        last_turns=int(state[at.LAST_TURNS]) or None,
        discard=() if setup.board else tiles_of(state[at.DISCARD : at.DISCARD + at.KINDS]),
        ending=ending,
        result=result,
    )


def _layout(found: Tables, state: State) -> Layout:
    board, plan = found.setup.board, found.setup.title.plan
    assert board is not None
    assert isinstance(plan, BoardPlan)
    colours = state[at.START_COLOURS : at.START_COLOURS + at.COLOURS].tolist()
    start = tuple(board.start[colours.index(colour)] for colour in range(at.COLOURS))
    empty = empty_layout(board, start, plan.stacking)
    where = _where(found.rules, empty)
    symbols = state[at.GRID + where].tobytes()
    heights = state[int(found.rules[HEIGHTS]) + where].tobytes()
    halves = state[int(found.rules[HALVES]) + where].tobytes()
    return restored_layout(empty, symbols, heights, halves)


def _open_cards(state: State, seats: int) -> OpenCards:
    rows = [state[at.ROWS + 8 * seat : at.ROWS + 8 * seat + 8].tolist() for seat in range(seats)]
    return OpenCards(tuple(tuple(TILES[kind] for kind in row[1 : 1 + row[0]]) for row in rows))


def number_of(found: Tables, action: Action) -> int:
    """The number of an action.

    >>> number_of(tables("cards", 2), Play("OR")), number_of(tables("cards", 2), Swap())
    (3, 43)
    """
    if isinstance(action, Refill):
        return found.refill
    if isinstance(action, Swap):
        return found.swap
    kind = normal(action.tile)
    group, turned = 2 * ORDER[kind], action.tile != kind
    if isinstance(action, Play) or found.setup.board is None:
        return group + turned
    board = found.setup.board
    pair = board.pair_number[action.cells]
    turned ^= board.pairs[pair].cells != action.cells
    return (group + turned) * found.places + pair


def action_of(found: Tables, number: int) -> Action:
    """The action of a number.

    >>> action_of(tables("cards", 2), 3), action_of(tables("classic", 2), 10080)
    (Play(tile='OR'), Refill())
    """
    if number >= found.refill:
        return Refill() if number == found.refill else Swap()
    group, place = divmod(number, found.places)
    tile = TILES[group >> 1]
    if found.setup.board is None:
        return Play(tile[::-1] if group & 1 else tile)
    pair = found.setup.board.pairs[place]
    return Place(tile, pair.turned if group & 1 else pair.cells)
