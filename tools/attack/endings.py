"""Timing secrets: does the delay from a bot's placement to the end of its turn reveal if it could swap?

The short form of `tools.timing`, from outside, so that any commit can be tested: tables continue from
prepared positions whose racks we know, and a listener at the table takes the times.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from http import HTTPStatus
from itertools import cycle
from time import perf_counter
from typing import Any

import msgspec
from benchmarks.load_clients import Door, lifted
from tools.attack.result import Attack, Outcome
from tools.attack.scene import ME, Scene, World, bits, bystander, device
from tools.timing import BOUNDS, Delays, auc, starts

import genial
from genial.core.moves import may_swap
from genial.core.notation import parse_move
from genial.core.position import Position

VARIANT, SEATS = "3d", 2
BOT = "level-6@0.05"
"""It looks ahead, but with few nodes, so that many turns fit into a minute."""
ENDINGS = 400
"""Of each kind: chance alone breaks the bounds once in seventy runs."""
LANES = 2
"""More would queue for the one worker, and the thinking of 4ecf47b could not be told from waiting."""
_ENDS = ("refill", "swap")
_ACTS = ("place", "play", "swap")
_PATIENCE = 30.0
_LIMITS = {"bot_pause": 0, "records_per_minute": 10_000_000}
"""A pause before each action would hide what is being looked for."""
_ENDING_SECONDS = 0.1
"""From a placement to the end of the turn, if that is fixed: short, for quick results."""


class Listener:
    """Listens to one turn of a bot, from a known position."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._placed = 0.0
        self.ended: asyncio.Future[tuple[bool, float] | None] = asyncio.get_running_loop().create_future()
        """Whether a swap was possible, and the seconds from placement to end; None if that was missed."""

    def hear(self, data: bytes) -> None:
        """Handle a message: of today's conversation, or of the first, which sent entries one by one."""
        now, message = perf_counter(), msgspec.json.decode(data)
        entries = message.get("entries", [message["entry"]] if "entry" in message else [])
        for action in (entry["data"]["action"] for entry in entries if entry["kind"] == "acted"):
            if action not in _ENDS:
                self._position, _ = self._position.apply(parse_move(self._position.setup, action))
                self._placed = now
            elif not self.ended.done():
                seen = (may_swap(self._position), now - self._placed) if self._placed else None
                self.ended.set_result(seen)


async def _one_ending(door: Door, record: dict[str, Any]) -> tuple[bool, float] | None:
    """Let a bot end a turn at a new table."""
    position = genial.load(record)
    places = [{"kind": "bot", "bot": BOT} if seat == position.seat else ME for seat in range(SEATS)]
    body = {
        "settings": {"variant": VARIANT, "seats": SEATS, "first": 0},
        "places": places,
        "name": "Eve",
        "bits": bits(),
        "ply": sum(event["type"] in _ACTS for event in record["events"]),
        "record": record,
    }
    with closing(device(door)) as host:
        asked = "/api/records/continue", msgspec.json.encode(body)
        status, table = await asyncio.to_thread(host.request, "POST", *asked)
        if status != HTTPStatus.CREATED:
            raise RuntimeError(f"no table: {status} {table!r:.200}")
        path, listener = f"/api/tables/{table['id']}", Listener(position)
        socket = await door.connect(f"{path}/socket", listener.hear, host.cookie)
        try:
            async with asyncio.timeout(_PATIENCE):
                return await listener.ended
        finally:
            socket.close()
            await asyncio.to_thread(host.request, "POST", f"{path}/close", b"{}")


async def ending_times(scene: Scene) -> Outcome:
    """Many endings of both kinds, some of them at the same time."""
    prepared = await asyncio.to_thread(starts, VARIANT, SEATS)
    delays, records = Delays(ENDINGS), {kind: cycle(found) for kind, found in prepared.items()}
    limits: dict[str, float] = {**lifted(scene.source), **_LIMITS}
    if "devices_per_hour" in limits:  # no older commit has a fixed time either
        limits["bot_ending"] = _ENDING_SECONDS
    more = [f"--limit={name}={value}" for name, value in limits.items()]
    with scene.serving(*more, world=World(bots=(BOT,))) as servers:

        async def lane(number: int) -> None:
            kind = bool(number % 2)
            while not delays.is_full:
                kind = not kind
                seen = await _one_ending(servers.door(bystander(number)), next(records[kind]))
                if seen is not None:
                    _note(delays, *seen)

        async with asyncio.TaskGroup() as group:
            for number in range(LANES):
                group.create_task(lane(number))
    return judged(delays)


def _note(delays: Delays, is_open: bool, seconds: float) -> None:
    """Keep the kinds balanced: a time when the machine was busy must not tell them apart."""
    same, other = delays.by_open[is_open], delays.by_open[not is_open]
    if delays.lacks(is_open) and len(same) < len(other) + LANES:
        same.append(seconds)


def judged(delays: Delays) -> Outcome:
    """Whether the delay reveals anything."""
    found = auc(delays.by_open[False], delays.by_open[True])
    return Outcome(f"AUC {found:.2f}", BOUNDS[0] <= found <= BOUNDS[1])


ATTACKS = [
    Attack(
        "ending-times",
        f"how long level 6 with few nodes takes to end {ENDINGS} turns with an open swap and as many without",
        f"AUC {BOUNDS[0]} to {BOUNDS[1]}",
        ending_times,
        stores=("sqlite",),
        with_bots=True,
    )
]
