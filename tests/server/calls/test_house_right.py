"""The host mutes and removes; spectators can be told from players; a game from a record says so."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.calls.test_records import finished
from tests.server.harness import Denied, Player, Server, Wire, bits, play


def code(answer: Any) -> str:
    return str(answer["error"]["code"])


async def said_by(speaker: Wire, text: str, **more: Any) -> Any:
    """What everybody is told of a chat message."""
    assert (await speaker.ask("chat", text=text, **more))["type"] == "ack"
    return next(entry["data"] for entry in reversed(speaker.entries) if entry["kind"] == "chatted")


def test_a_muted_person_is_refused_on_every_channel(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben, Player(server, "Eve") as eve:
            table = await ada.create("travel", "mo")
            view = await ben.join(table["code"])
            path, mark = f"/api/tables/{table['id']}", view["places"][1]["mark"]
            async with (
                await ben.wire(table["id"]) as his,
                await eve.wire(table["id"], watch=table["watch"]) as hers,
            ):
                await his.hear()
                await hers.hear()
                spectator = (await said_by(hers, "boo", name="Eve"))["mark"]
                for who in (ben, eve):
                    watch = {"watch": table["watch"]} if who is eve else {}
                    refused = await who.post(f"{path}/mute", {"mark": mark}, 403 if who is ben else 404)
                    assert code(refused) == ("host-only" if who is ben else "table-unknown"), watch
                for wire, whom in ((his, mark), (hers, spectator)):
                    await ada.post(f"{path}/mute", {"mark": whom})
                    assert whom in (await ada.get(path))["muted"]
                    for words in ({"text": "hello"}, {"phrase": "hello"}):
                        assert code(await wire.ask("chat", **words)) == "muted"
                    await ada.post(f"{path}/mute", {"mark": whom, "muted": False})
                    assert (await wire.ask("chat", text="sorry"))["type"] == "ack"
                await ada.post(f"{path}/mute", {"mark": mark})
                body = {"move_id": "m", "phrase": "hello"}
                assert code(await ben.post(f"{path}/chat", body, 403)) == "muted"

    play(asked())


def test_a_removed_spectator_is_gone_for_good(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Eve") as eve, Player(server, "Fay") as fay:
            table = await ada.create("travel", "mg", public=True)
            path, watch = f"/api/tables/{table['id']}", table["watch"]
            async with (
                await eve.wire(table["id"], watch=watch) as first,
                await eve.wire(table["id"]) as second,
                await fay.wire(table["id"], watch=watch) as other,
            ):
                for wire in (first, second, other):
                    await wire.hear()
                mark = (await said_by(first, "boo", name="Eve"))["mark"]
                await ada.post(f"{path}/remove", {"mark": mark})
                assert await first.until_closed()
                assert await second.until_closed()
                removed = await other.until_entry("removed")
                assert removed["data"] == {"mark": mark}
                await other.settled()
            for query in ({}, {"watch": watch}, {"code": table["code"]}):
                assert code(await eve.get(path, 403, **query)) == "removed"
            with pytest.raises(Denied) as denied:
                await eve.wire(table["id"], watch=watch)
            assert denied.value.status == 403
            said = await eve.post(f"{path}/chat", {"move_id": "m", "text": "boo"}, 403, watch=watch)
            assert code(said) == "removed"
            await ada.post(f"{path}/resign")
            assert code(await eve.get(f"{path}/games/0/record", 403)) == "removed"
            assert await fay.get(f"{path}/games/0/record")

    play(asked())


def test_a_player_can_be_removed_only_before_the_game_starts(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben, Player(server, "Cat") as cat:
            table = await ada.create("cards", "moo", start="host")
            path = f"/api/tables/{table['id']}"
            mark = (await ben.join(table["code"]))["places"][1]["mark"]
            async with await ben.wire(table["id"]) as his:
                await his.hear()
                await ada.post(f"{path}/remove", {"mark": mark})
                assert await his.until_closed()
            assert [place["kind"] for place in (await ada.get(path))["places"]] == ["person", "open", "open"]
            for body in ({"code": table["code"]}, {"code": table["code"], "name": "B", "bits": bits()}):
                assert code(await ben.post("/api/join", body, 403)) == "removed"
            sat = {"code": table["code"], "name": "B", "bits": bits()}
            assert code(await ben.post(f"{path}/sit", sat, 403)) == "removed"
            await cat.join(table["code"])
            await ada.post(f"{path}/places/2", {"kind": "bot", "bot": "greedy"})
            await ada.post(f"{path}/start", {"bits": bits()})
            cats = (await ada.get(path))["places"][1]["mark"]
            assert code(await ada.post(f"{path}/remove", {"mark": cats}, 409)) == "remove-player"

    play(asked())


def test_a_spectator_never_looks_like_a_player(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Eve") as eve:
            marks = []
            for _ in range(2):
                table = await ada.create("travel", "mg")
                async with (
                    await ada.wire(table["id"]) as hers,
                    await eve.wire(table["id"], watch=table["watch"]) as watching,
                ):
                    await hers.hear()
                    await watching.hear()
                    own = await said_by(hers, "hello")
                    assert (own["place"], own["name"]) == (0, "Ada")
                    assert own["mark"] == table["places"][0]["mark"]
                    mine = await said_by(watching, "hello", name="Zoe")
                    marks.append(mine["mark"])
                    assert (mine["place"], mine["name"]) == (None, "Zoe")
                    for name in ("Ada", "aDA", "Ａda", "greedy"):
                        told = await said_by(watching, "hello", name=name)
                        assert (told["place"], told["name"]) == (None, f"{name} ({mine['mark'][:4]})")
                        assert told["mark"] == mine["mark"]
            assert marks[0] != marks[1]  # nobody can be followed from table to table

    play(asked())


def test_joiners_see_that_a_game_is_from_a_record_and_public_ones_are_refused(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            order: dict[str, Any] = {
                "record": finished("travel", 2),
                "ply": 4,
                "settings": {"variant": "travel", "seats": 2},
                "places": [{"kind": "me"}, {"kind": "open"}],
                "name": "Ada",
                "bits": bits(),
            }
            table = await ada.post("/api/records/continue", order)
            assert (await ben.post("/api/join", {"code": table["code"]}))["continued"]
            assert not (await ada.create("travel", "mo"))["continued"]
            order["settings"]["public"] = True
            assert code(await ada.post("/api/records/continue", order, 409)) == "continue-public"

    play(asked())
