"""The turn, step by step: how each event changes a position. A position is the fold of its events.

Events are trusted here; `judge.py` checks whether they are lawful. What only a board or only cards do is in
`board_turns.py` and `card_turns.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from genial.core.board_turns import placed
from genial.core.card_turns import opened, played
from genial.core.events import Dealt, Drew, Ended, Event, Opened, Placed, Played, Reshuffled, Swapped
from genial.core.ranking import ranks
from genial.core.situation import Phase
from genial.core.tiles import Tile, arranged
from genial.core.turn_steps import drawn, must_place, next_seat, replaced
from genial.core.turns import turns_of

if TYPE_CHECKING:
    from genial.core.position import Position


def fold(position: Position, event: Event) -> Position:
    """The position after an event."""
    after: Position = _FOLDS[type(event)](position, event)
    return after.logged(position, event)


def next_event(position: Position) -> Event | None:
    """The event that the engine causes next: deal, draw, reshuffle or end. None if a player has to act."""
    if position.phase in (Phase.DEAL, Phase.DRAW):
        return supply_event(position)
    if position.phase is Phase.ENDING:
        return end_event(position)
    return None


def supply_event(position: Position) -> Dealt | Opened | Drew | Reshuffled:
    """The next step of dealing, or of filling the mover's rack, from the front of the bag (DEAL)."""
    return supplied(position, position.supply_front(owed(position)))


def end_event(position: Position) -> Ended:
    """The end of the game, for the reason already settled."""
    title, seats = position.setup.title, position.setup.seats
    tracks = tuple(position.tracks[title.sides.track_of(seat)] for seat in range(seats))
    return Ended(position.ending or "", tracks, ranks(title.sides, seats, position.tracks))


def owed(position: Position) -> int:
    """How many tiles the next event takes from the supply: a deal, an open card or a draw; 0 before a
    reshuffle.

    >>> from genial.core.new import new
    >>> owed(new("classic", seats=2, seed=7).apply(new("classic", seats=2, seed=7).actions()[0])[0])
    1
    """
    title = position.setup.title
    if position.phase is not Phase.DEAL:
        return min(title.rack - len(position.racks[position.seat]), len(position.bag))
    return 1 if all(position.racks) else title.rack


def supplied(position: Position, tiles: tuple[Tile, ...]) -> Dealt | Opened | Drew | Reshuffled:
    """The event in which these tiles, as many as are owed, come out of the bag."""
    if position.phase is not Phase.DEAL:
        return Drew(position.seat, tiles) if tiles else Reshuffled()
    for seat, rack in enumerate(position.racks):
        if not rack:
            return Dealt(seat, tiles)
    row = turns_of(position).open_next(position)
    assert row is not None
    return Opened(row, tiles[0])


def _dealt(position: Position, event: Dealt) -> Position:
    return _ready(_take(position, event.seat, event.tiles))


def _opened(position: Position, event: Opened) -> Position:
    return _ready(opened(position, event))


def _ready(position: Position) -> Position:
    dealt = all(position.racks) and turns_of(position).open_next(position) is None
    return position.change(phase=Phase.PLACE) if dealt else position


def _swapped(position: Position, event: Swapped) -> Position:
    after = _turn_ends(position)
    return turns_of(after).put_away(after.change(phase=Phase.DRAW), event.tiles)


def _drew(position: Position, event: Drew) -> Position:
    after = _take(_turn_ends(position), event.seat, event.tiles, phase=Phase.DRAW)
    title = after.setup.title
    if len(after.racks[event.seat]) < title.rack and (after.bag or after.discard):
        return after
    if after.aside:
        after = after.returned()
    if title.is_solo:
        return must_place(after)
    last_turns = after.setup.seats if len(after.bag) < title.end.last_round_below else None  # 3D-END
    return must_place(after.change(phase=Phase.PLACE, seat=next_seat(after), last_turns=last_turns))


def _reshuffled(position: Position, event: Reshuffled) -> Position:
    return _turn_ends(position).change(phase=Phase.DRAW).reshuffled()


def _turn_ends(position: Position) -> Position:
    """Do what ends the turn before the first tile is drawn, unless that has been done already."""
    return turns_of(position).turn_ends(position) if position.phase is Phase.END_TURN else position


def _ended(position: Position, event: Ended) -> Position:
    return position.change(phase=Phase.OVER, bonus=0, ending=event.reason, result=event)


def _take(position: Position, seat: int, tiles: tuple[Tile, ...], phase: Phase = Phase.DEAL) -> Position:
    racks = replaced(position.racks, seat, arranged(position.racks[seat] + tiles))
    return position.change(racks=racks, bag=drawn(position.bag, tiles), phase=phase)


_FOLDS: dict[type[Event], Any] = {
    Dealt: _dealt,
    Opened: _opened,
    Placed: placed,
    Played: played,
    Swapped: _swapped,
    Drew: _drew,
    Reshuffled: _reshuffled,
    Ended: _ended,
}
