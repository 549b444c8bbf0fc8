"""Judges whether an event may happen in a position, for the referee and every replay.

What only boards or only cards have is judged in `board_turns.py` and `card_turns.py`.
"""

from __future__ import annotations

from genial.core.actions import Place, Play
from genial.core.errors import Breach, IllegalAction
from genial.core.events import (
    LEAVING_REASONS,
    Dealt,
    Drew,
    Ended,
    Event,
    Opened,
    Placed,
    Played,
    Reshuffled,
    Swapped,
)
from genial.core.fold import end_event
from genial.core.moves import check_swap, event_of, outcome
from genial.core.position import Position
from genial.core.ranking import ranks_when_left
from genial.core.situation import Phase
from genial.core.tiles import Tile, arranged, missing
from genial.core.turns import turns_of


def judge(position: Position, event: Event) -> None:
    """Raise Breach unless the event may happen now."""
    if not isinstance(event, Reshuffled | Ended) and event.seat not in range(position.setup.seats):
        raise Breach("seat-unknown", ruling="RECORD", seat=event.seat, seats=position.setup.seats)
    if position.phase is Phase.OVER:
        raise _end_breach(position, "event-after-end", type=event.type)
    if position.phase is Phase.ENDING and not isinstance(event, Ended):
        raise _end_breach(position, "end-missing", reason=position.ending)
    match event:
        case Dealt() | Opened():
            _judge_dealing(position, event)
        case Placed() | Played():
            _judge_placement(position, event)
        case Swapped():
            _judge_swap(position, event)
        case Drew() | Reshuffled():
            _judge_draw(position, event)
        case Ended():
            _judge_end(position, event)


def _judge_dealing(position: Position, event: Dealt | Opened) -> None:
    title = position.setup.title
    if position.phase is not Phase.DEAL:
        raise Breach("deal-late", ruling=title.cites.turn, type=event.type)
    if isinstance(event, Dealt):
        if position.racks[event.seat]:
            raise Breach("deal-twice", ruling=title.cites.tiles, seat=event.seat)
        if len(event.tiles) != title.rack:
            raise Breach("deal-count", ruling=title.cites.tiles, got=len(event.tiles), expected=title.rack)
        _judge_supply(position, event.tiles)
        return
    turns_of(position).judge_open_card(position, event)
    _judge_supply(position, (event.tile,))


def _judge_placement(position: Position, event: Placed | Played) -> None:
    cites, phase, turns = position.setup.title.cites, position.phase, turns_of(position)
    action = turns.claimed(position, event)
    if phase is Phase.DEAL:
        raise Breach("deal-missing", ruling=cites.tiles)
    if phase is Phase.END_TURN and event.seat == position.seat:
        raise Breach("bonus-invented", ruling=cites.bonus, seat=event.seat)
    if phase is not Phase.PLACE:
        raise Breach("draw-missing", ruling=cites.turn, seat=position.seat)
    if event.seat != position.seat:
        code, ruling = ("bonus-missed", cites.bonus) if position.bonus else ("seat-wrong", cites.turn)
        raise Breach(code, ruling=ruling, got=event.seat, expected=position.seat)
    lawful = _lawful(position, action)
    turns.judge_placing(position, event, lawful)
    if event.gain != lawful.gain:
        raise Breach(
            "gain-wrong",
            ruling=_gain_ruling(position, action, event.gain),
            got=list(event.gain),
            expected=list(lawful.gain),
        )


def _lawful(position: Position, action: Place | Play) -> Placed | Played:
    try:
        event = event_of(position, action)
    except IllegalAction as error:
        raise error.of_kind(Breach) from None
    assert isinstance(event, Placed | Played)
    return event


def _gain_ruling(position: Position, action: Place | Play, claimed: tuple[int, ...]) -> str:
    # Points that were counted correctly but not capped by the track break the track's own ruling.
    uncut = [0] * len(claimed)
    for colour, points in outcome(position, action).halves:
        uncut[colour] += points
    cites = position.setup.title.cites
    return cites.track if list(claimed) == uncut else cites.scoring


def _judge_swap(position: Position, event: Swapped) -> None:
    cites = position.setup.title.cites
    if position.phase is Phase.DRAW and position.setup.title.swaps:
        raise Breach("swap-after-draw", ruling=cites.swap)
    if event.seat != position.seat and position.phase is Phase.END_TURN:
        raise Breach("seat-wrong", ruling=cites.turn, got=event.seat, expected=position.seat)
    try:
        check_swap(position)
    except IllegalAction as error:
        raise error.of_kind(Breach) from None
    rack = position.racks[event.seat]
    if arranged(event.tiles) != rack:
        raise Breach("swap-not-whole", ruling=cites.swap, got=list(event.tiles), expected=list(rack))


def _judge_draw(position: Position, event: Drew | Reshuffled) -> None:
    title = position.setup.title
    if position.phase is Phase.DEAL:
        raise Breach("deal-missing", ruling=title.cites.tiles)
    if position.phase is Phase.PLACE:
        if position.bonus:
            raise Breach("draw-before-bonus", ruling=title.cites.bonus, count=position.bonus)
        if position.last_turns is not None:
            raise Breach("draw-last-round", ruling=title.cites.end("last-round"))
        raise Breach("draw-not-now", ruling=title.cites.turn)
    if isinstance(event, Reshuffled):
        turns_of(position).judge_reshuffle(position, event)
        return
    if event.seat != position.seat:
        raise Breach("seat-wrong", ruling=title.cites.turn, got=event.seat, expected=position.seat)
    expected = min(title.rack - len(position.racks[event.seat]), len(position.bag))
    if expected == 0:
        raise Breach("reshuffle-missing", ruling=title.cites.turn)
    if len(event.tiles) != expected:
        ruling = title.cites.swap if position.aside else title.cites.turn
        raise Breach("draw-count", ruling=ruling, got=len(event.tiles), expected=expected)
    _judge_supply(position, event.tiles)


def _judge_supply(position: Position, tiles: tuple[Tile, ...]) -> None:
    short = missing(position.bag, tiles)
    if short:
        raise Breach("tile-from-nowhere", ruling=position.setup.title.cites.tiles, tile=short)


def _judge_end(position: Position, event: Ended) -> None:
    title, cites = position.setup.title, position.setup.title.cites
    left = event.reason in LEAVING_REASONS
    if left and position.phase in (Phase.PLACE, Phase.END_TURN):
        lawful = _lawful_leaving(position, event)
    elif position.phase is not Phase.ENDING:
        ruling = "LEAVING" if left else cites.end(event.reason)
        raise Breach("end-early", ruling=ruling, reason=event.reason)
    else:
        lawful = end_event(position)
    if event.reason != lawful.reason:
        raise _end_breach(position, "reason-wrong", got=event.reason, expected=lawful.reason)
    if event.by != lawful.by:
        raise Breach("by-unexpected", ruling="LEAVING", reason=event.reason)
    if event.tracks != lawful.tracks:
        raise Breach(
            "tracks-wrong",
            ruling=cites.scoring,
            got=list(map(list, event.tracks)),
            expected=list(map(list, lawful.tracks)),
        )
    if event.ranks != lawful.ranks:
        ruling = "LEAVING" if left else title.cites.ranking
        raise Breach("ranks-wrong", ruling=ruling, got=list(event.ranks), expected=list(lawful.ranks))


def _lawful_leaving(position: Position, event: Ended) -> Ended:
    sides, seats = position.setup.title.sides, position.setup.seats
    if sides.side_count(seats) > 2:
        raise Breach("leave-many", ruling="LEAVING", seats=seats)
    if event.by is None or event.by not in range(seats):
        raise Breach("by-missing", ruling="LEAVING", reason=event.reason)
    return Ended(
        event.reason, end_event(position).tracks, ranks_when_left(sides, seats, event.by), by=event.by
    )


def _end_breach(position: Position, code: str, **params: object) -> Breach:
    reason = position.ending or ""
    ruling = "LEAVING" if reason in LEAVING_REASONS else position.setup.title.cites.end(reason)
    return Breach(code, ruling=ruling, **params)
