"""Learn the value of a variant from self-play: `python -m genial.arena.train classic --seats 2`.

A run goes on where it was interrupted: after each generation all but its games is in the folder. The same
seed and options give the same weights, whatever the number of threads, if nothing interrupts the run and no
`--minutes` are given. The weights of the package are in genial/kernel/weights.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from genial.arena.train.learn import SLICE
from genial.arena.train.run import Plan, Run
from genial.core.errors import SetupError
from genial.core.title import setup
from genial.core.titles import title_of


def plan_of(arguments: list[str] | None) -> Plan:
    """The plan that a command line asks for."""
    parser = argparse.ArgumentParser("genial.arena.train", description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("variant")
    add("--seats", type=int, default=None)
    add("--folder", type=Path, default=Path("training"), help="where the run is kept")
    add("--generations", type=int, default=24)
    add("--chunks", type=int, default=64, help="of 65,536 states, in each generation")
    add("--passes", type=float, default=1.5, help="how often each state is learned from")
    add("--window", type=int, default=4, help="generations whose states are learned from")
    add("--batch", type=int, default=8192, help=f"states a step, a multiple of {SLICE}")
    add("--candidates", type=int, default=24, help="placements that a player looks at")
    add("--heat", type=float, default=0.12, help="chance in self-play: log odds, in solo places")
    add("--rate", type=float, default=2e-3, help="the learning rate at the begin")
    add("--last-rate", type=float, default=1e-4, help="and at the end")
    add("--contest", type=int, default=2000, help="games against balanced, each generation")
    add("--minutes", type=float, default=float("inf"), help="end the run after so long")
    add("--seed", type=int, default=1)
    add("--jobs", type=int, default=os.cpu_count() or 1, help="threads")
    add("--ray", metavar="ADDRESS", help="play on this Ray cluster: HOST:PORT, or auto; learn here")
    options = vars(parser.parse_args(arguments))
    try:
        title = title_of(options["variant"])
        options["seats"] = setup(title, options["seats"] or title.seats[0]).seats
    except SetupError as error:
        parser.error(str(error))
    if options["batch"] < SLICE or options["batch"] % SLICE:
        parser.error(f"--batch must be a multiple of {SLICE}, not {options['batch']}")
    return Plan(**options)


class Bar:
    """A run on the screen: a bar for what goes on, a line for each generation."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def begin(self, text: str, total: int) -> Callable[[], object]:
        if self._task is not None:
            self._progress.remove_task(self._task)
        task = self._task = self._progress.add_task(text, total=total)
        return lambda: self._progress.advance(task)

    def tell(self, report: dict[str, Any]) -> None:
        self._progress.console.print(json.dumps(report), soft_wrap=True)


def main(arguments: list[str] | None = None) -> int:
    """Train, with a progress bar."""
    plan = plan_of(arguments)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    try:
        with Progress(*columns) as progress:
            Run(plan, Bar(progress)).train()
    except SetupError as error:
        print(f"genial.arena.train: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("genial.arena.train: stopped; the same command goes on with this generation", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
