"""The long run: `python -m tools.full_kernel`. The sample that `make test` runs is in test_agreement.py.

10,000 games of classic for two and 1,000 of every other variant and seat count, followed move by move and
undone: lawful actions, points, gains, bonus moves, swaps, ends, ranks; every tenth as a record too.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

from rich.progress import Progress
from tests.kernel.agreement import follow
from tests.kernel.recorded import RecordedGame
from tests.play import GAMES

import genial
from genial.core.record import record_of
from genial.kernel.api import Game

Work = tuple[str, int, int]
"""Variant, seats, game."""


def agrees(work: Work) -> tuple[str, int, int, str | None]:
    """Follow one game. Returns its kind, how many positions were compared, and what is wrong, if anything."""
    variant, seats, number = work
    try:
        compared = follow(Game.of(variant, seats), variant, seats, seed=number, greedily=number % 2 == 1)
        problem = recorded(variant, seats, number) if number % 10 == 0 else None
    except AssertionError:
        return variant, seats, 0, f"{work}: {traceback.format_exc(limit=-2)}"
    return variant, seats, compared, problem


def recorded(variant: str, seats: int, number: int) -> str | None:
    """Let the kernel play a game, write it, judge it, and compare it with core's."""
    rng = Random(number)
    played = RecordedGame(variant, seats, seed=number)
    position = genial.new(variant, seats=seats, seed=number)
    while not played.is_over:
        numbers = played.game.legal(played.state).numbers
        chosen = numbers[rng.randrange(len(numbers))]
        played.apply(chosen)
        position, _ = position.apply(played.game.action_of(chosen))
    verdict = genial.check(record_of(played.position()))
    same = record_of(played.position()) == record_of(position)
    return None if verdict.status == "lawful" and same else f"{variant}/{seats} {number}: {verdict.text()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=1000, help="of every variant; ten times as many of classic/2"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    work = [
        (variant, seats, number)
        for variant, seats in GAMES
        for number in range(options.games * (10 if (variant, seats) == ("classic", 2) else 1))
    ]
    wanted = Counter((variant, seats) for variant, seats, _ in work)
    games: Counter[tuple[str, int]] = Counter()
    compared: Counter[tuple[str, int]] = Counter()
    problems: list[str] = []
    with ProcessPoolExecutor(options.jobs) as pool, Progress() as progress:
        task = progress.add_task("Games", total=len(work))
        for variant, seats, count, problem in pool.map(agrees, work, chunksize=20):
            games[variant, seats] += 1
            compared[variant, seats] += count
            problems += [problem] if problem else []
            progress.advance(task)
            if games[variant, seats] == wanted[variant, seats]:
                count, positions = games[variant, seats], compared[variant, seats]
                told = f"{variant:>13}/{seats} {count:7,} games {positions:11,} positions compared"
                progress.console.print(f"{told}, {len(problems)} problems so far")
    print(f"{len(work):,} games, {len(problems)} problems")
    print("\n".join(problems[:10]))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
