"""The socket's promises: nothing twice, nothing missed, nothing shown that is hidden."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest
from tests.server.harness import InThread, Player, Server, Wire, lawful, play
from websockets.exceptions import InvalidStatus

from genial.server.entries import Entry, decode
from genial.server.subscribers import Subscriber
from genial.server.table import rebuilt


async def two(server: Server, variant: str = "travel", **settings: Any) -> tuple[Player, Player, Any]:
    """A running game of two people; the first begins."""
    ada = await Player(server, "Ada").hello()
    ben = await Player(server, "Ben").hello()
    table = await ada.create(variant, "mo", first=0, **settings)
    await ben.join(table["code"])
    return ada, ben, await ada.get(f"/api/tables/{table['id']}")


async def one_move(player: Player, wire: Wire, place: int = 0) -> Any:
    """Any lawful move, acknowledged and seen."""
    settings = wire.state["settings"]
    board = await player.get(f"/api/boards/{settings['variant']}/{settings['seats']}")
    answer = await wire.act(place, lawful(wire.now["legal"], board, Random(1)))
    assert answer["type"] == "ack", answer
    await wire.until_now(answer["seq"])
    return answer


def test_a_repeated_move_id_is_acknowledged_again_and_done_once(server: Server) -> None:
    async def played() -> None:
        ada, _, table = await two(server)
        board = await ada.get("/api/boards/travel/2")
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            move, seq = lawful(wire.now["legal"], board, Random(1)), wire.seq
            first = await wire.act(0, move, seq=seq, move_id="mine")
            again = await wire.act(0, move, seq=seq, move_id="mine")
            await wire.settled()
            assert again == first
            assert [entry["kind"] for entry in wire.entries] == ["acted"]
        body = {"seq": seq, "move_id": "mine", "place": 0, "action": move}
        assert await ada.post(f"/api/tables/{table['id']}/act", body) == {"seq": first["seq"]}

    play(played())


def test_the_same_move_id_of_two_devices_is_two_moves(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            chat = {"move_id": "1", "phrase": "hello"}
            await ada.post(f"/api/tables/{table['id']}/chat", chat)
            await ben.post(f"/api/tables/{table['id']}/chat", chat)
            await wire.settled()
            assert [entry["data"]["name"] for entry in wire.entries] == ["Ada", "Ben"]

    play(played())


def test_stale_and_early_moves_get_the_whole_state_and_nobody_else_does(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
            await hers.hear()
            await his.hear()
            now = hers.seq
            for seq in (0, now - 1, now + 1):
                answer = await hers.act(0, "refill", seq=seq)
                assert answer["error"]["code"] == "stale"
                state = await hers.hear()
                assert state["type"] == "state"
                assert state["state"]["seq"] == now
            await his.settled()
            assert not any(message["type"] == "state" for message in his.heard[1:])

    play(played())


def test_a_chat_in_between_makes_no_move_stale(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        board = await ada.get("/api/boards/travel/2")
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            seq = wire.seq
            await ben.post(f"/api/tables/{table['id']}/chat", {"move_id": "x", "text": "hurry"})
            answer = await wire.act(0, lawful(wire.now["legal"], board, Random(1)), seq=seq)
            assert answer["type"] == "ack"

    play(played())


def test_an_unlawful_move_gets_the_engines_error_and_changes_nothing(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"], language="de") as hers, await ben.wire(table["id"]) as his:
            await hers.hear()
            await his.hear()
            rack = hers.state["game"]["view"]["racks"][0]
            move = f"{rack[0]}@a1,k1"
            answer = await hers.act(0, move)
            assert answer["error"]["code"] == "cells-apart"
            assert answer["error"]["ruling"] == "FREE-PLACEMENT"
            assert "benachbart" in answer["error"]["text"]
            for action, code in (
                ("refill", "refill-not-now"),
                ("swap", "swap-not-now"),
                ("zz", "move-unreadable"),
            ):
                assert (await hers.act(0, action))["error"]["code"] == code
            assert (await his.act(1, "refill"))["error"]["code"] == "seat-wrong"
            assert (await his.act(0, "refill"))["error"]["code"] == "place-not-yours"
            await hers.settled()
            assert not hers.entries
            assert (await ada.get(f"/api/tables/{table['id']}"))["seq"] == hers.seq

    play(played())


def test_reconnecting_goes_on_from_the_last_number(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
            await hers.hear()
            await his.hear()
            seen = his.seq
            await his.connection.close()
            await one_move(ada, hers)
            answer = await hers.act(0, "refill")
            await hers.until(lambda m: m["type"] == "entry" and m["now"])
            async with await ben.wire(table["id"], after=seen) as again:
                await again.until(lambda m: m["type"] == "entry" and m["now"])
                assert [entry["seq"] for entry in again.entries] == [seen + 1, seen + 2]
                assert again.entries[0]["data"]["events"][0]["type"] == "place"
                assert set(again.entries[1]["data"]["events"][0]["tiles"]) == {"??"}
                assert again.now["mover"] == 1
                assert again.now["legal"]["tiles"]
                assert not any(message["type"] == "state" for message in again.heard)
                board = await ben.get("/api/boards/travel/2")
                assert (await again.act(1, lawful(again.now["legal"], board, Random(1))))["type"] == "ack"
            async with await ben.wire(table["id"], after=answer["seq"] + 1000) as early:
                assert (await early.hear())["type"] == "state"

    play(played())


def test_the_curtain_of_a_hot_seat(server: Server) -> None:
    """One device, three places: it sees one rack at a time, and none while it does not say whose."""

    async def played() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("classic", "mmm", first=0)
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                for place in (None, 0, 1, 2, None):
                    await wire.send("watch-place", place=place)
                    state = (await wire.until_type("state"))["state"]
                    racks = state["game"]["view"]["racks"]
                    seen = [n for n, rack in enumerate(racks) if "??" not in rack]
                    assert seen == ([] if place is None else [place])
                    assert state["viewer"] == seen
                    assert bool(state["legal"]) == (place == 0)
                    dealt = [e for e in state["game"]["view"]["events"] if "??" not in e["tiles"]]
                    assert [event["seat"] for event in dealt] == seen
                await wire.send("watch-place", place=3)
                assert (await wire.until_type("error"))["error"]["code"] == "place-not-yours"
                await wire.send("watch-place", place=1)
                await wire.until_type("state")
                other = await ada.wire(table["id"], place=0)
                await other.hear()
                await one_move(ada, other)
                await other.act(0, "refill")
                drew = await wire.until(
                    lambda m: m["type"] == "entry" and m["now"] and wire.now["mover"] == 1
                )
                assert {tile for event in drew["entry"]["data"]["events"] for tile in event["tiles"]} == {
                    "??"
                }
                assert wire.now["legal"]["tiles"]
                await other.connection.close()
            assert (await ada.get(f"/api/tables/{table['id']}", 403, place=3))["error"][
                "code"
            ] == "place-not-yours"

    play(played())


def test_spectators_come_by_the_watch_code_alone(server: Server) -> None:
    async def played() -> None:
        ada, _ben, table = await two(server)
        async with Player(server, "Cat") as cat:
            path = f"/api/tables/{table['id']}"
            for query in ({}, {"code": table["code"]}, {"watch": "WRONGLYX"}, {"watch": table["code"]}):
                assert (await cat.get(path, 404, **query))["error"]["code"] == "table-unknown"
            with pytest.raises(InvalidStatus) as denied:
                await cat.wire(table["id"])
            assert denied.value.response.status_code == 404
            assert json.loads(denied.value.response.body or b"")["error"]["code"] == "table-unknown"
            async with await cat.wire(table["id"], watch=table["watch"]) as wire:
                state = (await wire.hear())["state"]
                assert all(set(rack) == {"??"} for rack in state["game"]["view"]["racks"])
                assert (state["code"], state["watch"], state["legal"], state["viewer"]) == (
                    None,
                    None,
                    None,
                    [],
                )
                assert (await wire.act(0, "refill"))["error"]["code"] == "place-not-yours"
                presence = await wire.until_type("presence")
                assert presence["watching"] == 1
                said = await wire.ask("chat", text="nice", name="Cat")
                assert said["type"] == "ack"
            closed = await ada.create("travel", "mg", spectators=False)
            assert closed["watch"] is None
            entries = await asyncio.to_thread(server.in_store, lambda store: store.read(closed["id"]))
            code = rebuilt(closed["id"], [Entry(e.seq, e.time, decode(e.data)) for e in entries]).watch
            refused = await cat.get(f"/api/tables/{closed['id']}", 403, watch=code)
            assert refused["error"]["code"] == "spectators-off"

    play(played())


def test_taking_back_and_asking(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
            await hers.hear()
            await his.hear()
            start = hers.seq
            await one_move(ada, hers)
            moved = hers.seq
            assert (await hers.ask("back", seq=moved, place=0))["type"] == "ack"
            back = await his.until_entry("taken-back")
            assert back["data"] == {"place": 0, "to": start, "across_draw": False}
            await hers.settled()
            assert (await hers.ask("back", seq=hers.seq, place=0))["error"]["code"] == "take-back-none"
            assert (await hers.act(0, "refill", seq=moved))["error"]["code"] == "stale"
            await hers.until_type("state")
            before = hers.now["game_seq"]
            await one_move(ada, hers)
            # Further back only by consent, here before anything was drawn.
            await hers.ask("ask", place=0, to=before)
            await his.until_entry("asked")
            assert (await his.ask("answer", place=1, yes=False))["type"] == "ack"
            assert (await his.ask("answer", place=1, yes=True))["error"]["code"] == "nothing-asked"
            await hers.ask("ask", place=0, to=before)
            await his.ask("answer", place=1, yes=True)
            await hers.until_entry("taken-back")
            await one_move(ada, hers)
            placed = hers.now["game_seq"]
            await hers.act(0, "refill")
            await hers.until(lambda m: m["type"] == "entry" and m["now"])
            answer = await hers.ask("ask", place=0, to=placed)
            assert answer["error"]["code"] == "take-back-draw"
            assert answer["error"]["ruling"] == "DEAL"

    play(played())


def test_a_practice_table_goes_back_across_a_draw_and_its_record_says_so(server: Server) -> None:
    async def played() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("classic-solo", "m", practice=True)
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                start = wire.now["game_seq"]
                await one_move(ada, wire)
                assert (await wire.ask("ask", place=0, to=start))["type"] == "ack"
                back = await wire.until_entry("taken-back")
                assert back["data"]["across_draw"]
                await ada.post(f"/api/tables/{table['id']}/resign")
            record = await ada.get(f"/api/tables/{table['id']}/games/0/record")
            assert record["practice"] == {"taken_back": 1}

    play(played())


def test_chat_and_its_limits(server: Server) -> None:
    async def played() -> None:
        ada, _ben, table = await two(server)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            codes = []
            for said in (
                {"text": ""},
                {"text": "x" * 201},
                {"phrase": "rude"},
                {"text": "hello"},
                {"phrase": "clap"},
            ):
                answer = await wire.ask("chat", **said)
                codes.append(answer["error"]["code"] if answer["type"] == "error" else "ack")
            assert codes == ["chat-empty", "chat-long", "chat-phrase", "ack", "ack"]
            for _ in range(20):
                answer = await wire.ask("chat", phrase="smile")
            assert answer["error"]["code"] == "rate-limit"
        quiet, *_ = await asyncio.gather(ada.create("travel", "mg", chat="off"))
        path = f"/api/tables/{quiet['id']}/chat"
        assert (await ada.post(path, {"move_id": "a", "text": "hm"}, 409))["error"]["code"] == "chat-off"
        quiet = await ada.create("travel", "mg", chat="phrases")
        path = f"/api/tables/{quiet['id']}/chat"
        assert (await ada.post(path, {"move_id": "a", "text": "hm"}, 409))["error"][
            "code"
        ] == "chat-phrases-only"
        assert (await ada.post(path, {"move_id": "b", "phrase": "hello"}))["seq"]

    play(played())


def test_partners_are_silent_and_hear_no_spectators(server: Server) -> None:
    """TEAM"""

    async def played() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Cat") as cat:
            table = await ada.create("classic-team", "mmgg", first=0)
            async with (
                await ada.wire(table["id"], place=0) as hers,
                await ada.wire(table["id"]) as curtain,
                await cat.wire(table["id"], watch=table["watch"]) as watching,
            ):
                for wire in (hers, curtain, watching):
                    await wire.hear()
                silent = await hers.ask("chat", place=0, text="take the red one")
                assert silent["error"]["code"] == "chat-team"
                assert silent["error"]["ruling"] == "TEAM"
                assert (await hers.ask("chat", place=0, phrase="clap"))["error"]["code"] == "chat-team"
                assert (await hers.ask("chat", place=0, phrase="good-game"))["type"] == "ack"
                await watching.ask("chat", text="she holds red", name="Cat")
                heard = [(await wire.until_entry("chatted")) for wire in (watching,)]
                while heard[-1]["data"].get("text") != "she holds red":
                    heard.append(await watching.until_entry("chatted"))
                for wire in (hers, curtain):
                    await wire.settled()
                    chats = [entry["data"] for entry in wire.entries if entry["kind"] == "chatted"]
                    assert chats[-1] == {"hidden": True}
                    await wire.send("resync")
                    state = await wire.until_type("state")
                    assert "she holds red" not in json.dumps(state)

    play(played())


def test_the_clock_runs_out(server: Server) -> None:
    async def played() -> None:
        _ada, ben, table = await two(server, clock={"move": 1})
        async with await ben.wire(table["id"]) as wire:
            state = (await wire.hear())["state"]
            assert state["clock"]["mover"] == 0
            assert state["clock"]["deadline"] - state["clock"]["since"] == 1000
            await wire.until_entry("committed")  # to the secret of the next game
            acted = wire.entries[-3]
            end = acted["data"]["events"][-1]
            assert (end["type"], end["reason"], end["by"], end["ranks"]) == ("end", "time", 0, [2, 1])
            assert wire.now["status"] == "over"

    play(played())


def test_leaving_a_substitute_and_coming_back(server: Server) -> None:
    """LEAVING: a bot plays on for who got up, and gives the place back."""

    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ben.wire(table["id"]) as his:
            await his.hear()
            await ada.post(f"/api/tables/{table['id']}/leave")
            left = await his.until_entry("seated")
            assert left["data"] == {
                "place": 0,
                "kind": "person",
                "name": "Ada",
                "bot": "balanced",
                "away": True,
            }
            played = await his.until_entry("acted")
            assert (played["data"]["place"], played["data"]["bot"]) == (0, "balanced")
            await his.until(lambda m: m["type"] == "entry" and m["now"] and m["now"]["mover"] == 1)
            body = {"seq": his.seq, "move_id": "x", "place": 0, "action": "refill"}
            refused = await ada.post(f"/api/tables/{table['id']}/act", body, 409)
            assert refused["error"]["code"] == "place-away"
            async with await ada.wire(table["id"]) as hers:
                back = await his.until_entry("seated")
                assert (back["data"]["away"], back["data"]["bot"]) == (False, None)
                await hers.hear()
                await ada.post(f"/api/tables/{table['id']}/leave")
                await ada.post(f"/api/tables/{table['id']}/return")
                await his.until(lambda m: his.entries and his.entries[-1]["data"].get("away") is False)

    play(played())


def test_resigning(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        await ben.post(f"/api/tables/{table['id']}/resign", {"place": 1})
        state = await ada.get(f"/api/tables/{table['id']}")
        assert state["status"] == "over"
        assert state["game"]["view"]["result"]["reason"] == "resign"
        assert state["game"]["view"]["result"]["ranks"] == [1, 2]
        # With more than two sides a bot plays on; who left may watch.
        async with Player(server, "Cat") as cat:
            three = await ada.create("cards", "moo", first=0)
            await ben.join(three["code"])
            await cat.join(three["code"])
            await cat.post(f"/api/tables/{three['id']}/resign")
            state = await cat.get(f"/api/tables/{three['id']}")
            assert state["status"] == "running"
            assert state["places"][2]["kind"] == "bot"
            assert state["viewer"] == []

    play(played())


def test_bad_messages_are_refused_and_then_end_the_connection(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        bad = [
            "",
            "{",
            "[]",
            "null",
            '{"type": "fly"}',
            '{"type": "act"}',
            '{"type": "ping", "n": "1"}',
            '{"type": "ping", "extra": 1}',
            '{"type": "act", "seq": -1, "move_id": "a", "place": 0, "action": "refill"}',
            '{"type": "act", "seq": 1, "move_id": "a b", "place": 0, "action": "refill"}',
            '{"type": "act", "seq": 1, "move_id": "a", "place": 9, "action": "refill"}',
            '{"type": "act", "seq": 1e400, "move_id": "a", "place": 0, "action": "refill"}',
            "[" * 8000,
            '{"type": "ping", "n": ' + "[" * 8000,
            '{"n": 1, "type": "ping", "type": "pong"}',
            '"\\ud800"',
        ]
        async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
            await hers.hear()
            await his.hear()
            for message in bad:
                await hers.connection.send(message)
                answer = await hers.until_type("error")
                assert answer["error"]["code"] == "message-unreadable", message
            await hers.connection.send(b"\xff\xfe")
            await hers.until_type("error")
            for _ in range(3):
                await hers.connection.send("?")
            assert await hers.until_closed() == 1008
            await his.settled()
            assert not his.entries

    play(played())


def test_a_frame_over_8_kib_is_closed_with_1009(server: Server) -> None:
    async def played() -> None:
        ada, _ben, table = await two(server)
        for message in ("x" * 8193, ["x" * 5000, "x" * 5000]):
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await wire.connection.send(message)
                assert await wire.until_closed() == 1009

    play(played())


def test_a_slow_reader_is_dropped_with_1013_and_resyncs(alone: InThread) -> None:
    async def flood() -> None:
        for live in alone.hub.tables.values():
            for subscriber in list(live.subscribers):
                for _ in range(1000):
                    subscriber.send(b'{"type": "pong", "n": 0}')

    async def played() -> None:
        ada, _ben, table = await two(alone)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            await asyncio.to_thread(alone.on_loop, flood())
            assert await wire.until_closed() == 1013
        async with await ada.wire(table["id"]) as wire:
            assert (await wire.hear())["type"] == "state"

    play(played())


def test_a_peer_that_reads_nothing_is_let_go(alone: InThread) -> None:
    async def listeners(table: str) -> list[Subscriber]:
        return list(alone.hub.tables[table].subscribers)

    async def flood(table: str) -> None:
        big = b'"' + b"x" * 1_000_000 + b'"'
        while alone.hub.tables[table].subscribers:
            for subscriber in list(alone.hub.tables[table].subscribers):
                subscriber.send(big)
            await asyncio.sleep(0)

    async def played() -> None:
        ada, _ben, table = await two(alone)
        stuck = await ada.connect(table["id"], max_queue=1)
        while not await asyncio.to_thread(alone.on_loop, listeners(table["id"])):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(alone.on_loop, flood(table["id"]))
        assert not await asyncio.to_thread(alone.on_loop, listeners(table["id"]))
        stuck.transport.abort()

    play(played())


def test_two_sockets_of_one_device_hear_the_same(server: Server) -> None:
    async def played() -> None:
        ada, _ben, table = await two(server)
        async with await ada.wire(table["id"]) as one, await ada.wire(table["id"]) as other:
            await one.hear()
            await other.hear()
            await one_move(ada, one)
            await other.until_entry("acted")
            assert one.entries == other.entries
            assert one.now == other.now

    play(played())


def test_who_lost_a_place_sees_no_rack_from_there(server: Server) -> None:
    """The host gives a place away before the start, or a player resigns: the open socket is a spectator's."""

    async def played() -> None:
        ada, ben = await Player(server, "Ada").hello(), await Player(server, "Ben").hello()
        table = await ada.create("cards", "moo", start="host", first=1)
        await ben.join(table["code"])
        async with await ben.wire(table["id"]) as his:
            await his.hear()
            for place in (1, 2):
                await ada.post(f"/api/tables/{table['id']}/places/{place}", {"kind": "bot", "bot": "greedy"})
            await ada.post(f"/api/tables/{table['id']}/start")
            started = await his.until_entry("started")
            dealt = [event for event in started["data"]["events"] if event["type"] == "deal"]
            assert {tile for event in dealt for tile in event["tiles"]} == {"??"}
        closed = await ada.create("cards", "moo", start="host", spectators=False)
        await ben.join(closed["code"])
        async with await ben.wire(closed["id"]) as his:
            await his.hear()
            await ada.post(f"/api/tables/{closed['id']}/places/1", {"kind": "open"})
            assert await his.until_closed() == 1012
        three = await ada.create("cards", "moo", first=0)
        await ben.join(three["code"])
        await (await Player(server, "Cat").hello()).join(three["code"])
        async with await ben.wire(three["id"]) as his:
            await his.hear()
            await ben.post(f"/api/tables/{three['id']}/resign")
            await his.until_entry("seated")
            await his.send("resync")
            state = (await his.until_type("state"))["state"]
            assert all(set(rack) == {"??"} for rack in state["game"]["view"]["racks"])

    play(played())


def test_who_asks_for_states_and_reads_none_gets_no_more(alone: InThread) -> None:
    async def ask_behind(table: str) -> None:
        (subscriber,) = alone.hub.tables[table].subscribers
        connection: Any = getattr(subscriber.on_close, "__self__", None)
        for _ in range(20):
            subscriber.send(b'{"type": "pong", "n": 0}')
        await connection._take('{"type": "resync"}')  # before the writer has its next turn

    async def played() -> None:
        ada, _, table = await two(alone)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            await wire.settled()
            await asyncio.to_thread(alone.on_loop, ask_behind(table["id"]))
            answer = await wire.until(lambda m: m["type"] in ("error", "state"))
            assert answer["error"]["code"] == "rate-limit"
            await wire.send("resync")
            await wire.until_type("state")

    play(played())
