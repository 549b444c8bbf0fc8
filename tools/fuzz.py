"""Bad messages on the socket, many of them, while neighbours play: nothing breaks, nothing is stored.

`python -m tools.fuzz --messages 100000` is the long run; a short one is in tests/tools/test_fuzz.py. The
server is a real process on loopback. Eve sends what nobody should: to a table where she watches others play,
to one where it is not her turn, to one where it is, and to one that is none of her business. Nothing that she
sends is lawful, so whatever is stored of hers is a fault. A message counts once the server has answered it,
or closed for it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
from tests.server.listener import free_port
from tests.server.operations import SPOKEN
from tests.server.player import Player
from tools.badmessages import Bad, ending, refused, unreadable
from tools.soak import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Origin

import genial
from genial.server.calls.conversation import BAD_MESSAGES
from genial.server.store.sqlite import open_store
from genial.server.tables.log import table_from
from genial.server.tables.store import StoredEntry

_WAIT = 20.0
_PACE = 0.01
"""Seconds that a neighbour thinks."""
_GROWTH_MIB = 64.0
_ANSWERS = frozenset(("ack", "error", "pong", "presence", "update"))
_CLOSED = frozenset((1000, 1002, 1003, 1006, 1007, 1008, 1009))
"""1006: a peer that no longer speaks WebSocket is hung up on. Above all not 1011, the server's own fault."""


class Neighbour(Player):
    """A player who takes a little time to think, so that the game lasts long enough for the fuzzer."""

    stopped = False
    """Set to make the player leave at the next message, in the middle of the game."""

    async def _take_in(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        await super()._take_in(socket, message)
        self.over = self.over or self.stopped

    async def _act(self, socket: ClientConnection, legal: Any, mover: int | None) -> None:
        await asyncio.sleep(_PACE)
        if not self.stopped:
            await super()._act(socket, legal, mover)


@dataclass(slots=True)
class Ground:
    """Where the fuzzing takes place."""

    address: str
    eve: Player
    fred: Player
    waiting: str = ""
    """A table where it is not Eve's turn but that of Fred, who is there and thinking."""
    moving: str = ""
    """A table where it is Eve's turn, against a bot."""
    shared: str = ""
    """A table where others play and she watches; replaced by a new one when its game is over."""
    watch: str = ""
    fresh: int = 0
    """The number that an action at Eve's own tables has to name."""


@dataclass(slots=True)
class Outcome:
    """The outcome of a run."""

    messages: int = 0
    sockets: int = 0
    neighbours: list[Player] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    closes: Counter[int] = field(default_factory=Counter)
    denials: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    endings: int = 0
    """How many messages were of the kind that ends a socket."""
    problems: list[str] = field(default_factory=list)
    mib: tuple[float, float] = (0.0, 0.0)
    """The server's memory when it was warm, and at the end."""
    seconds: float = 0.0

    @property
    def moves(self) -> int:
        """How many moves the neighbours made meanwhile."""
        return sum(len(player.acknowledged) for player in self.neighbours)

    def problem(self, what: str) -> None:
        if len(self.problems) < 50:
            self.problems.append(what)


async def fuzz(
    folder: Path, *, messages: int, seed: int = 1, seconds: float = 900, workers: int = 6
) -> Outcome:
    """Send this many bad messages, then check on everybody and everything."""
    outcome, begun = Outcome(), time.monotonic()
    server = Server(folder, free_port())
    await server.start()
    try:
        async with asyncio.timeout(seconds), httpx.AsyncClient(timeout=_WAIT) as client:
            ground = await _ground(server.address, client)
            before = await _logs(server.file, [ground.waiting, ground.moving])
            await _attack(server, ground, client, outcome, messages, Random(seed), workers)
        after = await _logs(server.file, [ground.waiting, ground.moving])
        if before != after:
            outcome.problem("a table changed at which nobody did anything lawful")
        await _healthy(server, outcome)
    except TimeoutError:
        outcome.problem(f"not done within {seconds} s: {outcome.messages} messages")
    finally:
        code = await server.kill(signal.SIGTERM)
    if code != 0:
        outcome.problem(f"the server ended with {code}")
    await _neighbours_alone(server.file, outcome)
    _read_log(folder / "server.log", outcome)
    outcome.seconds = time.monotonic() - begun
    return outcome


async def _ground(address: str, client: httpx.AsyncClient) -> Ground:
    eve, fred = Player(address, Random(1), name="Eve"), Player(address, Random(2), name="Fred")
    for player in (eve, fred):
        await player.hello(client)
    ground = Ground(address, eve, fred)
    settings = {"variant": "classic", "seats": 2, "chat": "off"}
    me, bot = {"kind": "me"}, {"kind": "bot", "bot": "random"}
    view = await eve.create(client, {**settings, "first": 1}, [me, {"kind": "open"}])
    await fred.join(client, view["code"], place=1)
    ground.waiting = view["id"]
    view = await eve.create(client, {**settings, "first": 0}, [me, bot])
    ground.moving, ground.fresh = view["id"], view["game"]["seq"]
    return ground


async def _attack(
    server: Server,
    ground: Ground,
    client: httpx.AsyncClient,
    outcome: Outcome,
    messages: int,
    rng: Random,
    workers: int,
) -> None:
    stop, ready = asyncio.Event(), asyncio.Event()
    bystanders = [
        asyncio.create_task(_play_together(ground, client, outcome, stop, ready, Random(rng.random()))),
        asyncio.create_task(_play_a_bot(ground, client, outcome, stop, Random(rng.random()))),
        asyncio.create_task(_sit_still(ground, outcome, stop)),
    ]
    await ready.wait()
    fuzzers = [
        asyncio.create_task(_Fuzzer(ground, outcome, messages, Random(rng.random())).run())
        for _ in range(workers)
    ]
    warm = asyncio.create_task(_warm_memory(server, outcome, messages))
    try:
        for result in await asyncio.gather(*fuzzers, return_exceptions=True):
            if isinstance(result, BaseException):
                outcome.problem(f"fuzzer: {type(result).__name__}: {result}")
    finally:
        warm.cancel()
        stop.set()
    for result in await asyncio.gather(*bystanders, return_exceptions=True):
        if isinstance(result, BaseException):
            outcome.problem(f"neighbour: {type(result).__name__}: {result}")


# Neighbours


async def _play_together(
    ground: Ground,
    client: httpx.AsyncClient,
    outcome: Outcome,
    stop: asyncio.Event,
    ready: asyncio.Event,
    rng: Random,
) -> None:
    """Two people at the table that Eve watches, game after game."""
    while not stop.is_set():
        ada = Neighbour(ground.address, Random(rng.random()), name="Ada")
        ben = Neighbour(ground.address, Random(rng.random()), name="Ben")
        await ada.hello(client)
        await ben.hello(client)
        settings = {"variant": "classic", "seats": 2, "chat": "off"}
        view = await ada.create(client, settings, [{"kind": "me"}, {"kind": "open"}])
        ground.shared, ground.watch = view["id"], view["watch"]
        await ben.join(client, view["code"], place=1)
        outcome.neighbours += [ada, ben]
        ready.set()
        await _until(stop, ada, ben)


async def _play_a_bot(
    ground: Ground, client: httpx.AsyncClient, outcome: Outcome, stop: asyncio.Event, rng: Random
) -> None:
    """Somebody at another table, against a bot."""
    while not stop.is_set():
        cem = Neighbour(ground.address, Random(rng.random()), name="Cem", variant="cards")
        await cem.hello(client)
        places = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        await cem.create(client, {"variant": "cards", "seats": 2, "chat": "off"}, places)
        outcome.neighbours.append(cem)
        await _until(stop, cem)


async def _until(stop: asyncio.Event, *players: Neighbour) -> None:
    """Let them play to the end of their game, or until the run is over."""
    until = asyncio.get_running_loop().time() + 900

    async def cut_off() -> None:
        await stop.wait()
        for player in players:
            player.stopped = True  # the last one at least hears that the others have gone

    cutting = asyncio.create_task(cut_off())
    try:
        await asyncio.gather(*(player.play(until=until) for player in players))
    finally:
        cutting.cancel()


async def _sit_still(ground: Ground, outcome: Outcome, stop: asyncio.Event) -> None:
    """Sockets at tables where nothing happens: they stay open and receive no entries."""
    sockets = [
        await _connect(ground, ground.waiting, place=0),
        await _connect(ground, ground.moving, place=0),
        # If he were away, Eve might lawfully choose a bot for him.
        await _connect(ground, ground.waiting, by=ground.fred, place=1),
    ]
    listening = [asyncio.create_task(_hear_nothing(socket, outcome)) for socket in sockets]
    await stop.wait()
    for socket, task in zip(sockets, listening, strict=True):
        if task.done():
            outcome.problem(f"a quiet neighbour was closed with {socket.close_code}")
        task.cancel()
        await socket.close()


async def _hear_nothing(socket: ClientConnection, outcome: Outcome) -> None:
    async for heard in socket:
        message = msgspec.json.decode(heard)
        if message["type"] != "presence" and message.get("entries") != []:
            outcome.problem(f"a quiet neighbour heard {heard[:200]!r}")


# Fuzzing


def _connect(
    ground: Ground, table: str, *, device: bool = True, by: Player | None = None, **query: object
) -> connect:
    wanted = "&".join(f"{name}={value}" for name, value in query.items())
    headers = {"Cookie": (by or ground.eve).headers["Cookie"]} if device else {}
    return connect(
        f"ws://{ground.address}/api/tables/{table}/socket?{wanted}",
        additional_headers=headers,
        origin=Origin(f"http://{ground.address}"),
        subprotocols=SPOKEN,
        compression=None,
        proxy=None,
        max_size=None,
        open_timeout=_WAIT,
        close_timeout=_WAIT,
    )


@dataclass(slots=True)
class _Fuzzer:
    """One of several working in parallel; each socket is new."""

    ground: Ground
    outcome: Outcome
    messages: int
    rng: Random

    async def run(self) -> None:
        while self.outcome.messages < self.messages:
            table, query = self._somewhere()
            try:
                async with _connect(self.ground, table, **query) as socket:
                    self.outcome.sockets += 1
                    await self._abuse(socket)
            except InvalidStatus as error:
                self._denied(error)
            except (WebSocketException, OSError) as error:
                self.outcome.problem(f"no socket: {type(error).__name__}: {error}")

    def _somewhere(self) -> tuple[str, dict[str, Any]]:
        ground, lot = self.ground, self.rng.random()
        if lot < 0.3:
            return ground.shared, {"watch": ground.watch, "device": self.rng.random() < 0.8}
        if lot < 0.6:
            return ground.waiting, {"place": 0}
        if lot < 0.97:
            return ground.moving, {"after": self.rng.choice(("0", "1", str(2**53)))}
        # None of her business, or no such thing.
        table = self.rng.choice((ground.shared, "nowhere", "%00", "..%2f", secrets.token_urlsafe(12)))
        bad = (
            {"watch": "WRONG"},
            {"place": 3},
            {"place": "x" * 50},
            {"after": -1},
            {"what": 1},
            {"place": 9**30},
        )
        return table, self.rng.choice(bad)

    def _denied(self, error: InvalidStatus) -> None:
        status = error.response.status_code
        self.outcome.denials[status] += 1
        if status >= 500:
            self.outcome.problem(f"a handshake was answered with {status}")

    async def _abuse(self, socket: ClientConnection) -> None:
        lot, rng = self.rng.random(), self.rng
        if lot < 0.2:
            self.outcome.endings += 1
            await self._send(socket, [ending(rng, self.outcome.endings)])
        elif lot < 0.7:
            # One less than the server tolerates, or more than that.
            count = BAD_MESSAGES - 1 if rng.random() < 0.8 else BAD_MESSAGES + 10
            await self._send(socket, [unreadable(rng) for _ in range(count)])
        else:
            await self._send(socket, [refused(rng, self.ground.fresh) for _ in range(40)])

    async def _send(self, socket: ClientConnection, burst: list[Bad]) -> None:
        """Send them all at once, and read until the last is answered or the server has closed."""
        n = self.rng.randrange(2**32)
        answered, errors = False, 0
        reading = asyncio.create_task(self._read(socket, n))
        with suppress(ConnectionClosed):
            for bad in burst:
                await bad.send(socket)
                if self.rng.random() < 0.02:
                    await asyncio.sleep(0)
            await socket.send(msgspec.json.encode({"type": "ping", "n": n}))
        try:
            async with asyncio.timeout(_WAIT):
                answered, errors = await reading
        except TimeoutError:
            self.outcome.problem(f"no answer to {[bad.kind for bad in burst][-3:]}")
        if answered:
            self._count(burst)
        elif socket.close_code is not None:
            self.outcome.closes[socket.close_code] += 1
            self._count(burst[: max(1, errors)])
            if socket.close_code not in _CLOSED:
                self.outcome.problem(f"closed with {socket.close_code} for {[bad.kind for bad in burst]}")

    def _count(self, burst: list[Bad]) -> None:
        self.outcome.messages += len(burst)
        self.outcome.kinds.update(bad.kind for bad in burst)

    async def _read(self, socket: ClientConnection, n: int) -> tuple[bool, int]:
        """Whether the ping was answered, and how many errors came before it."""
        errors = 0
        with suppress(ConnectionClosed):
            while True:
                message = msgspec.json.decode(await socket.recv())
                match message["type"]:
                    case "pong" if message["n"] == n:
                        return True, errors
                    case "error":
                        errors += 1
                        self.outcome.answers[message["error"]["code"]] += 1
                        if message["error"]["code"] == "server-failed" or not message["error"]["text"]:
                            self.outcome.problem(f"an error said {message}")
                    case "ack":
                        self.outcome.problem(f"acknowledged: {message}")
                    case kind:
                        self.outcome.answers[f"({kind})"] += 1
                        if kind not in _ANSWERS:
                            self.outcome.problem(f"an answer of the kind {kind!r}")
        return False, errors


# Checks afterwards


def memory_mib(process: int) -> float:
    """The resident memory of a process."""
    text = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


async def _warm_memory(server: Server, outcome: Outcome, messages: int) -> None:
    while outcome.messages < messages // 5:
        await asyncio.sleep(0.02)
    if server.process is not None and Path("/proc").exists():
        outcome.mib = (memory_mib(server.process.pid), 0.0)


async def _healthy(server: Server, outcome: Outcome) -> None:
    assert server.process is not None
    if server.process.returncode is not None:
        outcome.problem("the server is dead")
        return
    async with httpx.AsyncClient(timeout=_WAIT) as client:
        if (await client.get(f"http://{server.address}/healthz")).status_code != 200:
            outcome.problem("the server is not healthy")
    if outcome.mib[0]:
        outcome.mib = (outcome.mib[0], memory_mib(server.process.pid))
        if outcome.mib[1] > outcome.mib[0] + _GROWTH_MIB:
            outcome.problem(f"memory grew from {outcome.mib[0]:.0f} to {outcome.mib[1]:.0f} MiB")


async def _logs(file: Path, tables: list[str]) -> list[list[StoredEntry]]:
    store = open_store(file)
    try:
        return [await store.read(table) for table in tables]
    finally:
        await store.close()


async def _neighbours_alone(file: Path, outcome: Outcome) -> None:
    """Check that what was stored at the neighbours' tables is theirs, each move once, and lawful."""
    for player in outcome.neighbours:
        if player.reconnects:
            outcome.problem(f"{player.name} was closed {player.reconnects} times")
    tables = list(dict.fromkeys(player.table for player in outcome.neighbours))
    for game, stored in zip(tables, await _logs(file, tables), strict=True):
        players = [player for player in outcome.neighbours if player.table == game]
        mine = Counter(entry.move_id.rpartition(":")[2] for entry in stored if entry.move_id)
        known = {move for player in players for move in player.acknowledged}
        # At the end one may have been cut off before its acknowledgement arrived.
        pending = {player._pending[0] for player in players if player._pending}
        if any(count > 1 for count in mine.values()) or not known <= set(mine) <= known | pending:
            outcome.problem(f"{game}: moves that no neighbour made: {set(mine) - known - pending}")
        if any(
            entry.kind in ("chatted", "asked", "answered", "chose", "taken-back", "closed")
            for entry in stored
        ):
            outcome.problem(f"{game}: an entry that no neighbour made")
        table = table_from(game, stored)
        if table.game and table.game.result and not (verdict := genial.check(table.game.record())).ok:
            outcome.problem(f"{game}: {verdict.text()}")


_FAULTS = re.compile(r"Traceback|\berror {3}|critical|exception|status=(5\d\d|1011)\b", re.IGNORECASE)


def _read_log(file: Path, outcome: Outcome) -> None:
    for line in file.read_text(errors="replace").splitlines():
        if _FAULTS.search(line):
            outcome.problem(f"the log says: {line[:300]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=900)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(
            fuzz(Path(folder), messages=options.messages, seed=options.seed, seconds=options.seconds)
        )
    print(
        f"{outcome.messages} bad messages on {outcome.sockets} sockets in {outcome.seconds:.0f} s; "
        f"neighbours made {outcome.moves} moves; memory {outcome.mib[0]:.0f} to {outcome.mib[1]:.0f} MiB; "
        f"{len(outcome.problems)} problems"
    )
    for name in ("kinds", "answers", "closes", "denials"):
        print(
            f"{name}: " + ", ".join(f"{what} {count}" for what, count in getattr(outcome, name).most_common())
        )
    print("\n".join(outcome.problems[:20]))
    return int(bool(outcome.problems))


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
