"""The long run: `make check-all`. The sample of it that `make test` runs is in tests/core/test_referee.py.

1,000 random and 1,000 balanced games of every variant and seat count pass the referee, and 10,000 lies are
all refused with the right ruling.
"""

from __future__ import annotations

import argparse
import copy
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import TypeVar

from rich.progress import Progress, TaskID
from tests.play import GAMES
from tools.mutations import MUTATIONS

import genial
from genial.arena.simulate import Plan, play_game
from genial.core.record import dump, record_of

_Result = TypeVar("_Result")
Work = tuple[str, int, str, int]
"""Variant, seats, bot, game."""


def lawful(work: Work) -> str | None:
    """Play one game, write it, judge it. Returns what is wrong with it, if anything."""
    variant, seats, bot, game = work
    end = play_game(Plan(variant, seats, (bot,) * seats, 1, f"full-{bot}"), game)
    verdict = genial.check(dump(record_of(end)))
    return None if verdict.status == "lawful" else f"{work}: {verdict.text()}"


def refused(number: int) -> tuple[str, str | None]:
    """Tell one lie about one game. Returns the kind of lie, and what is wrong with the verdict, if any."""
    rng = Random(f"lie-{number}")
    kinds = list(MUTATIONS)
    while True:
        variant, seats = GAMES[rng.randrange(len(GAMES))]
        bot = ("random", "greedy", "balanced")[rng.randrange(3)]
        end = play_game(Plan(variant, seats, (bot,) * seats, 1, "lies"), rng.randrange(50))
        kind = kinds[number % len(kinds)]
        lie = MUTATIONS[kind](copy.deepcopy(record_of(end)), rng)
        if lie is not None:
            break
    verdict = genial.check(dump(lie[0]))
    if verdict.status == "breach" and verdict.ruling in lie[1]:
        return kind, None
    return kind, f"{kind} in {variant}/{seats}: {verdict.text()}; expected one of {sorted(lie[1])}"


def games(count: int) -> Iterator[Work]:
    for variant, seats in GAMES:
        for bot in ("random", "balanced"):
            for game in range(count):
                yield variant, seats, bot, game


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each bot, variant and seat count")
    parser.add_argument("--lies", type=int, default=10_000)
    options = parser.parse_args()
    problems: list[str] = []
    kinds: Counter[str] = Counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool, Progress() as progress:
        work = list(games(options.games))
        task = progress.add_task("Lawful games", total=len(work))
        for problem in _watched(pool.map(lawful, work, chunksize=25), progress, task):
            problems += [problem] if problem else []
        task = progress.add_task("Lies", total=options.lies)
        for kind, problem in _watched(pool.map(refused, range(options.lies), chunksize=25), progress, task):
            kinds[kind] += 1
            problems += [problem] if problem else []
    for kind, count in sorted(kinds.items()):
        print(f"{count:6} {kind}")
    print(f"{len(work)} games, {options.lies} lies, {len(problems)} problems")
    print("\n".join(problems[:20]))
    return int(bool(problems))


def _watched(results: Iterable[_Result], progress: Progress, task: TaskID) -> Iterator[_Result]:
    for result in results:
        progress.advance(task)
        yield result


if __name__ == "__main__":
    sys.exit(main())
