"""Killing servers again and again while people play: nothing acknowledged is lost, nothing is doubled.

`make soak` runs it in full on one file (200 games, 100 kills), `make soak-postgres` with two processes on one
database, with the players of a table on both; shorter runs are in tests/tools/test_soak.py and
tests/server/processes/test_process.py. Servers are real processes on loopback, killed with SIGKILL at random
moments and restarted on the same store.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
from tests.play import GAMES
from tests.server import postgres
from tests.server.listener import free_port
from tests.server.player import Player

import genial
from genial.server.store import Address, opened
from genial.server.tables.log import table_from

_START_SECONDS = 30.0


@dataclass(slots=True)
class Server:
    """`genial serve` as a process that may die at any time."""

    folder: Path
    port: int
    db: Path | Address | None = None
    """Defaults to a file in the folder."""
    host: str = "127.0.0.1"
    before: tuple[str, ...] = ()
    """The start of the command, to run it somewhere else."""
    process: asyncio.subprocess.Process | None = None
    kills: int = 0

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def file(self) -> Path:
        return self.folder / "genial.db"

    @property
    def store(self) -> str:
        return self.db.url if isinstance(self.db, Address) else str(self.db or self.file)

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        limits = [f"--limit={name}={value}" for name, value in _GENEROUS.items()]
        with (self.folder / "server.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(*self.before, sys.executable, "-m", "genial", "serve", "--db", self.store),
                *("--host", self.host, "--port", str(self.port), "--bot-workers", "1", *limits),
                stdout=log,
                stderr=log,
            )
        async with httpx.AsyncClient() as client, asyncio.timeout(_START_SECONDS):
            while True:
                try:
                    if (await client.get(f"http://{self.address}/healthz")).status_code == 200:
                        return
                except httpx.HTTPError:
                    if self.process.returncode is not None:
                        told = (self.folder / "server.log").read_text(errors="replace").splitlines()
                        raise RuntimeError(f"The server did not start: {' | '.join(told[-5:])}") from None
                    await asyncio.sleep(0.05)

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End the process that we started, and wait for it."""
        assert self.process is not None
        self.process.send_signal(how)
        self.kills += how is signal.SIGKILL
        return await self.process.wait()


_GENEROUS = {
    "bot_pause": 0.0,
    "bot_ending": 0.0,
    "requests_per_minute": 1_000_000,
    "messages_per_20s": 1_000_000,
    "tables_per_hour": 1_000_000,
    "devices_per_hour": 1_000_000,
    "address_chat_per_minute": 1_000_000,
    "sockets_per_address": 10_000,
}
"""Everybody here plays from one address, so limits per address are off."""


@dataclass(slots=True)
class Outcome:
    """The outcome of a soak."""

    games: int = 0
    kills: int = 0
    moves: int = 0
    """Acknowledged to players."""
    entries: int = 0
    reconnects: int = 0
    longest_wait: float = 0.0
    """Seconds that a player was without a server."""
    longest_pause: float = 0.0
    """Seconds from then until the game went on, whoever's turn it was."""
    problems: list[str] = field(default_factory=list)
    variants: Counter[str] = field(default_factory=Counter)


async def soak(
    folder: Path,
    *,
    games: int,
    kills: int,
    seconds: float,
    seed: int = 1,
    db: Path | Address | None = None,
    processes: int = 1,
    think: float = 0.0,
) -> Outcome:
    """Play games on servers that are killed `kills` times, then compare with their store.

    All games run at once. If they are all over before the last kill, as many start again.
    """
    rng, loop = Random(seed), asyncio.get_running_loop()
    store = db or folder / "genial.db"
    servers = [Server(folder, free_port(), store) for _ in range(processes)]
    for server in servers:
        await server.start()
    until, outcome = loop.time() + seconds, Outcome()
    players: list[Player] = []
    try:
        while outcome.kills < kills and loop.time() < until:
            seats = await seated([server.address for server in servers], games, rng)
            for player in seats:
                player.think = think
            playing = [asyncio.create_task(player.play(until=until)) for player in seats]
            killing = asyncio.create_task(_killing(servers, kills - outcome.kills, rng, playing))
            results = await asyncio.gather(*playing, return_exceptions=True)
            await killing
            players += seats
            outcome.games += games
            outcome.kills = sum(server.kills for server in servers)
            outcome.problems += [f"{type(r).__name__}: {r}" for r in results if isinstance(r, BaseException)]
    finally:
        for server in servers:
            await server.kill(signal.SIGTERM)
    await compare(store, players, outcome)
    return outcome


CARRY_ON_SECONDS = 5.0
"""If there is another server, nobody waits longer than this after theirs was killed."""


async def seated(addresses: list[str], games: int, rng: Random) -> list[Player]:
    """A person at each table against bots, or two people at one; they start at different servers."""
    players = []
    async with httpx.AsyncClient(timeout=30) as client:
        for game in range(games):
            variant, seats = GAMES[game % len(GAMES)]
            here, *rest = addresses[game % len(addresses) :] + addresses[: game % len(addresses)]
            host = Player(here, Random(rng.random()), variant=variant, seats=seats, others=tuple(rest))
            await host.hello(client)
            people = 2 if seats > 1 and rng.random() < 0.4 else 1
            places = [{"kind": "me"}]
            places += [{"kind": "open"}] * (people - 1)
            places += [{"kind": "bot", "bot": rng.choice(["random", "greedy"])}] * (seats - people)
            view = await host.create(client, {"variant": variant, "seats": seats}, places)
            players.append(host)
            if people == 2:
                at, *others = [*rest, here]
                guest = Player(at, Random(rng.random()), name="Ben", variant=variant, seats=seats)
                guest.others = tuple(others)
                await guest.hello(client)
                await guest.join(client, view["code"], place=1)
                players.append(guest)
    return players


async def _killing(servers: list[Server], kills: int, rng: Random, playing: list[asyncio.Task[None]]) -> None:
    for _ in range(kills):
        await asyncio.sleep(0.1 + rng.random() * 0.4)
        if all(task.done() for task in playing):
            return
        server = rng.choice(servers)
        await server.kill()
        await server.start()


async def compare(db: Path | Address, players: list[Player], outcome: Outcome) -> None:
    """Check that every acknowledged move is in the log once, under its number, and every log is lawful."""
    store = await opened(db)
    outcome.longest_wait = max((player.longest_wait for player in players), default=0.0)
    outcome.longest_pause = max((player.longest_pause for player in players), default=0.0)
    try:
        for game in dict.fromkeys(player.table for player in players):
            stored = await store.read(game)
            outcome.entries += len(stored)
            if [entry.seq for entry in stored] != list(range(1, len(stored) + 1)):
                outcome.problems.append(f"{game}: numbers with gaps or doubles")
            # A move id is stored after the device that chose it.
            ids = {entry.seq: entry.move_id.rpartition(":")[2] for entry in stored if entry.move_id}
            moves = Counter(ids.values())
            for player in (player for player in players if player.table == game):
                outcome.moves += len(player.acknowledged)
                outcome.reconnects += player.reconnects
                for move, seq in player.acknowledged.items():
                    if moves[move] != 1 or ids[seq] != move:
                        outcome.problems.append(
                            f"{game}: move {move} acknowledged as {seq}, stored {moves[move]} times"
                        )
            table = table_from(game, stored)
            outcome.variants[table.settings.variant] += 1
            if table.game is None or table.game.result is None:
                outcome.problems.append(f"{game}: {table.settings.variant} is not over")
            elif not (verdict := genial.check(table.game.record())).ok:
                outcome.problems.append(f"{game}: {verdict.text()}")
    finally:
        await store.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="several processes on one database")
    parser.add_argument("--processes", type=int, default=2, help="how many, with --postgres")
    parser.add_argument("--think", type=float, default=0.0, help="seconds that a move takes at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as started:
        db = started.enter_context(postgres.started()).database() if options.postgres else None
        outcome = asyncio.run(
            soak(
                Path(folder),
                games=options.games,
                kills=options.kills,
                seconds=options.seconds,
                seed=options.seed,
                db=db,
                processes=options.processes if db else 1,
                think=options.think,
            )
        )
    print(
        f"{outcome.games} games, {outcome.kills} kills, {outcome.reconnects} reconnects, "
        f"{outcome.moves} moves acknowledged, {outcome.entries} entries stored, "
        f"nobody without a server for more than {outcome.longest_wait:.1f} s, "
        f"no game at rest for more than {outcome.longest_pause:.1f} s, "
        f"{len(outcome.problems)} problems"
    )
    # Players who never think use up the whole machine, and then wait for it.
    if db and options.think and max(outcome.longest_wait, outcome.longest_pause) > CARRY_ON_SECONDS:
        outcome.problems.append(f"somebody waited longer than {CARRY_ON_SECONDS:g} s to go on elsewhere")
    print("\n".join(outcome.problems[:20]))
    return int(bool(outcome.problems))


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
