"""Nothing that a viewer gets from a table depends on what the viewer may not know."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.play import games, seeds
from tests.server.tables import ADA, Desk, desk

from genial.core.fold import fold
from genial.core.layout import Layout
from genial.core.position import before_dealing
from genial.core.record import event_from
from genial.server import decisions, views
from genial.server.entries import Acted, Entry, Started
from genial.server.errors import Refused
from genial.server.hub import entry_message
from genial.server.legal import legal_moves
from genial.server.settings import Limits, TableSettings
from genial.server.table import Table
from genial.server.views import entry_view, table_view

viewers = st.frozensets(st.integers(0, 3))


def played(game: tuple[str, int], seed: int) -> Desk:
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


def otherwise(made: Desk, viewer: frozenset[int], rng: Random) -> tuple[Table, list[Entry]]:
    """The same table in a world that differs in everything the viewer may not know: racks, bag, secret."""
    game = made.game
    seats = game.seats_of(viewer)
    world = game.position.determinize(seats, rng)
    table = copy.copy(made.table)
    started = msgspec.structs.replace(game.started, secret="f" * 64)
    other = copy.copy(game)
    # The positions of the other world, one for each entry; its events tell who holds what.
    other.started = started
    events = list(world.events)
    positions, position, at = [], None, 0
    for seq, kept in game.positions:
        count = len(kept.events)
        if position is None:
            position = _before(game.positions[0][1], events[:count])
        else:
            for event in events[at:count]:
                position = fold(position, event)
        at = count
        positions.append((seq, position))
    positions[-1] = (game.seq, world)
    other.positions = positions
    table.games = [*made.table.games[:-1], other]
    return table, [_entry(entry, started, viewer, game, rng) for entry in made.log]


def _before(first: Any, events: list[Any]) -> Any:
    start = first.table.start if isinstance(first.table, Layout) else None
    position = before_dealing(first.setup, start)
    for event in events:
        position = fold(position, event)
    return position


def _entry(entry: Entry, started: Started, viewer: frozenset[int], game: Any, rng: Random) -> Entry:
    """The entry with other tiles wherever a hidden rack drew some."""
    body: Any = entry.body
    if isinstance(body, Started):
        body = started
    if isinstance(body, Acted):
        events = copy.deepcopy(body.events)
        for event in events:
            if event["type"] == "draw" and event["seat"] not in game.seats_of(viewer):
                event["tiles"] = [rng.choice(["RR", "PP", "OB"]) for _ in event["tiles"]]
        body = msgspec.structs.replace(body, events=events)
    return msgspec.structs.replace(entry, body=body)


def check_same(game: tuple[str, int], seed: int, chosen: frozenset[int]) -> None:
    """Every byte that this viewer gets is the same in both worlds."""
    rng = Random(seed)
    viewer = frozenset(place for place in chosen if place < game[1])
    made = played(game, seed)
    table, entries = otherwise(made, viewer, rng)
    device = ADA if 0 in viewer else "z" * 32
    one, two = (msgspec.json.encode(table_view(t, viewer, device, 5)) for t in (made.table, table))
    assert one == two
    for mine, other in zip(made.log, entries, strict=True):
        if msgspec.json.encode(mine.body).startswith(b'{"type":"revealed"'):
            continue  # revealed to everybody: the game is over
        assert msgspec.json.encode(entry_view(made.table, mine, viewer)) == msgspec.json.encode(
            entry_view(table, other, viewer)
        )
        assert entry_message(made.table, mine, viewer) == entry_message(table, other, viewer)


@given(games, seeds, viewers)
def test_tables_that_differ_only_in_what_is_hidden_look_the_same(
    game: tuple[str, int], seed: int, chosen: frozenset[int]
) -> None:
    check_same(game, seed, chosen)


def check_twenty() -> None:
    for seed in range(20):
        check_same(("classic", 2), seed, frozenset({0}))


@pytest.mark.parametrize("leak", ["events", "racks", "legal"])
def test_a_planted_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that cannot fail proves nothing: with the filter off, the same check fails."""
    if leak == "events":
        monkeypatch.setattr(views, "seen_by", lambda event, seats: event)
    if leak == "racks":
        original = views.game_view
        monkeypatch.setattr(views, "game_view", lambda game, viewer: original(game, frozenset({0, 1})))
    if leak == "legal":
        monkeypatch.setattr(
            views,
            "legal_for",
            lambda table, viewer: legal_moves(table.game.position) if table.is_running else None,
        )
    with pytest.raises(AssertionError):
        check_twenty()


@given(games, seeds)
def test_nothing_sent_names_a_secret_a_device_or_a_code(game: tuple[str, int], seed: int) -> None:
    made = played(game, seed)
    if not made.table.is_running:
        return
    for viewer in (frozenset({0}), frozenset[int]()):
        sent = msgspec.json.encode(table_view(made.table, viewer, "z" * 32, 5))
        sent += b"".join(msgspec.json.encode(entry_view(made.table, entry, viewer)) for entry in made.log)
        assert made.game.started.secret.encode() not in sent
        assert ADA.encode() not in sent
        assert made.table.code.encode() not in sent


def test_players_of_a_silent_team_game_do_not_read_spectators() -> None:
    """TEAM"""
    made = desk(TableSettings("classic-team", 4))
    said = made.put(decisions.chat(made.table, None, "Zoe", "take the green one", "", Limits()))[0]
    assert "green" not in str(entry_view(made.table, said, frozenset({0})))
    assert "green" in str(entry_view(made.table, said, frozenset()))
    assert "green" not in str(table_view(made.table, frozenset({0}), ADA, 5))
    made.put(decisions.resign(made.table, 0))
    assert "green" in str(table_view(made.table, frozenset({0}), ADA, 5))


def test_legal_moves_are_small_and_only_for_the_mover(variant: str, seats: int) -> None:
    made = desk(TableSettings(variant, seats, first=0))
    rng = Random(3)
    for _ in range(25):
        if not made.table.is_running:
            break
        for place in range(seats):
            legal = views.legal_for(made.table, frozenset({place}))
            assert (legal is not None) == (place == made.game.mover)
            assert len(msgspec.json.encode(legal)) < 64 * 1024
        assert views.legal_for(made.table, frozenset()) is None
        made.random_act(rng)


def test_entries_fold_to_what_was_sent(variant: str, seats: int) -> None:
    """A client that folds the events it is sent has the same tracks as the server."""
    made = desk(TableSettings(variant, seats))
    made.play_out(Random(1))
    position = made.game.positions[0][1]
    for entry in made.log:
        if isinstance(entry.body, Acted):
            for data in entry.body.events:
                position = fold(position, event_from(data))
    assert position == made.game.position
