"""What is done with a whole record, from its text to the result: a replay, or a start for analysis or play.

Anybody may upload a record, and judging it may take long, so none of this belongs on an event loop. An order
goes to whatever does such work elsewhere (`Reading`), and its result comes back as plain values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal, Protocol

import msgspec

import genial
from genial.core.errors import Breach, GenialError, RecordError
from genial.core.position import Position
from genial.core.record import Record, dump, read, record_of
from genial.server.study.advice import ADVISER, decisions_of
from genial.server.study.replays import game_of, moments, replay_of, start_from
from genial.server.tables.errors import WrongRecord
from genial.server.tables.table import Game

Task = Literal["replay", "analysis", "start"]
DONE, REFUSED, BROKEN = "done", "refused", "broken"
"""How an order ends: with a value, with a coded error, or with an unexpected exception."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to do with a record, and what it may cost."""

    task: Task
    record: bytes
    events: int
    """A record with more events is refused."""
    deadline: float
    """In seconds; after that the work is given up."""
    game: Game | None = None
    """The game that the record is of, if it was played here; only its last moment is needed."""
    own: tuple[int, ...] = ()
    """The caller's seats, if it was played here."""
    ply: int = 0
    """Where to play on: after this many placements, plays and swaps."""


class Reading(Protocol):
    """Carries out orders without holding up the caller's event loop."""

    async def carried_out(self, order: Order, caller: str) -> Any:
        """The result of an order; callers take turns."""


def without_past(game: Game) -> Game:
    """A finished game reduced to its last moment: small enough to be passed around."""
    last = game.position.change(log=None)
    started = msgspec.structs.replace(game.started, start=None)
    return replace(game, started=started, positions=((game.seq, last),))


def answered(order: Order) -> tuple[str, object]:
    """How an order ends, and its result, in plain values."""
    try:
        return DONE, _carried_out(order)
    except GenialError as error:
        return REFUSED, (error.code, error.ruling, _told(error))
    except Exception as error:
        return BROKEN, type(error).__name__


def outcome(kind: str, value: Any) -> Any:
    """The value in an answer to an order; raises its error if it has one."""
    if kind == REFUSED:
        code, ruling, params = value
        error = WrongRecord(code, ruling=ruling)
        error.params = params
        raise error
    return value


def _carried_out(order: Order) -> object:
    record = read(order.record)
    if len(record.events) > order.events:
        raise RecordError("record-events", got=len(record.events), limit=order.events)
    positions = moments(record)
    match order.task:
        case "replay":
            return _replay(record, positions, order)
        case "analysis":
            return _to_analyse(record, positions[-1])
        case "start":
            title, seats = record.setup.title, record.setup.seats
            return title.variant, seats, start_from(positions, order.ply)


def _replay(record: Record, positions: list[Position], order: Order) -> bytes:
    """The replay as JSON, which takes longer to encode than the moments take to compute."""
    game = order.game or game_of(record, positions)
    return msgspec.json.encode(replay_of(game, positions, order.own))


def _to_analyse(record: Record, last: Position) -> tuple[int, bytes, bytes]:
    """The number of choices, a key that is the same for the same game, and the bare game."""
    game = record_of(last)
    # Another version may think differently.
    key = sha256(repr((genial.__version__, ADVISER, game)).encode()).digest()
    return sum(1 for _ in decisions_of(record)), key, dump(game).encode()


def _told(error: GenialError) -> dict[str, object]:
    if isinstance(error, Breach) and error.event is not None:
        return {**error.params, "event": error.event}
    return dict(error.params)
