"""The referee passes every lawful record and names the first lie in every other."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.play import GAMES, some
from tools.mutations import MUTATIONS

import genial
from genial.arena.simulate import Plan, play_game
from genial.core.errors import RecordError
from genial.core.record import deal_key, dump, read, record_of
from genial.core.referee import load, replay
from genial.core.situation import Phase


def test_samples_are_lawful_and_replay_to_their_own_tracks(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    assert genial.check(text).status == "lawful"
    position = load(text)
    end = json.loads(text)["events"][-1]
    assert position.result is not None
    assert [list(markers) for markers in position.result.tracks] == end["tracks"]
    assert list(position.result.ranks) == end["ranks"]


def test_samples_round_trip_byte_for_byte_up_to_white_space(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    assert dump(record_of(load(text))).split() == text.split()


@pytest.mark.thorough
@pytest.mark.parametrize("bot", ["random", "balanced"])
def test_bots_play_lawful_games(variant: str, seats: int, bot: str) -> None:
    for game in some(range(6), 2):
        end = play_game(Plan(variant, seats, (bot,) * seats, 1, f"check-{bot}"), game)
        verdict = genial.check(record_of(end))
        assert verdict.status == "lawful", verdict.text()


@cache
def _base_records() -> list[dict[str, Any]]:
    ends = [
        play_game(Plan(variant, seats, (bot,) * seats, 1, f"base-{bot}"), game)
        for variant, seats in GAMES
        for bot in ("balanced", "greedy")
        for game in some(range(2), 1)
    ]
    return [record_of(end) for end in ends]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", MUTATIONS)
def test_every_lie_is_refused_with_the_right_ruling(kind: str) -> None:
    rng, told = Random(kind), 0
    for record in _base_records():
        lie = MUTATIONS[kind](copy.deepcopy(record), rng)
        if lie is None:
            continue
        told += 1
        verdict = genial.check(lie[0])
        assert verdict.status == "breach", (record["variant"], kind)
        assert verdict.ruling in lie[1], (record["variant"], verdict.text(), lie[1])
        assert verdict.text()
    assert told > 5, "few records have a place for this lie"


def _finished(variant: str = "classic") -> dict[str, Any]:
    return record_of(play_game(Plan(variant, 2, ("random",) * 2, 1, "x"), 0))


def test_the_breach_names_the_event() -> None:
    record = _finished()
    record["events"][8]["gain"] = [9, 9, 9, 9, 9, 9]
    verdict = genial.check(record)
    assert (verdict.status, verdict.event, verdict.ruling) == ("breach", 8, "SCORING")
    assert "event 8" in verdict.text()
    assert verdict.text("de") != verdict.text("nl") != verdict.text()


def test_an_unfinished_record_is_lawful_so_far() -> None:
    record = _finished()
    record["events"] = record["events"][:20]
    assert genial.check(record).code == "end-absent"
    record["unfinished"] = True
    assert genial.check(record).status == "lawful so far"
    assert load(record).events[-1].type in ("place", "draw")


def test_a_finished_record_cannot_be_marked_unfinished() -> None:
    assert genial.check(_finished() | {"unfinished": True}).code == "unfinished-over"


def test_unknown_keys_are_ignored_and_unknown_events_are_a_breach() -> None:
    record = _finished() | {"dates": {"played": "today"}, "names": ["Ada", "Ben"]}
    record["events"][5]["comment"] = "well placed"
    assert genial.check(record).ok
    record["events"].insert(5, {"type": "teleport"})
    assert (genial.check(record).code, genial.check(record).event) == ("event-type", 5)


@pytest.mark.parametrize(
    ("change", "ruling"),
    [
        (lambda board: board["cells"].pop(), "BOARD"),
        (lambda board: board["cells"].append([0, 0]), "BOARD"),
        (lambda board: board["start"].update(R=[1, 1]), "PRINTED"),
        (lambda board: board["start"].update(R=[0, 5], O=[0, -5]), "PRINTED"),
        (lambda board: board["start"].update(X=[0, 0]), "PRINTED"),
    ],
)
def test_a_wrong_board_is_a_breach(change: Any, ruling: str) -> None:
    record = _finished()
    change(record["board"])
    verdict = genial.check(record)
    assert (verdict.status, verdict.event, verdict.ruling) == ("breach", None, ruling)


def test_a_record_that_states_its_seed_must_be_dealt_by_it(variant: str, seats: int) -> None:
    """DEAL"""
    plan = Plan(variant, seats, ("greedy",) * seats, 1, "deal")
    record = record_of(play_game(plan, 0), deal={"scheme": "genial-deal/1", "seed": "deal-0"})
    assert genial.check(record).ok
    record["deal"]["seed"] = "deal-1"
    assert genial.check(record).ruling == "DEAL"


def test_deals_may_be_listed_in_any_order_of_seats() -> None:
    record = _finished()
    events = record["events"]
    events[0], events[1] = events[1], events[0]
    events[0]["tiles"].reverse()
    events[0]["tiles"] = [tile[::-1] for tile in events[0]["tiles"]]
    assert genial.check(record).status == "lawful"


@pytest.mark.parametrize("reason", ["resign", "time", "abandoned"])
def test_leaving_ends_a_game_of_two_sides(reason: str) -> None:
    """LEAVING"""
    position = genial.new("classic-team", seed=3)
    position, _ = position.apply(position.actions()[0])
    end, events = position.leave(2, reason)
    assert events[0].ranks == (3, 1, 3, 1)  # type: ignore[union-attr]
    record = record_of(end)
    assert genial.check(record).status == "lawful"
    for key, value in (("ranks", [1, 3, 1, 3]), ("by", 1), ("by", 9)):
        lie = copy.deepcopy(record)
        lie["events"][-1][key] = value
        assert genial.check(lie).ruling == "LEAVING"
    del record["events"][-1]["by"]
    assert genial.check(record).code == "by-missing"


def test_leaving_does_not_end_a_game_of_three() -> None:
    """LEAVING"""
    record = record_of(genial.new("classic", seats=3, seed=3))
    del record["unfinished"]
    tracks = [[0] * 6] * 3
    record["events"].append(
        {"type": "end", "reason": "resign", "by": 0, "tracks": tracks, "ranks": [3, 1, 1]}
    )
    assert genial.check(record).code == "leave-many"


def test_replay_gives_every_position() -> None:
    record = read(_finished("cards"))
    positions = list(replay(record))
    assert len(positions) == len(record.events) + 1
    assert [len(position.events) for position in positions] == list(range(len(positions)))


@pytest.mark.thorough
def test_a_record_cut_off_anywhere_loads_as_a_playable_position(variant: str, seats: int) -> None:
    end = play_game(Plan(variant, seats, ("balanced",) * seats, 1, "cut"), 0)
    whole = record_of(end, **deal_key(end))
    for events in some(range(len(whole["events"])), 16):
        cut = {**whole, "unfinished": True, "events": whole["events"][:events]}
        position = load(cut)
        assert position.actions() or position.is_over
        del cut["deal"]
        *_, last = replay(read(cut))
        if last.phase in (Phase.DEAL, Phase.DRAW):
            with pytest.raises(RecordError, match="in the middle of a draw"):
                load(cut)
        else:
            position = load(cut)
            assert position.actions() or position.is_over


def test_an_error_quotes_a_value_as_the_record_writes_it() -> None:
    record = record_of(genial.new("travel", seed=7))
    with pytest.raises(RecordError, match=r'version "1" of the rulings'):
        read({**record, "rules": "1"})
    with pytest.raises(RecordError, match=r"version \[1\] of the rulings"):
        read({**record, "rules": [1]})
