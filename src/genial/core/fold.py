"""The turn, step by step: how each event changes a position. A position is the fold of its events.

The events are taken at their word here; `judge.py` looks at whether they are lawful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from genial.core.events import Dealt, Drew, Ended, Event, Opened, Placed, Played, Reshuffled, Swapped
from genial.core.layout import Layout
from genial.core.moves import Phase, legal_places, markers_of
from genial.core.open_cards import OpenCards
from genial.core.ranking import ranks
from genial.core.tiles import NORMAL, SYMBOLS, Tile, arranged, without
from genial.core.title import CardPlan

if TYPE_CHECKING:
    from genial.core.position import Position

_Item = TypeVar("_Item")


def fold(position: Position, event: Event) -> Position:
    """The position after an event."""
    after: Position = _FOLDS[type(event)](position, event)
    return after.logged(position, event)


def next_event(position: Position) -> Event | None:
    """What the engine does by itself now: deal, draw, reshuffle or end; None if a player is to act."""
    if position.phase is Phase.DRAW:
        return draw_event(position)
    if position.phase is Phase.ENDING:
        return end_event(position)
    if position.phase is Phase.DEAL:
        return _deal_event(position)
    return None


def draw_event(position: Position) -> Drew | Reshuffled:
    """The next step of filling the mover's rack, from the front of the bag (DEAL)."""
    tiles = position.supply_front(position.setup.title.rack - len(position.racks[position.seat]))
    return Drew(position.seat, tiles) if tiles else Reshuffled()


def end_event(position: Position) -> Ended:
    """The end for the reason that is certain."""
    title, seats = position.setup.title, position.setup.seats
    tracks = tuple(position.tracks[title.sides.track_of(seat)] for seat in range(seats))
    return Ended(position.ending or "", tracks, ranks(title.sides, seats, position.tracks))


def _deal_event(position: Position) -> Dealt | Opened:
    for seat, rack in enumerate(position.racks):
        if not rack:
            return Dealt(seat, position.supply_front(position.setup.title.rack))
    assert isinstance(position.table, OpenCards)
    row = min(position.table.rows, key=len)
    return Opened(position.table.rows.index(row), position.supply_front(1)[0])


def _dealt(position: Position, event: Dealt) -> Position:
    return _ready(_take(position, event.seat, event.tiles))


def _opened(position: Position, event: Opened) -> Position:
    assert isinstance(position.table, OpenCards)
    table = position.table.add(event.seat, NORMAL[event.tile])
    return _ready(position.change(table=table, bag=_drawn(position.bag, (event.tile,))))


def _ready(position: Position) -> Position:
    plan, table = position.setup.title.plan, position.table
    dealt = all(position.racks)
    if isinstance(plan, CardPlan) and isinstance(table, OpenCards):
        dealt = dealt and all(len(row) == plan.open_cards[position.setup.seats] for row in table.rows)
    return position.change(phase=Phase.PLACE) if dealt else position


def _placed(position: Position, event: Placed) -> Position:
    assert isinstance(position.table, Layout)
    number = position.table.board.number
    table = position.table.lay(number[event.cells[0]], number[event.cells[1]], SYMBOLS[event.tile])
    after = _scored(position, event, table)
    end = after.setup.title.end
    if after.setup.title.track.is_complete(markers_of(after, event.seat)):  # ALL-MAX
        return _ending(after, end.complete)
    if end.stuck == "board-full" and not table.places:  # BOARD-FULL
        return _ending(after, end.stuck)
    return _must_place(after) if after.bonus else _placements_done(after)


def _played(position: Position, event: Played) -> Position:
    assert isinstance(position.table, OpenCards)
    after = _scored(position, event, position.table.add(event.seat, NORMAL[event.tile]))
    if after.setup.title.track.is_complete(markers_of(after, event.seat)):  # CARD-END
        return _ending(after, after.setup.title.end.complete)
    # CARD-BONUS: the oldest card goes before the next is played
    return _discard_oldest(after) if after.bonus else _placements_done(after)


def _scored(position: Position, event: Placed | Played, table: Layout | OpenCards) -> Position:
    title, seat = position.setup.title, event.seat
    before = markers_of(position, seat)
    markers = tuple([place + moved for place, moved in zip(before, event.gain, strict=True)])
    moved = [(old, new) for old, new in zip(before, markers, strict=True) if old != new]
    earned = sum([title.track.bonus_moves(old, new) for old, new in moved])
    rack = without(position.racks[seat], (event.tile,))
    return position.change(
        table=table,
        racks=_replaced(position.racks, seat, rack),
        tracks=_replaced(position.tracks, title.sides.track_of(seat), title.sides.seen_by(seat, markers)),
        # The first tile of a turn is owed anyway; a bonus move pays for itself. BONUS, 3D-BONUS, TEAM: they
        # lapse when the rack is empty.
        bonus=max(position.bonus - 1, 0) + earned if rack else 0,
    )


def _placements_done(position: Position) -> Position:
    turn, left = position.turn + 1, position.last_turns
    if position.setup.title.is_solo:
        after = position.change(turn=turn, phase=Phase.DRAW)
        return after if after.bag else _ending(after, "bag-empty")
    if left is None:
        return position.change(turn=turn, phase=Phase.END_TURN)
    # 3D-END: no refill and no swap in the last round
    if left == 1:
        return _ending(position.change(turn=turn), "last-round")
    return _must_place(position.change(turn=turn, seat=_next_seat(position), last_turns=left - 1))


def _must_place(position: Position) -> Position:
    stuck = position.setup.title.end.stuck
    if stuck and not legal_places(position):
        return _ending(position, stuck)
    return position if position.phase is Phase.PLACE else position.change(phase=Phase.PLACE)


def _next_seat(position: Position) -> int:
    return (position.seat + 1) % position.setup.seats


def _ending(position: Position, reason: str) -> Position:
    return position.change(phase=Phase.ENDING, ending=reason, bonus=0)


def _swapped(position: Position, event: Swapped) -> Position:
    after = _turn_ends(position)
    racks = _replaced(after.racks, event.seat, ())
    if isinstance(after.table, OpenCards):  # CARD-SWAP: the hand is discarded before the draw
        return after.change(racks=racks, discard=after.discard + arranged(event.tiles))
    return after.change(racks=racks, aside=arranged(event.tiles))  # SWAP: back into the bag after it


def _drew(position: Position, event: Drew) -> Position:
    before = _turn_ends(position) if isinstance(position.table, OpenCards) else position
    after = _take(before, event.seat, event.tiles, phase=Phase.DRAW)
    title = after.setup.title
    if len(after.racks[event.seat]) < title.rack and (after.bag or after.discard):
        return after
    if after.aside:
        after = after.returned()
    if title.is_solo:
        return _must_place(after)
    last_turns = after.setup.seats if len(after.bag) < title.end.last_round_below else None  # 3D-END
    return _must_place(after.change(phase=Phase.PLACE, seat=_next_seat(after), last_turns=last_turns))


def _reshuffled(position: Position, event: Reshuffled) -> Position:
    return _turn_ends(position).reshuffled()


def _turn_ends(position: Position) -> Position:
    if position.phase is not Phase.END_TURN:
        return position
    after = position.change(phase=Phase.DRAW)
    return _discard_oldest(after) if isinstance(after.table, OpenCards) else after  # CARD-TURN-END


def _discard_oldest(position: Position) -> Position:
    assert isinstance(position.table, OpenCards)
    table, oldest = position.table.drop_oldest(position.seat)
    return position.change(table=table, discard=(*position.discard, oldest))


def _ended(position: Position, event: Ended) -> Position:
    return position.change(phase=Phase.OVER, bonus=0, ending=event.reason, result=event)


def _take(position: Position, seat: int, tiles: tuple[Tile, ...], phase: Phase = Phase.DEAL) -> Position:
    racks = _replaced(position.racks, seat, arranged(position.racks[seat] + tiles))
    return position.change(racks=racks, bag=_drawn(position.bag, tiles), phase=phase)


def _drawn(bag: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    count = len(tiles)
    return bag[count:] if bag[:count] == tiles else without(bag, tiles)


def _replaced(items: tuple[_Item, ...], index: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


_FOLDS: dict[type[Event], Any] = {
    Dealt: _dealt,
    Opened: _opened,
    Placed: _placed,
    Played: _played,
    Swapped: _swapped,
    Drew: _drew,
    Reshuffled: _reshuffled,
    Ended: _ended,
}
