"""How fast the library is beside numba's functions: in turns, by the processor's time.

    python -m tools.kernel.speed [CASE ...]   such as classic-2; every variant and seat count if none is named

Both play the same games: at random, greedily, and one by each kind of search. What they find is compared.
`tools.kernel.web` puts Node beside the library in the same way.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

from tools.kernel.expectations import EVERY, Case, Entries, case_of

from genial.kernel import library, settings, totals
from genial.kernel.entries import BUDGET, GREEDY, RANDOM
from genial.kernel.state import OVER, PHASE

ROUNDS = 5
_GAMES = {"RANDOM": 4000, "GREEDY": 1000}
"""So many are timed at once: some hundredths of a second."""
_POLICIES = {"RANDOM": RANDOM, "GREEDY": GREEDY}

Timed = Callable[[str, int], tuple[float, int]]
"""Does an amount of some kind of work: seconds of the processor's, and what came of it."""


def ratios(case: Case, one: Timed, other: Timed) -> Iterator[str]:
    """How fast the other is, the one being 1, by the best of some rounds, for each kind of work."""
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
    """Have a kernel do it."""
    begun = process_time()
    found = _searched(entries, case, amount) if kind == "search" else _played(entries, case, kind, amount)
    return process_time() - begun, found


def _played(entries: Entries, case: Case, kind: str, games: int) -> int:
    state = bytearray(len(case.fresh))
    placements: int = entries.play_many(case.rules, case.fresh, state, _POLICIES[kind], games)
    return placements


def _searched(entries: Entries, case: Case, number: int) -> int:
    asked, state, turns = case.searches[number], bytearray(len(case.fresh)), 0
    rules, worth, weights, none = case.rules, case.worth, case.weights, array("i", [0])
    space = bytearray(entries.choice_size(rules, asked.told))
    entries.new(rules, case.fresh, state, asked.seed)
    while state[PHASE] != OVER:
        seed = asked.seed + turns
        count = entries.choice_begin(rules, asked.told, worth, weights, state, none, space, seed)
        while entries.choice_step(rules, worth, weights, state, space, BUDGET, 0):
            pass
        rows = array("d", bytes(8 * totals.WIDTH * count))
        entries.choice_result(space, rows)
        entries.step(rules, state, int(rows[totals.ACTION]))
        turns += 1
    return turns


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.kernel.speed")
    known = {f"{variant}-{seats}": (variant, seats) for variant, seats in EVERY}
    parser.add_argument("cases", nargs="*", default=[*known], metavar="CASE")
    asked = parser.parse_args().cases
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
