"""A page starts where it ended: its games go on, and nobody is asked who they are."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

from tests.server.harness import lawful
from tests.server.page.client import Client, in_page

from genial.server.page.device import HERE
from genial.server.page.start import Tables

BITS = "0" * 32


def new_table(*places: dict[str, Any], **settings: Any) -> dict[str, Any]:
    given = {"variant": "travel", "seats": len(places), "first": 0, **settings}
    return {"settings": given, "places": list(places), "name": "Ada", "bits": BITS}


ME: dict[str, Any] = {"kind": "me"}


def bot(name: str) -> dict[str, Any]:
    return {"kind": "bot", "bot": name}


def has_acted(message: dict[str, Any], place: int) -> bool:
    entries = json.loads(message.get("text", "{}")).get("entries", [])
    return any(entry["kind"] == "acted" and entry["data"]["place"] == place for entry in entries)


def test_a_page_says_what_it_can_do_and_what_it_keeps(tmp_path: Path) -> None:
    async def asked(tables: Tables) -> None:
        client = Client(tables, HERE.id)
        assert (await client.answer("POST", "/api/hello"))["can"] == ["keeps-here"]
        assert await client.answer("GET", "/api/tables") == {"tables": [], "running": []}

    in_page(tmp_path / "a.db", asked)


def test_a_game_goes_on_after_a_reload(tmp_path: Path) -> None:
    found: list[str] = []

    async def before(tables: Tables) -> None:
        client = Client(tables, HERE.id)
        table = await client.answer("POST", "/api/tables", new_table(ME, bot("level-1")))
        found.append(table["id"])

    async def after(tables: Tables) -> None:
        client = Client(tables, HERE.id)
        (table,) = (await client.answer("GET", "/api/me/games"))["tables"]
        assert (table["id"], table["status"], table["mover"]) == (found[0], "running", 0)
        line = client.open(table["id"])
        first = await client.next(lambda message: message["type"] == "told")
        state = json.loads(first["text"])["state"]
        board = await client.answer("GET", "/api/boards/travel/2")
        move = lawful(state["legal"], board, Random(1))
        act = {"type": "act", "move_id": "m", "place": 0, "seq": state["seq"], "action": move}
        client.say("say", line, text=json.dumps({**act, "then": "refill"}))
        await client.next(lambda message: '"done":"m"' in message.get("text", ""))
        await client.next(lambda message: has_acted(message, place=1))

    in_page(tmp_path / "a.db", before)
    in_page(tmp_path / "a.db", after)


def test_a_bot_that_was_thinking_moves_after_a_reload(tmp_path: Path) -> None:
    found: list[str] = []

    async def before(tables: Tables) -> None:
        client = Client(tables, HERE.id)
        order = new_table(ME, bot("level-4"), first=1)
        found.append((await client.answer("POST", "/api/tables", order))["id"])

    async def after(tables: Tables) -> None:
        hub = tables.services.hub
        live = await hub.live(found[0])
        while live.table.game is None or live.table.game.mover != 0:
            await asyncio.sleep(0.01)

    in_page(tmp_path / "a.db", before)
    in_page(tmp_path / "a.db", after)


def test_a_hint_is_given_and_a_bad_record_refused(tmp_path: Path) -> None:
    async def asked(tables: Tables) -> None:
        client = Client(tables, HERE.id)
        table = await client.answer("POST", "/api/tables", new_table(ME, bot("level-1"), hints=True))
        hint = await client.answer("GET", f"/api/tables/{table['id']}/hint")
        assert hint["bot"] == "level-6"
        assert hint["thoughts"]
        refused = await client.answer("POST", "/api/records/replay", {"record": {"format": "x"}})
        assert refused["error"]["code"] == "record-format"

    in_page(tmp_path / "a.db", asked)
