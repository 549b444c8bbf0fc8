"""How strong a policy is, measured in the same way for all baselines, and its curve as a file and a picture.

A policy is a function that takes many observations and masks and gives an action for each. In solo games, its
mean lowest colour counts. With two seats it meets bots that never change, as in Genial Bench, on deals that
never change, each deal once in each seat; its score is the share of games won, ties counting half.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import genial
from genial import envs
from genial.arena.statistics import Estimate, mean_estimate, score_estimate
from genial.arena.train.curves import Panel, Point, picture_of

Policy = Callable[[Any, Any], Any]
"""Takes observations and masks, one row per game; returns an action for each row."""
OPPONENTS = ("random", "greedy", "balanced")
SEED = 2_026_000
"""The seed of the deals that all baselines are measured on; none of them learns from these."""


def alone(policy: Policy, variant: str, games: int) -> Estimate:
    """The mean lowest colour over `games` solo games."""
    places = envs.vector(variant, count=games)
    seen, info = places.reset(seed=SEED)
    lowest, going = np.zeros(games), np.ones(games, bool)
    while going.any():
        actions = info["action_mask"].argmax(1)
        actions[going] = policy(seen[going], info["action_mask"][going])
        seen, gained, over, _, info = places.step(actions)
        lowest[going] += gained[going]  # the game after the first one doesn't count
        going &= ~over
    places.close()
    return mean_estimate(lowest.tolist())


def against(policy: Policy, variant: str, bot: str, games: int) -> Estimate:
    """The score of a policy with two seats over `games` games, two with each deal."""
    places = [envs.against(variant, bot, seats=2) for _ in range(games // 2 * 2)]
    begun = [place.reset(seed=SEED + n // 2, options={"seat": n % 2}) for n, place in enumerate(places)]
    seen, masks = [one[0] for one in begun], [one[1]["action_mask"] for one in begun]
    scores, going = np.zeros(len(places)), list(range(len(places)))
    while going:
        chosen = policy(np.stack([seen[n] for n in going]), np.stack([masks[n] for n in going]))
        for n, action in zip(list(going), chosen, strict=True):
            seen[n], reward, over, _, info = places[n].step(int(action))
            masks[n] = info["action_mask"]
            if over:
                scores[n] = (1 + reward) / 2
                going.remove(n)
    return score_estimate(scores.reshape(-1, 2).mean(1).tolist(), len(places))


def measured(policy: Policy, variant: str, games: int) -> dict[str, Estimate]:
    """Everything measured about a policy, by name."""
    if genial.title_of(variant).is_solo:
        return {"lowest": alone(policy, variant, games)}
    return {bot: against(policy, variant, bot, games) for bot in OPPONENTS}


def _variant(name: str) -> str:
    """A variant that exists; otherwise an error that lists those that do."""
    try:
        genial.title_of(name)
    except genial.SetupError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name


def options(doc: str | None, out: str, minutes: float) -> argparse.ArgumentParser:
    """The options of every baseline; each adds its own."""
    ask = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    ask.add_argument("variant", nargs="?", default="classic-solo", type=_variant)
    ask.add_argument("--minutes", type=float, default=minutes, help="of learning; measuring comes on top")
    ask.add_argument("--steps", type=int, default=10**12, help="stop after so many, whatever the time")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--measures", type=int, default=6, help="how often its strength is measured")
    ask.add_argument("--games", type=int, default=400, help="in each measurement, against each opponent")
    ask.add_argument("--out", type=Path, default=Path(out), help="where to write OUT.json and OUT.svg")
    return ask


@dataclass
class Run:
    """How long a baseline learns, what it reports meanwhile, and its curve."""

    name: str
    asked: argparse.Namespace
    axis: str = "games of self-play"
    curve: list[tuple[int, float, dict[str, Estimate]]] = field(default_factory=list)
    """How strong it is after each number of games and seconds."""
    _steps: int = 0
    _learned: float = 0.0
    """Seconds of learning up to the last measurement, and when that was over."""
    _since: float = field(default_factory=perf_counter)

    @property
    def seconds(self) -> float:
        """How long it has learned; time spent on measuring doesn't count."""
        return self._learned + perf_counter() - self._since

    @property
    def _part(self) -> float:
        """How much of the run is done, from 0 to 1."""
        return max(self.seconds / 60 / self.asked.minutes, self._steps / self.asked.steps)

    def goes_on(self) -> bool:
        """True if there is another step to do; it then counts as done."""
        if self._part >= 1:
            return False
        self._steps += 1
        return True

    def step(self, games: int, policy: Policy, told: str = "") -> None:
        """Report progress, and measure the policy if it's time to."""
        left = max(60 * self.asked.minutes - self.seconds, 0)
        rate = games / max(self.seconds, 1e-9)
        self.tell(f"{games:,} {self.axis}, {rate:,.0f}/s, {left:.0f} s left{told}")
        if self._part * self.asked.measures >= len(self.curve):
            self._learned = self.seconds
            self.add(games, measured(policy, self.asked.variant, self.asked.games))
            self._since = perf_counter()

    def tell(self, told: str) -> None:
        """Show the progress in the line at the bottom of the terminal, if there is one."""
        if sys.stderr.isatty():
            print(f"\r{told:<78}", end="", file=sys.stderr, flush=True)

    def add(self, games: int, found: dict[str, Estimate]) -> None:
        """Record how strong it was after a number of games."""
        self.curve.append((games, round(self._learned, 1), found))
        start = "\r" if sys.stderr.isatty() else ""
        print(f"{start}{games:,} {self.axis}, {self._learned:.0f} s: {in_words(found)}", flush=True)
        self._save()

    def _save(self) -> None:
        out, variant = self.asked.out, self.asked.variant
        out.parent.mkdir(parents=True, exist_ok=True)
        told = [
            {"games": games, "seconds": seconds, **{who: _numbers(one) for who, one in found.items()}}
            for games, seconds, found in self.curve
        ]
        whole = {"baseline": self.name, "variant": variant, "seed": self.asked.seed, "axis": self.axis}
        out.with_suffix(".json").write_text(json.dumps({**whole, "curve": told}) + "\n", encoding="utf-8")
        panels = [self._panel(who) for who in self.curve[0][2]]
        words = f"{in_words(self.curve[-1][2])}."
        picture = picture_of(f"{self.name}, {variant}", words, panels, self.axis)
        out.with_suffix(".svg").write_text(picture, encoding="utf-8")

    def _panel(self, who: str) -> Panel:
        points = [Point(games, *_numbers(found[who])) for games, _, found in self.curve]
        if who == "lowest":
            return Panel("Lowest colour", points, "{:.1f}".format)
        return Panel(f"Score against {who}", points, "{:.0%}".format, even=0.5)


def in_words(found: dict[str, Estimate]) -> str:
    """The measurements, for people to read.

    >>> in_words({"greedy": Estimate(0.5, 0.4, 0.6)})
    '50.0% (40.0% to 60.0%) against greedy'
    """
    if "lowest" in found:
        one = found["lowest"]
        return f"lowest colour {one.mean:.2f} ({one.low:.2f} to {one.high:.2f})"
    return ", ".join(f"{e.mean:.1%} ({e.low:.1%} to {e.high:.1%}) against {who}" for who, e in found.items())


def _numbers(found: Estimate) -> Sequence[float]:
    return found.mean, found.low, found.high
