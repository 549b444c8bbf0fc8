"""A continuous attack, and what bystanders observe before, during and after it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from benchmarks.load_clients import Door
from benchmarks.players import spoken_by
from tools.attack.bystanders import RATE, Bystanders, Figures, at_play
from tools.attack.result import Attack, Outcome
from tools.attack.scene import ATTACKER, VISITOR, Scene, Servers, World, may_create

P99_MS = 100.0
BOT_SECONDS = 2.0
GAP_SECONDS = 1.0
MORE_MIB = 100.0
"""How much memory an attack may cost at most."""
LOG_BYTES = 1_000_000
"""How long the log may get."""
BOUND = "bystanders undisturbed"
MEANING = (
    f"Bystanders are undisturbed if their moves, {RATE} a second, are acknowledged with a p99 under"
    f" {P99_MS:.0f} ms, bots of levels 1 to 3 answer them within {BOT_SECONDS:.0f} s, no gap of"
    f" {GAP_SECONDS:.0f} s opens between answers of `/healthz` to new connections, the server takes less than"
    f" {MORE_MIB:.0f} MiB more memory and writes less than {LOG_BYTES / 1e6:.0f} MB of log, and everything is"
    " soon as before without a restart, new tables from the attacker's address included. Of two figures, the"
    " first was measured just before the attack."
)
_NICENESS = 10
_WARM_SECONDS = 1.5
_BASE_SECONDS = 3.0
_RECOVER_SECONDS = 20.0
_LOOK_SECONDS = 2.0
_LATE_SECONDS = 30.0
"""How long an attacker may take to notice that its time is over."""
_LIMIT_SECONDS = 65.0
"""The longest that the attacker's address has to wait before it may again do what everybody may."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What an attacker aims at, from its own address, and for how long."""

    doors: tuple[Door, ...]
    seconds: float

    def door(self, number: int) -> Door:
        """The doors of several processes in turn."""
        return self.doors[number % len(self.doors)]


Strike = Callable[[Aim], Awaitable[Outcome]]
"""Attacks until its time is over. Returns what it could do, and whether it should have been able to.

It runs in a separate process, so it has to be a function of a module.
"""


def siege(name: str, says: str, strike: Strike, world: World | None = None, *, besides: str = "") -> Attack:
    """An attack by somebody whose neighbours keep playing; `besides` is what else it must not achieve."""
    run = partial(_besiege, strike=strike, world=world)
    return Attack(name, says, f"{BOUND}, {besides}" if besides else BOUND, run, with_bots=True)


async def _besiege(scene: Scene, strike: Strike, world: World | None) -> Outcome:
    with scene.serving(world=world) as servers:
        speak = await spoken_by(servers.door(VISITOR))
        async with at_play(speak, servers) as bystanders:
            await asyncio.sleep(_WARM_SECONDS)
            bystanders.take()
            await asyncio.sleep(_BASE_SECONDS)
            before, mib, log = bystanders.take(), servers.mib, servers.log_bytes
            bystanders.most_mib = mib
            did = await _in_its_own_process(strike, Aim(servers.doors(ATTACKER), scene.seconds))
            during = bystanders.take()
            spent = Spent(bystanders.most_mib - mib, servers.log_bytes - log)
            after = await _recovered(bystanders, servers, max(P99_MS, 2 * before.p99))
        return judged(did, before, during, spent, after)


async def _in_its_own_process(strike: Strike, aim: Aim) -> Outcome:
    loop = asyncio.get_running_loop()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, initializer=_meek) as pool:
        return await loop.run_in_executor(pool, _struck, strike, aim)


def _meek() -> None:
    """Keep an attacker from taking the processor from those it attacks, who share this machine with it."""
    os.nice(_NICENESS)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _struck(strike: Strike, aim: Aim) -> Outcome:
    async def run() -> Outcome:
        async with asyncio.timeout(aim.seconds + _LATE_SECONDS):
            return await strike(aim)

    return asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Spent:
    """What an attack cost the server."""

    mib: float
    log_bytes: int


async def _recovered(bystanders: Bystanders, servers: Servers, p99: float) -> str:
    """Empty if everything is soon back to normal, without a restart; otherwise what is not."""
    begun = perf_counter()
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        figures = bystanders.take()
        if figures.p99 < p99 and figures.gap < GAP_SECONDS and figures.moves:
            break
        if perf_counter() - begun > _RECOVER_SECONDS:
            return f"p99 still {figures.p99:,.0f} ms, gap {figures.gap:.1f} s"
    if not (await _created(servers.door(VISITOR)))[0]:
        return "no new table can be made"
    done, seconds = await _created(servers.door(ATTACKER))
    if not done and 0 < seconds < _LIMIT_SECONDS:
        await asyncio.sleep(seconds + 1)
        done, _ = await _created(servers.door(ATTACKER))
    return "" if done else "nothing more from the attacker's address"


async def _created(door: Door) -> tuple[bool, float]:
    with suppress(OSError):
        return await asyncio.to_thread(may_create, door)
    return False, 0.0


def judged(did: Outcome, before: Figures, during: Figures, spent: Spent, after: str) -> Outcome:
    """The outcome, judged by the bounds that apply to every such attack."""
    shown = [
        f"p99 {before.p99:,.0f} → {during.p99:,.0f} ms",
        f"bots {before.bots:.1f} → {during.bots:.1f} s",
        f"gap {before.gap:.1f} → {during.gap:.1f} s",
        f"{spent.mib:+,.0f} MiB",
        f"log {spent.log_bytes / 1e6:.1f} MB",
        *([during.trouble] if during.trouble else []),
        after or "then as before",
    ]
    met = (
        did.met
        and during.p99 < P99_MS
        and during.bots < BOT_SECONDS
        and during.gap < GAP_SECONDS
        and spent.mib < MORE_MIB
        and spent.log_bytes < LOG_BYTES
        and not during.trouble
        and not after
    )
    return Outcome(f"{did.shown}: {', '.join(shown)}", met)
