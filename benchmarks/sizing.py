"""What a host has to plan for: CPU time of a move and of a bot's thinking, memory and disk space of a table.

The sizing table in docs/hosting.md is based on these, on `server_load.py` and on `postgres_load.py`. CPU
times and sizes hardly depend on what else is running on the machine.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import mean
from time import process_time

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.load_clients import Tables, genial_server
from benchmarks.loads import flat_out
from benchmarks.options import parser
from benchmarks.players import Game, Updated
from tests.server.listener import free_port

import genial
from genial.bots import bot_named

LEVELS = tuple(f"level-{number}" for number in range(1, 7))
VARIANTS = (("classic", 2), ("classic", 4), ("3d", 2), ("cards", 4))


@dataclass(frozen=True, slots=True)
class Size:
    """How much to measure."""

    turns: int = 40
    """For each level in each variant."""
    tables: int = 100
    """Each is played to its end."""


QUICK = Size(turns=6, tables=10)
LONGER_THAN_ANY_GAME = 1000


@dataclass(frozen=True, slots=True)
class Thought:
    """CPU milliseconds that a bot takes for a turn: its placements, and whether it swaps."""

    bot: str
    variant: str
    seats: int
    mean: float
    highest: float


@dataclass(frozen=True, slots=True)
class TableCost:
    """What tables for two, with both players connected, cost a server on a file."""

    tables: int
    begun_kib: float
    """Memory of each once its game has begun, including its two sockets."""
    played_kib: float
    """The same after its moves."""
    moves: float
    """Per table: placements with their previews and the ends of their turns."""
    disk_kib: float
    setup_ms: float
    """CPU for creating a table, including the second player's joining."""
    connect_ms: float
    """CPU for one socket that connects and is sent the state of its table."""


def thought(bot: str, variant: str, seats: int, turns: int) -> Thought:
    """A bot on all seats, turn by turn; when its game ends it starts another."""
    chooser, rng, times = bot_named(bot), Random(1), list[float]()
    position = genial.new(variant, seats=seats, seed=1)
    chooser.choose(position.view({position.seat}), rng)  # skip one-time costs
    while len(times) < turns:
        if position.is_over:
            position = genial.new(variant, seats=seats, seed=len(times))
        seat, spent = position.seat, 0.0
        while position.seat == seat and not position.is_over:
            view, begun = position.view({seat}), process_time()
            action = chooser.choose(view, rng)
            spent += process_time() - begun
            position, _ = position.apply(action)
        times.append(1000 * spent)
    return Thought(bot, variant, seats, mean(times), max(times))


async def table_cost(folder: Path, size: Size) -> TableCost:
    """Many tables on one server: started, and then played to the end as fast as possible."""
    port = free_port()
    file = folder / "genial.db"
    server = genial_server(folder, port, str(file))
    try:
        before, tables = server.mib, Tables(server.door)
        cpu = server.cpu
        found = [tables.create() for _ in range(size.tables)]
        setup = server.cpu - cpu
        cpu, connecting, begun = server.cpu, 0.0, 0.0

        async def seated(on_ready: Callable[[Game], None]) -> list[Game]:
            nonlocal connecting, begun
            games = [
                await Game(Updated, on_ready, previews=True).sit((server.door, server.door), tables, table)
                for table in found
            ]
            await asyncio.sleep(0.5)
            connecting, begun = server.cpu - cpu, server.mib
            return games

        figures, _ = await flat_out(server, seated, LONGER_THAN_ANY_GAME)
        played = server.mib
    finally:
        server.stop()
    return TableCost(
        tables=size.tables,
        begun_kib=1024 * (begun - before) / size.tables,
        played_kib=1024 * (played - before) / size.tables,
        moves=figures.moves / size.tables,
        disk_kib=file.stat().st_size / 1024 / size.tables,
        setup_ms=1000 * setup / size.tables,
        connect_ms=1000 * connecting / size.tables / 2,
    )


def show(thoughts: list[Thought], cost: TableCost) -> None:
    """The tables for people to read."""
    table = Table(title="CPU of a bot's turn in ms: mean, highest")
    table.add_column("")
    for variant, seats in VARIANTS:
        table.add_column(f"{variant}, {seats}", justify="right")
    for bot in LEVELS:
        row = [found for found in thoughts if found.bot == bot]
        table.add_row(bot, *(f"{found.mean:.1f}, {found.highest:.0f}" for found in row))
    console = Console()
    console.print(table)
    console.print(
        f"{cost.tables} tables for two with their sockets: {cost.begun_kib:.0f} KiB each when they begin, "
        f"{cost.played_kib:.0f} after {cost.moves:.0f} moves; {cost.disk_kib:.0f} KiB of disk each. "
        f"CPU: {cost.setup_ms:.1f} ms to set one up, {cost.connect_ms:.1f} ms for a socket that comes."
    )


def main() -> int:
    options = parser(__doc__).parse_args()
    size = QUICK if options.quick else Size()
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        thoughts = []
        wanted = [(bot, variant, seats) for bot in LEVELS for variant, seats in VARIANTS]
        for each in progress.track(wanted, description="Bots think"):
            thoughts.append(thought(*each, size.turns))
        cost = asyncio.run(table_cost(Path(folder), size))
    if options.json:
        print(json.dumps({"thoughts": [asdict(each) for each in thoughts], "table": asdict(cost)}))
    else:
        show(thoughts, cost)
    return 0


if __name__ == "__main__":
    sys.exit(main())
