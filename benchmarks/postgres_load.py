"""Durable moves on one PostgreSQL server with 1, 2 and 4 of our processes, beside bare inserts into it.

Each move is two entries and its table's row. The bare inserts are the same rows in the same tables, one
commit a move, over as many connections as our processes write on: what the database can do without us. With
several processes the two players of a table sit at the same one, or at two different ones, where each move
has to be told to the other process before the next. All of it shares this machine, clients included.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter

import asyncpg
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from load_clients import Process, Tables, free_port, genial_server
from options import parser
from server_load import Around, Figures, Game, Seated, around, flat_out, steady, timed
from tests.server import postgres

from genial.server.store import Address
from genial.server.store.postgres import migrate_postgres

LANES = 2
"""Connections on which one of our processes writes moves."""
ENTRIES = 2
DATA = b'{"type": "acted", "place": 0, "move": "RB@f6,f7", "events": []}' * 8
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    processes: tuple[int, ...] = (1, 2, 4)
    games: int = 120
    rate: int = 200
    seconds: float = 6.0
    rounds: int = 3


QUICK = Size(processes=(1, 2), games=24, rate=60, seconds=2.0, rounds=1)


@dataclass(slots=True)
class Step:
    """So many processes: each figure round by round."""

    processes: int
    bare: list[Figures] = field(default_factory=list)
    together: list[Figures] = field(default_factory=list)
    apart: list[Figures] = field(default_factory=list)
    steady: list[Figures] = field(default_factory=list)
    """At a fixed rate, apart."""
    database_ms: list[float] = field(default_factory=list)
    """CPU of the database for one move, apart."""


class Group:
    """Several servers on one database; their CPU time together."""

    def __init__(self, folder: Path, database: Address, count: int) -> None:
        self.servers: list[Process] = []
        try:
            for _ in range(count):
                self.servers.append(genial_server(folder, free_port(), database.url))
        except BaseException:
            self.stop()
            raise

    @property
    def cpu(self) -> float:
        return sum(server.cpu for server in self.servers)

    def stop(self) -> None:
        for server in self.servers:
            server.stop()

    def seated(self, games: int, apart: bool) -> Seated:
        """Tables dealt out to the servers by turns; a table's second player sits at the next one if apart."""

        async def seated(on_ready: Callable[[Game], None]) -> list[Game]:
            found = []
            devices = [Tables(server.port) for server in self.servers]
            for number in range(games):
                here = number % len(self.servers)
                there = (here + 1) % len(self.servers) if apart else here
                table, _ = devices[here].create()
                game = Game(on_ready, devices[here].pairs)
                for place, server in enumerate((self.servers[here], self.servers[there])):
                    path = f"/api/tables/{table}/socket?place={place}"
                    cookie = devices[here].device(place).cookie
                    game.sockets.append(await server.connect(path, game._taker(place), cookie))
                found.append(game)
            return found

        return seated


@contextmanager
def group(folder: Path, database: Address, count: int) -> Iterator[Group]:
    found = Group(folder, database, count)
    try:
        yield found
    finally:
        found.stop()


# Bare inserts

_INSERT = """
WITH touched AS (UPDATE tables SET updated = $2 WHERE game = $1)
INSERT INTO log (game, seq, time, kind, move_id, data) SELECT $1, $3 + n, $2, 'acted', $4 || n, $5
FROM generate_series(0, $6 - 1) AS n
"""


async def bare(database: Address, connections: int, games: int, seconds: float) -> Figures:
    """Commit after commit on each connection, each of one move at the next of its tables."""
    await migrate_postgres(database)
    times: list[float] = []

    async def one(number: int) -> None:
        connection = await asyncpg.connect(database.url)
        try:
            mine = [f"bare{number}-{n}" for n in range(max(1, games // connections))]
            await connection.executemany(
                "INSERT INTO tables VALUES ($1, $1, 'classic', 2, 'over', 0, 1, 1, 0, '')",
                [(game,) for game in mine],
            )
            seqs = dict.fromkeys(mine, 1)
            while perf_counter() < until:
                for game, seq in seqs.items():
                    sent = perf_counter()
                    values = (game, seq, seq, secrets.token_hex(8), DATA, ENTRIES)
                    await connection.execute(_INSERT, *values)
                    times.append(perf_counter() - sent)
                    seqs[game] = seq + ENTRIES
        finally:
            await connection.close()

    begun = perf_counter()
    until = begun + seconds
    await asyncio.gather(*(one(number) for number in range(connections)))
    figures = timed(times)
    figures.per_second = len(times) / (perf_counter() - begun)
    return figures


def database_cpu(server: postgres.Postgres) -> float:
    """CPU seconds of a database server so far: its first process, those that live, and those that ended."""
    ((folder,),) = server.execute("SELECT current_setting('data_directory')")
    first = (Path(folder) / "postmaster.pid").read_text().split()[0]
    spent = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(") ")[2].split()
        except OSError:
            continue  # it ended while we looked
        if stat.parent.name == first:
            spent += sum(map(int, fields[11:15]))
        elif fields[1] == first:
            spent += sum(map(int, fields[11:13]))
    return spent / _TICKS


async def measure(
    server: postgres.Postgres, folder: Path, size: Size, progress: Callable[[], None]
) -> list[Step]:
    steps = [Step(count) for count in size.processes]
    for _ in range(size.rounds):
        for step in steps:
            await _measure_step(server, folder, size, step, progress)
    return steps


async def _measure_step(
    server: postgres.Postgres, folder: Path, size: Size, step: Step, progress: Callable[[], None]
) -> None:
    count = step.processes
    half = size.seconds / 2
    step.bare.append(await bare(server.database(), LANES * count, size.games, half))
    progress()
    with group(folder, server.database(), count) as found:
        # A group has the one property of a process that a measurement asks for.
        ours: Process = found  # type: ignore[assignment]
        step.together.append(await flat_out(ours, found.seated(size.games, False), half))
        progress()
        before = database_cpu(server)
        step.apart.append(await flat_out(ours, found.seated(size.games, True), half))
        step.database_ms.append(1000 * (database_cpu(server) - before) / max(1, step.apart[-1].count))
        progress()
        seated = found.seated(size.games, True)
        step.steady.append((await steady(ours, seated, size.rate, size.seconds))[0])
        progress()


def _middle(runs: list[Figures], name: str) -> float:
    return median(float(getattr(run, name)) for run in runs)


def show(steps: list[Step], size: Size, found: Around) -> None:
    """The table for people; ratios to the bare inserts and to one process of ours."""
    table = Table(title="Durable moves a second on one PostgreSQL, beside bare inserts (medians)")
    for heading in (
        *("processes", "bare inserts", "a table at one process", "ratio", "a table at two", "ratio"),
        *(
            "to one process",
            f"p50 at {size.rate}/s",
            "p99",
            "bare p99",
            "ratio",
            "CPU ms: ours, database",
        ),
    ):
        table.add_column(heading, justify="right")
    first = _middle(steps[0].apart, "per_second")
    for step in steps:
        most, together, apart = (
            _middle(runs, "per_second") for runs in (step.bare, step.together, step.apart)
        )
        p50, p99, bare_p99 = (
            _middle(step.steady, "p50"),
            _middle(step.steady, "p99"),
            _middle(step.bare, "p99"),
        )
        cpu = 10 * _middle(step.apart, "server_cpu") / max(1.0, apart)
        table.add_row(
            *(str(step.processes), f"{most:.0f}", f"{together:.0f}", f"{together / most:.2f}"),
            *(f"{apart:.0f}", f"{apart / most:.2f}", f"{apart / first:.2f}"),
            *(f"{p50:.1f} ms", f"{p99:.1f} ms", f"{bare_p99:.1f} ms", f"{p99 / bare_p99:.1f}"),
            f"{cpu:.2f}, {median(step.database_ms):.2f}",
        )
    console = Console()
    console = console if console.width >= WIDTH else Console(width=WIDTH)
    console.print(table)
    console.print(
        f"A bare flush of this disk: p50 {found.flush_p50:.1f} ms, p99 {found.flush_p99:.1f} ms. "
        f"{found.cores} cores for all of it; load average {found.load_before:.1f} before, "
        f"{found.load_after:.1f} after."
    )


WIDTH = 150


def main() -> int:
    options = parser(__doc__).parse_args()
    size = QUICK if options.quick else Size()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres.started() as server,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        found = around(Path(folder))
        task = progress.add_task("Loading", total=4 * len(size.processes) * size.rounds)
        steps = asyncio.run(measure(server, Path(folder), size, lambda: progress.advance(task)))
    found.load_after = os.getloadavg()[0]
    if options.json:
        print(json.dumps({"around": asdict(found), "steps": [asdict(step) for step in steps]}))
    else:
        show(steps, size, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
