"""Records, format `genial-record/1`: reading them safely and writing them. `referee.py` judges them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from genial.core.colours import COLOURS, NUMBER
from genial.core.deal import SCHEME, as_seed
from genial.core.errors import Breach, RecordError, SetupError
from genial.core.events import (
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
from genial.core.hexes import Cell
from genial.core.layout import Layout
from genial.core.position import Position
from genial.core.tiles import NORMAL, Tile
from genial.core.title import BoardPlan, Setup, setup
from genial.core.titles import title_of

FORMAT = "genial-record/1"
RULES = 1
"""The version of the rulings that this engine follows."""
LARGEST = 1 << 20
"""Records longer than this many characters are refused unread; a long game takes about 20,000."""
DEEPEST = 32
MOST_EVENTS = 4096

_MARKS = re.compile(r'"(?:[^"\\]++|\\.)*+\\?"?|[\[\]{}]', re.DOTALL)
"""Strings and brackets. A string that is never closed runs to the end of the text, and the pattern never
backtracks, so each character is looked at once, whatever the text.
"""
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}
_WRITTEN_KEYS = ("format", "variant", "seats", "board", "events")


@dataclass(frozen=True, slots=True)
class Proof:
    """The commitment published before the deal, and the secret and bits revealed after it."""

    commitment: str
    secret: str
    bits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record that could be read; the referee decides whether it is lawful."""

    setup: Setup
    cells: tuple[Cell, ...] | None
    """All cells of the board as written; None for the card game."""
    start: Mapping[str, Cell] | None
    events: tuple[Mapping[str, Any], ...]
    unfinished: bool
    seed: str | None
    """The seed from the key `deal`, if the record says how it was dealt (DEAL)."""
    proof: Proof | None
    """Where that seed came from, if the record says so."""
    extras: Mapping[str, Any]
    """All other keys: names, dates and so on."""


def read(source: str | bytes | Mapping[str, Any]) -> Record:
    """Read a record from JSON text or from the equivalent object."""
    data = source if isinstance(source, Mapping) else _parse(source)
    if data.get("format") != FORMAT:
        raise RecordError("record-format", got=_as_written(data.get("format")), expected=_as_written(FORMAT))
    if data.get("rules", RULES) != RULES:
        raise RecordError("record-rules", got=_as_written(data["rules"]), expected=RULES)
    seats = data.get("seats")
    try:
        title = title_of(data.get("variant"))
        if isinstance(seats, bool) or not isinstance(seats, int):
            raise SetupError("seats-unknown", variant=title.variant, seats=seats, expected=list(title.seats))
        found = setup(title, seats)
    except SetupError as error:
        raise error.of_kind(RecordError) from None
    events, unfinished = data.get("events"), data.get("unfinished", False)
    if not isinstance(events, list) or not all(isinstance(event, Mapping) for event in events):
        raise RecordError("record-key", key="events", expected="objects")
    if len(events) > MOST_EVENTS:
        raise RecordError("record-events", got=len(events), limit=MOST_EVENTS)
    if not isinstance(unfinished, bool):
        raise RecordError("record-key", key="unfinished", expected="yes-no")
    cells, start = _read_board(found, data.get("board"))
    return Record(
        setup=found,
        cells=cells,
        start=start,
        events=tuple(events),
        unfinished=unfinished,
        seed=_read_seed(data.get("deal")),
        proof=_read_proof(data.get("deal")),
        extras={key: value for key, value in data.items() if key not in (*_WRITTEN_KEYS, "unfinished")},
    )


def _parse(source: object) -> Mapping[str, Any]:
    if not isinstance(source, str | bytes):
        raise RecordError("record-type", got=type(source).__name__)
    if len(source) > LARGEST:
        raise RecordError("record-large", got=len(source), limit=LARGEST)
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
        _check_depth(text)
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RecordError("record-encoding") from None
    except json.JSONDecodeError as error:
        raise RecordError("record-json", line=error.lineno, column=error.colno) from None
    except ValueError:  # Python refuses numbers of thousands of digits
        raise RecordError("record-number") from None
    if not isinstance(data, dict):
        raise RecordError("record-object", got=type(data).__name__)
    return data


def _check_depth(text: str) -> None:
    depth = 0
    for mark in _MARKS.finditer(text):
        depth += _STEP.get(mark[0], 0)
        if depth > DEEPEST:
            raise RecordError("record-deep", limit=DEEPEST)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RecordError("record-twice", key=_first_again(key for key, _ in pairs))
    return found


def _first_again(keys: Iterable[str]) -> str:
    """The first repeated key; there must be one."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    raise AssertionError("every key is there once")


def _no_constant(text: str) -> None:
    raise RecordError("record-constant", got=text)


def _read_board(found: Setup, board: object) -> tuple[tuple[Cell, ...] | None, Mapping[str, Cell] | None]:
    if found.board is None:
        if board is not None:
            raise RecordError("record-key", key="board", expected="no-board")
        return None, None
    if isinstance(board, Mapping):
        cells, start = board.get("cells"), board.get("start")
        if (
            isinstance(cells, list)
            and isinstance(start, Mapping)
            and len(cells) <= 1000
            and len(start) <= 100
        ):
            read_cells = tuple(_cell(cell) for cell in cells)
            read_start = {str(letter): _cell(cell) for letter, cell in start.items()}
            if None not in read_cells and None not in read_start.values():
                return read_cells, read_start  # type: ignore[return-value]
    expected = '{"cells": [[q, r], ...], "start": {"R": [q, r], ...}}'
    raise RecordError("record-key", key="board", expected=expected)


def _read_seed(deal: object) -> str | None:
    if deal is None:
        return None
    try:
        if isinstance(deal, Mapping) and deal.get("scheme") == SCHEME:
            return as_seed(deal.get("seed"))
    except SetupError:
        pass
    raise RecordError("record-key", key="deal", expected=f'{{"scheme": "{SCHEME}", "seed": "..."}}')


def _read_proof(deal: object) -> Proof | None:
    if not isinstance(deal, Mapping) or "secret" not in deal:
        return None
    published, secret, bits = deal.get("commitment"), deal["secret"], deal.get("bits")
    if isinstance(bits, list) and all(map(_is_hex, (published, secret, *bits))) and len(bits) <= 4:
        return Proof(str(published), str(secret), tuple(bits))
    raise RecordError("record-key", key="deal", expected="hex")


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[0-9a-f]{0,128}", value))


# Events


def event_from(data: Mapping[str, Any]) -> Event:
    """The event that an object in a record stands for; raises Breach if it is not an event."""
    match data.get("type"):
        case "deal":
            return Dealt(_whole(data, "seat"), _tiles(data))
        case "open":
            return Opened(_whole(data, "seat"), _tile(data, "tile"))
        case "place":
            level, gain = _whole(data, "level"), _six(data, "gain")
            return Placed(_whole(data, "seat"), _tile(data, "tile"), _cells(data), level, gain)
        case "play":
            return Played(_whole(data, "seat"), _tile(data, "tile"), _six(data, "gain"))
        case "swap":
            return Swapped(_whole(data, "seat"), _tiles(data))
        case "draw":
            return Drew(_whole(data, "seat"), _tiles(data))
        case "reshuffle":
            return Reshuffled()
        case "end":
            by = _whole(data, "by") if "by" in data else None
            return Ended(_reason(data), _tracks(data), _ranks(data), by)
    raise Breach("event-type", ruling="RECORD", type=_as_written(data.get("type")))


def event_data(event: Event) -> dict[str, Any]:
    """An event as an object for a record."""
    data: dict[str, Any] = {"type": event.type}
    match event:
        case Opened(seat, tile):
            data |= {"seat": seat, "tile": tile}
        case Placed(seat, tile, cells, level, gain):
            data |= {"seat": seat, "tile": tile, "cells": [list(cell) for cell in cells]}
            data |= {"level": level, "gain": list(gain)}
        case Played(seat, tile, gain):
            data |= {"seat": seat, "tile": tile, "gain": list(gain)}
        case Ended(reason, tracks, ranks, by):
            data |= {"reason": reason, "tracks": [list(markers) for markers in tracks], "ranks": list(ranks)}
            data |= {} if by is None else {"by": by}
        case Reshuffled():
            pass
        case _:
            data |= {"seat": event.seat, "tiles": list(event.tiles)}
    return data


def _breach(data: Mapping[str, Any], key: str, expected: str) -> Breach:
    return Breach("event-key", ruling="RECORD", key=key, got=_as_written(data.get(key)), expected=expected)


def _as_written(value: object) -> str:
    """A value as the record writes it, so that a string looks different from a number."""
    try:
        return _json(value)
    except (TypeError, ValueError):  # an object that never came from JSON
        return repr(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1000


def _whole(data: Mapping[str, Any], key: str) -> int:
    if not _is_whole(data.get(key)):
        raise _breach(data, key, "number")
    return int(data[key])


def _tile(data: Mapping[str, Any], key: str) -> Tile:
    tile = data.get(key)
    if not isinstance(tile, str) or tile not in NORMAL:
        raise Breach("tile-unknown", ruling="COLOURS", tile=_as_written(tile))
    return tile


def _tiles(data: Mapping[str, Any]) -> tuple[Tile, ...]:
    tiles = data.get("tiles")
    if not isinstance(tiles, list) or not 0 < len(tiles) <= 100:
        raise _breach(data, "tiles", "tiles")
    return tuple(_tile({"tile": tile}, "tile") for tile in tiles)


def _cell(cell: object) -> Cell | None:
    if isinstance(cell, list) and len(cell) == 2 and all(map(_is_whole, cell)):
        return cell[0], cell[1]
    return None


def _cells(data: Mapping[str, Any]) -> tuple[Cell, Cell]:
    cells = data.get("cells")
    if isinstance(cells, list) and len(cells) == 2:
        first, second = map(_cell, cells)
        if first and second:
            return first, second
    raise _breach(data, "cells", "cells")


def _six(data: Mapping[str, Any], key: str) -> tuple[int, ...]:
    values = data.get(key)
    if not isinstance(values, list) or len(values) != len(COLOURS) or not all(map(_is_whole, values)):
        raise _breach(data, key, "six")
    return tuple(values)


def _reason(data: Mapping[str, Any]) -> str:
    if not isinstance(data.get("reason"), str):
        raise _breach(data, "reason", "text")
    return str(data["reason"])


def _tracks(data: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    tracks = data.get("tracks")
    if not isinstance(tracks, list) or len(tracks) > 4:
        raise _breach(data, "tracks", "six-each")
    return tuple(_six({"tracks": markers}, "tracks") for markers in tracks)


def _ranks(data: Mapping[str, Any]) -> tuple[int, ...]:
    values = data.get("ranks")
    if not isinstance(values, list) or len(values) > 4 or not all(map(_is_whole, values)):
        raise _breach(data, "ranks", "number-each")
    return tuple(values)


# Writing


def record_of(position: Position, **extras: Any) -> dict[str, Any]:
    """The record of the game that led to a position. Extra keys can be added.

    A game that is not over is marked as unfinished; such a record contains every rack.

    >>> import genial
    >>> list(record_of(genial.new("travel", seed=7), names=["Ada", "Ben"]))
    ['format', 'variant', 'seats', 'names', 'unfinished', 'board', 'events']
    """
    record: dict[str, Any] = {
        "format": FORMAT,
        "variant": position.setup.title.variant,
        "seats": position.setup.seats,
        **extras,
    }
    if not position.is_over:
        record["unfinished"] = True
    layout, plan = position.table, position.setup.title.plan
    if isinstance(layout, Layout) and isinstance(plan, BoardPlan):
        cells, letters = layout.board.cells, plan.printed or COLOURS
        record["board"] = {
            "cells": [list(cell) for cell in cells],
            "start": {letter: list(cells[layout.start[NUMBER[letter]]]) for letter in letters},
        }
    record["events"] = [event_data(event) for event in position.events]
    return record


def deal_key(position: Position) -> dict[str, Any]:
    """The key `deal` for a record that may reveal its seed: a finished game or a saved one."""
    return {"deal": {"scheme": SCHEME, "seed": position.dealer.seed}} if position.dealer else {}


def dump(record: Mapping[str, Any]) -> str:
    """A record as JSON text, one event per line."""
    head = ", ".join(f"{_json(key)}: {_json(value)}" for key, value in record.items() if key != "events")
    events = ",\n".join(_json(event) for event in record["events"])
    return f'{{{head}, "events": [\n{events}\n]}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
