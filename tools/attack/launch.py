"""Starts `genial` in special surroundings: few descriptors, a full disk, a wall clock that jumps, more bots.

Run by its path, with nothing but the standard library, so that it can start any commit's package.
"""

from __future__ import annotations

import resource
import runpy
import sys
import time
from argparse import REMAINDER, ArgumentParser
from pathlib import Path


def bend_clock(offset: Path) -> None:
    """From now on the wall clock is off by the seconds written in a file; monotonic time is unaffected."""
    true_time, true_nanoseconds = time.time, time.time_ns

    def seconds() -> int:
        return int(offset.read_text() or 0)

    time.time = lambda: true_time() + seconds()
    time.time_ns = lambda: true_nanoseconds() + seconds() * 10**9


def seat(names: list[str]) -> None:
    """Make these bots available at tables."""
    from genial.bots import BOTS, bot_named  # of the commit being started

    BOTS.update({name: bot_named(name) for name in names})


def main() -> None:
    wanted = ArgumentParser(description=__doc__)
    wanted.add_argument("--descriptors", type=int, help="open files and sockets at once")
    wanted.add_argument("--file-bytes", type=int, help="how long a file may grow")
    wanted.add_argument("--clock", type=Path, help="a file with the seconds that the wall clock is off by")
    wanted.add_argument("--bot", action="append", default=[], help="one more bot, such as level-6@0.05")
    wanted.add_argument("arguments", nargs=REMAINDER)
    options = wanted.parse_args()
    for limit, most in (
        (resource.RLIMIT_NOFILE, options.descriptors),
        (resource.RLIMIT_FSIZE, options.file_bytes),
    ):
        if most is not None:
            resource.setrlimit(limit, (most, most))
    if options.clock is not None:
        bend_clock(options.clock)
    if options.bot:
        seat(options.bot)
    sys.argv = ["genial", *options.arguments]
    runpy.run_module("genial", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
