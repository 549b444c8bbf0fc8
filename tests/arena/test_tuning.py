"""`genial tune`: it finds what is better, gives up on what is hopeless, and continues where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random

import msgspec
import pytest

from genial.arena import extras
from genial.arena.fixtures import Fixture
from genial.arena.game import Played
from genial.arena.study import Study
from genial.arena.tuning import Range, Search, Tuning, read
from genial.cli import main

needs_optuna = pytest.mark.skipif(find_spec("optuna") is None, reason="Optuna is not installed")

SEARCH = Search(
    "level-3",
    "cards",
    2,
    "s",
    (Range("fear", 0.25, 0, 1, 0.05), Range("patience", 1.6, 0.4, 4, 0.1)),
    games=60,
    deadline=10,
)


class Lots:
    """Draws random results: the smaller the fear, the more often its bot wins. Stops after some games."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.left, self.played = stop_after, 0

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        for fixture in fixtures:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            self.played += 1
            yield self._result(fixture)

    def _result(self, fixture: Fixture) -> Played:
        tuned = next(player for player in fixture.players if "[" in player)
        fear = float(tuned.partition("fear=")[2].partition(",")[0])
        wins = Random(f"{fixture.seed} {fixture.seating}").random() < 0.75 - fear / 2
        ranks = tuple(1 if (player == tuned) == wins else 2 for player in fixture.players)
        return Played(*fixture.key, fixture.players, ranks, (0, 0), "goal")


def tuned(out: Path, trials: int, runner: Lots, search: Search = SEARCH) -> Tuning:
    return Study(search, out, "genial tune").run(runner, trials, 40, lambda done, text: None)


@needs_optuna
def test_tuning_finds_better_parameters_and_checks_them_on_fresh_deals(tmp_path: Path) -> None:
    tuning = tuned(tmp_path / "t.json", 20, Lots())
    assert tuning == read(tmp_path / "t.json")
    assert tuning.complete
    assert 15 < len(tuning.trials) <= 20
    assert SEARCH.own not in [trial.parameters for trial in tuning.trials]
    assert tuning.best is not None
    assert tuning.best.parameters["fear"] < 0.25
    assert tuning.best.score.mean == max(t.score.mean for t in tuning.trials if not t.hopeless)
    assert tuning.check is not None
    assert tuning.check.games == 40
    (log,) = (tmp_path / "t.games").glob("check *.jsonl")
    assert '"seed":"s-check"' in log.read_text()
    assert all(trial.games == 60 for trial in tuning.trials if not trial.hopeless)
    given_up = [trial for trial in tuning.trials if trial.hopeless]
    assert given_up
    assert all(20 <= trial.games <= 60 and trial.score.mean < 0.75 for trial in given_up)


@needs_optuna
def test_an_interrupted_tuning_run_gives_the_same_result(tmp_path: Path) -> None:
    whole = tuned(tmp_path / "whole.json", 12, Lots())
    for _ in range(100):
        try:
            parts = tuned(tmp_path / "parts.json", 12, Lots(stop_after=211))
            break
        except KeyboardInterrupt:
            pass
    assert parts == whole


@needs_optuna
def test_more_trials_continue_from_fewer_and_nothing_is_played_twice(tmp_path: Path) -> None:
    out = tmp_path / "t.json"
    first = tuned(out, 4, Lots())
    idle = Lots()
    assert tuned(out, 4, idle) == first
    assert idle.played == 0
    assert tuned(out, 6, Lots()).trials[:4] == first.trials


@needs_optuna
def test_when_nothing_is_better_there_is_no_best(tmp_path: Path) -> None:
    search = msgspec.structs.replace(SEARCH, ranges=(Range("fear", 0.8, 0.8, 1, 0.05), SEARCH.ranges[1]))
    tuning = tuned(tmp_path / "t.json", 3, Lots(), search)
    assert tuning.best is None
    assert tuning.check is None


# The command


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> tuple[int, str, str]:
        status = main(["tune", *map(str, arguments)])
        return status, *capsys.readouterr()

    return command


@needs_optuna
def test_the_command_tunes_and_shows_its_result_again(run: Run) -> None:
    asked = ("cards", "level-3", "--trials", 2, "--games", 2, "--check-games", 2, "--only", "fear")
    status, said, _ = run(*asked, "--jobs", 1, "--out", "t.json")
    assert status == 0
    assert "level-3, cards, 2 seats: 2 tried" in said
    result = json.loads(Path("t.json").read_text())
    assert result["format"] == "genial-tuning/1"
    assert result["command"] == (
        "genial tune cards level-3 --seats 2 --only fear --trials 2 --games 2 --check-games 2"
    )
    assert [found["name"] for found in result["search"]["ranges"]] == ["fear"]
    assert all(set(trial["parameters"]) == {"fear"} for trial in result["trials"])
    status, shown, _ = run("show", "t.json")
    assert status == 0
    assert shown in said
    assert json.loads(run("show", "t.json", "--json")[1]) == result
    status, _, err = run(*asked, "--seed", 7, "--jobs", 1, "--out", "t.json")
    assert status == 2
    assert "belongs to another tuning run" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["chess", "level-3"],
        ["cards", "greedy"],
        ["cards", "nobody"],
        ["cards", "level-3", "--only", "courage"],
        ["cards", "level-3", "--trials", 0],
        ["cards", "level-3", "--games", 0],
        ["cards", "level-3", "--jobs", 0],
        ["cards", "level-3", "--seats", 9],
        ["cards", "level-3", "--nodes", -1],
        ["cards", "level-3", "--seed", "white space"],
        ["cards", "level-3", "--ray", "nowhere"],
        ["classic-solo", "level-3"],
        ["show", "absent.json"],
    ],
)
def test_usage_errors_exit_2_and_leave_nothing_behind(run: Run, arguments: list[object]) -> None:
    status, _, err = run(*arguments)
    assert status == 2
    assert "Traceback" not in err
    assert os.listdir() == []


def test_a_file_that_holds_something_else_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"format": "genial-arena/1"}')
    status, _, err = run("show", "other.json")
    assert status == 2
    assert "other.json isn't a tuning result" in err


def test_without_optuna_the_error_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(package: str) -> None:
        raise ModuleNotFoundError(name=package)

    monkeypatch.setattr(extras, "import_module", absent)
    status, _, err = run("cards", "level-3")
    assert status == 2
    assert "This needs optuna, which isn't installed" in err
    assert os.listdir() == []
