"""The ladder: six levels for every variant and seat count, from a beginner's mistakes to the best we can do.

Levels differ in what they see, what they value and how far they look ahead. Thinking is counted in nodes, so
that a level plays the same on a slow machine, up to a cap in seconds. docs/bots.md has the measured steps.
"""

from __future__ import annotations

from genial.bots.answer import best_answer
from genial.bots.bot import Bot
from genial.bots.eyes import Blinkered
from genial.bots.one_ply import OnePlyBot
from genial.bots.searcher import Insight, SearchBot
from genial.bots.simple import most_points
from genial.bots.worth import balanced_worth
from genial.core.actions import Place
from genial.core.tracks import Markers, Score
from genial.core.view import View
from genial.kernel.weights import VERSION

PATIENCE = 1.6
"""Points in colours that are ahead count a little more than for `balanced`. Found by trial."""
FEAR = 0.25
"""Share of the opponent's best answer that is subtracted. Found by trial."""


def _points_twice_for_the_lowest(view: View, before: Markers, after: Score) -> float:
    lowest = min(before)
    return sum(gain * (2 if step == lowest else 1) for gain, step in zip(after.gain, before, strict=True))


def third_level(name: str = "level-3", *, patience: float = PATIENCE, fear: float = FEAR) -> OnePlyBot:
    """Keeps all colours going, and considers what it leaves for the next player."""

    def progress(view: View, before: Markers, after: Score) -> float:
        return balanced_worth(view.setup.title, patience).gained(before, after)

    def left_to_the_next(view: View, action: Place) -> float:
        return fear * best_answer(view, action, balanced_worth(view.setup.title, patience))

    return OnePlyBot(name, progress, threat=left_to_the_next if fear else None)


_THIRD = third_level()

LEVELS: tuple[Bot, ...] = (
    # Counts near symbols, misses lines, takes the biggest number, forgets to swap.
    OnePlyBot("level-1", most_points, "points", Blinkered(reach=2, missed=2), swaps=False),
    # Counts further, misses a line now and then, counts points in its lowest colours twice.
    OnePlyBot("level-2", _points_twice_for_the_lowest, "points", Blinkered(reach=4, missed=1)),
    # Sees everything, keeps all colours going, considers what it leaves for the next player.
    _THIRD,
    # From here on, levels look ahead.
    SearchBot("level-4", Insight(nodes=240, seconds=0.1, width=12, worlds=4), _THIRD),
    SearchBot("level-5", Insight(nodes=4000, seconds=0.3, width=16, worlds=8), _THIRD),
    SearchBot(
        "level-6",
        Insight(nodes=24_000, seconds=1.0, width=24, worlds=16, endgame=True, learned=VERSION),
        _THIRD,
    ),
)

FROZEN: tuple[Bot, ...] = (
    # Level 6 as of November 2026.
    SearchBot(
        "master-1",
        Insight(
            nodes=24_000,
            seconds=1.0,
            width=24,
            worlds=16,
            endgame=True,
            lead=0.15,
            searches_ends=True,
            learned=1,
        ),
        _THIRD,
    ),
)
"""The best bots of their time, available by name only, for newer ones to beat. They never change."""
