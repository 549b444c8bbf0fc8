"""Measuring side by side: machines are shared and noisy, so only ratios within one run mean anything.

Time is the process's own CPU time: on a busy machine, wall-clock time measures the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time


@dataclass(frozen=True, slots=True)
class Measured:
    """Games or steps per second of one contender, round by round."""

    name: str
    rates: tuple[float, ...]

    @property
    def rate(self) -> float:
        return median(self.rates)

    def ratio(self, other: Measured) -> tuple[float, float, float]:
        """How many times as fast as the other: the median over rounds, the lowest and the highest."""
        ratios = [mine / theirs for mine, theirs in zip(self.rates, other.rates, strict=True)]
        return median(ratios), min(ratios), max(ratios)


def measure(
    contenders: dict[str, Callable[[int], int]],
    *,
    rounds: int,
    seconds: float,
    progress: Callable[[], None],
    per_call: dict[str, int] | None = None,
    by_steps: bool = False,
) -> list[Measured]:
    """Let each contender play for a number of seconds, in turn, round after round.

    A call plays one game from a seed, or as many as `per_call` says: compiled code plays many per call. With
    `by_steps` the steps that a call returns are counted instead of games.
    """
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for play in contenders.values():
        play(0)
    for number in range(rounds):
        for name, play in contenders.items():
            calls, steps, begun = 0, 0, process_time()
            while (spent := process_time() - begun) < seconds:
                steps += play(1000 * number + calls)
                calls += 1
            games = calls * (per_call or {}).get(name, 1)
            rates[name].append((steps if by_steps else games) / spent)
            progress()
    return [Measured(name, tuple(found)) for name, found in rates.items()]
