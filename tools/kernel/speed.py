"""How fast the library is compared to numba's functions: alternating, in processor time.

    python -m tools.kernel.speed [CASE ...]   such as classic-2; every variant and seat count if none is named
    python -m tools.kernel.speed --steps      how long the library takes for a step of a search

Both play the same games: at random, greedily, and one by each kind of search. Their results are compared.
`tools.kernel.web` compares Node with the library in the same way.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from math import ceil
from statistics import median
from time import process_time

from tools.kernel.expectations import EVERY, Case, Entries, Search, case_of

from genial.kernel import library, settings, totals
from genial.kernel.entries import BUDGET, GREEDY, RANDOM
from genial.kernel.state import OVER, PHASE

ROUNDS = 5
_GAMES = {"RANDOM": 4000, "GREEDY": 1000}
"""How many are timed at once: some hundredths of a second."""
_NODES, _WIDTH = 240, 24
"""For a search whose steps are timed: fewer nodes than level 6 has, but the same steps."""
_POLICIES = {"RANDOM": RANDOM, "GREEDY": GREEDY}

Timed = Callable[[str, int], tuple[float, int]]
"""Does an amount of some kind of work. Returns seconds of processor time, and the result."""


def ratios(case: Case, one: Timed, other: Timed) -> Iterator[str]:
    """How fast the other is relative to the one, by the best of some rounds, for each kind of work."""
    for name, (kind, amount) in _work(case).items():
        best = [float("inf")] * 2
        for _ in range(ROUNDS):
            (first, found), (second, same) = one(kind, amount), other(kind, amount)
            assert found == same, "they play otherwise"
            best = [min(best[0], first), min(best[1], second)]
        yield f"{name} {best[0] / best[1]:.2f}"


def _work(case: Case) -> dict[str, tuple[str, int]]:
    """What is timed: games at random and greedily, and a game by each kind of search."""
    kinds = {kind.lower(): (kind, games) for kind, games in _GAMES.items()}
    for number, asked in enumerate(case.searches):
        name = "learned value" if asked.told[settings.LEARNED] else "playouts"
        kinds.setdefault(name, ("search", number))
    return kinds


def timed(entries: Entries, case: Case, kind: str, amount: int) -> tuple[float, int]:
    """Have a kernel do the work."""
    begun = process_time()
    found = _searched(entries, case, amount) if kind == "search" else _played(entries, case, kind, amount)
    return process_time() - begun, found


def _played(entries: Entries, case: Case, kind: str, games: int) -> int:
    state = bytearray(len(case.fresh))
    placements: int = entries.play_many(case.rules, case.fresh, state, _POLICIES[kind], games)
    return placements


def _searched(entries: Entries, case: Case, number: int) -> int:
    return sum(1 for _ in _turns(entries, case, case.searches[number]))


def steps(entries: Entries, case: Case) -> Iterator[float]:
    """The seconds of every call in a game by each kind of search, with the candidates of level 6.

    Starting a search is also such a call: nothing comes in between. A game is played three times, and the
    shortest time of each call counts: other activity on the machine adds to some.
    """
    for asked in case.searches:
        told = array("d", asked.told)
        told[settings.NODES], told[settings.WIDTH] = _NODES, _WIDTH
        for calls in zip(*(_turns(entries, case, asked._replace(told=told)) for _ in range(3)), strict=True):
            yield from map(min, zip(*calls, strict=True))


def _turns(entries: Entries, case: Case, asked: Search) -> Iterator[list[float]]:
    """Play a game by search; for each turn the seconds of its calls."""
    state, turns = bytearray(len(case.fresh)), 0
    rules, worth, weights, none = case.rules, case.worth, case.weights, array("i", [0])
    space = bytearray(entries.choice_size(rules, asked.told))
    entries.new(rules, case.fresh, state, asked.seed)
    while state[PHASE] != OVER:
        seed = asked.seed + turns
        clock = [process_time()]
        count = entries.choice_begin(rules, asked.told, worth, weights, state, none, space, seed)
        clock.append(process_time())
        while entries.choice_step(rules, worth, weights, state, space, BUDGET, 0):
            clock.append(process_time())
        clock.append(process_time())
        rows = array("d", bytes(8 * totals.WIDTH * count))
        entries.choice_result(space, rows)
        entries.step(rules, state, int(rows[totals.ACTION]))
        turns += 1
        yield [then - now for now, then in pairwise(clock)]


def told_of(seconds: Iterable[float]) -> str:
    """How long steps took, in milliseconds.

    >>> told_of([0.002] * 99 + [0.004])
    '   100 steps  median 2.00  99% 2.00  longest 4.00'
    """
    each = sorted(1000 * one for one in seconds)
    late = each[ceil(0.99 * len(each)) - 1]
    return f"{len(each):6,} steps  median {median(each):.2f}  99% {late:.2f}  longest {each[-1]:.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.kernel.speed")
    known = {f"{variant}-{seats}": (variant, seats) for variant, seats in EVERY}
    parser.add_argument("cases", nargs="*", default=[*known], metavar="CASE")
    parser.add_argument("--steps", action="store_true", help="how long a step of a search takes")
    chosen = parser.parse_args()
    asked = chosen.cases
    if chosen.steps:
        print(f"A step of {library.find().name}, {BUDGET} playouts or alike, in the processor's milliseconds")
        for name in asked:
            print(
                f"{name:14}  {told_of(steps(library.load(), case_of(*known[name], searches=2)))}", flush=True
            )
        return 0
    from genial.kernel.source import called

    native, numba = library.load(), called.load()
    print(f"The speed of {native.path.name}, numba's being 1: by the processor's time, the best of {ROUNDS}")
    for name in asked:
        case = case_of(*known[name], searches=2)
        print(
            f"{name:14}", *ratios(case, partial(timed, numba, case), partial(timed, native, case)), sep="  "
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
