"""LEAVING over a real server: somebody who only closed the page is away, and those who wait may choose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.harness import Player, Server, Wire, code, lawful, play, running
from tests.server.several import PROCESSES

import genial

LEAST = 0 if PROCESSES == 1 else 1
"""At once, or the least that the command accepts."""
LONG = 3600


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where people count as away, and may lose a game by it, almost at once."""
    path = tmp_path_factory.mktemp("quick") / "genial.db"
    with running(path, away_seconds=LEAST, abandon_seconds=LEAST) as server:
        yield server


@asynccontextmanager
async def waiting(server: Server, variant: str = "travel", others: str = "o") -> AsyncIterator[Any]:
    """Ada waits for Ben, whose turn it is and who has closed his page. Yields both, her socket, the table."""
    async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
        table = await ada.create(variant, "m" + others, first=1)
        await ben.join(table["code"])
        async with await ada.wire(table["id"]) as hers:
            await hers.hear()
            his = await ben.wire(table["id"])
            await his.hear()
            await his.connection.close()
            yield ada, ben, hers, table["id"]


async def missed(wire: Wire) -> Any:
    """Wait until the others are offered a choice."""
    entry = await wire.until_entry("missed")
    assert [absent["place"] for absent in wire.state["absent"]] == [entry["data"]["place"]]
    return entry["data"]


async def chosen(wire: Wire, choice: str, absent: int = 1, place: int = 0) -> Any:
    return await wire.ask("choose", place=place, absent=absent, choice=choice)


def test_whoever_sits_down_while_watching_is_shown_as_present(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("travel", "oo")
            async with await ada.wire(table["id"]) as wire:
                await _told(wire, [], 1)
                await ada.join(table["code"])
                await _told(wire, [0], 0)

    play(asked())


async def _told(wire: Wire, places: list[int], watching: int) -> None:
    """Wait to be told who is present."""
    told = {"type": "presence", "places": places, "watching": watching}
    await wire.until(lambda message: message == told)


def test_closing_the_page_is_not_leaving(quick: Server) -> None:
    """LEAVING: without a clock nothing happens by itself, with two sides or with three."""

    async def asked() -> None:
        for others in ("o", "or"):
            async with waiting(quick, "cards", others) as (_, ben, hers, table):
                assert (await missed(hers))["place"] == 1
                assert (await chosen(hers, "wait"))["type"] == "ack"
                await asyncio.sleep(2 * LEAST + 0.5)  # longer than all limits together
                await hers.settled()
                assert hers.now["status"] == "running"
                assert hers.now["mover"] == 1
                assert not hers.state["places"][1]["away"]
                async with await ben.wire(table) as his:
                    assert (await hers.until_entry("unmissed"))["data"] == {"place": 1}
                    assert hers.state["absent"] == []
                    await his.hear()
                    assert code(await chosen(hers, "bot")) == "absent-here"
                    assert code(await chosen(hers, "end")) == "absent-here"

    play(asked())


def test_a_bot_plays_on_for_an_absent_player_and_gives_the_place_back(quick: Server) -> None:
    """LEAVING"""

    async def asked() -> None:
        async with waiting(quick) as (_, ben, hers, table):
            await missed(hers)
            await chosen(hers, "bot")
            while hers.now["mover"] != 0:
                await hers.hear()
            assert hers.state["places"][1]["away"]
            body = {"seq": hers.seq, "move_id": "x", "place": 1, "action": "refill"}
            assert code(await ben.post(f"/api/tables/{table}/act", body, 409)) == "place-away"
            async with await ben.wire(table) as his:
                back = await hers.until_entry("seated")
                assert (back["data"]["place"], back["data"]["away"]) == (1, False)
                while his.state is None or his.state["places"][1]["away"]:
                    await his.hear()
                assert his.state["places"][1]["covered"] == 1

    play(asked())


def test_the_waiting_player_can_end_the_game_as_abandoned(quick: Server) -> None:
    """LEAVING"""

    async def asked() -> None:
        async with waiting(quick, "duel") as (ada, ben, hers, table):
            await missed(hers)
            while code_of := (await chosen(hers, "end")).get("error"):
                assert code_of["code"] == "absent-briefly"  # where the least is one second
                await asyncio.sleep(0.1)
            assert hers.now["status"] == "over"
            result = hers.state["game"]["view"]["result"]
            assert (result["reason"], result["by"], result["ranks"]) == ("abandoned", 0, [2, 1])
            seen = await ben.get(f"/api/tables/{table}")
            assert seen["game"]["view"]["result"] == result
            record = await ada.get(f"/api/tables/{table}/games/0/record")
            assert genial.check(record).status == "lawful"

    play(asked())


def test_everybody_present_has_to_agree(quick: Server) -> None:
    """LEAVING"""

    async def asked() -> None:
        async with Player(quick, "Cat") as cat, waiting(quick, "cards", "oo") as (ada, _, hers, table):
            seen = await ada.get(f"/api/tables/{table}")
            await cat.join(seen["code"])
            async with await cat.wire(table) as third:
                await third.hear()
                await missed(hers)
                await chosen(hers, "bot")
                assert hers.state["absent"][0]["choices"] == [{"place": 0, "choice": "bot"}]
                assert not hers.state["places"][1]["away"]
                while not third.state["absent"]:
                    await third.hear()
                assert code(await chosen(third, "end", place=2)) == "absent-many"
                await chosen(third, "bot", place=2)
                assert third.state["places"][1]["away"]

    play(asked())


def test_reloading_the_page_does_not_count_as_absence(tmp_path: Path) -> None:
    """LEAVING: within the grace period nobody is missed, has a bot play for them, or loses the game."""

    async def asked(server: Server) -> None:
        async with waiting(server) as (ada, ben, hers, table):
            for choice in ("wait", "bot", "end"):
                assert code(await chosen(hers, choice)) == "absent-here"
            board = await ada.get("/api/boards/travel/2")
            async with await ben.wire(table) as his:
                await his.hear()
                assert (await his.act(1, lawful(his.now["legal"], board, Random(1))))["type"] == "ack"
            assert hers.state["absent"] == []

    with running(tmp_path / "patient.db", away_seconds=LONG) as server:
        play(asked(server))


def test_ending_the_game_takes_longer_than_calling_in_a_bot(tmp_path: Path) -> None:
    """LEAVING"""

    async def asked(server: Server) -> None:
        async with waiting(server) as (_, __, hers, ___):
            assert (await missed(hers))["patience"] == 1000 * LONG
            refused = await chosen(hers, "end")
            assert code(refused) == "absent-briefly"
            assert 0 < refused["error"]["params"]["seconds"] <= LONG
            assert 0 < hers.state["absent"][0]["end_in"] <= 1000 * LONG
            await chosen(hers, "bot")
            assert hers.state["places"][1]["away"]

    with running(tmp_path / "slow.db", away_seconds=LEAST, abandon_seconds=LONG) as server:
        play(asked(server))


@pytest.mark.skipif(PROCESSES > 1, reason="stops the one server")
def test_after_a_restart_the_absence_timer_starts_again(tmp_path: Path) -> None:
    """LEAVING"""
    path = tmp_path / "restarted.db"

    async def before(server: Server) -> tuple[str, dict[str, str]]:
        async with waiting(server) as (ada, _, hers, table):
            await missed(hers)
            return table, dict(ada.http.cookies)

    async def after(server: Server, table: str, cookies: dict[str, str]) -> None:
        ada = Player(server, "Ada")
        ada.http.cookies.update(cookies)
        async with await ada.wire(table) as hers:
            await hers.hear()
            if not hers.state["absent"]:
                await missed(hers)
            assert hers.state["absent"][0]["choices"] == []

    with running(path, away_seconds=LEAST, abandon_seconds=LONG) as server:
        table, cookies = play(before(server))

    def kinds(server: Server) -> list[str]:
        return [entry.kind for entry in server.in_store(lambda store: store.read(table))]

    with running(path, away_seconds=LEAST, abandon_seconds=LONG) as server:
        play(after(server, table, cookies))
        told = kinds(server)
    last = [kind for kind in told if kind in ("missed", "unmissed", "resumed")]
    # Either everybody was gone before the server was, or it noted itself that it had been away.
    assert last[0] == "missed"
    assert last[1] in ("unmissed", "resumed")
    assert last[-1] == "missed"


def test_a_player_alone_with_bots_can_simply_leave(quick: Server) -> None:
    """LEAVING: nobody is waiting, but the game is."""

    async def asked() -> None:
        async with Player(quick, "Ada") as ada:
            table = await ada.create("travel", "mg", first=0)
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
            assert await ada.post(f"/api/tables/{table['id']}/leave") == {"seq": None}
            await asyncio.sleep(2 * LEAST + 0.3)
            seen = await ada.get(f"/api/tables/{table['id']}")
            assert (seen["status"], seen["places"][0]["away"], seen["absent"]) == ("running", False, [])

    play(asked())


def test_a_player_gone_before_the_start_is_missed_when_their_turn_comes(quick: Server) -> None:
    """LEAVING"""

    async def asked() -> None:
        async with Player(quick, "Cat") as cat, waiting(quick, "cards", "oo") as (ada, _, hers, table):
            seen = await ada.get(f"/api/tables/{table}")
            await cat.join(seen["code"])
            await hers.until_entry("started")
            await missed(hers)

    play(asked())


def test_getting_up_from_a_game_of_two_ends_it(quick: Server) -> None:
    """LEAVING: with the button, which isn't the same as closing the page."""

    async def asked() -> None:
        async with Player(quick, "Ada") as ada, Player(quick, "Ben") as ben:
            table = await ada.create("travel", "mo", first=0)
            await ben.join(table["code"])
            async with await ben.wire(table["id"]) as his:
                await his.hear()
                await ada.post(f"/api/tables/{table['id']}/leave")
                await his.until_entry("revealed")
                result = his.state["game"]["view"]["result"]
                assert (result["reason"], result["by"], result["ranks"]) == ("abandoned", 0, [2, 1])

    play(asked())


def test_in_a_game_of_three_a_bot_covers_for_a_player_who_gets_up(quick: Server) -> None:
    """LEAVING"""

    async def asked() -> None:
        async with Player(quick, "Ada") as ada, Player(quick, "Ben") as ben:
            table = await ada.create("cards", "mor", first=0)
            await ben.join(table["code"])
            async with await ben.wire(table["id"]) as his:
                await his.hear()
                await ada.post(f"/api/tables/{table['id']}/leave")
                left = await his.until_entry("seated")
                named = {"place": 0, "kind": "person", "name": "Ada"}
                assert left["data"] == {**named, "bot": "balanced", "away": True}
                played = await his.until_entry("acted")
                assert (played["data"]["place"], played["data"]["bot"]) == (0, "balanced")
                await ada.post(f"/api/tables/{table['id']}/return")
                back = await his.until_entry("seated")
                assert back["data"] == {**named, "bot": None, "away": False}
                await ada.post(f"/api/tables/{table['id']}/leave")
                async with await ada.wire(table["id"]):  # opening the page means coming back
                    while his.state["places"][0]["away"] or his.entries[-1]["kind"] != "seated":
                        await his.hear()

    play(asked())
