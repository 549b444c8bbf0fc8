"""The house bots' turns: which bots think, which wait, and when their turns end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.operations import ADA, listening

import genial
from genial.bots import bot_named
from genial.bots.bot import Budget
from genial.bots.driver import whole_turn
from genial.bots.thinking import MOVE, WATCHED, Choice, Opinion
from genial.core.actions import Action, Refill
from genial.core.moves import may_swap
from genial.core.record import record_of
from genial.core.situation import Phase
from genial.core.view import View
from genial.server.store import open_store
from genial.server.tables import bot_turns, decisions
from genial.server.tables import hub as hub_module
from genial.server.tables.hub import Hub, Live
from genial.server.tables.settings import Limits, PlaceChoice, TableSettings
from genial.server.tables.store import Append
from genial.server.tables.store_errors import StoreBusy
from genial.server.tables.views import Viewer

ENDING = 0.25


class Thinker:
    """Thinks in this process, at once or when released, notes for whom, and reports places in the queue."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str]] = []
        self.busy: dict[str, int] = {}
        self.line: list[int | None] = []
        self.hold: asyncio.Event | None = None

    async def choose(
        self,
        bot: str,
        view: View,
        *,
        seed: str,
        deadline: float,
        tag: str,
        budget: Budget | None = None,
        priority: int = MOVE,
        caller: str = "",
    ) -> Choice:
        self.asked.append((bot, priority, caller))
        if self.hold is not None:
            await self.hold.wait()
        turn = whole_turn(bot_named(bot), view, Random(seed))
        return Choice(turn.action, tag, False, 0.0, turn.then)

    async def advise(self, bot: str, view: View, **asked: Any) -> Opinion:
        raise NotImplementedError

    def ahead(self, tag: str) -> int | None:
        return self.line.pop(0) if self.line else None

    def under_way(self, caller: str) -> int:
        return self.busy.get(caller, 0)


@asynccontextmanager
async def hub_with(path: Path, thinker: Thinker, **limits: float) -> AsyncIterator[Hub]:
    store = open_store(path / "a.db", migrate=True)
    hub = Hub(store, thinker, Limits(**{"bot_pause": 0.0, "bot_ending": 0.0} | limits))  # type: ignore[arg-type]
    try:
        yield hub
    finally:
        await hub.stop()
        await store.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 180))


async def until(true: Callable[[], object]) -> None:
    while not true():
        await asyncio.sleep(0.002)


async def table_of(
    hub: Hub, places: Sequence[str], variant: str = "classic", start: Any = None, address: str = ""
) -> Live:
    """A table whose places are held by `me` or by bots of these names."""
    choices = [PlaceChoice("me") if name == "me" else PlaceChoice("bot", name) for name in places]
    settings = TableSettings(variant, len(places), first=0)
    return await hub.create(
        lambda code: decisions.create(settings, choices, ADA.hex(), "Ada", "00" * 16, code, start),
        ADA,
        address=address,
    )


# Which bots think


def test_a_table_of_bots_alone_plays_only_while_somebody_watches(tmp_path: Path) -> None:
    async def test() -> None:
        thinker = Thinker()
        async with hub_with(tmp_path, thinker) as hub:
            live = await table_of(hub, ["greedy", "greedy"])
            await asyncio.sleep(0.05)
            assert not thinker.asked
            watcher = listening()
            await hub.subscribe(live.table.id, watcher)
            await until(lambda: len(thinker.asked) > 2)
            hub.unsubscribe(live, watcher)
            assert live.bot is not None
            await live.bot
            assert live.table.is_running
            thought = len(thinker.asked)
            # A turn that was begun is finished: no bot stops between a placement and the end of its turn.
            assert live.table.game is not None
            assert live.table.game.position.phase is Phase.PLACE
            await hub.subscribe(live.table.id, listening())
            await until(lambda: len(thinker.asked) > thought + 2)

    run(test())


def test_after_a_restart_bots_alone_wait_for_a_spectator_and_others_play_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_with(tmp_path, Thinker(), bot_pause=3600) as hub:
            alone = await table_of(hub, ["greedy", "greedy"])
            mixed = await table_of(hub, ["greedy", "me"])
        thinker = Thinker()
        async with hub_with(tmp_path, thinker) as hub:
            await hub.resume()
            again = await hub.live(mixed.table.id)
            await until(lambda: again.table.game and again.table.game.mover == 1)
            # Nobody has come yet: the thinking is charged to the host, whose address is unknown.
            assert thinker.asked == [("greedy", MOVE, ADA.hex())]
            await hub.subscribe(alone.table.id, listening())
            await until(lambda: len(thinker.asked) > 2)

    run(test())


def test_games_with_people_outrank_watched_bots_and_each_address_is_charged(tmp_path: Path) -> None:
    async def test() -> None:
        thinker = Thinker()
        async with hub_with(tmp_path, thinker, bot_pause=3600) as hub:
            await table_of(hub, ["greedy", "me"], address="192.0.2.1")
            live = await table_of(hub, ["level-2", "level-2"], address="192.0.2.2")
            watcher = listening()
            watcher.address = "192.0.2.3"
            await hub.subscribe(live.table.id, watcher)
            await until(lambda: len(thinker.asked) == 2)
            assert thinker.asked == [("greedy", MOVE, "192.0.2.1"), ("level-2", WATCHED, "192.0.2.3")]

    run(test())


def test_thinking_is_charged_to_the_least_busy_player(tmp_path: Path) -> None:
    async def test() -> None:
        thinker = Thinker()
        thinker.busy = {"192.0.2.1": 40, "192.0.2.2": 1, "192.0.2.3": 0}
        async with hub_with(tmp_path, thinker) as hub:
            live = await table_of(hub, ["me", "greedy"])
            for address, own in (("192.0.2.1", {0}), ("192.0.2.2", {0}), ("192.0.2.3", set[int]())):
                listener = listening(ADA.hex() if own else "", Viewer(frozenset(own), frozenset(own), False))
                listener.address = address
                await hub.subscribe(live.table.id, listener)
            await _act(hub, live, 0)
            await _act(hub, live, 0, Refill())
            await until(lambda: thinker.asked)
            assert thinker.asked == [("greedy", MOVE, "192.0.2.2")]

    run(test())


async def _act(hub: Hub, live: Live, place: int, action: Action | None = None) -> None:
    assert live.table.game is not None
    chosen = action or live.table.game.position.actions()[0]
    await hub.do(live.table.id, lambda table: decisions.act(table, place, chosen))


# People are told who waits


def test_listeners_are_told_where_the_bot_is_in_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "_TELL_SECONDS", 0.001)

    async def test() -> None:
        thinker = Thinker()
        thinker.hold, thinker.line = asyncio.Event(), [2, 2, 0, None]
        async with hub_with(tmp_path, thinker) as hub:
            live = await table_of(hub, ["greedy", "greedy"])
            watcher = listening()
            await hub.subscribe(live.table.id, watcher)
            told: list[Any] = []
            while len(told) < 3:
                message = msgspec.json.decode(await watcher.next() or "")
                if message["type"] == "waiting":
                    told.append(message)
            assert live.table.game is not None
            seq = live.table.game.seq
            assert told == [{"type": "waiting", "place": 0, "seq": seq, "line": line} for line in (3, 1, 0)]
            thinker.hold.set()
            await until(lambda: live.table.seq > seq + 4)

    run(test())


# When a turn ends


@cache
def start_with(swap_open: bool) -> dict[str, Any]:
    """A game with seat 0 to move, which may or may not swap after the placement that `greedy` chooses."""
    greedy = bot_named("greedy")
    for seed in range(1000):
        position = genial.new("classic", seats=2, seed=seed)
        rng = Random(seed)
        while not position.is_over:
            view = position.view({position.seat})
            action = greedy.choose(view, rng)
            after, _ = position.apply(action)
            ends = position.seat == 0 and position.turn > 3 and after.phase is Phase.END_TURN
            if ends and may_swap(after) is swap_open:
                return record_of(position)
            position = after
    raise AssertionError("no such position")


class Waits:
    """Records the moments that are waited for, in seconds after the game's last move, without waiting."""

    def __init__(self) -> None:
        self.live: Live | None = None
        self.seconds: list[float] = []
        self.hold = True
        """True while time stands still."""

    async def note(self, moment: float) -> None:
        await until(lambda: self.live is not None)
        assert self.live is not None
        self.seconds.append(round(moment - self.live.moved, 6))
        await until(lambda: not self.hold)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    noted = Waits()
    for module in (bot_turns, hub_module):
        monkeypatch.setattr(module, "until", noted.note)
    return noted


def last_deeds(live: Live) -> list[str]:
    assert live.table.game is not None
    return [event.type for event in live.table.game.position.events[-3:]]


both = pytest.mark.parametrize("swap_open", [False, True], ids=["closed", "open"])


@both
@pytest.mark.parametrize("failures", [0, 2])
def test_a_turn_ends_a_fixed_time_after_its_placement(
    tmp_path: Path, waits: Waits, swap_open: bool, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By construction: the wait is for that moment, whatever there was to choose, and whatever went wrong."""
    monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0.0)

    async def test() -> None:
        async with hub_with(tmp_path, Thinker(), bot_ending=ENDING) as hub:
            live = waits.live = await table_of(hub, ["greedy", "me"], start=start_with(swap_open))
            await until(lambda: waits.seconds)
            append, left = hub.store.append, failures

            async def failing(what: Append) -> None:
                nonlocal left
                left -= 1
                if left >= 0:
                    raise StoreBusy()
                await append(what)

            monkeypatch.setattr(hub.store, "append", failing)
            waits.hold = False
            await until(lambda: live.table.game and live.table.game.mover == 1)
            assert last_deeds(live) == (
                ["place", "swap", "draw"] if swap_open else [*last_deeds(live)[:2], "draw"]
            )

    run(test())
    tried = ENDING - 0.05
    assert waits.seconds == [tried] * (failures + 1) + [ENDING]


@both
def test_a_turn_begun_by_another_process_ends_just_as_late_with_a_refill(
    tmp_path: Path, waits: Waits, swap_open: bool
) -> None:
    async def test() -> None:
        async with hub_with(tmp_path, Thinker(), bot_ending=3600.0) as hub:
            live = waits.live = await table_of(hub, ["greedy", "me"], start=start_with(swap_open))
            await until(lambda: waits.seconds)
        waits.seconds, waits.hold = [], False
        async with hub_with(tmp_path, Thinker(), bot_ending=ENDING) as hub:
            again = waits.live = await hub.live(live.table.id)
            await until(lambda: again.table.game and again.table.game.mover == 1)
            assert last_deeds(again)[1:] == ["place", "draw"]

    run(test())
    assert waits.seconds == [ENDING - 0.05, ENDING]
