"""Bots playing each other in several processes, optionally with records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any

from genial.arena.errors import WrongContest
from genial.bots import bot_named
from genial.bots.driver import play_out
from genial.core.deal import as_seed
from genial.core.events import Ended
from genial.core.new import new
from genial.core.position import Position
from genial.core.record import deal_key, dump, record_of
from genial.core.series import noted_points

Progress = Callable[[], None]
"""Called after each game."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which games to play. Game k is dealt from the seed `seed-k`, whatever the number of processes."""

    variant: str
    seats: int
    bots: tuple[str, ...]
    """One name per seat."""
    games: int
    seed: str
    records: Path | None = None

    def game_seed(self, game: int) -> str:
        return f"{self.seed}-{game}"


def plan_of(
    variant: str,
    seats: int | None,
    bots: str,
    games: int,
    seed: str,
    jobs: int | None = None,
    records: Path | None = None,
) -> Plan:
    """The requested plan: one bot for all seats, or one for each, separated by commas.

    >>> plan_of("cards", None, "greedy", 10, "7").bots
    ('greedy', 'greedy')
    """
    count = new(variant, seats=seats, seed=0).setup.seats
    names = tuple(bots.split(","))
    names = names * count if len(names) == 1 else names
    for name in names:
        bot_named(name)
    if len(names) != count:
        raise WrongContest("bots-count", got=len(names), seats=count)
    if games < 1 or (jobs is not None and jobs < 1):
        raise WrongContest("games-count")
    return Plan(variant, count, names, games, as_seed(seed), records)


@dataclass(slots=True)
class Summary:
    """The outcome of the games, by seat."""

    plan: Plan
    games: int = 0
    firsts: list[float] = field(default_factory=list)
    """First places; a shared one counts in part."""
    lowest: list[int] = field(default_factory=list)
    """Sums of what a series notes: the lowest marker, or the duel's colours."""
    points: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    events: int = 0

    def __post_init__(self) -> None:
        self.firsts, self.lowest, self.points = ([0] * self.plan.seats for _ in range(3))  # type: ignore[assignment]

    def add(self, end: Ended, events: int) -> None:
        """Add one more game."""
        setup = new(self.plan.variant, seats=self.plan.seats, seed=0).setup
        winners = end.ranks.count(1)
        self.games += 1
        self.events += events
        self.reasons[end.reason] += 1
        for seat, rank in enumerate(end.ranks):
            self.firsts[seat] += (rank == 1) / winners
            self.lowest[seat] += noted_points(setup, end, seat)
            self.points[seat] += sum(setup.title.sides.seen_by(seat, end.tracks[seat]))

    def data(self) -> dict[str, Any]:
        """The summary as plain data, for JSON."""
        games = max(self.games, 1)
        return {
            "variant": self.plan.variant,
            "seats": self.plan.seats,
            "seed": self.plan.seed,
            "games": self.games,
            "events": self.events,
            "reasons": dict(sorted(self.reasons.items())),
            "players": [
                {
                    "seat": seat,
                    "bot": self.plan.bots[seat],
                    "firsts": round(self.firsts[seat], 3),
                    "mean_lowest": round(self.lowest[seat] / games, 3),
                    "mean_sum": round(self.points[seat] / games, 3),
                }
                for seat in range(self.plan.seats)
            ],
        }


def play_game(plan: Plan, game: int) -> Position:
    """Play one game of the plan to its end."""
    seed = plan.game_seed(game)
    start = new(plan.variant, seats=plan.seats, seed=seed)
    end = play_out(start, [bot_named(name) for name in plan.bots], Random(seed))
    if plan.records:
        record = record_of(end, bots=list(plan.bots), **deal_key(end))
        path = plan.records / f"{plan.variant}-{plan.seats}-{seed}.genial.json"
        path.write_text(dump(record), encoding="utf-8")
    return end


def _outcome(plan: Plan, game: int) -> tuple[Ended, int]:
    end = play_game(plan, game)
    assert end.result is not None
    return end.result, len(end.events)


def _outcomes(plan: Plan, jobs: int) -> Iterator[tuple[Ended, int]]:
    if jobs == 1:
        for game in range(plan.games):
            yield _outcome(plan, game)
        return
    with ProcessPoolExecutor(jobs) as pool:
        chunk = max(1, min(50, plan.games // (4 * jobs)))
        yield from pool.map(_outcome, repeat(plan, plan.games), range(plan.games), chunksize=chunk)


def simulate(plan: Plan, *, jobs: int = 1, progress: Progress | None = None) -> Summary:
    """Play all games of a plan.

    >>> summary = simulate(Plan("cards", 2, ("greedy", "random"), games=2, seed="7"))
    >>> summary.games, dict(summary.reasons)
    (2, {'goal': 2})
    """
    if plan.records:
        plan.records.mkdir(parents=True, exist_ok=True)
    summary = Summary(plan)
    for end, events in _outcomes(plan, jobs):
        summary.add(end, events)
        if progress:
            progress()
    return summary
