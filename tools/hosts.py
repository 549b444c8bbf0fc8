"""Several machines on one: each server in its own network, with links to the database and to players.

Links are cut and restored while people play: nothing is acknowledged that is not stored. It needs root on
Linux; `make soak-postgres` runs it in full, a shorter run is in tests/tools/test_hosts.py.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.server import postgres
from tests.server.listener import free_port
from tests.server.player import Player
from tests.server.relay import Relay
from tools.soak import Outcome, Server, compare, seated

from genial.server.store import Address

_PATIENCE = 60.0


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def forbidden() -> str | None:
    """Why network namespaces cannot be used here; None if they can."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        return "network namespaces need Linux and the command ip (Debian: iproute2)"
    try:
        ip("netns", "add", f"genial-{os.getpid()}")
        ip("netns", "delete", f"genial-{os.getpid()}")
    except subprocess.CalledProcessError as error:
        return f"network namespaces need root here: {error.stderr.strip()}"
    return None


@dataclass(frozen=True, slots=True)
class Host:
    """A simulated machine. Our end of a link has the address ending in 1, its own end the one in 2."""

    name: str
    number: int

    def our_address(self, line: str) -> str:
        return f"10.{77 if line == 'db' else 78}.{(2 * os.getpid() + self.number) % 250}.1"

    def its_address(self, line: str) -> str:
        return self.our_address(line)[:-1] + "2"

    def cut(self) -> None:
        """Pull the cable to the database."""
        ip("link", "set", f"{self.name}db", "down")

    def mend(self) -> None:
        ip("link", "set", f"{self.name}db", "up")


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """This many machines, removed afterwards with their links."""
    # The name of an interface has at most 15 characters.
    found = [Host(f"g{os.getpid() % 100_000}h{number}", number) for number in range(count)]
    try:
        for host in found:
            ip("netns", "add", host.name)
            ip("-n", host.name, "link", "set", "lo", "up")
            for line in ("db", "pl"):
                _connect(host, line)
        yield found
    finally:
        for host in found:
            subprocess.run(["ip", "netns", "delete", host.name], check=False, capture_output=True)


def _connect(host: Host, line: str) -> None:
    ours, its = f"{host.name}{line}", f"{host.name}{line}x"
    ip("link", "add", ours, "type", "veth", "peer", "name", its, "netns", host.name)
    ip("address", "add", f"{host.our_address(line)}/24", "dev", ours)
    ip("-n", host.name, "address", "add", f"{host.its_address(line)}/24", "dev", its)
    ip("link", "set", ours, "up")
    ip("-n", host.name, "link", "set", its, "up")


async def play(folder: Path, database: Address, *, games: int, cuts: int, seed: int = 1) -> Outcome:
    """Games on two machines whose links to the database are cut `cuts` times."""
    rng, loop = Random(seed), asyncio.get_running_loop()
    with ExitStack() as opened:
        machines = opened.enter_context(hosts(2))
        servers = []
        for host in machines:
            relay = opened.enter_context(Relay(database, host.our_address("db")))
            before = ("ip", "netns", "exec", host.name)
            at = host.its_address("pl")
            servers.append(Server(folder, free_port(), relay.address, host=at, before=before))
        for server in servers:
            await server.start()
        try:
            players = await seated([server.address for server in servers], games, rng)
            until = loop.time() + 600
            playing = [asyncio.create_task(player.play(until=until)) for player in players]
            done = 0
            for _ in range(cuts):
                if not all(task.done() for task in playing):
                    await _cut_once(rng.choice(machines), players, playing)
                    done += 1
            results = await asyncio.gather(*playing, return_exceptions=True)
        finally:
            for server in servers:
                await server.kill(signal.SIGKILL)
        outcome = Outcome(games=games, kills=done)
        outcome.problems += [f"{type(r).__name__}: {r}" for r in results if isinstance(r, BaseException)]
        await compare(database, players, outcome)
        return outcome


async def _cut_once(host: Host, players: list[Player], playing: list[asyncio.Task[None]]) -> None:
    """Cut a link in the middle of the games, and restore it once somebody has noticed, or all are done."""
    before = sum(player.reconnects for player in players)
    told = sum(len(player.acknowledged) for player in players)

    def noticed() -> bool:
        return sum(player.reconnects for player in players) > before or all(task.done() for task in playing)

    async with asyncio.timeout(_PATIENCE):
        while sum(len(player.acknowledged) for player in players) < told + 5 and not noticed():
            await asyncio.sleep(0.01)
        host.cut()
        try:
            while not noticed():
                await asyncio.sleep(0.05)
        finally:
            host.mend()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--cuts", type=int, default=10)
    options = parser.parse_args()
    if (reason := forbidden()) is not None:
        print(f"skipped: {reason}")
        return 0
    with tempfile.TemporaryDirectory() as folder, postgres.started() as server:
        work = play(Path(folder), server.database(), games=options.games, cuts=options.cuts)
        outcome = asyncio.run(work)
    print(
        f"{outcome.games} games on two machines, {outcome.kills} cuts to the database, {outcome.reconnects} "
        f"reconnects, {outcome.moves} moves acknowledged, {outcome.entries} entries stored, "
        f"{len(outcome.problems)} problems"
    )
    print("\n".join(outcome.problems[:20]))
    return int(bool(outcome.problems))


if __name__ == "__main__":
    sys.exit(main())
