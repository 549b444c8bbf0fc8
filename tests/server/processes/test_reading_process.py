"""Records are read in a separate process: only the caller waits for it, and not for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from functools import cache
from typing import Any

import pytest

import genial
from genial.core.actions import Swap
from genial.core.errors import GenialError, RecordError
from genial.core.moves import outcome
from genial.core.record import MOST_EVENTS, dump, record_of
from genial.core.title import setup
from genial.core.titles import TITLES, title_of
from genial.server.processes.reading_process import MOST_WAITING_OF_ONE, ReadingProcess
from genial.server.study.reading import Order, Task, answered
from genial.server.tables.errors import TooMany
from genial.server.tables.settings import Limits

LIMITS = Limits()


@cache
def played_for_time() -> dict[str, Any]:
    """A card game of four who always swap, and play what scores least: nothing else here takes longer."""
    position = genial.new("cards", seats=4, seed=7)
    while not position.is_over:
        actions = position.actions()
        swaps = [action for action in actions if isinstance(action, Swap)]
        plays = (action for action in actions if hasattr(action, "tile"))
        least = min(plays, key=lambda play: sum(outcome(position, play).score.gain), default=actions[0])
        position, _ = position.apply(swaps[0] if swaps else least)
    return record_of(position)


def order(task: Task = "replay", *, events: int = LIMITS.record_events, deadline: float = 60.0) -> Order:
    return Order(task, dump(played_for_time()).encode(), events, deadline)


def with_process(work: Any) -> Any:
    async def run() -> Any:
        reading = ReadingProcess()
        try:
            return await work(reading)
        finally:
            await reading.close()

    return asyncio.run(run())


async def refused(work: Coroutine[Any, Any, Any]) -> GenialError:
    with pytest.raises(GenialError) as caught:
        await work
    return caught.value


def test_the_longest_games_fit_the_budget_twice() -> None:
    assert len(played_for_time()["events"]) > 500
    assert 2 * len(played_for_time()["events"]) < LIMITS.record_events < MOST_EVENTS
    assert 2 * len(dump(played_for_time())) < LIMITS.record_bytes
    for variant in set(TITLES) - {"cards"}:
        for seats in title_of(variant).seats:
            # A deal for each seat; for each tile at most a placement, a swap and a draw; the end.
            longest = seats + 3 * len(setup(title_of(variant), seats).tiles) + 1
            assert 2 * longest < LIMITS.record_events


def test_a_record_gives_the_same_result_in_either_process() -> None:
    async def work(reading: ReadingProcess) -> None:
        for task in ("replay", "analysis", "start"):
            assert answered(order(task)) == ("done", await reading.carried_out(order(task), "ada"))

    with_process(work)


def test_the_server_process_does_little_work_for_a_record() -> None:
    async def work(reading: ReadingProcess) -> tuple[float, float]:
        await reading.carried_out(order(), "ada")  # the process is started once
        begun = time.process_time()
        for _ in range(5):
            await reading.carried_out(order(), "ada")
        beside = time.process_time() - begun
        begun = time.process_time()
        for _ in range(5):
            answered(order())
        return beside, time.process_time() - begun

    beside, alone = with_process(work)
    assert beside < alone / 4


def test_a_record_over_budget_is_refused_and_the_next_one_is_read() -> None:
    async def work(reading: ReadingProcess) -> None:
        many = await refused(reading.carried_out(order(events=100), "ada"))
        assert (many.code, many.params["limit"]) == ("record-events", 100)
        long = await refused(reading.carried_out(order(deadline=0.001), "ada"))
        assert isinstance(long, RecordError)
        assert long.code == "record-costly"
        assert all("0.001" in long.text(language) for language in ("en", "de", "nl"))
        assert await reading.carried_out(order("analysis"), "ada")

    with_process(work)


def test_a_breach_is_reported_with_its_ruling_and_event() -> None:
    record = played_for_time()
    lie = {**record, "events": [*record["events"][:30], {"type": "reshuffle"}]}

    async def work(reading: ReadingProcess) -> None:
        error = await refused(reading.carried_out(Order("replay", dump(lie).encode(), 2000, 60.0), "ada"))
        assert error.ruling
        assert error.params["event"] == 30

    with_process(work)


def test_many_records_from_one_caller_do_not_delay_another() -> None:
    done: list[str] = []

    async def brought(reading: ReadingProcess, caller: str) -> None:
        await reading.carried_out(order("analysis"), caller)
        done.append(caller)

    async def work(reading: ReadingProcess) -> None:
        async with asyncio.TaskGroup() as tasks:
            for caller in ["mallory"] * MOST_WAITING_OF_ONE + ["ada"]:
                tasks.create_task(brought(reading, caller))
            await asyncio.sleep(0)
            assert type(await refused(reading.carried_out(order(), "mallory"))) is TooMany
        await brought(reading, "mallory")

    with_process(work)
    assert done.index("ada") == 1
    assert done.count("mallory") == MOST_WAITING_OF_ONE + 1
