"""Queues are bounded in bytes: a slow reader loses updates, and nothing else."""

from __future__ import annotations

import asyncio
from random import Random

import msgspec
from tests.server.desk import Desk, at, desk

from genial.server.tables.news import News
from genial.server.tables.settings import TableSettings
from genial.server.tables.subscribers import Subscriber
from genial.server.tables.views import Told

LIMIT = 20_000


def slow(made: Desk) -> Subscriber:
    return Subscriber("", at({0}), LIMIT, lambda: f'{{"state":{made.table.seq}}}')


def move(made: Desk, listener: Subscriber, rng: Random, move_id: str | None = None) -> None:
    entries = made.random_act(rng)
    doer = (listener, move_id) if move_id else None
    listener.tell(News(made.table, entries, 5, Told(), doer))


def read(listener: Subscriber) -> list[dict[str, object]]:
    async def all_of_it() -> list[dict[str, object]]:
        found = []
        while listener.waiting or listener._behind:
            text = await listener.next()
            assert text is not None
            found.append(msgspec.json.decode(text))
        return found

    return asyncio.run(all_of_it())


def test_a_listener_that_keeps_up_gets_every_update() -> None:
    made, rng = desk(TableSettings("classic", 2, first=0)), Random(1)
    listener = slow(made)
    for _ in range(12):
        move(made, listener, rng)
        (message,) = read(listener)
        assert message["type"] == "update"
    assert not listener.dropped


def test_a_slow_listener_gets_one_state_for_everything_it_missed() -> None:
    made, rng = desk(TableSettings("classic", 2, first=0)), Random(1)
    listener = slow(made)
    for _ in range(20):
        move(made, listener, rng)
        assert sum(len(message.text) for message in listener._messages) <= LIMIT
    listener.send('{"type":"pong"}')
    assert read(listener) == [{"type": "pong"}, {"state": made.table.seq}]
    move(made, listener, rng)
    assert [message["type"] for message in read(listener)] == ["update"]


def test_a_listeners_own_move_is_acknowledged_even_if_its_update_is_dropped() -> None:
    made, rng = desk(TableSettings("classic", 2, first=0)), Random(1)
    listener = slow(made)
    for number in range(20):
        move(made, listener, rng, f"m{number}")
    heard = read(listener)
    acknowledged = [message.get("done") or message.get("move_id") for message in heard]
    assert acknowledged == [*(f"m{number}" for number in range(20)), None]
    assert heard[-1] == {"state": made.table.seq}


def test_a_listener_with_too_many_essential_messages_is_dropped() -> None:
    listener = slow(desk(TableSettings("classic", 2)))
    for _ in range(30):
        listener.send("x" * 1000)
    assert listener.dropped
    assert listener.closed
    assert not listener.waiting


def test_the_limit_counts_bytes_rather_than_characters() -> None:
    listener = slow(desk(TableSettings("classic", 2)))
    for _ in range(LIMIT // 3):
        listener.send("€")
    assert not listener.dropped
    listener.send("€")
    assert listener.dropped
