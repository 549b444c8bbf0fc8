"""What one more server process on the same PostgreSQL costs: at rest, and for each move.

The same moves per second are offered to 1, 2, 3 and more processes, with the two players of each table using
different ones, so that every move has to be passed on. More processes do not make these moves faster; the
question is how much CPU time each move takes, ours and the database's, and what the processes take with
nobody there. The clients say what the browser says, without previews. CPU time hardly depends on what else is
running on the machine.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.chart import Line, curve
from benchmarks.loads import Around, Figures, around, steady
from benchmarks.options import parser
from benchmarks.players import Updated
from benchmarks.postgres_load import database_cpu, group
from tests.server import postgres


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    processes: tuple[int, ...] = (1, 2, 3, 4, 6, 8)
    games: int = 32
    rate: int = 50
    seconds: float = 6.0
    rounds: int = 3


QUICK = Size(processes=(1, 2), games=12, rate=30, seconds=2.0, rounds=1)


@dataclass(slots=True)
class Point:
    """A number of processes: each figure round by round."""

    processes: int
    mib: list[float] = field(default_factory=list)
    """Memory of one of them, with nobody there."""
    rest: list[float] = field(default_factory=list)
    """CPU of all of them with nobody there, in percent of a core."""
    database_rest: list[float] = field(default_factory=list)
    steady: list[Figures] = field(default_factory=list)

    def ours_ms(self) -> float:
        """CPU time of our processes per move, including what they take at rest."""
        return median(figures.cpu_move for figures in self.steady)

    def database_ms(self) -> float:
        """The same for the database."""
        return median(figures.cpu_beside for figures in self.steady)


async def measure(
    server: postgres.Postgres, folder: Path, size: Size, step: Callable[[], None]
) -> list[Point]:
    points = [Point(count) for count in size.processes]
    for _ in range(size.rounds):
        for point in points:
            await _measure_point(server, folder, size, point)
            step()
    return points


async def _measure_point(server: postgres.Postgres, folder: Path, size: Size, point: Point) -> None:
    with group(folder, server.database(), point.processes) as found:
        await asyncio.sleep(2.0)  # bots' workers are still waking up
        point.mib.append(median(process.mib for process in found.servers))
        database = database_cpu(server)
        ours, theirs = found.cpu, database()
        await asyncio.sleep(size.seconds)
        point.rest.append(100 * (found.cpu - ours) / size.seconds)
        point.database_rest.append(100 * (database() - theirs) / size.seconds)
        seats = found.seated(Updated, size.games, apart=True)
        figures, _ = await steady(found, seats, size.rate, size.seconds, database)
        point.steady.append(figures)


def show(points: Sequence[Point], size: Size, found: Around) -> None:
    """The table for people to read."""
    table = Table(title=f"What one more process costs: {size.rate} moves a second offered, medians")
    for heading in (
        *(
            "processes",
            "MiB each",
            "at rest: ours",
            "database",
            "CPU ms a move: ours",
            "database",
            "together",
        ),
        *("to one process", "p50", "p99"),
    ):
        table.add_column(heading, justify="right")
    first = points[0].ours_ms() + points[0].database_ms()
    for point in points:
        whole = point.ours_ms() + point.database_ms()
        table.add_row(
            *(str(point.processes), f"{median(point.mib):.0f}"),
            *(f"{median(point.rest):.1f} %", f"{median(point.database_rest):.1f} %"),
            *(f"{point.ours_ms():.2f}", f"{point.database_ms():.2f}", f"{whole:.2f}", f"{whole / first:.2f}"),
            *(f"{median(run.ack_p50 for run in point.steady):.1f} ms",),
            *(f"{median(run.ack_p99 for run in point.steady):.1f} ms",),
        )
    console = Console()
    console = console if console.width >= 130 else Console(width=130)
    console.print(table)
    console.print(
        f"{found.cores} cores for all of it, clients included; load average {found.load_before:.1f} before."
    )


def picture(points: Sequence[Point], size: Size) -> str:
    """The same as SVG."""
    lines = [
        Line("ours and the database's", [point.ours_ms() + point.database_ms() for point in points]),
        Line("ours", [point.ours_ms() for point in points]),
        Line("the database's", [point.database_ms() for point in points]),
    ]
    title = f"CPU time for one durable move, {size.rate} a second over so many processes"
    return curve(title, [point.processes for point in points], lines, "ms")


def main() -> int:
    wanted = parser(__doc__)
    wanted.add_argument("--chart", type=Path, help="an SVG to write")
    options = wanted.parse_args()
    size = QUICK if options.quick else Size()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres.started() as server,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        found = around(Path(folder))
        task = progress.add_task("Adding processes", total=len(size.processes) * size.rounds)
        points = asyncio.run(measure(server, Path(folder), size, lambda: progress.advance(task)))
    if options.chart:
        options.chart.write_text(picture(points, size), encoding="utf-8")
    if options.json:
        print(json.dumps({"around": asdict(found), "points": [asdict(point) for point in points]}))
    else:
        show(points, size, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
