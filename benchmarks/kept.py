"""The last stored figures, and what fell since: ratios to yardsticks of the same run, never times.

A machine may be twice as fast as another, and half as fast while others work on it; so what is compared is
how much faster ours was than code that is not ours, and does not change, in the same run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

KEPT = Path(__file__).parent / "kept.json"
TENTH = 0.1
"""A fall by more than this share is reported."""
_C, _GREEDY_C, _PYTHON = "C, cc -O2", "C, cc -O2, straightforward", "MOMAland ingenious"
_OURS = {"genial kernel": "kernel", "genial core": "core"}
_CYCLE, _SPIEL, _OTHER_SPIEL = "genial classic", "genial_classic", "OpenSpiel block dominoes, in Python"
"""Their names in `environments.py`."""
_LESS_IS_MORE = ("ns", "us", "s")
_OF_THE_MACHINE = ("all cores", "start of a program")
"""Operations that depend on how many cores there are, or on the disk."""

Figures = Mapping[str, Any]
"""The data of a run from `Report.data`."""


class Change(NamedTuple):
    """A ratio, as stored and as it is now."""

    name: str
    before: float
    now: float

    @property
    def fell(self) -> bool:
        """True if it fell by more than a tenth."""
        return self.now < self.before * (1 - TENTH)

    def __str__(self) -> str:
        return f"{self.name}: {self.now:.3g}, kept {self.before:.3g} ({self.now / self.before - 1:+.0%})"


def ratios(figures: Figures) -> dict[str, float]:
    """How fast ours is relative to a yardstick of its kind: compiled code to C, Python to Python."""
    return {name: ratio for name, ratio in _ratios(figures) if ratio}


def _ratios(figures: Figures) -> Iterator[tuple[str, float]]:
    random, greedy = (
        {name: median(rates) for name, rates in figures[kind].items()}
        for kind in ("games_per_second", "greedy_games_per_second")
    )
    c, python = random.get(_C), random.get(_PYTHON)
    pairs = [
        ("random", random, "genial kernel", _C, c),
        ("random", random, "genial core", _PYTHON, python),
        ("greedy", greedy, "genial kernel", _GREEDY_C, greedy.get(_GREEDY_C)),
        # No other Python plays greedily, so this uses the same yardstick as random play.
        ("greedy", greedy, "genial core", _PYTHON, python),
    ]
    for kind, rates, ours, yardstick, by in pairs:
        if by and ours in rates:
            yield f"{_OURS[ours]}, {kind} games, by {yardstick}", rates[ours] / by
    steps, spiels = (
        {name: median(rates) for name, rates in figures.get(kind, {}).items()}
        for kind in ("steps_per_second", "openspiel_steps_per_second")
    )
    if _CYCLE in steps and steps.get(_PYTHON):
        yield f"environment, steps of a cycle, by {_PYTHON}", steps[_CYCLE] / steps[_PYTHON]
    if _SPIEL in spiels and spiels.get(_OTHER_SPIEL):
        yield f"environment, steps in OpenSpiel, by {_OTHER_SPIEL}", spiels[_SPIEL] / spiels[_OTHER_SPIEL]
    if not c:
        return
    for row in figures["growth"]:
        for kind in ("random", "greedy"):
            name = f"kernel, {kind} games of {row['variant']}/{row['seats']}, by {_C}"
            yield name, row[kind]["games_per_second"] / c
    several = [("kernel", each) for each in figures["operations"]]
    several += [("many games", each) for each in figures.get("vectors", [])]
    for kind, operation in several:
        name, figure = operation["name"], operation["median"]
        if not any(part in name for part in _OF_THE_MACHINE):
            # In millions of C's games, so that the figures are readable.
            speed = 1 / figure if operation["unit"] in _LESS_IS_MORE else figure
            yield f"{kind}, {name}, by a million games of {_C}", speed / c * 1e6


def compare(kept: Mapping[str, float], now: Mapping[str, float]) -> list[Change]:
    """What both runs measured, in the order it was stored."""
    return [Change(name, before, now[name]) for name, before in kept.items() if name in now]


def told(kept: Mapping[str, Any] | None, now: Mapping[str, float]) -> tuple[list[str], bool]:
    """What to say about a run, and whether nothing fell."""
    if kept is None:
        return ["No figures are kept yet: `make bench ARGS=--keep` keeps them."], True
    changes = compare(kept["ratios"], now)
    fallen = [change for change in changes if change.fell]
    since = f"since {kept['commit']}"
    said = [f"Fell by more than a tenth {since}: {change}" for change in fallen]
    if not fallen:
        said.append(f"None of {len(changes)} figures fell by more than a tenth {since}.")
    left_out = [name for name in kept["ratios"] if name not in now]
    if left_out:
        said.append(f"Not measured this time: {'; '.join(left_out)}.")
    return said, not fallen


def read(path: Path = KEPT) -> dict[str, Any] | None:
    """What was stored, or None."""
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def keep(commit: str, day: str, now: Mapping[str, float], path: Path = KEPT) -> None:
    """Store these figures for future runs."""
    shortened = {name: float(f"{ratio:.4g}") for name, ratio in now.items()}
    data = {"commit": commit, "date": day, "ratios": shortened}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
