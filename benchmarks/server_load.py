"""The server under load, on loopback, beside a bare echo of the same traffic on the same stack.

Idle sockets, a move told to many spectators, and durable moves at a steady rate and as fast as they go. A
time alone is not a result: the last column is the ratio to the echo, measured in turn with it.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

from echo_server import MESSAGES
from load_clients import (
    AckIn,
    EntryIn,
    ErrorIn,
    LegalIn,
    Process,
    Socket,
    StateIn,
    Tables,
    decoder,
    echo_server,
    free_port,
    genial_server,
)
from options import parser

PER_TABLE = 100
"""Idle sockets at one table: two players, the others watch."""
TICK = 0.001


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    sockets: int = 5000
    spectators: int = 500
    moves: int = 60
    rate: int = 1000
    seconds: float = 5.0
    games: int = 300
    rounds: int = 3


QUICK = Size(sockets=500, spectators=100, moves=20, rate=300, seconds=2.0, games=60, rounds=1)


@dataclass(slots=True)
class Figures:
    """One run of one load. Times in milliseconds; CPU in percent of one core."""

    p50: float = 0.0
    p99: float = 0.0
    highest: float = 0.0
    per_second: float = 0.0
    server_cpu: float = 0.0
    client_cpu: float = 0.0
    mib_before: float = 0.0
    mib_after: float = 0.0
    bytes_each: float = 0.0
    count: int = 0


@dataclass(slots=True)
class Load:
    """One load: ours and the echo's, round by round."""

    name: str
    target: str
    ours: list[Figures] = field(default_factory=list)
    echo: list[Figures] = field(default_factory=list)


@dataclass(slots=True)
class Around:
    """What a run depends on and does not measure: the disk, and whoever else is at work here."""

    flush_p50: float
    flush_p99: float
    cores: int
    load_before: float
    load_after: float = 0.0


def around(folder: Path, flushes: int = 150) -> Around:
    """How long the disk takes to make a page durable, and how busy the machine is."""
    times = []
    with (folder / "flushed").open("wb", buffering=0) as file:
        for _ in range(flushes):
            file.write(b"x" * 4096)
            begun = perf_counter()
            os.fsync(file.fileno())
            times.append(perf_counter() - begun)
    found = timed(times)
    return Around(found.p50, found.p99, os.cpu_count() or 1, os.getloadavg()[0])


def timed(times: list[float]) -> Figures:
    """Times in seconds as figures."""
    found = sorted(times) or [0.0]
    at = [1000 * found[min(len(found) - 1, int(part * len(found)))] for part in (0.5, 0.99)]
    return Figures(p50=at[0], p99=at[1], highest=1000 * found[-1], count=len(times))


class Meter:
    """CPU time of a server and of this client between two moments."""

    def __init__(self, server: Process) -> None:
        self._server = server
        self._begun = (perf_counter(), server.cpu, process_time())

    def read(self, figures: Figures) -> Figures:
        seconds = perf_counter() - self._begun[0]
        figures.server_cpu = 100 * (self._server.cpu - self._begun[1]) / seconds
        figures.client_cpu = 100 * (process_time() - self._begun[2]) / seconds
        figures.per_second = figures.count / seconds
        return figures


def nothing(_: bytes) -> None:
    """For sockets that only listen."""


# Idle sockets


async def idle_ours(server: Process, size: Size) -> Figures:
    tables, before = Tables(server.port), server.mib
    wanted: list[tuple[str, str]] = []
    for _ in range(max(1, size.sockets // PER_TABLE)):
        table, watch = tables.create()
        path = f"/api/tables/{table}/socket"
        wanted += [(f"{path}?place={place}", tables.device(place).cookie) for place in (0, 1)]
        wanted += [(f"{path}?watch={watch}", "")] * (PER_TABLE - 2)
    return await _idle(server, wanted, before)


async def idle_echo(server: Process, size: Size) -> Figures:
    return await _idle(
        server, [(f"/echo/{n // PER_TABLE}?size=0", "") for n in range(size.sockets)], server.mib
    )


async def _idle(server: Process, wanted: list[tuple[str, str]], before: float) -> Figures:
    sockets: list[Socket] = []
    for start in range(0, len(wanted), 50):
        some = (server.connect(path, nothing, cookie) for path, cookie in wanted[start : start + 50])
        sockets += await asyncio.gather(*some)
    await asyncio.sleep(1.0)
    meter = Meter(server)
    await asyncio.sleep(3.0)
    figures = meter.read(Figures(count=len(sockets), mib_before=before, mib_after=server.mib))
    lost = sum(socket.lost for socket in sockets)
    if lost:
        raise RuntimeError(f"{lost} idle sockets were closed")
    figures.bytes_each = (figures.mib_after - before) * 2**20 / len(sockets)
    figures.per_second = 0.0
    for socket in sockets:
        socket.close()
    await asyncio.sleep(0.5)
    return figures


# Games


class Game:
    """Two players without rules at one table: they do the first thing that is lawful."""

    def __init__(self, on_ready: Callable[[Game], None], pairs: list[str]) -> None:
        self.sockets: list[Socket] = []
        self.times: list[float] = []
        self.entry_bytes: list[int] = []
        self.on_ready = on_ready
        self.is_over = False
        self._pairs = pairs
        self._seen = [0, 0]
        self._act: tuple[int, bytes] | None = None
        self._sent = 0.0

    async def sit(self, server: Process, tables: Tables) -> Game:
        table, _ = tables.create()
        for place in (0, 1):
            path = f"/api/tables/{table}/socket?place={place}"
            take = self._taker(place)
            self.sockets.append(await server.connect(path, take, tables.device(place).cookie))
        return self

    def _taker(self, place: int) -> Callable[[bytes], None]:
        def take(data: bytes) -> None:
            message = decoder.decode(data)
            if isinstance(message, AckIn):
                self.times.append(perf_counter() - self._sent)
            elif isinstance(message, EntryIn):
                self.entry_bytes.append(len(data))
                self._seen[place] = message.entry.seq
                if message.now is not None:
                    self._stands(place, message.now.status, message.now.mover, message.now.legal)
            elif isinstance(message, StateIn):
                state = message.state
                self._seen[place] = state.seq
                self._stands(place, state.status, state.game.mover if state.game else None, state.legal)
            elif isinstance(message, ErrorIn):
                raise RuntimeError(f"refused: {message.error}")

        return take

    def _stands(self, place: int, status: str, mover: int | None, legal: LegalIn | None) -> None:
        if status != "running":
            self.is_over = True
        elif mover == place and legal is not None:
            act = {
                "type": "act",
                "seq": self._seen[place],
                "move_id": secrets.token_hex(8),
                "place": place,
                "action": f"{legal.tiles[0].tile}@{self._pairs[legal.places[0]]}"
                if legal.tiles
                else "refill",
                "then": "refill",
            }
            self._act = (place, msgspec.json.encode(act))
            self.on_ready(self)

    def move(self) -> None:
        """Send what was chosen."""
        assert self._act is not None
        place, data = self._act
        self._sent = perf_counter()
        self.sockets[place].send(data)

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()


class EchoGame(Game):
    """The same traffic at the echo: an act, a short answer, and two messages of the same length for both."""

    heard = 0

    async def sit_at(self, server: Process, group: int, entry: int) -> EchoGame:
        for place in (0, 1):
            path = f"/echo/{group}?size={entry}"
            self.sockets.append(await server.connect(path, self._echo_taker(place)))
        self.on_ready(self)
        return self

    def _echo_taker(self, place: int) -> Callable[[bytes], None]:
        def take(data: bytes) -> None:
            if data.startswith(b'{"type":"ack"'):
                self.times.append(perf_counter() - self._sent)
            elif place == 0:
                self.heard += 1
                if self.heard % MESSAGES == 0:
                    self.on_ready(self)

        return take

    def move(self) -> None:
        self._sent = perf_counter()
        self.sockets[0].send(b"x" * 110)


Seated = Callable[[Callable[[Game], None]], Awaitable[list[Game]]]
"""Seats everybody; each game says when it is ready for its next move."""


def ours_seated(server: Process, count: int) -> Seated:
    async def seated(on_ready: Callable[[Game], None]) -> list[Game]:
        tables = Tables(server.port)
        return [await Game(on_ready, tables.pairs).sit(server, tables) for _ in range(count)]

    return seated


def echo_seated(server: Process, count: int, entry: int) -> Seated:
    async def seated(on_ready: Callable[[Game], None]) -> list[Game]:
        return [await EchoGame(on_ready, []).sit_at(server, group, entry) for group in range(count)]

    return seated


async def steady(
    server: Process,
    seated: Seated,
    rate: int,
    seconds: float,
) -> tuple[Figures, int]:
    """So many moves a second are offered, at whichever tables are ready; and the mean bytes of an entry."""
    ready: deque[Game] = deque()
    games = await seated(ready.append)
    await asyncio.sleep(0.5)
    warm = 0.5
    begun, sent = perf_counter(), 0
    meter: Meter | None = None
    while (now := perf_counter() - begun) < warm + seconds:
        if meter is None and now >= warm:
            for game in games:
                game.times.clear()
            meter = Meter(server)
        due = int(now * rate)
        while sent < due and ready:
            ready.popleft().move()
            sent += 1
        await asyncio.sleep(TICK)
    assert meter is not None
    figures = meter.read(timed([time for game in games for time in game.times]))
    await asyncio.sleep(0.3)
    return figures, _close(games)


async def flat_out(server: Process, seated: Seated, seconds: float) -> Figures:
    """Every table plays as fast as it is answered."""
    running = False
    ready: deque[Game] = deque()

    def on_ready(game: Game) -> None:
        if running:
            game.move()
        else:
            ready.append(game)

    games = await seated(on_ready)
    await asyncio.sleep(0.5)
    meter, running = Meter(server), True
    while ready:
        ready.popleft().move()
    begun = perf_counter()
    while perf_counter() - begun < seconds and not all(game.is_over for game in games):
        await asyncio.sleep(0.02)
    running = False
    figures = meter.read(timed([time for game in games for time in game.times]))
    await asyncio.sleep(0.3)
    _close(games)
    return figures


def _close(games: list[Game]) -> int:
    sizes = [size for game in games for size in game.entry_bytes]
    for game in games:
        game.close()
    return round(sum(sizes) / len(sizes)) if sizes else 0


# Spectators


async def told_ours(server: Process, size: Size) -> tuple[Figures, int]:
    tables = Tables(server.port)
    ready: deque[Game] = deque()
    game = Game(ready.append, tables.pairs)
    table, watch = tables.create()
    for place in (0, 1):
        path = f"/api/tables/{table}/socket?place={place}"
        game.sockets.append(await server.connect(path, game._taker(place), tables.device(place).cookie))
    path = f"/api/tables/{table}/socket?watch={watch}"
    return await _told(server, game, ready, path, size)


async def told_echo(server: Process, size: Size, entry: int) -> Figures:
    ready: deque[Game] = deque()
    game = EchoGame(ready.append, [])
    game.sockets.append(await server.connect(f"/echo/all?size={entry}", game._echo_taker(0)))
    ready.append(game)
    return (await _told(server, game, ready, f"/echo/all?size={entry}", size))[0]


async def _told(
    server: Process, game: Game, ready: deque[Game], path: str, size: Size
) -> tuple[Figures, int]:
    times: list[float] = []
    lengths: list[int] = []
    got = 0

    def take(data: bytes) -> None:
        nonlocal got
        if data.startswith(b'{"type":"entry"'):
            got += 1
            times.append(perf_counter() - game._sent)
            lengths.append(len(data))

    spectators = []
    for _ in range(size.spectators):
        spectators.append(await server.connect(path, take))
    await asyncio.sleep(0.5)
    meter, moves = Meter(server), 0
    while moves < size.moves and not game.is_over and ready:
        got, expected, last, quiet = 0, size.spectators, 0, perf_counter()
        ready.popleft().move()
        # A bonus move, or the end of the game, is one entry: then it is quiet after that.
        while got < expected * MESSAGES and perf_counter() - quiet < (0.3 if got == expected else 5.0):
            await asyncio.sleep(0.002)
            if got != last:
                last, quiet = got, perf_counter()
        await asyncio.sleep(0.03)
        moves += 1
    figures = meter.read(timed(times))
    figures.per_second = 0.0
    lost = sum(socket.lost for socket in spectators)
    if lost or len(times) < moves * size.spectators:
        raise RuntimeError(f"{lost} spectators lost; {len(times)} arrivals of {moves} moves")
    for socket in (*spectators, *game.sockets):
        socket.close()
    await asyncio.sleep(0.3)
    return figures, round(sum(lengths) / len(lengths))


# All of it


@contextmanager
def both(folder: Path) -> Iterator[tuple[Process, Process]]:
    """Our server and the echo, for one measurement."""
    ours = genial_server(folder, free_port())
    try:
        echo = echo_server(folder, free_port())
        try:
            yield ours, echo
        finally:
            echo.stop()
    finally:
        ours.stop()


async def measure(folder: Path, size: Size, progress: Callable[[], None]) -> list[Load]:
    idle = Load(f"{size.sockets} idle sockets", "under 250 MiB")
    with both(folder) as (ours, echo):
        idle.ours.append(await idle_ours(ours, size))
        idle.echo.append(await idle_echo(echo, size))
        progress()
    told = Load(f"a move told to {size.spectators} spectators", "p99 < 50 ms")
    rates = (size.rate // 4, size.rate)
    targets = ("", "p99 < 10 ms")
    played = [
        Load(f"{rate} durable moves a second, acknowledged", target)
        for rate, target in zip(rates, targets, strict=True)
    ]
    most = Load(f"durable moves, {size.games // 4} tables as fast as they go", "")
    for _ in range(size.rounds):
        with both(folder) as (ours, echo):
            figures, entry = await told_ours(ours, size)
            told.ours.append(figures)
            told.echo.append(await told_echo(echo, size, entry))
            progress()
            for rate, load in zip(rates, played, strict=True):
                count = size.games * rate // size.rate
                figures, entry = await steady(ours, ours_seated(ours, count), rate, size.seconds)
                load.ours.append(figures)
                seats = echo_seated(echo, count, entry)
                load.echo.append((await steady(echo, seats, rate, size.seconds))[0])
                progress()
            some = size.games // 4
            most.ours.append(await flat_out(ours, ours_seated(ours, some), size.seconds / 2))
            most.echo.append(await flat_out(echo, echo_seated(echo, some, entry), size.seconds / 2))
            progress()
    return [idle, told, *played, most]


def middle(runs: list[Figures], name: str) -> tuple[float, float, float]:
    """The median of a figure over the rounds, the lowest and the highest."""
    values = [float(getattr(run, name)) for run in runs]
    return median(values), min(values), max(values)


def _cell(runs: list[Figures], name: str, digits: int = 1) -> str:
    mid, low, high = middle(runs, name)
    return f"{mid:.{digits}f}" if len(runs) == 1 else f"{mid:.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def show(loads: list[Load], around: Around) -> None:
    """The table for people."""
    table = Table(
        title="The server under load, beside a bare echo on the same stack (median, lowest-highest)"
    )
    for heading in ("", "target", "genial", "bare echo", "ratio"):
        table.add_column(heading, justify="left" if heading in ("", "target") else "right")
    idle, *others = loads
    rows = [
        (idle, "mib_after", "MiB", 0),
        (idle, "mib_before", "MiB before", 0),
        (idle, "bytes_each", "B each", 0),
    ]
    for load in others:
        rows += [(load, "p50", "p50 ms", 2), (load, "p99", "p99 ms", 2)]
        if load.ours[0].per_second:
            rows.append((load, "per_second", "a second", 0))
    rows += [(load, name, words, 0) for load in loads for name, words in CPU]
    for load, name, words, digits in rows:
        echo = middle(load.echo, name)[0]
        ratio = f"{middle(load.ours, name)[0] / echo:.2f}" if echo else ""
        target = load.target if name in ("p99", "mib_after") else ""
        cells = (_cell(load.ours, name, digits), _cell(load.echo, name, digits))
        table.add_row(f"{load.name}: {words}", target, *cells, ratio)
    console = Console()
    console = console if console.width >= WIDTH else Console(width=WIDTH)
    console.print(table)
    console.print(
        f"A bare flush of this disk: p50 {around.flush_p50:.1f} ms, p99 {around.flush_p99:.1f} ms. "
        f"{around.cores} cores; load average {around.load_before:.1f} before, {around.load_after:.1f} after, "
        "of which this run is about 2."
    )


WIDTH = 132
CPU = (("server_cpu", "CPU of the server, %"), ("client_cpu", "CPU of the client, %"))


def main() -> int:
    options = parser(__doc__).parse_args()
    size = QUICK if options.quick else Size()
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        found = around(Path(folder))
        task = progress.add_task("Loading", total=1 + 4 * size.rounds)
        loads = asyncio.run(measure(Path(folder), size, lambda: progress.advance(task)))
    found.load_after = os.getloadavg()[0]
    if options.json:
        print(json.dumps({"around": asdict(found), "loads": [asdict(load) for load in loads]}))
    else:
        show(loads, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
