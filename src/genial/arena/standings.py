"""The table of Genial Bench, generated from the submitted entries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from genial.arena.bench import OPPONENTS, Entry, shortcomings
from genial.arena.statistics import Estimate
from genial.arena.tables import Sheet, percent, title


def standings(entries: Sequence[Entry]) -> Iterator[Sheet]:
    """One table for each variant and seat count, best first; incomplete entries come last."""
    for group in _groups(entries):
        alone = bool(group[0].result.solo)
        titles = {opponent.bot: opponent.title for opponent in OPPONENTS}
        met = [bot for bot in titles if any(bot in _scores(entry) for entry in group)]
        headings = ("entry", "author", "lowest marker" if alone else "mean", *(titles[bot] for bot in met))
        rows = []
        for entry in group:
            scores = _scores(entry)
            mean = _lowest(entry.result.solo[0].lowest) if alone else percent(entry.score)
            name = entry.name + (" *" if shortcomings(entry) else "")
            rows.append(
                (name, entry.author, mean, *(_score(scores[bot]) if bot in scores else "" for bot in met))
            )
        yield Sheet(title(group[0].result), headings, rows, 2)


def standings_data(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The same as plain data, for JSON."""
    return [
        {
            "variant": entry.result.settings.variant,
            "seats": entry.result.settings.seats,
            "name": entry.name,
            "author": entry.author,
            "score": round(entry.score, 4),
            "against": {
                bot: [estimate.mean, estimate.low, estimate.high] for bot, estimate in _scores(entry).items()
            },
            "shortcomings": shortcomings(entry),
        }
        for group in _groups(entries)
        for entry in group
    ]


def remarks(entries: Sequence[Entry]) -> list[str]:
    """What each incomplete entry lacks."""
    return [
        f"* {entry.name} ({entry.table}): {'; '.join(lacks)}"
        for entry in entries
        if (lacks := shortcomings(entry))
    ]


def _groups(entries: Sequence[Entry]) -> list[list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry.table].append(entry)
    return [
        sorted(group, key=lambda entry: (bool(shortcomings(entry)), -entry.score))
        for _, group in sorted(found.items())
    ]


def _scores(entry: Entry) -> dict[str, Estimate]:
    return {pair.b: pair.score for pair in entry.result.pairs}


def _score(estimate: Estimate) -> str:
    return f"{percent(estimate.mean)} ({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"


def _lowest(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"
