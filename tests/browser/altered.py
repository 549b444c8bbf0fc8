"""`genial serve`, altered for a test by options of its own.

    python -m tests.browser.altered [--seeded] [--bonus-place N] -- [ARGUMENTS OF genial serve]

--seeded uses one secret for all games, so that the same bits always deal the same tiles, and makes bots
choose and think alike: a screen can be compared with an earlier one. --bonus-place moves the bonus place
of the classic track, which gives rules that no edition has.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from unittest.mock import patch

from genial.bots.bot import Budget
from genial.bots.workers import BotPool
from genial.cli import main
from genial.core import titles
from genial.core.tracks import RaceTrack
from genial.server.study import advice
from genial.server.tables import decisions

_THOUGHT = Budget(nodes=240, seconds=60.0)
"""For each move of an analysis: a small budget that a busy machine never cuts short."""


def deal_the_same() -> None:
    """Use one secret for all games, and the same seed for every bot's choice at the same point of a game."""
    patch.object(decisions, "new_secret", lambda: "5eed" * 16).start()
    patch.object(BotPool, "choose", _seeded(BotPool.choose)).start()
    patch.object(BotPool, "advise", _seeded(BotPool.advise)).start()
    patch.object(advice, "_FOR_A_MOVE", _THOUGHT).start()


def _seeded(ask: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """Wrap a question to a bot so that its seed depends only on the point of the game."""

    async def asked(pool: BotPool, *args: object, **named: object) -> object:
        number = str(named["seed"]).rpartition(":")[2]
        return await ask(pool, *args, **(named | {"seed": number}))

    return asked


def move_bonus_place(place: int) -> None:
    """Have the classic game award its bonus moves elsewhere on the track."""
    classic = titles.TITLES["classic"]
    assert isinstance(classic.track, RaceTrack)
    track = replace(classic.track, bonus_steps=(place,))
    patch.dict(titles.TITLES, classic=replace(classic, track=track)).start()


def run(arguments: list[str]) -> int:
    """Make the requested alterations, then serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeded", action="store_true")
    parser.add_argument("--bonus-place", type=int)
    cut = arguments.index("--")
    chosen = parser.parse_args(arguments[:cut])
    if chosen.seeded:
        deal_the_same()
    if chosen.bonus_place is not None:
        move_bonus_place(chosen.bonus_place)
    return main(["serve", *arguments[cut + 1 :]])


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
