"""Single operations of the kernel: a scan, a clone, a step from Python, batches; and a program's start.

Measured in the process's CPU time, except for batches on all cores, which use wall-clock time.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.batch import Batch
from genial.kernel.state import State

BATCH = 4096
Figure = dict[str, Any]


def operations(rounds: int, progress: Callable[[], None]) -> list[Figure]:
    """Each operation with its unit, its figure over the rounds, and its target."""
    measured: list[tuple[str, str, str, Callable[[], float]]] = [
        ("scan of all placements for the best", "ns", "< 150", _scan),
        ("clone of a state", "us", "< 0.4", _clone),
        ("copy into a kept state", "us", "", _copy),
        ("step called from Python", "M/s", ">= 1", _steps),
        ("batch, all cores, without masks", "M steps/s", ">= 5", lambda: _batch(None, False)),
        (
            "batch, all cores, random actions chosen too",
            "M steps/s",
            "",
            lambda: _batch(None, False, choose=True),
        ),
        ("batch, all cores, with masks", "M steps/s", ">= 1", lambda: _batch(None, True)),
        ("batch, one core, without masks", "M steps/s", "", lambda: _batch(1, False)),
        ("batch, one core, with masks", "M steps/s", "", lambda: _batch(1, True)),
        ("start of a program that plays a game", "s", "< 1", _start),
    ]
    found = []
    for name, unit, wanted, run in measured:
        run()
        values = [run() for _ in range(rounds)]
        found.append(
            {
                "name": name,
                "unit": unit,
                "wanted": wanted,
                "median": median(values),
                "lowest": min(values),
                "highest": max(values),
            }
        )
        progress()
    return found


def _midgame(acts: int = 30) -> tuple[Game, State]:
    game = Game.of("classic", 2)
    state = game.new(seed=11)
    for _ in range(acts):
        game.step(state, game.best(state) if state[at.PHASE] == at.PLACE else game.refill)
    while state[at.PHASE] != at.PLACE:
        game.step(state, game.refill)
    return game, state


def _scan(times: int = 200_000) -> float:
    game, state = _midgame()
    begun = process_time()
    game.engine.scan(game.tables.rules, state, times)
    return (process_time() - begun) / times * 1e9


def _clone(times: int = 200_000) -> float:
    game, state = _midgame()
    clone = game.clone
    begun = process_time()
    for _ in range(times):
        clone(state)
    return (process_time() - begun) / times * 1e6


def _copy(times: int = 200_000) -> float:
    game, state = _midgame()
    other = game.clone(state)
    begun = process_time()
    for _ in range(times):
        other[:] = state
    return (process_time() - begun) / times * 1e6


def _steps(games: int = 300) -> float:
    """Random games played once to note stream and action at every step, then stepped through again, timed."""
    game = Game.of("classic", 2)
    spent, count = 0.0, 0
    for seed in range(games):
        batch = Batch(game, 1, seed=seed)
        acts: list[tuple[State, int]] = []
        while not acts or not batch.over[0]:
            number = int(batch.choose()[0])
            acts.append((game.clone(batch.states[0]), number))
            batch.step(batch.actions)
        step, begun = game.step, process_time()
        for before, number in acts:
            step(before, number)
        spent += process_time() - begun
        count += len(acts)
    return count / spent / 1e6


def _batch(threads: int | None, masks: bool, *, choose: bool = False, rounds: int = 100) -> float:
    batch = Batch(Game.of("classic", 2), BATCH, seed=3, threads=threads or os.cpu_count())
    clock = process_time if threads == 1 else perf_counter
    spent = 0.0
    for _ in range(rounds):
        begun = clock()
        if masks:
            batch.masks()
        if choose:
            batch.choose()
        spent += clock() - begun
        actions = batch.actions if choose else batch.choose()
        begun = clock()
        assert batch.step(actions) == 0
        spent += clock() - begun
    batch.close()
    return rounds * BATCH / spent / 1e6


def _start() -> float:
    """CPU time of a program that plays a game, minus one that does nothing; numba has its code cached."""

    def seconds(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    use = "from genial import kernel; g = kernel.game('classic', 2); g.playout(g.new(1))"
    return seconds(use) - seconds("")
