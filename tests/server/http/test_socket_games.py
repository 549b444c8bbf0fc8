"""Whole games over the socket: every variant, against bots and between people, series and rematches."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import msgspec
import pytest
from tests.play import others_slow
from tests.server.harness import Player, Server, Wire, lawful, play, play_on

import genial
from genial.core.titles import TITLES
from genial.server.calls.protocol import ServerMessage

PEOPLE = [(variant, seats) for variant, title in TITLES.items() for seats in title.seats if seats > 1]


@pytest.mark.first_of_each
def test_a_whole_game_against_bots(server: Server, variant: str, seats: int) -> None:
    async def game() -> tuple[str, list[Any]]:
        async with Player(server, "Ada") as ada:
            board = await ada.get(f"/api/boards/{variant}/{seats}")
            table = await ada.create(variant, "m" + "g" * (seats - 1))
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await play_on(wire, {0}, board, Random(1))
            record = await ada.http.get(f"/api/tables/{table['id']}/games/0/record")
            assert record.headers["content-type"] == "application/json"
            name = record.headers["content-disposition"]
            assert name == f'attachment; filename="{variant}-{table["id"][:8]}-1.genial.json"'
            return record.text, wire.heard

    record, heard = play(game())
    assert genial.check(record).status == "lawful"
    for message in heard:  # what is sent matches the document
        msgspec.convert(message, ServerMessage)


@pytest.mark.parametrize(
    ("title", "seats"), others_slow(PEOPLE), ids=[f"{title}-{seats}" for title, seats in PEOPLE]
)
def test_two_people_play_and_the_deal_is_proved(server: Server, title: str, seats: int) -> None:
    """DEAL: what was published before the first tile matches what is revealed, with both players' bits."""

    async def played() -> tuple[str, Any, Any]:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            board = await ada.get(f"/api/boards/{title}/{seats}")
            table = await ada.create(title, "mo" + "r" * (seats - 2))
            async with await ada.wire(table["id"]) as hers:
                await hers.hear()
                await ben.join(table["code"])
                started = await hers.until_entry("started")
                async with await ben.wire(table["id"]) as his:
                    await his.hear()
                    await asyncio.gather(
                        play_on(hers, {0}, board, Random(2)), play_on(his, {1}, board, Random(3))
                    )
                revealed = hers.entries[-2]
            record = await ben.http.get(f"/api/tables/{table['id']}/games/0/record")
            return record.text, started["data"], revealed

    text, started, revealed = play(played())
    assert genial.check(text).status == "lawful"
    deal = json.loads(text)["deal"]
    if "proof" not in server.can:  # the player holds the secret: nothing is claimed
        assert deal.keys() == {"scheme", "seed"}
        return
    assert deal["commitment"] == started["commitment"]
    assert deal["bits"] == started["bits"]
    assert len(set(filter(None, deal["bits"]))) == 2
    assert revealed["kind"] == "revealed"
    assert revealed["data"]["secret"] == deal["secret"]
    assert genial.check(text.replace(deal["secret"], "0" * 64)).code == "deal-commitment"


async def _both_present(*wires: Wire) -> None:
    """Wait until every process knows that both are connected: others are asked again for a rematch."""
    for wire in wires:
        while not any(m["type"] == "presence" and m["places"] == [0, 1] for m in wire.heard):
            await wire.hear()


def test_a_series_and_a_rematch_pass_the_start_on(server: Server) -> None:
    """FIRST-SEAT, SERIES"""

    async def played() -> tuple[list[int], Any]:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            board = await ada.get("/api/boards/cards/2")
            table = await ada.create("cards", "mo", games=2, first=1)
            await ben.join(table["code"])
            firsts = []
            async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
                await _both_present(hers, his)
                for number in range(3):
                    if number:
                        for person in (ada, ben) if number == 1 else (ben, ada):
                            await person.post(f"/api/tables/{table['id']}/rematch")
                    for wire in (hers, his):
                        while wire.now is None or wire.now["status"] != "running":
                            await wire.hear()
                    assert hers.now["status"] == "running"
                    firsts.append(hers.state["game"]["first"])
                    await asyncio.gather(
                        play_on(hers, {0}, board, Random(2)), play_on(his, {1}, board, Random(3))
                    )
                    assert hers.now["status"] == ("between" if number != 1 else "over")
            return firsts, hers.state["series"]

    firsts, series = play(played())
    assert firsts == [1, 0, 1]
    assert series["played"] == 1
    assert len(series["notes"]) == 1


def test_a_placement_and_the_end_of_the_turn_fit_in_one_message(server: Server) -> None:
    async def played() -> None:
        async with Player(server, "Ada") as ada:
            board = await ada.get("/api/boards/travel/2")
            table = await ada.create("travel", "mm", first=0)
            async with await ada.wire(table["id"], place=0) as wire:
                await wire.hear()
                move = lawful(wire.now["legal"], board, Random(5))
                ack = await wire.act(0, move, then="refill")
                one, two = wire.entries
                assert (one["data"]["action"], two["data"]["action"]) == (move, "refill")
                assert ack["seq"] == one["seq"]
                assert wire.now["mover"] == 1
                assert wire.now["legal"] is None  # the other place is behind the curtain

    play(played())


def test_an_unlawful_end_of_turn_rejects_the_placement_too(server: Server) -> None:
    async def played() -> None:
        async with Player(server, "Ada") as ada:
            board = await ada.get("/api/boards/travel/2")
            for _ in range(20):
                table = await ada.create("travel", "mm", first=0)
                async with await ada.wire(table["id"], place=0) as wire:
                    await wire.hear()
                    answer = await wire.act(0, lawful(wire.now["legal"], board, Random(5)), then="swap")
                    if answer["type"] == "error":
                        assert answer["error"]["code"] == "swap-has-lowest"
                        await wire.settled()
                        assert not wire.entries
                        return
                await ada.post(f"/api/tables/{table['id']}/close")  # a swap was possible: a rare deal
            raise AssertionError("a swap was possible in every deal")

    play(played())
