"""The bot protocol `genial-bot/1`: messages between a host and a bot's program (docs/bots.md).

One JSON object per line, over standard input and output. This module gives the messages their meaning: it
turns a view into data and back. Only what the seat may know is ever sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from genial import __version__
from genial.bots.bot import Budget
from genial.core.cellnames import cell_name
from genial.core.colours import COLOURS
from genial.core.events import Dealt, Drew, Ended, Event, Placed
from genial.core.layout import Layout, empty_layout
from genial.core.legal import legal_moves
from genial.core.open_cards import OpenCards
from genial.core.record import event_data, event_from
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN, SYMBOLS
from genial.core.title import BoardPlan, CardPlan, Setup, setup
from genial.core.titles import title_of
from genial.core.view import View
from genial.core.viewdata import view_data

PROTOCOL = "genial-bot/1"
LONGEST_FROM_HOST = 1 << 20
LONGEST_FROM_BOT = 1 << 16
"""The most bytes in a line."""

Message = dict[str, Any]


def hello() -> Message:
    """The host's first message."""
    return {"type": "hello", "protocol": PROTOCOL, "host": f"genial {__version__}"}


def new_game(view: View, seat: int, game: int) -> Message:
    """A game begins: everything about it that does not change.

    >>> import genial
    >>> message = new_game(genial.new("classic", seats=2, seed=7).view({0}), 0, 1)
    >>> message["board"]["names"][0], message["rules"]["rack"], message["tiles"]["RR"]
    ('f1', 6, 5)
    """
    found = view.setup
    title = found.title
    plan, track = title.plan, title.track
    return {
        "type": "new",
        "game": game,
        "variant": title.variant,
        "seats": found.seats,
        "seat": seat,
        "tiles": dict(sorted(Counter(found.tiles).items())),
        "board": _board(view.table) if isinstance(view.table, Layout) else None,
        "rules": {
            "rack": title.rack,
            "sides": title.sides.value,
            "solo": title.is_solo,
            "swaps": title.swaps,
            "stacking": isinstance(plan, BoardPlan) and plan.stacking,
            "open_cards": plan.open_cards[found.seats] if isinstance(plan, CardPlan) else 0,
            "track": [track.lowest_step, track.highest_step],
            "bonus_steps": list(track.bonus_steps),
            "line_steps": list(track.line_steps),
        },
    }


def _board(layout: Layout) -> Message:
    board = layout.board
    return {
        "cells": [list(cell) for cell in board.cells],
        "names": [cell_name(board, cell) for cell in board.cells],
        "pairs": [[pair.first, pair.second] for pair in board.pairs],
        "start": dict(zip(COLOURS, layout.start, strict=True)),
    }


def state(view: View, known: int) -> Message:
    """What the seat may know now, with all events except the first `known`."""
    data = view_data(view)
    events = data.pop("events")
    return {"type": "view", "view": data, "events": events[known:]}


def go(view: View, number: int, seed: int, budget: Budget | None, deadline: float) -> Message:
    """The bot has to act."""
    budget = budget or Budget()
    return {
        "type": "go",
        "id": number,
        "legal": legal(view),
        "budget": {"nodes": budget.nodes, "seconds": budget.seconds},
        "deadline": deadline,
        "seed": seed,
    }


def legal(view: View) -> Message:
    """Everything the seat to move may do, as in the bot API.

    >>> import genial
    >>> legal(genial.new("cards", seats=2, seed=7).view({0}))["cards"][0]
    {'tile': 'RP', 'gain': [0, 0, 0, 0, 0, 2], 'bonus': 0}
    """
    moves = legal_moves(view)
    told = _fields(moves)
    told["points"] = {symbol: _fields(points) for symbol, points in moves.points.items()}
    told["tiles"] = [_fields(tile) for tile in moves.tiles]
    told["cards"] = [_fields(card) for card in moves.cards]
    return told


def _fields(value: Any) -> Message:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def over(view: View, known: int, game: int) -> Message:
    """The game is over; `result` is null if it was broken off."""
    result = event_data(view.result) if view.result else None
    return {"type": "over", "game": game, "result": result, "events": state(view, known)["events"]}


def error(code: str, text: str, number: object = None) -> Message:
    """Something was wrong with a message from the other side."""
    return {"type": "error", "id": number, "code": code, "text": text}


# Reading, for our own bots when they play over the protocol


def event_seen(data: Mapping[str, Any]) -> Event:
    """The event as a viewer saw it: dealt and drawn tiles may be hidden."""
    tiles = data.get("tiles")
    if isinstance(tiles, list) and tiles and all(tile == HIDDEN for tile in tiles):
        hidden = (HIDDEN,) * len(tiles)
        return Dealt(data["seat"], hidden) if data["type"] == "deal" else Drew(data["seat"], hidden)
    return event_from(data)


def view_seen(new: Mapping[str, Any], data: Mapping[str, Any], events: Sequence[Event]) -> View:
    """The view described by `new`, `view` and all events so far. Raises all kinds of exceptions on bad data.

    >>> import genial
    >>> view = genial.new("classic", seats=2, seed=7).view({0})
    >>> view_seen(new_game(view, 0, 1), state(view, 0)["view"], view.events) == view
    True
    """
    found = setup(title_of(new["variant"]), new["seats"])
    ended = [event for event in events if isinstance(event, Ended)]
    return View(
        viewer=frozenset(data["viewer"]),
        setup=found,
        table=_table(found, new, data, events),
        racks=tuple(tuple(rack) for rack in data["racks"]),
        tracks=tuple(tuple(markers) for markers in data["tracks"]),
        supply=data["supply"],
        discarded=data["discarded"],
        phase=Phase(data["phase"]),
        seat=data["seat"],
        turn=data["turn"],
        bonus=data["bonus"],
        last_turns=data["last_turns"],
        result=ended[-1] if ended else None,
        events=tuple(events),
    )


def _table(
    found: Setup, new: Mapping[str, Any], data: Mapping[str, Any], events: Sequence[Event]
) -> Layout | OpenCards:
    plan = found.title.plan
    if not isinstance(plan, BoardPlan):
        rows = [row.replace("-", "") for row in data["table"].split("/")]
        return OpenCards(tuple(tuple(row[n : n + 2] for n in range(0, len(row), 2)) for row in rows))
    start = tuple(new["board"]["start"][letter] for letter in COLOURS)
    layout = empty_layout(plan.board(found.seats), start, plan.stacking)
    for event in events:
        if isinstance(event, Placed):
            first, second = (layout.board.number[cell] for cell in event.cells)
            layout = layout.lay(first, second, SYMBOLS[event.tile])
    return layout
