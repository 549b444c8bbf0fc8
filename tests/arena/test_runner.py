"""Games in processes: the same games however many at once, and nobody is waited for in vain."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import msgspec
import pytest
from tests.arena.contests import settings
from tests.bots import bad_bots

import genial
from genial.arena.contest import Contest
from genial.arena.game import Played, play
from genial.arena.runner import LocalRunner
from genial.bots import bot_named

BAD = f"{bad_bots.__name__}:install"


def played(jobs: int, games: int, *bots: str, records: str | None = None) -> list[Played]:
    contest = Contest(settings("match", "cards", 2, *bots), games, records=records)
    contest.play(LocalRunner(jobs, setup=BAD), lambda game: None)
    return contest.counted()


def untimed(game: Played) -> tuple[object, ...]:
    return game.key, game.players, game.ranks, game.noted, game.reason


def test_one_process_and_two_play_the_same_games() -> None:
    alone, together = played(1, 6, "greedy", "random"), played(2, 6, "greedy", "random")
    assert list(map(untimed, alone)) == list(map(untimed, together))


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("raise", "raised: ValueError"),
        ("unlawful", "unlawful: "),
        ("nothing", "unlawful: “NoneType” isn't an action"),
        ("exit", "died: exit 3"),
    ],
)
def test_a_bot_that_fails_to_play_forfeits_and_the_contest_goes_on(bot: str, problem: str) -> None:
    games = played(1, 4, "greedy", bot)
    assert len(games) == 4
    for game in games:
        assert game.forfeit is not None
        assert game.players[game.forfeit.seat] == bot
        assert game.forfeit.problem.startswith(problem)
        assert game.ranks[game.players.index("greedy")] == 1


def test_a_bot_that_never_answers_is_killed() -> None:
    fixture = settings("match", "cards", 2, "greedy", "spin-alone").fixture((0, 0, 1))
    (game,) = LocalRunner(1, setup=BAD).play([msgspec.structs.replace(fixture, deadline=0.2)])
    assert game.forfeit is not None
    assert (game.forfeit.seat, game.forfeit.problem) == (0, "deadline")


def test_no_process_is_left_behind_when_a_run_is_stopped() -> None:
    runner = LocalRunner(2, setup=BAD)
    games = runner.play(Contest(settings("match", "cards", 2, "random", "niceness"), 100).fixtures())
    next(games)
    before = _children()
    assert before
    games.close()  # type: ignore[attr-defined]
    assert not before & _children()


def _children() -> set[int]:
    return {child.pid for child in multiprocessing.active_children() if child.pid}


def test_every_variant_can_be_played(variant: str, seats: int) -> None:
    mode, bots = ("solo", ("random",)) if seats == 1 else ("match", ("random", "greedy"))
    fixture = settings(mode, variant, seats, *bots).fixture((0, 0, 0))
    game = play(fixture, [bot_named(name) for name in fixture.players])
    assert game.forfeit is None
    assert len(game.ranks) == len(game.ms) == seats
    assert all(game.ms)


def test_records_are_lawful_and_named_by_their_game(tmp_path: Path) -> None:
    games = played(1, 4, "greedy", "random", records=str(tmp_path))
    paths = sorted(tmp_path.glob("*.genial.json"))
    assert len(paths) == len(games) == 4
    for path, game in zip(paths, games, strict=True):
        assert path.name == f"cards-2-0-t-{game.deal}-{game.seating}.genial.json"
        assert genial.check(path.read_bytes()).status == "lawful"
        end = genial.load(path.read_bytes()).result
        assert end is not None
        assert end.ranks == game.ranks


def test_a_forfeited_game_has_a_record_too(tmp_path: Path) -> None:
    played(1, 2, "greedy", "raise", records=str(tmp_path))
    for path in tmp_path.glob("*.genial.json"):
        assert genial.check(path.read_bytes()).status == "lawful"
        end = genial.load(path.read_bytes()).result
        assert end is not None
        assert end.reason == "abandoned"
    assert len(list(tmp_path.iterdir())) == 2
