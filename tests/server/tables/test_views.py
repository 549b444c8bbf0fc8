"""Nothing that a viewer gets from a table depends on what the viewer may not know."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.play import games, seeds
from tests.server.desk import ADA, BEN, CAT, Desk, at, desk
from tests.server.worlds import LEAKS, otherwise, plant, played

from genial.core.fold import fold
from genial.core.record import event_from
from genial.server.tables import decisions, news, views
from genial.server.tables.entries import Acted, Chatted, Revealed, Started, TakenBack
from genial.server.tables.errors import Refused
from genial.server.tables.news import News, update_text
from genial.server.tables.settings import Limits, PlaceChoice, TableSettings
from genial.server.tables.table import Game
from genial.server.tables.views import SPECTATOR, Told, Viewer, entry_view, table_view, viewer_of

places = st.frozensets(st.integers(0, 3))


def check_same(game: tuple[str, int], seed: int, chosen: frozenset[int]) -> None:
    """Every byte that this viewer gets is the same in both worlds: each entry, and each whole update."""
    rng = Random(seed)
    viewer = at({place for place in chosen if place < game[1]}, host=0 in chosen)
    made = played(game, seed)
    table, entries = otherwise(made, viewer, rng)
    told = Told(), Told()
    for mine, other in zip(made.log, entries, strict=True):
        if isinstance(mine.body, Revealed):
            continue  # revealed to everybody: the game is over
        for past in (True, False):
            one = update_text(made.table, [mine], viewer, 5, told[0], past=past)
            assert one == update_text(table, [other], viewer, 5, told[1], past=past)
            # The cache makes no difference.
            assert one == update_text(made.table, [mine], viewer, 5, Told(), past=past)


@given(games, seeds, places)
def test_tables_that_differ_only_in_what_is_hidden_look_the_same(
    game: tuple[str, int], seed: int, chosen: frozenset[int]
) -> None:
    check_same(game, seed, chosen)


def check_many() -> None:
    """Enough games that a leak which shows in one of four isn't missed by chance."""
    for seed in range(100):
        check_same(("classic", 2), seed, frozenset({0}))


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that can't fail proves nothing: with the filter off, the same check fails."""
    plant(leak, monkeypatch)
    with pytest.raises(AssertionError):
        check_many()


def test_viewers_that_differ_share_no_message(variant: str, seats: int) -> None:
    """A watching host knows the codes; the holder of a place knows its rack; other spectators neither."""
    made = desk(TableSettings(variant, seats, first=0))
    host = Viewer(host=True)
    viewers = [SPECTATOR, host, *(at({place}) for place in range(seats))]
    entries = made.random_act(Random(1))
    batch = News(made.table, entries, 5, Told())
    texts = {viewer: batch.text(_Ear(viewer)) for viewer in viewers}
    assert len(set(texts.values())) == len(viewers)
    for viewer, text in texts.items():
        for code in (made.table.code, made.table.watch):
            assert (f'"{code}"' in text) == bool(viewer.own or viewer.host)
    assert batch.text(_Ear(SPECTATOR)) is texts[SPECTATOR]


def test_a_message_shared_by_all_spectators_is_caught_as_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: viewers distinguished only by the places they look from, as they once were."""
    text = News.text

    def shared(self: News, listener: Any, *, past: bool = False) -> str:
        self._texts = _ByLooks(self._texts)
        return text(self, listener, past=past)

    monkeypatch.setattr(news.News, "text", shared)
    with pytest.raises(AssertionError):
        test_viewers_that_differ_share_no_message("classic", 2)


class _ByLooks(dict[tuple[Viewer, bool], str]):
    def get(self, key: Any, default: Any = None) -> Any:
        return next((text for known, text in self.items() if known[0].looks == key[0].looks), default)


class _Ear:
    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer


def test_only_the_actor_is_told_that_the_move_was_theirs() -> None:
    made = desk(TableSettings("classic", 2, first=0))
    doer, other = _Ear(at({0})), _Ear(at({0}))
    batch = News(made.table, made.random_act(Random(1)), 5, Told(), (doer, 'x"1'))
    mine, theirs = (msgspec.json.decode(batch.text(ear)) for ear in (doer, other))
    assert mine.pop("done") == 'x"1'
    assert mine == theirs


def test_a_batch_of_chat_alone_carries_no_state() -> None:
    made = desk(TableSettings("classic", 2))
    said = made.put([Chatted(0, "Ada", "hello"), Chatted(1, "Ben", "hi")])
    told = msgspec.json.decode(News(made.table, said, 5, Told()).text(_Ear(at({0}))))
    assert told["state"] is None
    assert [entry["data"]["text"] for entry in told["entries"]] == ["hello", "hi"]
    mixed = [*said, *made.random_act(Random(1))]
    assert msgspec.json.decode(News(made.table, mixed, 5, Told()).text(_Ear(SPECTATOR)))["state"]


def test_an_update_leaves_out_the_past_and_says_how_much_there_is() -> None:
    made = desk(TableSettings("classic", 2, first=0))
    for _ in range(9):
        entries = made.random_act(Random(1))
    batch = News(made.table, entries, 5, Told())
    ears = _Ear(at({0})), _Ear(SPECTATOR)
    for ear in ears:
        brief, whole = (
            msgspec.json.decode(batch.text(ear, past=past))["state"]["game"] for past in (False, True)
        )
        assert brief["view"].pop("events") == []
        assert len(whole["view"].pop("events")) == len(made.game.position.events) == whole["told"]
        assert brief == whole


def test_the_cached_view_follows_take_backs_and_the_next_game() -> None:
    made, told, rng = desk(TableSettings("classic", 2, games=2, first=0)), Told(), Random(3)

    def same() -> None:
        for viewer in (at({0}), at({1}), SPECTATOR):
            kept = msgspec.json.encode(table_view(made.table, viewer, 5, told))
            assert kept == msgspec.json.encode(table_view(made.table, viewer, 5))
            shown = msgspec.json.decode(kept)["game"]["view"]["events"]
            assert len(shown) == len(made.game.position.events)

    for _ in range(8):
        made.random_act(rng)
        same()
        if made.game.mover is not None and decisions.step_back(made.game, made.game.mover) is not None:
            made.put(decisions.take_back(made.table, made.game.mover))
            same()
            made.random_act(rng)
    made.play_out(rng)
    same()
    made.next_game()
    same()


def test_the_cached_view_follows_who_sits_where() -> None:
    made, told, rng = desk(TableSettings("classic", 3, games=2), start=False), Told(), Random(3)

    def shown() -> list[list[dict[str, Any]]]:
        found = []
        for viewer in (at({0}), at({1}), Viewer(frozenset(), frozenset({1, 2})), SPECTATOR):
            kept = msgspec.json.encode(table_view(made.table, viewer, 5, told))
            assert kept == msgspec.json.encode(table_view(made.table, viewer, 5))
            found.append(msgspec.json.decode(kept)["places"])
        return found

    seen = [shown()]
    made.put(decisions.start(made.table, ADA))
    seen.append(shown())
    made.put(decisions.substitute(made.table, 1))
    seen.append(shown())
    while not made.table.covered[1]:
        made.random_act(rng)
    seen.append(shown())
    made.put(decisions.come_back(made.table, made.table.holders[1].device or "", 1))
    seen.append(shown())
    made.play_out(rng)
    made.next_game()
    seen.append(shown())
    assert all(before != after for before, after in pairwise(seen))


def test_a_seated_device_looks_from_its_place_and_others_are_spectators() -> None:
    made = desk(TableSettings("classic", 3), start=False)
    table = made.table
    assert viewer_of(table, ADA) == Viewer(frozenset({0}), frozenset({0}), True)
    both = msgspec.structs.replace(table.holders[1], device=ADA)
    several = replace(table, holders=(table.holders[0], both, table.holders[2]))
    # A device with several places starts behind a curtain, unless it looked from one of them before.
    assert viewer_of(several, ADA) == Viewer(frozenset(), frozenset({0, 1}), True)
    assert viewer_of(several, ADA, viewer_of(table, ADA)).looks == {0}
    assert viewer_of(table, ADA, Viewer(frozenset({1}), frozenset({0, 1}), True)).looks == frozenset()
    assert viewer_of(table, "") == viewer_of(table, "z" * 32) == SPECTATOR


@given(games, seeds)
def test_nothing_sent_names_a_secret_or_device_and_only_players_see_the_code(
    game: tuple[str, int], seed: int
) -> None:
    made = played(game, seed)
    if not made.table.is_running:
        return
    for viewer in (at({0}), SPECTATOR):
        sent = update_text(made.table, made.log, viewer, 5, Told())
        assert made.game.started.secret not in sent
        assert ADA not in sent
        assert (f'"{made.table.code}"' in sent) == bool(viewer.own)


def test_spectators_chat_in_a_silent_team_game_is_hidden_until_it_ends() -> None:
    """TEAM"""
    made = desk(TableSettings("classic-team", 4))
    said = made.put(decisions.chat(made.table, None, "Zoe", "take the green one", "", Limits()))[0]
    behind_a_curtain = Viewer(frozenset(), frozenset({0, 1}))
    everybody = (at({0}), behind_a_curtain, SPECTATOR, Viewer(host=True))
    for viewer in everybody:  # spectators too: a player might be watching from another device
        assert "green" not in str(entry_view(made.table, said, viewer))
        assert "green" not in str(table_view(made.table, viewer, 5))
        assert "Zoe" not in update_text(made.table, made.log, viewer, 5, Told())
        assert table_view(made.table, viewer, 5).talk_later == (not viewer.own)
    before = made.put(decisions.resign(made.table, 0))[0].seq
    for viewer in everybody:
        assert "green" in str(table_view(made.table, viewer, 5))
        assert not table_view(made.table, viewer, 5).talk_later
    # What was said between two games isn't part of the second one, and stays.
    made.next_game()
    assert made.game.since > before
    for viewer in everybody:
        assert "green" in str(table_view(made.table, viewer, 5))


def test_places_that_share_a_device_are_marked_when_others_play_too() -> None:
    made = Desk()
    me, someone = PlaceChoice("me"), PlaceChoice("open")
    made.put(decisions.create(TableSettings("classic", 3), [me, me, someone], ADA, "Ada", "", "CODES"))

    def shares() -> list[list[int]]:
        for viewer in (at({0, 1}), SPECTATOR):
            assert ADA not in update_text(made.table, made.log, viewer, 5, Told())
        return [place.shares for place in table_view(made.table, SPECTATOR, 5).places]

    assert shares() == [[1], [0], []]  # somebody may join, and should know
    made.put(decisions.set_place(made.table, ADA, 2, PlaceChoice("bot", "greedy")))
    assert shares() == [[], [], []]
    made.put(decisions.set_place(made.table, ADA, 2, someone))
    made.put(decisions.sit(made.table, BEN, "Ben", ""))
    assert shares() == [[1], [0], []]
    marks = [place.mark for place in table_view(made.table, SPECTATOR, 5).places]
    assert marks[0] == marks[1] != marks[2]


@pytest.mark.parametrize(
    ("places", "told"), [("mo", True), ("mg", False), ("mm", False), ("oo", True), ("og", True)]
)
def test_joiners_are_told_that_a_game_continues_from_a_record(places: str, told: bool) -> None:
    past = desk(TableSettings("classic", 2))
    past.random_act(Random(1))
    kinds = {"m": PlaceChoice("me"), "o": PlaceChoice("open"), "g": PlaceChoice("bot", "greedy")}
    chosen, record = [kinds[letter] for letter in places], past.game.record()
    settings, public = TableSettings("classic", 2), TableSettings("classic", 2, public=True)
    with pytest.raises(Refused) as refused:
        decisions.create(public, chosen, ADA, "Ada", "", "CODES", record)
    assert refused.value.code == "continue-public"
    made = Desk()
    made.put(decisions.create(settings, chosen, ADA, "Ada", "", "CODES", record))
    assert table_view(made.table, SPECTATOR, 5).continued == told
    for device, _ in zip((BEN, CAT), made.table.open_places, strict=False):
        made.put(decisions.sit(made.table, device, "B", ""))
        assert table_view(made.table, SPECTATOR, 5).continued
    made.put(decisions.start(made.table, ADA))
    assert table_view(made.table, SPECTATOR, 5).continued == told
    made.play_out(Random(2))
    made.next_game()  # a fresh deal
    assert not table_view(made.table, SPECTATOR, 5).continued


def test_legal_moves_are_small_and_only_for_the_mover(variant: str, seats: int) -> None:
    made = desk(TableSettings(variant, seats, first=0))
    rng = Random(3)
    for _ in range(25):
        if not made.table.is_running:
            break
        for place in range(seats):
            legal = views.legal_for(made.table, at({place}))
            assert (legal is not None) == (place == made.game.mover)
            assert len(msgspec.json.encode(legal)) < 64 * 1024
        assert views.legal_for(made.table, SPECTATOR) is None
        made.random_act(rng)


def test_folding_the_sent_events_gives_the_servers_position(variant: str, seats: int) -> None:
    """A client that folds the events it is sent has the same tracks as the server."""
    made = desk(TableSettings(variant, seats))
    made.play_out(Random(1))
    game: Game = made.game
    everyone, position = at(range(seats)), game.positions[0][1]
    for entry in made.log:
        if isinstance(entry.body, Acted):
            for data in entry_view(made.table, entry, everyone).data["events"]:
                position = fold(position, event_from(data))
    assert position == game.position


@given(games, seeds, places)
def test_the_entries_together_make_up_the_history(
    game: tuple[str, int], seed: int, chosen: frozenset[int]
) -> None:
    """For every viewer, whatever was taken back: nobody needs to be told the past twice."""
    made = played(game, seed)
    viewer = at({place for place in chosen if place < game[1]})
    history: list[tuple[int, list[Any]]] = []
    for entry in made.log:
        data = entry_view(made.table, entry, viewer).data
        if isinstance(entry.body, TakenBack):
            history = [(seq, events) for seq, events in history if seq <= entry.body.to]
        elif isinstance(entry.body, Started | Acted):
            history.append((entry.seq, list(data["events"])))
    told = msgspec.json.decode(msgspec.json.encode(table_view(made.table, viewer, 5)))
    assert [event for _, events in history for event in events] == told["game"]["view"]["events"]
