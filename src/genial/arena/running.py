"""Plays a contest to its end, or until it is stopped; what is known is kept either way."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from genial.arena.cluster import runner_at
from genial.arena.contest import Contest
from genial.arena.log import GameLog
from genial.arena.options import Machines
from genial.arena.sequential import Question
from genial.arena.settings import Settings
from genial.core.errors import GenialError
from genial.options import bar

_Kept = TypeVar("_Kept")


def play_contest(
    settings: Settings,
    games: int,
    log: Path,
    keep: Callable[[Contest], _Kept],
    *,
    question: Question | None = None,
    place: Machines | None = None,
    records: Path | None = None,
) -> _Kept:
    """What `keep` makes of the contest at its end. It is also called when the contest is stopped or fails."""
    place = place or Machines()
    with runner_at(place.ray, place.jobs) as runner, GameLog(log, settings) as known:

        def contest_so_far() -> Contest:
            return Contest(settings, games, question, known.played, str(records) if records else None)

        contest = contest_so_far()
        try:
            with bar("Games", contest.most_games) as shown:

                def step() -> None:
                    shown.show(contest.known_games, contest.so_far())

                step()
                contest.play(runner, known.add, step)
        except GenialError:
            keep(contest)
            raise
        except KeyboardInterrupt:
            # Perhaps between storing a game and counting it.
            known.read()
            contest = contest_so_far()
            keep(contest)
            print(
                f"genial: stopped after {contest.known_games} of {contest.most_games} games; "
                "run the same command to carry on",
                file=sys.stderr,
            )
            raise
        return keep(contest)
