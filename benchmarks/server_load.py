"""The server under load, on loopback, compared with a bare echo of the same traffic on the same stack.

    python benchmarks/server_load.py --against 4ecf47b

Idle sockets, a move sent to many spectators, and durable moves at a steady rate and as fast as possible,
without and with the previews that the browser requests. The clients say what the browser says: first of all
they are checked against a recorded session of it, line by line. `--against` puts another commit's server
under the same loads in turn, with the conversation of its own client. A time alone is not a result: all
figures are also given as ratios.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.checkout import ROOT, checked_out
from benchmarks.conversation import NOW, read
from benchmarks.load_clients import Process, echo_server, genial_server
from benchmarks.loads import (
    Around,
    Figures,
    around,
    echo_seated,
    flat_out,
    idle_echo,
    idle_ours,
    middle,
    seated,
    steady,
    told_echo,
    told_ours,
)
from benchmarks.options import against, parser
from benchmarks.players import Player, spoken_by, unlike
from benchmarks.sheet import Sheet, cell
from tests.server.listener import free_port

ECHO = "echo"


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    sockets: int = 5000
    spectators: int = 500
    told_moves: int = 20
    rates: tuple[int, ...] = (250, 500, 1000)
    seconds: float = 4.0
    tables: int = 300
    """At the highest rate; proportionally fewer at lower ones."""
    flat_tables: int = 75
    flat_moves: int = 20
    """Per table."""
    rounds: int = 3
    previews: tuple[bool, ...] = (False, True)


QUICK = Size(
    sockets=500,
    spectators=100,
    told_moves=8,
    rates=(60, 250),
    seconds=2.0,
    tables=60,
    flat_tables=20,
    flat_moves=15,
    rounds=1,
)


@dataclass(frozen=True, slots=True)
class Contender:
    """A checkout whose server is measured, and the conversation of its client."""

    name: str
    source: Path
    speak: type[Player]


@dataclass(slots=True)
class Load:
    """One load: each contender's figures, and those of the echo, round by round."""

    name: str
    figures: dict[str, str]
    """Which figures it has, and their labels."""
    target: dict[str, str] = field(default_factory=dict)
    runs: dict[str, list[Figures]] = field(default_factory=dict)

    def add(self, name: str, figures: Figures) -> None:
        self.runs.setdefault(name, []).append(figures)

    def ratio(self, name: str, one: str, other: str) -> str:
        """The ratio of one column to another."""
        if one not in self.runs or other not in self.runs:
            return ""
        below = middle(self.runs[other], name)
        return f"{middle(self.runs[one], name) / below:.2f}" if below else ""


CPU = {"server_cpu": "CPU of the server, %", "client_cpu": "CPU of the client, %"}
IDLE = {"mib_after": "MiB", "mib_before": "MiB before the first", "bytes_each": "B each", **CPU}
TOLD = {
    "last_p50": "until the last has the state, p50 ms",
    "last_p99": "the same, p99 ms",
    "told_p50": "until each has it, p50 ms",
    "told_p99": "the same, p99 ms",
    "cpu_move": "CPU ms a move",
    "bytes_move": "bytes sent for a move",
    **CPU,
}
PLAYED = {
    "per_second": "moves a second",
    "cpu_move": "CPU ms a move",
    "cpu_deed": "CPU ms a deed",
    "ack_p50": "acknowledged, p50 ms",
    "ack_p99": "acknowledged, p99 ms",
    "shown_p99": "the doer has the state, p99 ms",
    "bytes_move": "bytes sent for a move",
    **CPU,
}


def echo_of(name: str) -> str:
    """The column of the echo of a contender's traffic."""
    return ECHO if name == NOW else f"{ECHO} of {name}"


# All of it


@contextmanager
def servers(folder: Path, contenders: list[Contender]) -> Iterator[tuple[dict[str, Process], Process]]:
    """Every contender's server and the echo, for one round."""
    with ExitStack() as stack:
        ours = {}
        for contender in contenders:
            ours[contender.name] = genial_server(folder, free_port(), source=contender.source)
            stack.callback(ours[contender.name].stop)
        echo = echo_server(folder, free_port())
        stack.callback(echo.stop)
        yield ours, echo


async def contenders(folder: Path, commit: str | None, stack: ExitStack) -> list[Contender]:
    """Another commit, if one is named, and this checkout."""
    found = []
    if commit:
        found.append(await _contender(folder, commit, stack.enter_context(checked_out(commit, folder))))
    return [*found, await _contender(folder, NOW, ROOT)]


async def _contender(folder: Path, name: str, source: Path) -> Contender:
    """A contender, once its conversation is checked against the recorded one."""
    server = genial_server(folder, free_port(), source=source)
    try:
        speak = await spoken_by(server.door)
        recording = read(name)
        found = await unlike(recording, server.door, speak) if recording else ["no session is on file"]
    finally:
        server.stop()
    if found:
        raise RuntimeError(f"{name}: the load does not say what the browser says: {'; '.join(found)}")
    return Contender(name, source, speak)


async def measure(
    folder: Path, size: Size, contenders: list[Contender], progress: Callable[[], None]
) -> list[Load]:
    idle = Load(f"{size.sockets} idle sockets", IDLE, {"mib_after": "under 250"})
    with servers(folder, contenders) as (ours, echo):
        for each in contenders:
            idle.add(each.name, await idle_ours(ours[each.name], each.speak, size.sockets))
        idle.add(ECHO, await idle_echo(echo, size.sockets))
        progress()
    told = Load(f"a move told to {size.spectators} spectators", TOLD, {"last_p99": "< 50"})
    played = [
        (Load(f"{what}, {'with' if previews else 'without'} previews", PLAYED, target), rate, previews)
        for previews in size.previews
        for what, target, rate in (
            *((f"{rate} moves a second offered", {"ack_p99": "< 10"}, rate) for rate in size.rates),
            (f"{size.flat_tables} tables as fast as they go", {}, None),
        )
    ]
    for number in range(size.rounds):
        with servers(folder, contenders) as (ours, echo):
            order = contenders[:: 1 if number % 2 == 0 else -1]  # so that nobody always comes first
            for each in order:
                figures, sizes = await told_ours(
                    ours[each.name], each.speak, size.spectators, size.told_moves
                )
                told.add(each.name, figures)
                figures = await told_echo(echo, sizes, size.spectators, size.told_moves)
                told.add(echo_of(each.name), figures)
            progress()
            for load, rate, previews in played:
                await _play(load, rate, previews, size, order, ours, echo)
                progress()
    return [idle, told, *(load for load, _, _ in played)]


async def _play(
    load: Load,
    rate: int | None,
    previews: bool,
    size: Size,
    contenders: list[Contender],
    ours: dict[str, Process],
    echo: Process,
) -> None:
    """One load of moves for everybody; for the echo with the sizes of this checkout's messages."""
    count = size.tables * rate // max(size.rates) if rate else size.flat_tables
    sizes = {}
    for each in contenders:
        server = ours[each.name]
        seats = seated(server, each.speak, count, previews)
        if rate:
            figures, sizes[each.name] = await steady(server, seats, rate, size.seconds)
        else:
            figures, sizes[each.name] = await flat_out(server, seats, size.flat_moves)
        load.add(each.name, figures)
    seats = echo_seated(echo, sizes[NOW], count, previews)
    if rate:
        figures, _ = await steady(echo, seats, rate, size.seconds)
    else:
        figures, _ = await flat_out(echo, seats, size.flat_moves)
    load.add(ECHO, figures)


def show(loads: list[Load], commit: str | None, found: Around, markdown: bool) -> None:
    """The table for people to read."""
    columns = [*([commit] if commit else []), NOW, ECHO]
    ratios = [*([(NOW, commit), (commit, echo_of(commit))] if commit else []), (NOW, ECHO)]
    headings = ["", "target", *columns, *(f"{one} to {other}" for one, other in ratios)]
    sheet = Sheet("The server under load (median of the rounds, lowest-highest)", headings, words=2)
    for load in loads:
        sheet.part(load.name)
        for name, words in load.figures.items():
            cells = [cell(load.runs.get(column), name) for column in columns]
            compared = [load.ratio(name, one, other) for one, other in ratios]
            sheet.row(words, load.target.get(name, ""), *cells, *compared)
    note = "A move is a placement with the end of its turn: two deeds. The echo sends the same bytes."
    sheet.show(markdown, note, str(found))


async def run(folder: Path, size: Size, commit: str | None, progress: Progress) -> list[Load]:
    """Both checkouts, or this one alone."""
    with ExitStack() as stack:
        found = await contenders(folder, commit, stack)
        loads = 1 + (1 + len(size.previews) * (1 + len(size.rates))) * size.rounds
        task = progress.add_task("Loading", total=loads)
        return await measure(folder, size, found, lambda: progress.advance(task))


def main() -> int:
    wanted = against(parser(__doc__))
    wanted.add_argument("--no-previews", action="store_true", help="leave out the loads with previews")
    options = wanted.parse_args()
    size = QUICK if options.quick else Size()
    size = replace(size, rounds=options.rounds or size.rounds)
    size = replace(size, previews=(False,)) if options.no_previews else size
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        found = around(Path(folder))
        loads = asyncio.run(run(Path(folder), size, options.against, progress))
    found.load_after = os.getloadavg()[0]
    if options.json:
        print(json.dumps({"around": asdict(found), "loads": [asdict(load) for load in loads]}))
    else:
        show(loads, options.against, found, options.markdown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
