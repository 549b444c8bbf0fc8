"""`make bench`: one table, measured side by side in one run."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

from core import momaland_player, play_core, position_size
from side_by_side import Measured, measure


def main() -> int:
    parser = argparse.ArgumentParser(prog="genial bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each contender and round")
    options = parser.parse_args()
    contenders = {"genial core": play_core}
    try:
        contenders["MOMAland ingenious"] = momaland_player()
    except ImportError:
        print("MOMAland is not installed here: `make bench` installs it. Measuring without it.", file=sys.stderr)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Measuring", total=options.rounds * len(contenders))
        found = measure(
            contenders,
            rounds=options.rounds,
            seconds=options.seconds,
            progress=lambda: progress.advance(task),
        )
    size = position_size()
    if options.json:
        print(json.dumps({"position_bytes": round(size), "games_per_second": {m.name: m.rates for m in found}}))
    else:
        _print(found, size)
    return 0


def _print(found: list[Measured], size: float) -> None:
    table = Table(title="Random play, classic, two seats, one core")
    for heading in ("", "games/s", "lowest to highest", "times as fast as the last", "lowest to highest"):
        table.add_column(heading, justify="left" if not heading else "right")
    for measured in found:
        ratio, low, high = measured.ratio(found[-1])
        table.add_row(
            measured.name,
            f"{measured.rate:.0f}",
            f"{min(measured.rates):.0f} to {max(measured.rates):.0f}",
            f"{ratio:.2f}",
            f"{low:.2f} to {high:.2f}",
        )
    console = Console()
    console.print(table)
    console.print(f"A kept position: {size:.0f} bytes (mean of 1,000; the limit is 4,096)")


if __name__ == "__main__":
    sys.exit(main())
