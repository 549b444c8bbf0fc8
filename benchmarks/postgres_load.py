"""Durable moves on one PostgreSQL server with 1 and 2 of our processes, compared with bare inserts into it.

    python benchmarks/postgres_load.py --against 4ecf47b

The clients say what the browser says, as in `server_load.py`: a move is two deeds, each an entry and its
table's row in a commit. The bare inserts are the same rows in the same tables, over as many connections as
our processes write on: what the database can do without us. With several processes the two players of a table
use the same one, or two different ones, where the other process has to learn of each deed before the next.
All of it shares this machine, clients included.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter

import asyncpg
from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.checkout import ROOT
from benchmarks.load_clients import Process, Tables, genial_server
from benchmarks.loads import Around, Cpu, Figures, Seated, around, flat_out, middle, part, steady
from benchmarks.options import against, parser
from benchmarks.players import Game, Player
from benchmarks.server_load import Contender, contenders
from benchmarks.sheet import Sheet, cell
from tests.server import postgres
from tests.server.listener import free_port

from genial.server.store import Address
from genial.server.store.postgres_migration import migrate_postgres

LANES = 2
"""Connections on which one of our processes writes moves."""
DEEDS = 2
"""Commits per move, each of one entry."""
DATA = b'{"type": "acted", "place": 0, "move": "RB@f6,f7", "events": []}' * 8
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    processes: tuple[int, ...] = (1, 2)
    games: int = 48
    moves: int = 20
    """Per table, as fast as possible."""
    rate: int = 100
    seconds: float = 4.0
    rounds: int = 3


QUICK = Size(games=12, moves=10, rate=40, seconds=2.0, rounds=1)


@dataclass(slots=True)
class Step:
    """One contender with a number of processes: each figure round by round."""

    name: str
    processes: int
    bare: list[Figures] = field(default_factory=list)
    together: list[Figures] = field(default_factory=list)
    """Both players of a table use one process."""
    previewed: list[Figures] = field(default_factory=list)
    """The same, with the previews that the browser requests."""
    apart: list[Figures] = field(default_factory=list)
    """The players of a table use different processes."""
    steady: list[Figures] = field(default_factory=list)
    """At a fixed rate; apart, if there are several."""


class Group:
    """Several servers on one database, with their CPU time added up."""

    def __init__(self, folder: Path, database: Address, count: int, source: Path = ROOT) -> None:
        self.servers: list[Process] = []
        try:
            for _ in range(count):
                self.servers.append(genial_server(folder, free_port(), database.url, source))
        except BaseException:
            self.stop()
            raise

    @property
    def cpu(self) -> float:
        return sum(server.cpu for server in self.servers)

    def stop(self) -> None:
        for server in self.servers:
            server.stop()

    def seated(self, speak: type[Player], games: int, *, apart: bool, previews: bool = False) -> Seated:
        """Tables dealt out to the servers in turn; if apart, a table's second player uses the next one."""

        async def seated(on_ready: Callable[[Game], None]) -> list[Game]:
            found = []
            with ExitStack() as stack:
                devices = [stack.enter_context(closing(Tables(server.door))) for server in self.servers]
                for number in range(games):
                    here = number % len(self.servers)
                    there = (here + 1) % len(self.servers) if apart else here
                    game = Game(speak, on_ready, previews=previews)
                    doors = (self.servers[here].door, self.servers[there].door)
                    found.append(await game.sit(doors, devices[here]))
            return found

        return seated


@contextmanager
def group(folder: Path, database: Address, count: int, source: Path = ROOT) -> Iterator[Group]:
    found = Group(folder, database, count, source)
    try:
        yield found
    finally:
        found.stop()


# Bare inserts

_INSERT = """
WITH touched AS (UPDATE tables SET updated = $2, last_seq = $3 WHERE table_id = $1)
INSERT INTO log (table_id, seq, time, kind, move_id, data) VALUES ($1, $3, $2, 'acted', $4, $5)
"""


async def bare(database: Address, connections: int, games: int, seconds: float) -> Figures:
    """Commit after commit on each connection, each of one deed at the next of its tables."""
    await migrate_postgres(database)
    times: list[float] = []

    async def one(number: int) -> None:
        connection = await asyncpg.connect(database.url)
        try:
            mine = [f"bare{number}-{n}" for n in range(max(1, games // connections))]
            await connection.executemany(
                "INSERT INTO tables VALUES ($1, $1, 'classic', 2, 'over', 0, 1, 1, 0, '', 0)",
                [(game,) for game in mine],
            )
            seqs = dict.fromkeys(mine, 1)
            while perf_counter() < until:
                for game, seq in seqs.items():
                    sent = perf_counter()
                    await connection.execute(_INSERT, game, seq, seq, secrets.token_hex(8), DATA)
                    times.append(perf_counter() - sent)
                    seqs[game] = seq + 1
        finally:
            await connection.close()

    begun = perf_counter()
    until = begun + seconds
    await asyncio.gather(*(one(number) for number in range(connections)))
    moves = len(times) // DEEDS
    per_second = moves / (perf_counter() - begun)
    return Figures(moves, per_second, ack_p50=part(times, 0.5), ack_p99=part(times, 0.99))


def database_cpu(server: postgres.Postgres) -> Cpu:
    """A function for the CPU seconds of a database server so far, including processes that have ended."""
    ((folder,),) = server.execute("SELECT current_setting('data_directory')")
    first = (Path(folder) / "postmaster.pid").read_text().split()[0]

    def spent() -> float:
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(") ")[2].split()
            except OSError:
                continue  # it ended while we were looking
            if stat.parent.name == first:
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == first:
                ticks += sum(map(int, fields[11:13]))
        return ticks / _TICKS

    return spent


async def measure(
    server: postgres.Postgres,
    folder: Path,
    size: Size,
    commit: str | None,
    progress: Callable[[Size, int], Callable[[], None]],
) -> list[Step]:
    with ExitStack() as stack:
        found = await contenders(folder, commit, stack)
        steps = [(each, Step(each.name, count)) for count in size.processes for each in found]
        advance = progress(size, len(steps))
        for number in range(size.rounds):
            for each, step in steps[:: 1 if number % 2 == 0 else -1]:  # so that nobody always comes first
                await _measure_step(server, folder, size, each, step)
                advance()
    return [step for _, step in steps]


async def _measure_step(
    server: postgres.Postgres, folder: Path, size: Size, of: Contender, step: Step
) -> None:
    count = step.processes
    step.bare.append(await bare(server.database(), LANES * count, size.games, size.seconds / 2))
    beside = database_cpu(server)
    with group(folder, server.database(), count, of.source) as ours:
        for runs, apart, previews in (
            (step.together, False, False),
            (step.previewed, False, True),
            *([(step.apart, True, False)] if count > 1 else []),
        ):
            seats = ours.seated(of.speak, size.games, apart=apart, previews=previews)
            runs.append((await flat_out(ours, seats, size.moves, beside))[0])
        seats = ours.seated(of.speak, size.games, apart=True)
        step.steady.append((await steady(ours, seats, size.rate, size.seconds))[0])


def show(steps: list[Step], size: Size, found: Around, markdown: bool) -> None:
    """The table for people to read."""
    headings = [f"{step.name}, {step.processes} process{'es' * (step.processes > 1)}" for step in steps]
    title = "Durable moves on one PostgreSQL, by processes of ours (median of the rounds, lowest-highest)"
    sheet = Sheet(title, ["", *headings])
    for kind, words in (
        ("together", "a table at one process"),
        ("previewed", "the same with previews"),
        ("apart", "a table at two processes"),
    ):
        sheet.part(words)
        for name, figure in (
            ("per_second", "moves a second"),
            ("cpu_move", "our CPU ms a move"),
            ("cpu_deed", "our CPU ms a deed"),
            ("cpu_beside", "the database's CPU ms a move"),
        ):
            sheet.row(figure, *(cell(getattr(step, kind), name) for step in steps))
        for name, figure in (("per_second", "moves a second"), ("cpu_move", "our CPU a move")):
            if steps[0].name != steps[-1].name:
                ratios = (_ratio(step, steps, kind, name) for step in steps)
                sheet.row(f"{figure}, to {steps[0].name}", *ratios)
    sheet.part(f"{size.rate} moves a second offered, a table at as many processes as there are")
    for name, figure in (("ack_p50", "acknowledged, p50 ms"), ("ack_p99", "acknowledged, p99 ms")):
        sheet.row(figure, *(cell(step.steady, name) for step in steps))
    sheet.part("bare inserts")
    sheet.row("moves a second", *(cell(step.bare, "per_second") for step in steps))
    sheet.row("a commit, p99 ms", *(cell(step.bare, "ack_p99") for step in steps))
    sheet.show(markdown, "A move is a placement with the end of its turn: two deeds.", str(found))


def _ratio(step: Step, steps: list[Step], kind: str, name: str) -> str:
    """The ratio to the first contender with as many processes."""
    first = next(one for one in steps if one.processes == step.processes)
    if first is step or not getattr(step, kind):
        return ""
    return f"{middle(getattr(step, kind), name) / middle(getattr(first, kind), name):.2f}"


def main() -> int:
    options = against(parser(__doc__)).parse_args()
    size = QUICK if options.quick else Size()
    size = replace(size, rounds=options.rounds or size.rounds)
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres.started() as server,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        found = around(Path(folder))

        def begin(size: Size, steps: int) -> Callable[[], None]:
            task = progress.add_task("Loading", total=steps * size.rounds)
            return lambda: progress.advance(task)

        steps = asyncio.run(measure(server, Path(folder), size, options.against, begin))
    found.load_after = os.getloadavg()[0]
    if options.json:
        print(json.dumps({"around": asdict(found), "steps": [asdict(step) for step in steps]}))
    else:
        show(steps, size, found, options.markdown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
