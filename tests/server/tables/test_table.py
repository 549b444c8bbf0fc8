"""Tables as folds of their log: places, series, taking back, leaving, talking, clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.server.desk import ADA, BEN, CAT, Desk, desk
from tests.server.operations import hub_on, listening, new_table, play

import genial
from genial.core.actions import Refill
from genial.core.errors import GenialError, IllegalAction
from genial.core.events import Event
from genial.core.fair import commitment, game_seed
from genial.core.fold import fold
from genial.core.position import Position
from genial.server.tables import decisions, rematch
from genial.server.tables.entries import Body, Revealed, Seated, Started, kind_of
from genial.server.tables.errors import Forbidden, NotFound, Refused
from genial.server.tables.log import table_from
from genial.server.tables.rows import table_row
from genial.server.tables.settings import Clock, Limits, PlaceChoice, TableSettings
from genial.server.tables.table import Table
from genial.server.tables.views import SPECTATOR, Viewer, table_view

LIMITS = Limits()


def refused(code: str, action: Callable[[], object]) -> None:
    with pytest.raises(GenialError) as caught:
        action()
    assert caught.value.code == code


def test_a_table_is_the_fold_of_its_log(variant: str, seats: int) -> None:
    made = desk(TableSettings(variant, seats, games=2))
    rng = Random(3)
    made.play_out(rng)
    made.next_game()
    for _ in range(9):
        made.random_act(rng)
    again = table_from("desk", made.kept)
    assert again.game is not None
    assert again.game.position == made.game.position
    assert again.series == made.table.series
    assert again.holders == made.table.holders
    assert again.status == "running"


@pytest.mark.first_of_each
def test_earlier_tables_stay_as_they_were(variant: str, seats: int) -> None:
    """A table is a value: an earlier one stays the same, to the byte."""
    made, rng = desk(TableSettings(variant, seats, games=2, chat="open")), Random(4)
    kept = [(made.table, _bytes(made.table))]

    def keep() -> None:
        kept.append((made.table, _bytes(made.table)))

    for number in range(24):
        if not made.table.is_running:
            made.next_game()
        made.random_act(rng)
        keep()
        if number % 5 == 4 and made.table.is_running and made.game.mover is not None:
            try:
                made.put(decisions.take_back(made.table, made.game.mover))
            except Refused:
                made.put(decisions.chat(made.table, 0, "Ada", "hello", "", LIMITS))
            keep()
    assert [_bytes(table) for table, _ in kept] == [before for _, before in kept]


def _bytes(table: Table) -> bytes:
    """Everything that a table shows: to those who see all, to spectators, and to the list of tables."""
    everyone = Viewer(frozenset(range(4)), frozenset(range(4)), host=True)
    views = [table_view(table, viewer, 5) for viewer in (everyone, SPECTATOR)]
    return msgspec.json.encode([*views, table_row(table)]) + repr(table).encode()


def test_a_placement_is_folded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the decision to every listener, each event is folded only once."""
    counted: list[Event] = []

    def counting(position: Position, event: Event) -> Position:
        counted.append(event)
        return fold(position, event)

    async def placed() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            table = await new_table(hub, TableSettings("classic", 2, first=0))
            for viewer in (Viewer(frozenset({0}), frozenset({0, 1}), host=True), SPECTATOR):
                await hub.subscribe(table.id, listening(ADA, viewer))
            for module in ("genial.core.position", "genial.core.referee", "genial.server.tables.table"):
                monkeypatch.setattr(f"{module}.fold", counting)
            for _ in range(5):
                before = len(table.game.position.events)
                await play(hub, table, Random(1), moves=1)
                assert counted == list(table.game.position.events[before:]) != []
                counted.clear()

    asyncio.run(placed())


def test_a_finished_game_proves_its_deal(variant: str, seats: int) -> None:
    """DEAL: the commitment was published before the first tile; secret and bits deal exactly these tiles."""
    made = desk(TableSettings(variant, seats))
    started = made.game.started
    assert started.commitment == commitment(started.secret)
    made.play_out(Random(5))
    record = made.game.record()
    assert record["deal"]["seed"] == game_seed(started.secret, started.bits)
    assert genial.check(record).status == "lawful"
    for key, lie in (("secret", "00" * 32), ("commitment", "00" * 32), ("bits", ["22" * 16] * seats)):
        changed = {**record, "deal": {**record["deal"], key: lie}}
        assert genial.check(changed).ruling == "DEAL"
    assert isinstance(made.log[-2].body, Revealed)


def test_the_server_commits_itself_before_anybody_adds_bits() -> None:
    """DEAL: commitment, then bits, then the game; again before every game of a series."""
    made = desk(TableSettings("cards", 2, games=2))
    made.play_out(Random(1))
    bound = made.table.committed
    assert bound is not None
    made.put(rematch.agree(made.table, BEN + "1", "22" * 16, [0, 1], None))
    made.put(rematch.agree(made.table, ADA, "33" * 16, [0, 1], None))
    assert made.game.started.bits == ["33" * 16, "22" * 16]
    assert made.game.started.commitment == bound.commitment
    kinds = [kind_of(entry.body) for entry in made.log]
    assert kinds[:4] == ["created", "committed", "seated", "seated"]
    assert kinds[-6:] == ["committed", "offered", "mixed", "offered", "mixed", "started"]
    refused("table-started", lambda: decisions.mix(made.table, ADA, "44" * 16))
    made.play_out(Random(2))
    assert genial.check(made.game.record()).status == "lawful"


def test_a_host_may_look_at_the_commitment_before_adding_bits() -> None:
    """DEAL"""
    made = Desk()
    places = [PlaceChoice("me"), PlaceChoice("bot", "greedy")]
    made.put(decisions.create(TableSettings("travel", 2), places, ADA, "Ada", "", "CODES"))
    assert not decisions.is_ready(made.table)
    made.put(decisions.mix(made.table, ADA, "55" * 16))
    assert decisions.is_ready(made.table)


def test_every_game_has_its_own_secret() -> None:
    made = desk(TableSettings("cards", 2, games=3))
    for _ in range(2):
        made.play_out(Random(1))
        made.next_game()
    secrets = [entry.body.secret for entry in made.log if isinstance(entry.body, Started)]
    assert len(set(secrets)) == 3


def test_the_start_passes_clockwise_through_series_and_rematch() -> None:
    """FIRST-SEAT, SERIES"""
    made = desk(TableSettings("cards", 3, games=2, first=1))
    firsts = [made.game.place_of(0)]
    for _ in range(3):
        made.play_out(Random(1))
        made.next_game()
        firsts.append(made.game.place_of(0))
    assert firsts == [1, 2, 0, 1]


def test_a_series_adds_up_each_places_lowest_marker() -> None:
    made = desk(TableSettings("classic", 2, games=2, first=0))
    made.play_out(Random(1))
    assert made.table.status == "between"
    first = made.game
    made.next_game()
    made.play_out(Random(2))
    assert made.table.status == "over"
    assert made.table.series is not None
    assert first.result is not None
    assert made.game.result is not None
    lowest = [min(first.result.tracks[place]) for place in range(2)]
    # In the second game place 1 has seat 0.
    lowest = [lowest[0] + min(made.game.result.tracks[1]), lowest[1] + min(made.game.result.tracks[0])]
    assert made.table.series.totals == tuple(lowest)


def test_partners_stay_opposite_whoever_begins() -> None:
    """TEAM"""
    for first in range(4):
        made = desk(TableSettings("classic-team", 4, first=first))
        sides = made.game.series.setup.title.sides
        assert sides.side_of(made.game.seat_of(0)) == sides.side_of(made.game.seat_of(2))
        assert sides.side_of(made.game.seat_of(0)) != sides.side_of(made.game.seat_of(1))


def test_places_can_be_arranged_before_the_start() -> None:
    made = Desk()
    settings = TableSettings("classic", 3, start="host")
    places = [PlaceChoice("me"), PlaceChoice("bot", "greedy"), PlaceChoice("open")]
    made.put(decisions.create(settings, places, ADA, "Ada", "", "CODES"))
    assert made.table.status == "open"
    refused("places-open", lambda: decisions.start(made.table, ADA))
    refused("place-taken", lambda: decisions.sit(made.table, BEN, "Ben", "", 1))
    refused("place-unknown", lambda: decisions.sit(made.table, BEN, "Ben", "", 7))
    made.put(decisions.sit(made.table, BEN, "Ben", ""))
    refused("table-full", lambda: decisions.sit(made.table, CAT, "Cat", ""))
    refused("host-only", lambda: decisions.set_place(made.table, BEN, 1, PlaceChoice("open")))
    refused("host-only", lambda: decisions.start(made.table, BEN))
    made.put(decisions.leave(made.table, BEN, 2))
    assert made.table.open_places == [2]
    made.put(decisions.set_place(made.table, ADA, 2, PlaceChoice("me", name="Ada's sister")))
    assert made.table.places_of(ADA) == {0, 2}
    made.put(decisions.start(made.table, ADA))
    refused("table-started", lambda: decisions.set_place(made.table, ADA, 1, PlaceChoice("open")))
    refused("table-started", lambda: decisions.sit(made.table, CAT, "Cat", ""))
    assert decisions.sit(made.table, ADA, "Ada", "") == []


@pytest.mark.parametrize(
    ("settings", "places", "code"),
    [
        (TableSettings("chess", 2), 2, "variant-unknown"),
        (TableSettings("travel", 3), 3, "seats-unknown"),
        (TableSettings("classic", 2), 3, "places-count"),
        (TableSettings("classic", 2, first=3), 2, "seat-unknown"),
    ],
)
def test_an_impossible_table_is_refused(settings: TableSettings, places: int, code: str) -> None:
    refused(code, lambda: decisions.create(settings, [PlaceChoice("open")] * places, ADA, "Ada", "", "X"))
    refused(
        "bot-unknown",
        lambda: decisions.create(
            TableSettings("travel", 2), [PlaceChoice("bot", "nobody")] * 2, ADA, "Ada", "", "X"
        ),
    )


def test_only_the_mover_acts_and_only_lawfully() -> None:
    made = desk(TableSettings("classic", 2, first=0))
    before = made.table.seq, made.game.position
    refused("not-your-turn", lambda: decisions.act(made.table, 1, Refill()))
    with pytest.raises(IllegalAction):
        decisions.act(made.table, 0, Refill())
    refused("place-unknown", lambda: decisions.act(made.table, 9, Refill()))
    assert (made.table.seq, made.game.position) == before


def test_placements_of_this_turn_can_be_taken_back_until_the_turn_ends() -> None:
    made = desk(TableSettings("classic", 2, first=0))
    start = made.game.position
    refused("take-back-none", lambda: decisions.take_back(made.table, 0))
    made.random_act(Random(1))
    refused("take-back-none", lambda: decisions.take_back(made.table, 1))
    made.put(decisions.take_back(made.table, 0))
    assert made.game.position == start
    made.random_act(Random(2))
    made.put(decisions.act(made.table, 0, Refill()))
    refused("take-back-none", lambda: decisions.take_back(made.table, 0))
    refused("take-back-none", lambda: decisions.take_back(made.table, 1))
    assert table_from("desk", made.kept).game.position == made.game.position  # type: ignore[union-attr]


def test_going_further_back_needs_everybody_and_never_crosses_a_draw() -> None:
    made = desk(TableSettings("classic", 2, first=0))
    begun = made.game.seq
    made.random_act(Random(1))
    made.put(decisions.act(made.table, 0, Refill()))
    refused("take-back-draw", lambda: decisions.ask_back(made.table, 0, begun))
    after_draw = made.game.seq
    made.random_act(Random(1))
    made.put(decisions.ask_back(made.table, 0, after_draw))
    assert made.game.position.phase.value == "end-turn"
    made.put(decisions.answer(made.table, 1, False))
    refused("nothing-asked", lambda: decisions.answer(made.table, 1, True))
    made.put(decisions.ask_back(made.table, 0, after_draw))
    made.put(decisions.answer(made.table, 1, True))
    assert made.game.position.phase.value == "place"
    refused("take-back-unknown", lambda: decisions.ask_back(made.table, 0, 999))


def test_a_request_ignores_players_who_left_and_ends_when_its_asker_leaves() -> None:
    made = desk(TableSettings("classic", 3, first=0))
    made.random_act(Random(1))
    made.put(decisions.act(made.table, 0, Refill()))
    before = made.game.seq
    for leaver, answered, back in ((2, 1, True), (0, 1, False)):
        made.random_act(Random(1))
        placed = made.game.position
        made.put(decisions.ask_back(made.table, 0, before))
        made.put(decisions.answer(made.table, answered, True))
        assert made.table.asked is not None
        device = (ADA, BEN + "1", CAT + "2")[leaver]
        made.put(decisions.leave(made.table, device, leaver))
        assert made.table.asked is None
        assert (made.game.position != placed) is back
        before = made.game.seq
        made.put(decisions.come_back(made.table, device, leaver))


def test_a_practice_table_goes_back_across_a_draw_and_its_record_says_so() -> None:
    made = desk(TableSettings("classic-solo", 1, practice=True))
    begun, start = made.game.seq, made.game.position
    for _ in range(3):
        made.random_act(Random(1))
    made.put(decisions.ask_back(made.table, 0, begun))
    assert made.game.position == start
    made.play_out(Random(4))
    record = made.game.record()
    assert record["practice"] == {"taken_back": 1}
    assert genial.check(record).status == "lawful"


def test_resigning_ends_a_game_of_two_and_leaves_a_bot_in_a_game_of_three() -> None:
    """LEAVING"""
    two = desk(TableSettings("classic", 2, first=0))
    two.put(decisions.resign(two.table, 0))
    assert two.game.result is not None
    assert (two.game.result.ranks, two.game.result.by) == ((2, 1), 0)
    assert genial.check(two.game.record()).status == "lawful"
    three = desk(TableSettings("classic", 3, first=0))
    three.put(decisions.resign(three.table, 0))
    assert three.table.is_running
    assert three.table.bot_to_move() == decisions.SUBSTITUTE
    refused("table-not-running", lambda: decisions.act(two.table, 0, Refill()))


def test_partners_are_silent_from_deal_to_end() -> None:
    """TEAM"""
    made = desk(TableSettings("classic-team", 4), start=False)

    def say(text: str = "", phrase: str = "") -> list[Body]:
        return decisions.chat(made.table, 0, "Ada", text, phrase, LIMITS)

    made.put(say("hello all"))
    made.put(decisions.start(made.table, ADA))
    refused("chat-team", lambda: say("play green"))
    refused("chat-team", lambda: say(phrase="well-played"))
    made.put(say(phrase="hello"))
    made.put(decisions.chat(made.table, None, "Zoe", "nice", "", LIMITS))
    made.put(decisions.resign(made.table, 0))
    made.put(say("that was fun"))
    agreed = desk(TableSettings("classic-team", 4, open_talk=True))
    agreed.put(decisions.chat(agreed.table, 0, "Ada", "play green", "", LIMITS))


def test_chat_has_limits() -> None:
    made = desk(TableSettings("classic", 2))
    for code, text, phrase in (
        ("chat-empty", "  ", ""),
        ("chat-long", "x" * 201, ""),
        ("chat-phrase", "", "rude"),
    ):
        refused(code, partial(decisions.chat, made.table, 0, "A", text, phrase, LIMITS))
    off = desk(TableSettings("classic", 2, chat="off"))
    refused("chat-off", lambda: decisions.chat(off.table, 0, "A", "hi", "", LIMITS))
    phrases = desk(TableSettings("classic", 2, chat="phrases"))
    refused("chat-phrases-only", lambda: decisions.chat(phrases.table, 0, "A", "hi", "", LIMITS))
    phrases.put(decisions.chat(phrases.table, 0, "A", "", "thanks", LIMITS))


def test_the_host_can_mute_and_unmute() -> None:
    made = desk(TableSettings("classic", 3))
    ben, zoe = made.table.mark(BEN + "1"), made.table.mark("z" * 32)

    def say(place: int | None, mark: str, text: str = "hm", phrase: str = "") -> list[Body]:
        return decisions.chat(made.table, place, "x", text, phrase, LIMITS, mark)

    refused("person-unknown", lambda: decisions.mute(made.table, ADA, zoe, True))
    made.put(say(None, zoe))
    for mark, place in ((ben, 1), (zoe, None)):
        for device in (BEN + "1", CAT + "2", "z" * 32):
            refused("host-only", partial(decisions.mute, made.table, device, mark, True))
        made.put(decisions.mute(made.table, ADA, mark, True))
        assert not decisions.mute(made.table, ADA, mark, True)
        refused("muted", partial(say, place, mark))
        refused("muted", partial(say, place, mark, "", "hello"))
        made.put(say(2, made.table.mark(CAT + "2")))
        assert table_from("desk", made.kept).muted == {mark}
        made.put(decisions.mute(made.table, ADA, mark, False))
        made.put(say(place, mark))
    refused("host-self", lambda: decisions.mute(made.table, ADA, made.table.mark(ADA), True))
    refused("person-unknown", lambda: decisions.mute(made.table, ADA, "", True))


def test_the_host_can_remove_spectators_any_time_and_players_before_the_game() -> None:
    made = desk(TableSettings("classic", 3), start=False)
    ben, cat, zoe = (made.table.mark(device) for device in (BEN + "1", CAT + "2", "z" * 32))
    refused("host-only", lambda: decisions.remove(made.table, CAT + "2", ben))
    refused("host-self", lambda: decisions.remove(made.table, ADA, made.table.mark(ADA)))
    refused("person-unknown", lambda: decisions.remove(made.table, ADA, zoe))
    made.put(decisions.remove(made.table, ADA, ben))
    assert made.table.open_places == [1]
    assert made.table.has_removed(BEN + "1")
    assert not made.table.has_removed("")
    refused("removed", lambda: decisions.sit(made.table, BEN + "1", "Ben again", "", 1))
    refused("removed", lambda: decisions.chat(made.table, None, "Ben", "hm", "", LIMITS, ben))
    made.put(decisions.sit(made.table, BEN + "3", "Eve", "11" * 16))
    made.put(decisions.start(made.table, ADA))
    refused("remove-player", lambda: decisions.remove(made.table, ADA, cat))
    made.put(decisions.chat(made.table, None, "Zoe", "hm", "", LIMITS, zoe))
    made.put(decisions.remove(made.table, ADA, zoe))
    assert not decisions.remove(made.table, ADA, zoe)
    assert table_from("desk", made.kept).removed == {ben, zoe}
    made.play_out(Random(1))
    refused("remove-player", lambda: decisions.remove(made.table, ADA, cat))


def test_a_clock_runs_out_for_the_mover_only() -> None:
    made = desk(TableSettings("classic", 2, first=0, clock=Clock(move=30)))
    made.now += 29_000
    assert decisions.run_out(made.table, made.now) == []
    made.random_act(Random(1))  # a placement doesn't stop the clock; the end of the turn does
    made.now += 1_500
    made.put(decisions.run_out(made.table, made.now))
    assert made.game.result is not None
    assert (made.game.result.reason, made.game.result.by) == ("time", 0)


def test_total_time_counts_down_with_an_increment() -> None:
    made = desk(TableSettings("classic", 2, first=0, clock=Clock(total=60, increment=5)))
    made.now += 20_000
    made.random_act(Random(1))
    made.put(decisions.act(made.table, 0, Refill()))
    assert made.table.clock.left == (45_000, 60_000)
    assert made.table.clock.deadline() == made.now + 60_000


def test_downtime_is_charged_to_nobody() -> None:
    made = desk(TableSettings("classic", 2, first=0, clock=Clock(move=30)))
    made.now += 10_000
    made.random_act(Random(1))
    made.now += 3_600_000  # the server was down
    made.put(decisions.resume(made.table))
    assert made.table.clock.deadline() == made.now + 20_000
    assert decisions.run_out(made.table, made.now + 19_000) == []
    assert decisions.resume(desk(TableSettings("classic", 2)).table) == []


def test_closing_a_running_game_reveals_its_secret() -> None:
    made = desk(TableSettings("classic", 2))
    entries = made.put(decisions.close(made.table, "operator"))
    assert [kind_of(entry.body) for entry in entries] == ["revealed", "closed"]
    with pytest.raises(NotFound):
        decisions.start(made.table, ADA)
    assert made.table.status == "closed"


def test_a_game_continued_from_a_record_has_a_reshuffled_bag() -> None:
    past = desk(TableSettings("classic", 2))
    for _ in range(10):
        past.random_act(Random(1))
    record = past.game.record()
    made = desk(TableSettings("classic", 2, first=0), start=False)
    body = decisions.start(made.table, ADA)[0]
    assert isinstance(body, Started)
    made.put([Started(body.number, 0, body.commitment, body.bits, body.secret, start=record)])
    assert made.game.position.tracks == past.game.position.tracks
    assert sorted(made.game.position.bag) == sorted(past.game.position.bag)
    assert made.game.position.bag != past.game.position.bag
    made.play_out(Random(2))
    assert genial.check(made.game.record()).status == "lawful"


def test_each_kind_of_error_has_its_own_status() -> None:
    assert (Refused.status, Forbidden.status, NotFound.status) == (409, 403, 404)
    assert isinstance(Seated(0, desk(TableSettings("travel", 2)).table.holders[0]), Seated)
