"""A contest that is stopped keeps every game that is stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.arena.contests import Dice, settings

from genial.arena import running
from genial.arena.contest import Contest, Race
from genial.arena.game import Played
from genial.arena.log import GameLog
from genial.arena.running import play_contest


def numbers(contest: Contest) -> tuple[int, list[tuple[int, int, int]]]:
    return contest.known_games, [game.key for game in contest.counted()]


@pytest.mark.parametrize("late", [False, True])
def test_a_contest_stopped_before_a_stored_game_is_counted_counts_it(
    late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`late`: while it is counted, and not before."""
    played, add = list[Played](), Race.add

    def interrupted(race: Race, game: Played) -> None:
        played.append(game)
        if late:
            add(race, game)
        if len(played) == 4:
            raise KeyboardInterrupt
        add(race, game)

    @contextmanager
    def dice(*_: object) -> Iterator[Dice]:
        yield Dice(0.5)

    monkeypatch.setattr(running, "runner_at", dice)
    monkeypatch.setattr(Race, "add", interrupted)
    kept: list[tuple[int, list[tuple[int, int, int]]]] = []
    log = tmp_path / "match.jsonl"
    with pytest.raises(KeyboardInterrupt):
        play_contest(settings(), 20, log, lambda contest: kept.append(numbers(contest)))
    with GameLog(log, settings()) as known:
        assert list(known.played) == [game.key for game in played[:4]]
    assert kept == [(4, [game.key for game in played[:4]])]
    assert "stopped after 4 of 20 games; run the same command to carry on" in capsys.readouterr().err
