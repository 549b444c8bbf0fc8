"""The bot API: a token, a stream, an invitation or a code, actions; and the example in docs/bots.md."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.harness import PATIENCE, Player, Server, eventually, lawful, play
from tests.server.several import PROCESSES

import genial
from genial.server.calls.streams import StreamEvent

PAGE = Path(__file__).resolve().parents[3] / "docs" / "bots.md"


async def bot(server: Server, name: str) -> tuple[Player, str]:
    """A bot with its own token."""
    async with Player(server, name) as anybody:
        account = await anybody.post("/api/bot/account", {"name": name})
    return Player(server, name, token=account["token"]), account["id"]


@asynccontextmanager
async def listening(player: Player) -> AsyncIterator[Any]:
    """A bot's stream, event by event."""
    async with player.http.stream("GET", "/api/bot/stream") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        lines = answer.aiter_lines()

        async def following() -> Any:
            while True:
                line = await asyncio.wait_for(anext(lines), PATIENCE)
                if line:
                    event = json.loads(line)
                    msgspec.convert(event, StreamEvent)
                    return event

        yield following


def example() -> str:
    api = PAGE.read_text(encoding="utf-8").partition("## The bot API\n")[2]
    found = re.search(r"```python\n(.*?)```", api, re.DOTALL)
    assert found
    return found[1]


def test_the_example_has_at_most_fifty_lines() -> None:
    assert 30 < len(example().splitlines()) <= 50


@pytest.mark.parametrize("game", [("travel", 2), ("cards", 2), ("3d", 2)])
def test_the_documented_example_plays_a_whole_game(
    server: Server, tmp_path: Path, game: tuple[str, int]
) -> None:
    variant, seats = game
    script = tmp_path / "bot.py"
    script.write_text(example(), encoding="utf-8")

    async def played() -> tuple[str, Any]:
        async with Player(server, "Ada") as ada:
            table = await ada.create(variant, "o" + "r" * (seats - 1))
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(script),
                server.origin,
                table["code"],
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
            assert process.returncode == 0, err.decode()
            record = await ada.http.get(f"/api/tables/{table['id']}/games/0/record")
            return record.text, json.loads(out)

    text, ranks = play(played())
    assert genial.check(text).status == "lawful"
    record = json.loads(text)
    assert record["events"][-1]["ranks"] == ranks
    assert "Example (bot)" in record["names"]


def test_an_invited_bot_plays_with_a_person(server: Server) -> None:
    async def played() -> None:
        async with Player(server, "Ada") as ada:
            board = await ada.get("/api/boards/travel/2")
            robot, shown = await bot(server, "Robo")
            table = await ada.create("travel", "mo", first=1)
            path = f"/api/tables/{table['id']}"
            refused = await ada.post(f"{path}/invite", {"bot": "Robo"}, 404)
            assert refused["error"]["code"] == "bot-not-listening"
            refused = await robot.post("/api/bot/join", {"table": table["id"]}, 404)
            assert refused["error"]["code"] == "table-unknown"
            async with listening(robot) as following:
                assert await following() == {"type": "hello", "name": "Robo", "id": shown}
                listed = {"name": "Robo", "house": False, "id": shown, "study": False}
                await eventually(
                    lambda: ada.get("/api/bots"),
                    lambda found: any(listed.items() <= each.items() for each in found["bots"]),
                )
                await ada.post(f"{path}/invite", {"bot": "Robo", "place": 1})
                invited = await following()
                assert (invited["type"], invited["table"], invited["place"]) == ("invited", table["id"], 1)
                await robot.post("/api/bot/join", {"table": table["id"]})
                for action in ("place", "refill"):
                    turn = await following()
                    assert (turn["type"], turn["place"]) == ("turn", 1)
                    racks = turn["state"]["game"]["view"]["racks"]
                    assert ["??" in rack for rack in racks] == [False, True]
                    body = {
                        "seq": turn["seq"],
                        "move_id": action,
                        "place": 1,
                        "action": lawful(turn["state"]["legal"], board, Random(1)),
                    }
                    done = await robot.post(f"/api/bot/tables/{table['id']}/act", body)
                    assert await robot.post(f"/api/bot/tables/{table['id']}/act", body) == done
                late = await robot.post(f"/api/bot/tables/{table['id']}/act", body | {"move_id": "late"}, 409)
                assert late["error"]["code"] in ("stale", "not-your-turn")
                seen = await ada.get(path)
                assert seen["places"][1]["name"] == "Robo (bot)"
                assert seen["game"]["mover"] == 0
                await ada.post(f"{path}/resign")
                over = await following()
                assert (over["type"], over["reason"]) == ("over", "over")
                assert over["state"]["game"]["view"]["result"]["ranks"] == [1, 2]

    play(played())


def test_a_reopened_stream_reports_the_pending_turn(server: Server) -> None:
    async def played() -> None:
        async with Player(server, "Ada") as ada:
            robot, _ = await bot(server, "Robo")
            table = await ada.create("travel", "mo", first=1)
            await robot.post("/api/bot/join", {"code": table["code"]})
            for _ in range(2):
                async with listening(robot) as following:
                    assert (await following())["type"] == "hello"
                    turn = await following()
                    assert (turn["type"], turn["table"]) == ("turn", table["id"])

    play(played())


def test_streams_are_limited_and_only_for_bots(server: Server) -> None:
    async def played() -> None:
        async with Player(server, "Ada") as ada:
            assert (await ada.get("/api/bot/stream", 401))["error"]["code"] == "bot-only"
            robot, _ = await bot(server, "Robo")
            async with AsyncExitStack() as streams:
                for _ in range(4 * PROCESSES):  # each process counts its own
                    following = await streams.enter_async_context(listening(robot))
                    await following()
                assert (await robot.get("/api/bot/stream", 429))["error"]["code"] == "too-many-open"
            wrong = Player(server, "x", token="short")
            assert (await wrong.get("/api/me/games", 401))["error"]["code"] == "not-signed-in"

    play(played())
