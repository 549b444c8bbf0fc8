"""Saving, resuming, taking back, and who is looking at the screen."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from tests.terminal.acts import act

import genial
from genial.core.actions import Action, Place, Refill
from genial.core.errors import GenialError, IllegalAction, RecordError
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN
from genial.terminal.bot_worker import BotWorker
from genial.terminal.entry import new_session
from genial.terminal.saves import read_record, saved_games, write_whole
from genial.terminal.session import Session


def play_on(session: Session, acts: int) -> None:
    """Do this many actions, each the first lawful one; bots choose for themselves."""
    for _ in range(acts):
        if session.is_over:
            return
        act(session)


def resumed(session: Session) -> Session:
    assert session.path is not None
    return Session.resume(session.path)


def test_a_resumed_game_is_dealt_the_same_tiles(tmp_path: Path) -> None:
    whole = new_session("classic", seats=3, seed="evening", folder=tmp_path)
    play_on(whole, 31)
    half = resumed(whole)
    assert half.bots == whole.bots
    play_on(whole, 40)
    play_on(half, 40)
    assert half.position == whole.position
    assert half.position.events == whole.position.events


def test_every_act_is_saved_so_that_a_killed_game_loses_nothing(tmp_path: Path) -> None:
    session = new_session("cards", seats=2, seed="7", folder=tmp_path)
    for _ in range(30):
        play_on(session, 1)
        assert resumed(session).position == session.position


def test_a_turn_resumed_in_the_middle_can_still_be_taken_back(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    before = session.position
    session.act(before.actions()[0])
    later = resumed(session)
    assert later.position.phase is Phase.END_TURN
    assert later.can_take_back
    assert later.take_back()
    assert later.position == before
    assert not later.take_back()
    assert resumed(session).position == before


def test_nothing_can_be_taken_back_after_new_tiles_are_drawn(tmp_path: Path) -> None:
    session = new_session("classic", people=2, seed="7", folder=tmp_path)
    session.act(session.position.actions()[0])
    session.act(Refill())
    assert not session.can_take_back
    assert not resumed(session).can_take_back


def test_solo_draws_at_once_so_nothing_can_be_taken_back(tmp_path: Path) -> None:
    session = new_session("classic-solo", seed="7", folder=tmp_path)
    session.act(session.position.actions()[0])
    assert not session.can_take_back
    assert not resumed(session).can_take_back


async def asked(session: Session, worker: BotWorker) -> Action:
    """The action of the bot to move."""
    try:
        return await session.bot_action(worker)
    finally:
        await worker.close()


@pytest.mark.parametrize("bots", ["greedy", "level-3[fear=0.3]"])
def test_a_house_bot_moves_without_trouble(bots: str) -> None:
    session = new_session("classic", people=0, bots=bots, seed="7")
    assert asyncio.run(asked(session, BotWorker())) in session.position.actions()
    assert session.bot_trouble is None


def test_a_bot_that_would_think_for_minutes_moves_in_time() -> None:
    session = new_session("classic", people=0, bots="level-5@1000", seed="7")
    begun = time.monotonic()
    assert asyncio.run(asked(session, BotWorker(seconds=2))) in session.position.actions()
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize("fault", ["all_hang", "all_die", "refuse"])
def test_a_bot_that_hangs_or_fails_is_reported_and_another_moves_for_it(fault: str) -> None:
    session = new_session("classic", people=0, bots="level-2", seed="7")
    worker = BotWorker(seconds=1, setup=f"tests.bots.bad_bots:{fault}")
    assert asyncio.run(asked(session, worker)) in session.position.actions()
    assert session.bot_trouble == "Otto 1 didn't manage this turn, so another bot played it."


def test_a_program_that_fails_is_reported_and_another_moves_for_it() -> None:
    session = new_session("classic", people=0, bots="cmd:not-there-at-all", seed="7")
    assert asyncio.run(asked(session, BotWorker())) in session.position.actions()
    assert "not-there-at-all" in (session.bot_trouble or "")


def test_a_program_that_is_no_longer_needed_ends_at_once() -> None:
    session = new_session("classic", people=0, bots="cmd:sleep 600", seed="7")
    program = session._programs[0]
    assert program is not None

    async def body() -> None:
        asking = asyncio.create_task(session.bot_action(BotWorker()))
        while program._child is None:
            await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

    begun = time.monotonic()
    asyncio.run(body())  # waits for the thread, too
    assert time.monotonic() - begun < 10


def test_an_unlawful_act_changes_neither_game_nor_file(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    assert session.path is not None
    before, text = session.position, session.path.read_text()
    with pytest.raises(IllegalAction):
        session.act(Place("RR", ((0, 0), (3, 3))))
    with pytest.raises(IllegalAction):
        session.act(Refill())
    assert session.position is before
    assert session.path.read_text() == text


def test_a_write_that_fails_half_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.genial.json"
    write_whole(path, "old")

    def full_disk(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)

    def full_disk(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    session.act(session.position.actions()[0])
    assert session.trouble == "No space left on device"
    monkeypatch.undo()
    session.act(Refill())
    assert session.trouble is None


def test_a_saved_game_is_an_unfinished_record_with_names_bots_and_deal(tmp_path: Path) -> None:
    session = new_session("travel", names=["Ada"], seed="7", folder=tmp_path)
    assert session.path is not None
    record = json.loads(session.path.read_text())
    assert record["unfinished"] is True
    assert record["names"] == ["Ada", "balanced"]
    assert record["bots"] == [None, "balanced"]
    assert record["deal"] == {"scheme": "genial-deal/1", "seed": "7"}
    assert genial.check(record).status == "lawful so far"
    assert resumed(session).names == ("Ada", "Balanced")


def test_only_unfinished_games_are_offered_newest_first(tmp_path: Path) -> None:
    finished = new_session("travel", seed="1", people=0, folder=tmp_path)
    play_on(finished, 1000)
    older = new_session("travel", seed="2", folder=tmp_path)
    newer = new_session("duel", seed="3", folder=tmp_path)
    assert older.path
    assert newer.path
    os.utime(older.path, (1, 1))
    (tmp_path / "torn.genial.json").write_text('{"format": "genial-rec')
    assert [game.path for game in saved_games(tmp_path)] == [newer.path, older.path]
    assert saved_games(tmp_path / "not-there") == []


@pytest.mark.parametrize(
    "change",
    [
        {"bots": [None, "grandmaster"]},
        {"bots": [None, 5]},
        {"deal": None},
        {"format": "chess"},
        {"events": []},
    ],
)
def test_a_record_that_cannot_be_resumed_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    session.act(session.position.actions()[0])
    assert session.path is not None
    record = {**json.loads(session.path.read_text()), **change}
    if change.get("events") == []:
        record["events"] = [{"type": "place"}]
    session.path.write_text(json.dumps(record))
    with pytest.raises(GenialError):
        resumed(session)


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.genial.json"
    path.write_bytes(b" " * (1 << 21))
    with pytest.raises(RecordError):
        read_record(path)


def test_names_cannot_control_the_terminal() -> None:
    session = Session(genial.new("travel", seed=7), [None, None], names=["\x1b[2JEve", "B" * 99])
    assert session.names == ("[2JEve", "B" * 24)


def test_one_person_needs_no_curtain() -> None:
    session = new_session("classic", seed="7")
    assert session.curtain_for is None
    assert HIDDEN not in session.view().racks[0]


def test_between_people_every_rack_is_hidden_until_the_curtain_is_lifted() -> None:
    session = new_session("classic", people=2, seed="7")
    assert session.curtain_for == 0
    assert all(set(rack) == {HIDDEN} for rack in session.view().racks)
    session.lift_curtain()
    assert session.curtain_for is None
    assert HIDDEN not in session.view().racks[0]
    assert set(session.view().racks[1]) == {HIDDEN}
    session.act(session.position.actions()[0])
    session.act(Refill())
    session.drop_curtain()
    assert session.curtain_for == 1
    assert all(set(rack) == {HIDDEN} for rack in session.view().racks)


def test_a_resumed_game_of_several_people_begins_behind_the_curtain(tmp_path: Path) -> None:
    session = new_session("classic", people=2, seed="7", folder=tmp_path)
    session.lift_curtain()
    session.act(session.position.actions()[0])
    assert resumed(session).curtain_for == 0
