"""Loads that any server can be put under, and the resulting figures.

A move is a placement with the end of its turn: two deeds, as the browser sends them. CPU time is that of all
threads of the server, or of all servers in a group.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Protocol

from benchmarks.echo_game import EchoGame
from benchmarks.load_clients import Process, Tables
from benchmarks.players import Game, Player, Sizes

TICK = 0.001
WARM = 0.5
"""Seconds of moves before anything is measured."""
LONGEST = 40.0
"""Seconds after which a load that does not end is aborted."""


@dataclass(slots=True)
class Figures:
    """One run of one load. Times in milliseconds; CPU in percent of one core."""

    moves: int = 0
    per_second: float = 0.0
    cpu_move: float = 0.0
    """CPU milliseconds of the server per move."""
    cpu_deed: float = 0.0
    """And per deed."""
    cpu_beside: float = 0.0
    """And of the database, per move, if there is one."""
    ack_p50: float = 0.0
    ack_p99: float = 0.0
    """From a deed until its doer knows that it is stored."""
    shown_p50: float = 0.0
    shown_p99: float = 0.0
    """And until the doer has the state after it."""
    told_p50: float = 0.0
    told_p99: float = 0.0
    """Until a spectator has the state."""
    last_p50: float = 0.0
    last_p99: float = 0.0
    """And until the last spectator has it."""
    bytes_move: float = 0.0
    """Of all messages sent to anybody for one move."""
    server_cpu: float = 0.0
    client_cpu: float = 0.0
    mib_before: float = 0.0
    mib_after: float = 0.0
    bytes_each: float = 0.0
    """Memory per socket."""


Cpu = Callable[[], float]
"""Seconds of CPU time so far, of something that works alongside the server."""


class Measured(Protocol):
    """A server, or several as one."""

    @property
    def cpu(self) -> float:
        """Seconds of CPU time so far."""
        ...


@dataclass(slots=True)
class Around:
    """What a run depends on but does not measure: the disk, and whatever else is running here."""

    flush_p50: float
    flush_p99: float
    cores: int
    load_before: float
    load_after: float = 0.0

    def __str__(self) -> str:
        return (
            f"A bare flush of this disk: p50 {self.flush_p50:.1f} ms, p99 {self.flush_p99:.1f} ms. "
            f"{self.cores} cores for all of it; load average {self.load_before:.1f} before, "
            f"{self.load_after:.1f} after, of which this run is about 2."
        )


def around(folder: Path, flushes: int = 150) -> Around:
    """How long the disk takes to make a page durable, and how busy the machine is."""
    times = []
    with (folder / "flushed").open("wb", buffering=0) as file:
        for _ in range(flushes):
            file.write(b"x" * 4096)
            begun = perf_counter()
            os.fsync(file.fileno())
            times.append(perf_counter() - begun)
    return Around(part(times, 0.5), part(times, 0.99), os.cpu_count() or 1, os.getloadavg()[0])


def part(times: list[float], share: float) -> float:
    """The time in milliseconds that this share of all stays below; `times` are in seconds."""
    found = sorted(times) or [0.0]
    return 1000 * found[min(len(found) - 1, int(share * len(found)))]


def middle(runs: list[Figures], name: str) -> float:
    """The median of a figure over the rounds."""
    return median(float(getattr(run, name)) for run in runs)


class Meter:
    """What a server and this client have spent since it was created."""

    def __init__(self, server: Measured, beside: Cpu = lambda: 0.0) -> None:
        self._server = server
        self._beside = beside
        self._begun = (perf_counter(), server.cpu, process_time(), beside())

    def read(self, moves: int = 0, deeds: int = 0) -> Figures:
        seconds, cpu = perf_counter() - self._begun[0], self._server.cpu - self._begun[1]
        return Figures(
            moves=moves,
            per_second=moves / seconds,
            cpu_move=1000 * cpu / moves if moves else 0.0,
            cpu_deed=1000 * cpu / deeds if deeds else 0.0,
            cpu_beside=1000 * (self._beside() - self._begun[3]) / moves if moves else 0.0,
            server_cpu=100 * cpu / seconds,
            client_cpu=100 * (process_time() - self._begun[2]) / seconds,
        )


# Seating


Seated = Callable[[Callable[[Game], None]], Awaitable[list[Game]]]
"""Seats everybody; each game says when it is ready for its next move."""


def seated(server: Process, speak: type[Player], count: int, previews: bool) -> Seated:
    """Tables at our server."""

    async def sit(on_ready: Callable[[Game], None]) -> list[Game]:
        games = [Game(speak, on_ready, previews=previews) for _ in range(count)]
        with closing(Tables(server.door)) as tables:
            return [await game.sit((server.door, server.door), tables) for game in games]

    return sit


def echo_seated(server: Process, sizes: Sizes, count: int, previews: bool) -> Seated:
    """As many groups at the echo, with messages of these sizes."""

    async def sit(on_ready: Callable[[Game], None]) -> list[Game]:
        games = [EchoGame(sizes, on_ready, previews=previews) for _ in range(count)]
        return [await game.sit_at(server, str(group)) for group, game in enumerate(games)]

    return sit


# Moves


async def steady(
    server: Measured, seats: Seated, rate: int, seconds: float, beside: Cpu = lambda: 0.0
) -> tuple[Figures, Sizes]:
    """Offer `rate` moves per second, at whichever tables are ready."""
    ready: deque[Game] = deque()
    games = await seats(ready.append)
    await asyncio.sleep(0.5)
    begun, sent = perf_counter(), 0
    meter: Meter | None = None
    while (now := perf_counter() - begun) < WARM + seconds:
        if meter is None and now >= WARM:
            _forget(games)
            meter = Meter(server, beside)
        due = int(now * rate)
        while sent < due and ready:
            ready.popleft().move()
            sent += 1
        await asyncio.sleep(TICK)
    assert meter is not None
    found = _read(meter, games)
    await asyncio.sleep(0.3)
    return found, _close(games)


async def flat_out(
    server: Measured, seats: Seated, each: int, beside: Cpu = lambda: 0.0
) -> tuple[Figures, Sizes]:
    """Every table makes `each` moves as fast as it is answered: always the same part of a game."""
    ready: deque[Game] = deque()
    running, done = False, 0

    def on_ready(game: Game) -> None:
        nonlocal done
        if not running:
            ready.append(game)
        elif game.moves < each:
            game.move()
        else:
            done += 1

    games = await seats(on_ready)
    await asyncio.sleep(0.5)
    _forget(games)
    meter, running, begun = Meter(server, beside), True, perf_counter()
    while ready:
        ready.popleft().move()
    while done + sum(game.is_over for game in games) < len(games) and perf_counter() - begun < LONGEST:
        await asyncio.sleep(0.01)
        _complain(games)
    found = _read(meter, games)
    await asyncio.sleep(0.3)
    return found, _close(games)


def _forget(games: list[Game]) -> None:
    """Discard what came before."""
    for game in games:
        game.acks.clear()
        game.shown.clear()
        game.sizes.clear()
        game.moves = 0


def _read(meter: Meter, games: list[Game]) -> Figures:
    acks = [time for game in games for time in game.acks]
    shown = [time for game in games for time in game.shown]
    found = meter.read(sum(game.moves for game in games), len(acks))
    found.ack_p50, found.ack_p99 = part(acks, 0.5), part(acks, 0.99)
    found.shown_p50, found.shown_p99 = part(shown, 0.5), part(shown, 0.99)
    found.bytes_move = sum(game.sizes.total for game in games) / max(1, found.moves)
    return found


def _complain(games: list[Game]) -> None:
    problems = [problem for game in games for problem in game.problems]
    if problems:
        raise RuntimeError(f"{len(problems)} problems, the first: {problems[0]}")


def _close(games: list[Game]) -> Sizes:
    _complain(games)
    sizes = Sizes.joined(game.sizes for game in games)
    for game in games:
        game.close()
    return sizes


# Spectators


async def told(server: Process, game: Game, spectators: list[Player], moves: int) -> Figures:
    """Moves of one game, deed by deed, each once all spectators have the state after the previous one."""
    arrivals: list[float] = []
    lasts: list[float] = []
    got = 0

    def on_watched(now: float) -> None:
        nonlocal got
        got += 1
        arrivals.append(now - game.sent)
        if got == len(spectators):
            lasts.append(now - game.sent)

    ready: deque[Game] = deque()
    game.on_ready = ready.append
    ready.append(game)
    await asyncio.sleep(0.5)
    game.on_watched = on_watched
    _forget([game])
    meter = Meter(server)
    while game.moves < moves and not game.is_over:
        got, begun = 0, perf_counter()
        ready.popleft().step()
        while got < len(spectators) or not (ready or game.is_over):
            await asyncio.sleep(0.002)
            _complain([game])
            if perf_counter() - begun > LONGEST:
                lost = sum(spectator.socket is None or spectator.socket.lost for spectator in spectators)
                raise RuntimeError(f"{got} of {len(spectators)} spectators have the state; {lost} are lost")
        await asyncio.sleep(0.02)
    found = meter.read(game.moves, len(lasts))
    found.per_second = 0.0
    found.told_p50, found.told_p99 = part(arrivals, 0.5), part(arrivals, 0.99)
    found.last_p50, found.last_p99 = part(lasts, 0.5), part(lasts, 0.99)
    found.bytes_move = game.sizes.total / max(1, found.moves)
    return found


async def told_ours(
    server: Process, speak: type[Player], spectators: int, moves: int
) -> tuple[Figures, Sizes]:
    game = Game(speak, lambda _: None)
    with closing(Tables(server.door)) as tables:
        await game.sit((server.door, server.door), tables)
    watching = [await game.watched(server.door, speak(game, None)) for _ in range(spectators)]
    found = await told(server, game, watching, moves)
    sizes = _close([game])
    await asyncio.sleep(0.3)
    return found, sizes


async def told_echo(server: Process, sizes: Sizes, spectators: int, moves: int) -> Figures:
    game = EchoGame(sizes, lambda _: None)
    await game.sit_at(server, "told")
    watching = [await game.echo_watched(server) for _ in range(spectators)]
    found = await told(server, game, watching, moves)
    _close([game])
    await asyncio.sleep(0.3)
    return found


# Idle sockets

PER_TABLE = 100
"""Idle sockets at one table: two players, the others watch."""
PING_SECONDS = 15.0
"""After this much silence a client asks whether anybody is there."""


async def idle_ours(server: Process, speak: type[Player], sockets: int) -> Figures:
    before = server.mib
    wanted: list[tuple[str, str]] = []
    with closing(Tables(server.door)) as tables:
        for _ in range(max(1, sockets // PER_TABLE)):
            table, watch = tables.create()
            path = f"/api/tables/{table}/socket?language=en"
            wanted += [(path, tables.device(place).cookie) for place in (0, 1)]
            wanted += [(f"{path}&watch={watch}", "")] * (PER_TABLE - 2)
    return await _idle(server, wanted, before, speak.opening, b'{"type":"ping","n":0}')


async def idle_echo(server: Process, sockets: int) -> Figures:
    wanted = [(f"/echo/idle-{n // PER_TABLE}?state=20", "") for n in range(sockets)]
    return await _idle(server, wanted, server.mib, b"", b"r" * 20)


async def _idle(
    server: Process, wanted: list[tuple[str, str]], before: float, opening: bytes, ping: bytes
) -> Figures:
    sockets = []
    for start in range(0, len(wanted), 50):
        some = wanted[start : start + 50]
        sockets += await asyncio.gather(
            *(server.door.connect(path, nothing, cookie, opening) for path, cookie in some)
        )
    await asyncio.sleep(1.0)
    meter, begun, pinged = Meter(server), perf_counter(), 0
    while (now := perf_counter() - begun) < 3.0:
        while pinged < len(sockets) * now / PING_SECONDS:
            sockets[pinged].send(ping)
            pinged += 1
        await asyncio.sleep(0.01)
    found = meter.read()
    found.mib_before, found.mib_after = before, server.mib
    lost = sum(socket.lost for socket in sockets)
    if lost:
        raise RuntimeError(f"{lost} idle sockets were closed")
    found.bytes_each = (found.mib_after - before) * 2**20 / len(sockets)
    for socket in sockets:
        socket.close()
    await asyncio.sleep(0.5)
    return found


def nothing(_: bytes) -> None:
    """For sockets that only listen."""
