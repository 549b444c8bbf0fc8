"""The referee: replays a record from its own contents alone and names the first breach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from genial.core.colours import COLOURS
from genial.core.deal import Dealer
from genial.core.errors import Breach, RecordError
from genial.core.events import Dealt, Drew, Event, Opened
from genial.core.fair import commitment, game_seed
from genial.core.fold import fold
from genial.core.judge import judge
from genial.core.messages import render
from genial.core.open_cards import OpenCards
from genial.core.position import Position, before_dealing, dealt
from genial.core.record import Record, event_from, read
from genial.core.situation import Phase
from genial.core.tiles import arranged
from genial.core.title import BoardPlan

Source = str | bytes | Mapping[str, Any] | Record


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's verdict on a record."""

    status: str
    """`lawful`, `lawful so far` (an unfinished game), or `breach`."""
    event: int | None = None
    """The first unlawful event, counted from 0; None if the breach is not in an event."""
    ruling: str | None = None
    code: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status != "breach"

    def text(self, language: str = "en") -> str:
        """The verdict as a sentence."""
        if self.code is None:
            return render(f"verdict-{self.status.replace(' ', '-')}", {}, language)
        where = "verdict-record" if self.event is None else "verdict-event"
        message = render(self.code, self.params, language)
        return render(where, {"event": self.event, "message": message, "ruling": self.ruling}, language)


def check(record: Source) -> Verdict:
    """Judge a record; raises RecordError if it cannot be read at all.

    >>> import genial
    >>> from genial.core.record import record_of
    >>> check(record_of(genial.new("classic", seats=2, seed=7))).status
    'lawful so far'
    """
    found = _read(record)
    try:
        for _ in replay(found):
            pass
    except Breach as breach:
        return Verdict("breach", breach.event, breach.ruling, breach.code, breach.params)
    return Verdict("lawful so far" if found.unfinished else "lawful")


def load(record: Source) -> Position:
    """The position at the end of a record, including its past; raises Breach if it is not lawful.

    With the key `deal` the game can continue as it would have been dealt: a record that stops where the
    engine acts by itself is continued to the next decision. Without that key nobody knows the next tiles.

    >>> import genial
    >>> from genial.core.record import record_of
    >>> position = genial.new("cards", seats=3, seed=7)
    >>> load(record_of(position)).racks == position.racks
    True
    """
    *_, position = replay(_read(record))
    if position.dealer is None and position.phase in (Phase.DEAL, Phase.DRAW):
        raise RecordError("record-cut", ruling="DEAL")
    return position.settled()


def replay(record: Record) -> Iterator[Position]:
    """The positions before the first event and after each event, judged along the way."""
    position = _start(record)
    yield position
    for number, data in enumerate(record.events):
        try:
            event = event_from(data)
            judge(position, event)
            _check_dealer(position, event)
        except Breach as breach:
            raise _located(record, position, number, breach) from None
        position = fold(position, event)
        yield position
    if not position.is_over and not record.unfinished:
        cites = record.setup.title.cites
        raise Breach("end-absent", ruling=cites.end(position.ending or ""))
    if position.is_over and record.unfinished:
        raise Breach("unfinished-over", ruling="RECORD")


def _read(record: Source) -> Record:
    return record if isinstance(record, Record) else read(record)


def _located(record: Record, position: Position, number: int, breach: Breach) -> Breach:
    following = record.events[number + 1].get("type") if number + 1 < len(record.events) else None
    if breach.code == "draw-count" and following == "swap":
        # The draw is short because a swap interrupts it; that swap is the breach.
        number, breach = number + 1, Breach("swap-after-draw", ruling=position.setup.title.cites.swap)
    breach.event = number
    return breach


def _check_proof(record: Record) -> None:
    """DEAL: check that the secret fits the commitment, and the seed the secret and everybody's bits."""
    proof = record.proof
    if proof is None:
        return
    if commitment(proof.secret) != proof.commitment:
        raise Breach("deal-commitment", ruling="DEAL")
    if game_seed(proof.secret, proof.bits) != record.seed:
        raise Breach("deal-seed", ruling="DEAL")


def _start(record: Record) -> Position:
    _check_proof(record)
    found, plan = record.setup, record.setup.title.plan
    dealer = Dealer(record.seed) if record.seed is not None else None
    if not isinstance(plan, BoardPlan) or record.cells is None or record.start is None:
        return before_dealing(found, dealer=dealer)
    cites, board = found.title.cites, plan.board(found.seats)
    if sorted(record.cells) != sorted(board.cells):
        raise Breach("board-wrong", ruling=cites.board, got=len(record.cells), expected=len(board.cells))
    printed = plan.printed_start(found.seats)
    start = tuple(board.number.get(record.start.get(letter, (99, 99)), -1) for letter in COLOURS)
    lawful = start == printed if plan.printed else sorted(start) == sorted(printed)
    if not lawful or len(record.start) != len(COLOURS):
        raise Breach("start-wrong", ruling=cites.start)
    if dealer and not plan.printed and start != dealer.start_stones(printed):
        raise Breach("start-not-dealt", ruling="DEAL")
    return before_dealing(found, start, dealer)


def _check_dealer(position: Position, event: Event) -> None:
    """If the record has a seed, every tile must be the one it deals (DEAL)."""
    if position.dealer is None:
        return
    match event:
        case Dealt(seat, tiles):
            wanted = dealt(position.setup, Dealer(position.dealer.seed)).racks[seat]
        case Opened(seat, tile):
            tiles, rows = (tile,), position.table
            first = dealt(position.setup, Dealer(position.dealer.seed)).table
            assert isinstance(first, OpenCards)
            assert isinstance(rows, OpenCards)
            wanted = (first.rows[seat][len(rows.rows[seat])],)
        case Drew(_, tiles):
            wanted = position.bag[: len(tiles)]
        case _:
            return
    if arranged(tiles) != arranged(wanted):
        raise Breach("tiles-not-dealt", ruling="DEAL", got=list(tiles), expected=list(wanted))
