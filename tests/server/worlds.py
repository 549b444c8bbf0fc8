"""Two worlds that one viewer can't tell apart: everything that viewer is told must be the same in both."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.desk import Desk, desk

from genial.core.events import Dealt, Drew
from genial.core.fold import fold
from genial.core.layout import Layout
from genial.core.legal import legal_moves
from genial.core.position import before_dealing
from genial.core.tiles import HIDDEN
from genial.server.tables import decisions, views
from genial.server.tables.entries import Acted, Entry, Started
from genial.server.tables.errors import Refused
from genial.server.tables.settings import TableSettings
from genial.server.tables.table import Table
from genial.server.tables.views import Told, Viewer

LEAKS = ("events", "racks", "legal", "kept", "length")


def played(game: tuple[str, int], seed: int) -> Desk:
    """A game of some length, played at random."""
    rng = Random(seed)
    made = desk(TableSettings(game[0], game[1], chat="open"))
    for _ in range(rng.randrange(60)):
        if made.table.is_running:
            made.random_act(rng)
            if rng.random() < 0.1 and made.table.is_running and made.game.mover is not None:
                try:
                    made.put(decisions.take_back(made.table, made.game.mover))
                except Refused:
                    continue
    return made


def otherwise(made: Desk, viewer: Viewer, rng: Random) -> tuple[Table, list[Entry]]:
    """The same table in a world that differs in everything the viewer may not know: racks, bag, secret."""
    game = made.game
    seats = game.seats_of(viewer.looks)
    world = game.position.determinize(seats, rng)
    started = msgspec.structs.replace(game.started, secret="f" * 64)
    # The positions of the other world, one for each entry; its events say who holds what.
    events = list(world.events)
    positions, position, done = [], None, 0
    for seq, kept in game.positions:
        count = len(kept.events)
        if position is None:
            position = _before(game.positions[0][1], events[:count])
        else:
            for event in events[done:count]:
                position = fold(position, event)
        done = count
        positions.append((seq, position))
    assert position is not None
    positions[-1] = (game.seq, world.change(log=position.log))
    other = replace(game, started=started, positions=tuple(positions))
    table = replace(made.table, games=(*made.table.games[:-1], other))
    return table, [_entry(entry, started, seats, rng) for entry in made.log]


def _before(first: Any, events: list[Any]) -> Any:
    start = first.table.start if isinstance(first.table, Layout) else None
    position = before_dealing(first.setup, start)
    for event in events:
        position = fold(position, event)
    return position


def _entry(entry: Entry, started: Started, seats: frozenset[int], rng: Random) -> Entry:
    """The entry with different tiles wherever a hidden rack drew some."""
    body = entry.body
    if isinstance(body, Started):
        return msgspec.structs.replace(entry, body=started)
    if isinstance(body, Acted):
        events = tuple(
            replace(event, tiles=tuple(rng.choice(["RR", "PP", "OB"]) for _ in event.tiles))
            if isinstance(event, Drew) and event.seat not in seats
            else event
            for event in body.events
        )
        return msgspec.structs.replace(entry, body=msgspec.structs.replace(body, events=events))
    return entry


def plant(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the filter in one place."""
    if leak == "events":
        monkeypatch.setattr(views, "seen_by", lambda event, seats: event)
    if leak == "racks":
        original = views.game_view
        everyone = frozenset({0, 1})
        monkeypatch.setattr(
            views, "game_view", lambda game, looks, told, **how: original(game, everyone, told, **how)
        )
    if leak == "legal":
        monkeypatch.setattr(
            views,
            "legal_for",
            lambda table, viewer: legal_moves(table.game.position) if table.is_running else None,
        )
    if leak == "kept":  # what is cached of one viewer's events is told to all
        monkeypatch.setattr(Told, "events", lambda self, log, seats: _kept_for_all(log))
    if leak == "length":  # no tile is told, but the number of kinds is
        monkeypatch.setattr(views, "seen_by", _hidden_one_a_kind)


def _kept_for_all(log: Any) -> msgspec.Raw:
    return views._Tape(frozenset({0, 1})).upto(log)


def _hidden_one_a_kind(event: Any, seats: frozenset[int]) -> Any:
    if isinstance(event, Dealt | Drew) and event.seat not in seats:
        return replace(event, tiles=(HIDDEN,) * len(set(event.tiles)))
    return event
