"""The socket's promises: nothing twice, nothing missed, nothing hidden shown."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest
from tests.server.harness import Denied, InThread, Player, Server, Wire, lawful, play
from tests.server.operations import SPOKEN
from tests.server.paged import over_http
from websockets.asyncio.client import ClientConnection
from websockets.typing import Subprotocol

from genial.server.calls.conversation import CONVERSATION
from genial.server.tables.entries import Chatted, Entry
from genial.server.tables.log import table_from
from genial.server.tables.news import News
from genial.server.tables.subscribers import Listener, Subscriber


async def two(server: Server, variant: str = "travel", **settings: Any) -> tuple[Player, Player, Any]:
    """A running game of two people; the first begins."""
    ada = await Player(server, "Ada").hello()
    ben = await Player(server, "Ben").hello()
    table = await ada.create(variant, "mo", first=0, **settings)
    await ben.join(table["code"])
    return ada, ben, await ada.get(f"/api/tables/{table['id']}")


async def one_move(player: Player, wire: Wire, place: int = 0) -> Any:
    """Any allowed move, acknowledged and seen."""
    settings = wire.state["settings"]
    board = await player.get(f"/api/boards/{settings['variant']}/{settings['seats']}")
    answer = await wire.act(place, lawful(wire.now["legal"], board, Random(1)))
    assert answer["type"] == "ack", answer
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


def test_the_same_move_id_from_two_devices_is_two_moves(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            chat = {"move_id": "1", "phrase": "hello"}
            await ada.post(f"/api/tables/{table['id']}/chat", chat)
            await ben.post(f"/api/tables/{table['id']}/chat", chat)
            while len(wire.entries) < 2:  # through another process the second comes a moment later
                await wire.hear()
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
                state = await hers.until_state()
                assert state["seq"] == now
            await his.settled()
            assert not any(message["type"] == "update" for message in his.heard[1:])

    play(played())


def test_a_chat_message_in_between_makes_no_move_stale(server: Server) -> None:
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
            assert "nebeneinander" in answer["error"]["text"]
            for action, code in (
                ("refill", "refill-not-now"),
                ("swap", "swap-not-now"),
                ("zz", "move-unreadable"),
            ):
                assert (await hers.act(0, action))["error"]["code"] == code
            assert (await his.act(1, "refill"))["error"]["code"] == "not-your-turn"
            assert (await his.act(0, "refill"))["error"]["code"] == "place-not-yours"
            await hers.settled()
            assert not hers.entries
            assert (await ada.get(f"/api/tables/{table['id']}"))["seq"] == hers.seq

    play(played())


def test_reconnecting_resumes_from_the_last_number(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
            await hers.hear()
            await his.hear()
            seen = his.seq
            await his.connection.close()
            await one_move(ada, hers)
            answer = await hers.act(0, "refill")
            async with await ben.wire(table["id"], after=seen) as again:
                await again.hear()
                assert [entry["seq"] for entry in again.entries] == [seen + 1, seen + 2]
                assert again.entries[0]["data"]["events"][0]["type"] == "place"
                assert set(again.entries[1]["data"]["events"][0]["tiles"]) == {"??"}
                assert again.now["mover"] == 1
                assert again.now["legal"]["tiles"]
                assert [message["type"] for message in again.heard] == ["update"]
                board = await ben.get("/api/boards/travel/2")
                assert (await again.act(1, lawful(again.now["legal"], board, Random(1))))["type"] == "ack"
            async with await ben.wire(table["id"], after=answer["seq"] + 1000) as early:
                assert (await early.hear())["entries"] == []
                assert early.state["seq"] == early.seq

    play(played())


def test_a_shared_device_sees_one_rack_at_a_time(server: Server) -> None:
    """One device, three places: it sees one rack at a time, and none until it says whose."""

    async def played() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("classic", "mmm", first=0)
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                for place in (None, 0, 1, 2, None):
                    await wire.send("watch-place", place=place)
                    state = await wire.until_state()
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
                await wire.until_state()
                other = await ada.wire(table["id"], place=0)
                await other.hear()
                await one_move(ada, other)
                await other.act(0, "refill")
                await wire.until(lambda m: wire.now["mover"] == 1)
                drew = wire.entries[-1]["data"]["events"]
                assert {tile for event in drew for tile in event["tiles"]} == {"??"}
                assert wire.now["legal"]["tiles"]
                await other.connection.close()
            assert (await ada.get(f"/api/tables/{table['id']}", 403, place=3))["error"][
                "code"
            ] == "place-not-yours"

    play(played())


def test_spectators_get_in_only_with_the_watch_code(server: Server) -> None:
    async def played() -> None:
        ada, _ben, table = await two(server)
        async with Player(server, "Cat") as cat:
            path = f"/api/tables/{table['id']}"
            for query in ({}, {"code": table["code"]}, {"watch": "WRONGLYX"}, {"watch": table["code"]}):
                assert (await cat.get(path, 404, **query))["error"]["code"] == "table-unknown"
            with pytest.raises(Denied) as denied:
                await cat.wire(table["id"])
            assert (denied.value.status, denied.value.code) == (404, "table-unknown")
            async with await cat.wire(table["id"], watch=table["watch"]) as wire:
                state = (await wire.hear())["state"]
                assert all(set(rack) == {"??"} for rack in state["game"]["view"]["racks"])
                assert (state["code"], state["watch"], state["legal"], state["viewer"]) == (
                    None,
                    None,
                    None,
                    [],
                )
                await wire.until(lambda m: m["type"] == "presence" and m["watching"] == 1)
                assert (await wire.act(0, "refill"))["error"]["code"] == "place-not-yours"
                said = await wire.ask("chat", text="nice", name="Cat")
                assert said["type"] == "ack"
            closed = await ada.create("travel", "mg", spectators=False)
            assert closed["watch"] is None
            entries = await asyncio.to_thread(server.in_store, lambda store: store.read(closed["id"]))
            code = table_from(closed["id"], entries).watch
            refused = await cat.get(f"/api/tables/{closed['id']}", 403, watch=code)
            assert refused["error"]["code"] == "spectators-off"

    play(played())


def test_taking_back_and_asking_to_take_back(server: Server) -> None:
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
            await hers.until_state()
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
                assert watching.state["talk_later"]
                said = await watching.ask("chat", text="she holds red", name="Cat")
                assert said["type"] == "ack"
                # Nobody hears it; otherwise a player could listen through the watch link on another device.
                other = Player(server, "Ada's phone")
                async with await other.wire(
                    table["id"], watch=table["watch"], after=said["seq"] - 1
                ) as phone:
                    for wire in (hers, curtain, watching, phone):
                        await wire.until_seq(said["seq"])  # through another process it comes a moment later
                        chats = [entry["data"] for entry in wire.entries if entry["kind"] == "chatted"]
                        assert chats[-1] == {"hidden": True}
                        await wire.send("resync")
                        await wire.until_state()
                        assert "she holds red" not in json.dumps(wire.heard)
                    await ada.post(f"/api/tables/{table['id']}/resign", {"place": 0})
                    for wire in (hers, curtain, watching, phone):
                        while wire.now["status"] != "over":
                            await wire.hear()
                        assert "she holds red" in json.dumps(wire.state["chat"])

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


def test_resigning(server: Server) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        await ben.post(f"/api/tables/{table['id']}/resign", {"place": 1})
        state = await ada.get(f"/api/tables/{table['id']}")
        assert state["status"] == "over"
        assert state["game"]["view"]["result"]["reason"] == "resign"
        assert state["game"]["view"]["result"]["ranks"] == [1, 2]
        # With more than two sides a bot plays on; the person who left may watch.
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


@over_http
def test_a_frame_over_8_kib_closes_the_connection_with_1009(server: Server) -> None:
    async def played() -> None:
        ada, _ben, table = await two(server)
        for message in ("x" * 8193, ["x" * 5000, "x" * 5000]):
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await wire.connection.send(message)
                assert await wire.until_closed() == 1009

    play(played())


def test_a_reader_with_too_much_queued_is_dropped_with_1013(alone: InThread) -> None:
    async def flood(table: str) -> None:
        (listener,) = alone.hub.tables[table].listeners
        assert isinstance(listener, Subscriber)
        for _ in range(1000):
            listener.send('{"type": "pong", "n": 0, "x": "' + "x" * 1000 + '"}')

    async def played() -> None:
        ada, _ben, table = await two(alone)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            await asyncio.to_thread(alone.on_loop, flood(table["id"]))
            assert await wire.until_closed() == 1013
        async with await ada.wire(table["id"]) as wire:
            assert (await wire.hear())["state"]

    play(played())


def test_a_slow_viewer_loses_updates_and_gets_the_whole_state(alone: InThread) -> None:
    """More is stored than may be queued before the writer's next turn: one state replaces all of it."""

    async def much(table: str) -> None:
        live = alone.hub.tables[table]
        (listener,) = live.listeners
        for number in range(1000):
            said = Entry(live.table.seq + 1, live.table.time, Chatted(None, "Cat", f"{number} " * 40))
            live.table = live.table.after([said])
            listener.tell(News(live.table, [said], 5, live.told))

    async def played() -> None:
        ada, _ben, table = await two(alone)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            await wire.settled()
            first, heard = wire.seq, len(wire.heard)
            await asyncio.to_thread(alone.on_loop, much(table["id"]))
            state = await wire.until_state()
            assert state["seq"] == wire.seq == first + 1000
            assert state["chat"][-1]["text"] == "999 " * 40
            assert not wire.entries
            assert [message["type"] for message in wire.heard[heard:]] == ["update"]

    play(played())


def test_a_peer_that_reads_nothing_is_dropped(alone: InThread) -> None:
    async def listeners(table: str) -> list[Listener]:
        return list(alone.hub.tables[table].listeners)

    async def flood(table: str) -> None:
        big = '"' + "x" * 1_000_000 + '"'
        while alone.hub.tables[table].listeners:
            for listener in list(alone.hub.tables[table].listeners):
                assert isinstance(listener, Subscriber)
                listener.send(big)
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


def test_two_sockets_of_one_device_hear_the_same_things(server: Server) -> None:
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


def test_a_player_who_lost_a_place_no_longer_sees_its_rack(server: Server) -> None:
    """The host gives a place away before the start, or a player resigns: the socket becomes a spectator's."""

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
            state = await his.until_state()
            assert all(set(rack) == {"??"} for rack in state["game"]["view"]["racks"])

    play(played())


def test_repeated_resyncs_queue_only_one_state(alone: InThread) -> None:
    async def ask(table: str) -> int:
        (listener,) = alone.hub.tables[table].listeners
        assert isinstance(listener, Subscriber)
        connection: Any = getattr(listener.on_close, "__self__", None)
        for _ in range(20):
            await connection._take('{"type": "resync"}')  # before the writer's next turn
        return listener.waiting

    async def played() -> None:
        ada, _, table = await two(alone)
        async with await ada.wire(table["id"]) as wire:
            await wire.hear()
            await wire.settled()
            assert await asyncio.to_thread(alone.on_loop, ask(table["id"])) == 1
            await wire.until_state()
            await wire.settled()
            assert sum(message["type"] == "update" for message in wire.heard) == 2

    play(played())


def test_a_move_sends_everybody_exactly_one_message(alone: InThread) -> None:
    async def played() -> None:
        ada, ben, table = await two(alone)
        cat = await Player(alone, "Cat").hello()
        async with (
            await ada.wire(table["id"]) as hers,
            await ben.wire(table["id"]) as his,
            await cat.wire(table["id"], watch=table["watch"]) as theirs,
        ):
            wires = (hers, his, theirs)
            for wire in wires:
                await wire.hear()
                await wire.until_type("presence")
            await asyncio.sleep(0.3)
            for wire in wires:
                await wire.settled()
            before = [len(wire.heard) for wire in wires]
            await one_move(ada, hers)
            await hers.act(0, "refill")
            for wire, number in zip(wires, before, strict=True):
                await wire.settled()
                fresh = [message["type"] for message in wire.heard[number:]]
                assert fresh == ["update", "update", "pong"]
                assert wire.state["seq"] == hers.seq
            assert (hers.state["legal"], theirs.state["legal"]) == (None, None)
            assert his.state["legal"]["tiles"]

    play(played())


def test_the_codes_of_a_spectating_host_reach_no_other_spectator(server: Server) -> None:
    """Equal viewers share one encoding; a host who watches equals no other spectator."""

    async def played() -> None:
        ada, ben, cat = [await Player(server, name).hello() for name in ("Ada", "Ben", "Cat")]
        table = await ada.create("travel", "oo", first=0)
        assert table["host"]
        assert not any(place["yours"] for place in table["places"])
        await ben.join(table["code"], 0)
        async with await ada.wire(table["id"]) as host:
            await host.hear()
            await cat.join(table["code"], 1)
            watching = await Player(server, "Dan").hello()
            async with await watching.wire(table["id"], watch=table["watch"]) as his:
                await his.hear()
                await ben.post(f"/api/tables/{table['id']}/resign")
                for wire in (host, his):
                    await wire.until_entry("acted")
                assert (host.state["code"], host.state["watch"]) == (table["code"], table["watch"])
                assert (his.state["code"], his.state["watch"], his.state["host"]) == (None, None, False)
                assert table["code"] not in json.dumps(his.heard)
                assert table["watch"] not in json.dumps(his.heard)

    play(played())


@over_http
@pytest.mark.parametrize("offered", [None, (Subprotocol("genial.1"),)])
def test_an_unsupported_conversation_is_refused_before_the_first_message(
    server: Server, offered: tuple[Subprotocol, ...] | None
) -> None:
    async def played() -> None:
        ada, ben, table = await two(server)
        token = (await ada.post("/api/bot/account", {"name": "Schnapp"}))["token"]
        for caller in (ada, ben, Player(server, "Schnapp", token=token)):
            with pytest.raises(Denied) as denied:
                await caller.wire(table["id"], offered=offered)
            assert (denied.value.status, denied.value.code) == (409, "conversation-other")
        async with await ada.wire(table["id"], offered=(*(offered or ()), *SPOKEN)) as wire:
            assert isinstance(wire.connection, ClientConnection)
            assert wire.connection.subprotocol == CONVERSATION
            assert (await wire.hear())["state"]["seq"] == table["seq"]

    play(played())


@over_http
def test_a_page_with_another_conversation_is_told_to_reload(server: Server) -> None:
    async def played() -> None:
        ada, _, table = await two(server)
        path = f"/api/tables/{table['id']}"
        token = (await ada.post("/api/bot/account", {"name": "Schnapp"}))["token"]

        async def told(accept: str, **headers: str) -> tuple[int, str]:
            answer = await ada.http.get(path, headers={"accept": accept, "accept-language": "de", **headers})
            return answer.status_code, answer.json().get("error", {}).get("text", "")

        sentence = "Genial wurde aktualisiert. Lade diese Seite neu, um weiterzuspielen."
        # The clients of the first two conversations, and one from the future.
        browser = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
        assert await told("application/json", **browser) == (409, sentence)
        for profile in ("genial.2", "genial.99"):
            assert await told(f"application/json; profile={profile}") == (409, sentence)
        # Today's client, and programs that aren't pages.
        assert await told(f"application/json; profile={CONVERSATION}") == (200, "")
        assert await told("*/*") == (200, "")
        assert await told("application/json") == (200, "")
        assert await told("application/json", **{"user-agent": "curl/8.5.0"}) == (200, "")
        by_token, _ = await told("application/json", authorization=f"Bearer {token}", **browser)
        assert by_token == 404  # the bot doesn't sit here

    play(played())
