"""Steps of a turn that are the same on a board and with cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from genial.core.errors import Breach
from genial.core.events import Opened, Placed, Played, Reshuffled
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.pairs import legal_pairs
from genial.core.situation import Phase, markers_of
from genial.core.tiles import Tile, without

if TYPE_CHECKING:
    from genial.core.position import Position

_Item = TypeVar("_Item")


def scored(position: Position, event: Placed | Played, table: Layout | OpenCards) -> Position:
    title, seat = position.setup.title, event.seat
    before = markers_of(position, seat)
    markers = tuple([step + moved for step, moved in zip(before, event.gain, strict=True)])
    moved = [(old, new) for old, new in zip(before, markers, strict=True) if old != new]
    earned = sum([title.track.bonus_moves(old, new) for old, new in moved])
    rack = without(position.racks[seat], (event.tile,))
    return position.change(
        table=table,
        racks=replaced(position.racks, seat, rack),
        tracks=replaced(position.tracks, title.sides.track_of(seat), title.sides.seen_by(seat, markers)),
        # The first tile of a turn uses up no bonus move, each further one uses up one. BONUS, 3D-BONUS, TEAM:
        # they are lost when the rack is empty.
        bonus=max(position.bonus - 1, 0) + earned if rack else 0,
    )


def placements_done(position: Position) -> Position:
    turn, left = position.turn + 1, position.last_turns
    if position.setup.title.is_solo:
        after = position.change(turn=turn, phase=Phase.DRAW)
        return after if after.bag else ending(after, "bag-empty")
    if left is None:
        return position.change(turn=turn, phase=Phase.END_TURN)
    # 3D-END: no refill or swap in the last round
    if left == 1:
        return ending(position.change(turn=turn), "last-round")
    return must_place(position.change(turn=turn, seat=next_seat(position), last_turns=left - 1))


def must_place(position: Position) -> Position:
    stuck = position.setup.title.end.stuck
    if stuck and not legal_pairs(position):
        return ending(position, stuck)
    return position if position.phase is Phase.PLACE else position.change(phase=Phase.PLACE)


def next_seat(position: Position) -> int:
    return (position.seat + 1) % position.setup.seats


def ending(position: Position, reason: str) -> Position:
    return position.change(phase=Phase.ENDING, ending=reason, bonus=0)


def unfit(position: Position, event: Opened | Placed | Played | Reshuffled) -> Breach:
    """The error for an event that belongs to the other kind of turn."""
    return Breach("event-unfit", ruling="RECORD", type=event.type, variant=position.setup.title.variant)


def drawn(bag: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    count = len(tiles)
    return bag[count:] if bag[:count] == tiles else without(bag, tiles)


def replaced(items: tuple[_Item, ...], index: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:index], item, *items[index + 1 :])
