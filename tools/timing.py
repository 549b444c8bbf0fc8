"""Check whether the time at which a bot's turn ends reveals if a swap was possible: `python -m tools.timing`.

Real tables, a real store and real workers in one process. For each variant and level, bots end turns from
prepared positions with and without a possible swap, as seen by a listener at the table; the resulting table
shows how well the delay from placement to ending tells one from the other. An AUC of 0.5 is guessing, 1.0 is
knowing.

    python -m tools.timing --endings 1000 --delay 0.1
    python -m tools.timing --endings 1000 --delay 0.1 --queue-full
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain, cycle
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import genial
from genial.bots import BOTS, bot_named
from genial.bots.thinking import WATCHED
from genial.bots.warm import is_warm, warm
from genial.bots.workers import BotPool
from genial.core.moves import may_swap
from genial.core.position import Position
from genial.core.record import record_of
from genial.core.situation import Phase
from genial.server.store import open_store
from genial.server.tables import decisions
from genial.server.tables.hub import Hub, Live
from genial.server.tables.settings import Limits, PlaceChoice, TableSettings
from genial.server.tables.subscribers import Subscriber
from genial.server.tables.views import SPECTATOR

GAMES = (("classic", 2), ("3d", 2), ("cards", 4))
LEVELS = ("level-2", "level-6")
BOUNDS = (0.45, 0.55)
_STARTS = 24
"""Prepared positions of each kind, used over and over with other bags."""
_SCOUT = bot_named("level-2")
_HOST = bytes(15) + b"T"
_BACKGROUND = 60
"""Jobs that are always waiting when the queue has to be full."""


def auc(closed: Sequence[float], opened: Sequence[float]) -> float:
    """How often a value of the second kind is larger; ties count half.

    >>> auc([1, 2, 3], [1, 2, 3]), auc([1, 2], [3, 4]), auc([3, 4], [1, 2])
    (0.5, 1.0, 0.0)
    """
    ranked = sorted(chain(((value, 0) for value in closed), ((value, 1) for value in opened)))
    total, n = 0.0, 0
    while n < len(ranked):
        same = n
        while same < len(ranked) and ranked[same][0] == ranked[n][0]:
            same += 1
        rank = (n + 1 + same) / 2
        total += rank * sum(kind for _, kind in ranked[n:same])
        n = same
    least = len(opened) * (len(opened) + 1) / 2
    return (total - least) / (len(closed) * len(opened))


@dataclass
class Delays:
    """Delays from placement to ending, in seconds, by whether a swap was possible."""

    wanted: int
    by_open: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})

    @property
    def is_full(self) -> bool:
        return all(len(found) >= self.wanted for found in self.by_open.values())

    def lacks(self, is_open: bool) -> bool:
        return len(self.by_open[is_open]) < self.wanted

    def row(self) -> str:
        closed, opened = self.by_open[False], self.by_open[True]
        times = "  ".join(
            f"{1000 * median(found):8.2f} {1000 * max(found):8.2f}" for found in (closed, opened)
        )
        return f"{len(closed):6} {len(opened):6}  {times}  {auc(closed, opened):.3f}"


def starts(variant: str, seats: int) -> dict[bool, list[dict[str, Any]]]:
    """Positions before the last placement of a turn after which a swap is probably impossible, or possible.

    For each of one kind there is one of the other equally far into a game: how long a game has lasted is no
    secret.
    """
    unmatched: dict[bool, dict[int, list[Position]]] = {False: {}, True: {}}
    found: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for position, is_open in _turns(variant, seats):
        others = unmatched[not is_open].get(position.turn)
        if not others:
            unmatched[is_open].setdefault(position.turn, []).append(position)
            continue
        found[is_open].append(record_of(position))
        found[not is_open].append(record_of(others.pop()))
        if len(found[is_open]) == _STARTS:
            break
    return found


def _turns(variant: str, seats: int) -> Iterator[tuple[Position, bool]]:
    for seed in range(100_000):
        position, rng = genial.new(variant, seats=seats, seed=seed), Random(seed)
        while not position.is_over:
            after, _ = position.apply(_SCOUT.choose(position.view({position.seat}), rng))
            ends = position.phase is Phase.PLACE and not after.is_over and after.phase is Phase.END_TURN
            if ends and after.seat == position.seat:
                yield position, may_swap(after)
            position = after


async def one_ending(hub: Hub, bot: str, record: dict[str, Any]) -> tuple[bool, float] | None:
    """Let a bot place and end its turn. Returns whether it could swap, and the delay that a listener saw."""
    position = genial.load(record)
    seats = position.setup.seats
    places = [
        PlaceChoice("bot", bot) if seat == position.seat else PlaceChoice("me") for seat in range(seats)
    ]
    settings = TableSettings(position.setup.title.variant, seats, first=0)
    live = await hub.create(
        lambda code: decisions.create(settings, places, _HOST.hex(), "T", "00" * 16, code, record), _HOST
    )
    listener = Subscriber("", SPECTATOR, 1 << 22, lambda: "")
    await hub.subscribe(live.table.id, listener)
    loop, told, is_open = asyncio.get_running_loop(), 0.0, False
    try:
        while True:
            text = await listener.next()
            now = loop.time()
            if text is None or not text.startswith('{"type":"update"'):
                continue
            game = live.table.game
            assert game is not None
            if game.position.is_over or live.table.bot_to_move() is None:
                return (is_open, now - told) if told else None
            if game.position.phase is Phase.END_TURN:
                told, is_open = now, may_swap(game.position)
    finally:
        hub.unsubscribe(live, listener)
        await hub.do(live.table.id, lambda table: decisions.close(table, "host"))
        _forget(hub, live)


def _forget(hub: Hub, live: Live) -> None:
    if live.presence is not None:
        live.presence.cancel()
    hub.tables.pop(live.table.id, None)


async def measured(hub: Hub, bot: str, prepared: dict[bool, list[Any]], count: int, lanes: int) -> Delays:
    """Measure this many endings of each kind, some of them at the same time."""
    delays, records = Delays(count), {kind: cycle(found) for kind, found in prepared.items()}

    async def lane(number: int) -> None:
        kind = bool(number % 2)
        while not delays.is_full:
            kind = not kind if delays.lacks(not kind) else kind
            seen = await one_ending(hub, bot, next(records[kind]))
            if seen is not None and delays.lacks(seen[0]):
                delays.by_open[seen[0]].append(seen[1])

    async with asyncio.TaskGroup() as group:
        for number in range(lanes):
            group.create_task(lane(number))
    return delays


@asynccontextmanager
async def crowded(pool: BotPool, bot: str, count: int) -> AsyncIterator[None]:
    """Meanwhile keep this many of somebody else's jobs waiting for a worker."""
    view = genial.new("classic", seats=4, seed=1).view({0})

    async def again(number: int) -> None:
        while True:
            tag = f"crowd {number}"
            await pool.choose(
                bot, view, seed=tag, deadline=60.0, tag=tag, priority=WATCHED, caller=f"crowd {number % 7}"
            )

    tasks = [asyncio.create_task(again(number)) for number in range(count)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _main(wanted: argparse.Namespace) -> int:
    limits = Limits(bot_pause=0.0, bot_ending=wanted.delay, thoughts_per_address=1000)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "timing.db", migrate=True)
        async with BotPool(1, quick_workers=1, each=limits.thoughts_per_address) as pool:
            hub = Hub(store, pool, limits)
            print(f"{'game':10} {'bot':14} {'closed':>6} {'open':>6}  {'ms, median and longest':>36}  AUC")
            for (variant, seats), level in ((game, level) for game in GAMES for level in wanted.levels):
                bot = _named(level, wanted.part)
                prepared = await asyncio.to_thread(starts, variant, seats)
                async with crowded(pool, _named("level-6", wanted.part), _BACKGROUND * wanted.queue_full):
                    delays = await measured(hub, bot, prepared, wanted.endings, wanted.lanes)
                found = auc(delays.by_open[False], delays.by_open[True])
                is_bad = not BOUNDS[0] <= found <= BOUNDS[1]
                print(f"{variant + ' ' + str(seats):10} {bot:14} {delays.row()}{'  !' * is_bad}", flush=True)
                bad += is_bad
            await hub.stop()
        await store.close()
    return 1 if bad else 0


def _named(level: str, part: float) -> str:
    """A level, or one that looks ahead with a share of its budget; tables know it from now on."""
    name = level if part == 1 or level in ("level-1", "level-2", "level-3") else f"{level}@{part:g}"
    BOTS.setdefault(name, bot_named(name))
    return name


def main() -> int:
    """Measure, and print a table; 1 if the delay reveals anything."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.timing", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--endings", type=int, default=200, help="of each kind, for each game and level")
    parser.add_argument("--delay", type=float, default=0.1, help="seconds from placement to ending")
    parser.add_argument("--queue-full", action="store_true", help="while 60 thoughts of others wait")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS))
    parser.add_argument(
        "--part", type=float, default=0.05, help="of their budget, for levels that look ahead"
    )
    parser.add_argument("--lanes", type=int, default=6, help="tables at the same time")
    wanted = parser.parse_args()
    if not is_warm():
        print("Compiling first, or the levels that look ahead would not.", flush=True)
        warm()
    return asyncio.run(_main(wanted))


if __name__ == "__main__":
    sys.exit(main())
