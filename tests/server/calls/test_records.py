"""Looking back and playing on: replays, analyses, hints and continued games, over HTTP."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest
from tests.server.harness import Player, Server, code, play, play_on

import genial
from genial.bots import bot_named, play_out
from genial.core.record import record_of

BITS = "00112233445566778899aabbccddeeff"


def finished(variant: str, seats: int, seed: int = 7) -> dict[str, Any]:
    bots = [bot_named("greedy")] * seats
    end = play_out(genial.new(variant, seats=seats, seed=seed), bots, Random(seed))
    return json.loads(json.dumps(record_of(end)))  # type: ignore[no-any-return]


def acts(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in record["events"] if event["type"] in ("place", "play", "swap")]


@pytest.mark.parametrize(
    ("title", "count"), [("travel", 2), ("classic-team", 4), ("cards", 3), ("3d-solo", 1)]
)
def test_an_uploaded_record_is_replayed(server: Server, title: str, count: int) -> None:
    record = finished(title, count)

    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            replay = await ada.post("/api/records/replay", {"record": record})
            assert (replay["variant"], replay["seats"], replay["finished"]) == (title, count, True)
            assert [frame["act"] for frame in replay["frames"][1:]] == acts(record)
            assert all(frame["game"]["view"]["events"] == [] for frame in replay["frames"])

    play(asked())


def test_a_false_record_is_refused_with_the_ruling_it_breaks(server: Server) -> None:
    record = finished("travel", 2)
    acts(record)[5]["gain"][0] += 1

    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            for path in ("replay", "analysis"):
                error = (await ada.post(f"/api/records/{path}", {"record": record}, 422))["error"]
                assert error["ruling"]
            assert (
                code(await ada.post("/api/records/replay", {"record": {"format": "x"}}, 422))
                == "record-format"
            )

    play(asked())


def test_a_recorded_game_can_be_continued_from_an_earlier_move(server: Server) -> None:
    record = finished("travel", 2)
    order: dict[str, Any] = {"settings": {"variant": "travel", "seats": 2}, "name": "Ada", "bits": BITS}
    order["places"] = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]

    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            board = await ada.get("/api/boards/travel/2")
            replay = await ada.post("/api/records/replay", {"record": record})
            table = await ada.post("/api/records/continue", {"record": record, "ply": 6, **order}, 201)
            view, then = table["game"]["view"], replay["frames"][6]["game"]["view"]
            assert (view["table"], view["tracks"], view["seat"]) == (
                then["table"],
                then["tracks"],
                then["seat"],
            )
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await play_on(wire, {0}, board, Random(4))
            path = f"/api/tables/{table['id']}/games/0"
            played = await ada.get(f"{path}/record")
            assert genial.check(played).status == "lawful"
            assert acts(played)[:6] == acts(record)[:6]
            again = await ada.post(f"{path}/continue", {"ply": 2, **order}, 201)
            assert again["game"]["view"]["table"] == replay["frames"][2]["game"]["view"]["table"]
            last = len(acts(record))
            for ply, wrong in ((last, "continue-over"), (last + 1, "ply-unknown")):
                body = {"record": record, "ply": ply, **order}
                assert code(await ada.post("/api/records/continue", body, 422)) == wrong
            other = {**order, "settings": {"variant": "classic", "seats": 2}}
            refused = await ada.post("/api/records/continue", {"record": record, "ply": 0, **other}, 422)
            assert code(refused) == "continue-other"
            series = {**order, "settings": {"variant": "travel", "seats": 2, "games": 2}}
            refused = await ada.post("/api/records/continue", {"record": record, "ply": 0, **series}, 422)
            assert code(refused) == "continue-series"

    play(asked())


@pytest.mark.parametrize(("title", "count"), [("cards", 2), ("classic-solo", 1)])
def test_every_choice_in_a_record_is_judged(server: Server, title: str, count: int) -> None:
    record = finished(title, count)

    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            told = await ada.post("/api/records/analysis", {"record": record})
            assert told["of"] >= len(acts(record)) - 1
            while told["state"] == "running":
                await asyncio.sleep(0.05)
                told = await ada.get(f"/api/analyses/{told['id']}")
            moves = [move for move in told["moves"] if move["move"] != "refill"]
            assert [move["ply"] for move in moves] == list(range(1, len(acts(record)) + 1))
            for move in moves:
                assert move["given_away"] >= 0
                assert (move["verdict"] == "best") or move["given_away"] > 0
                assert move["best"]["value"] >= move["value"]
            assert (await ada.post("/api/records/analysis", {"record": record}))["id"] == told["id"]
            assert code(await ada.get("/api/analyses/nothing", 404)) == "analysis-unknown"

    play(asked())


def test_hints_are_for_the_mover_at_tables_that_allow_them(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("travel", "mg", first=0, hints=True)
            path = f"/api/tables/{table['id']}/hint"
            hint = await ada.get(path)
            legal = table["legal"]
            tiles = {tile["tile"] for tile in legal["tiles"]}
            assert hint["thoughts"]
            assert {thought["move"][:2] for thought in hint["thoughts"]} <= tiles
            assert code(await ben.get(path, 404)) == "table-unknown"
            silent = await ada.create("travel", "mg", first=0)
            assert code(await ada.get(f"/api/tables/{silent['id']}/hint", 403)) == "hints-off"

    play(asked())
