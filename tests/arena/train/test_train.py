"""Training in small: it learns, it can go on, and the number of threads changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from genial.arena.train import __main__ as command
from genial.arena.train import games
from genial.kernel.value import WEIGHTS


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "CHUNK", 2500)


def small(folder: Path, *more: str, variant: str = "classic") -> list[str]:
    options = ["--chunks", "2", "--batch", "512", "--candidates", "4", "--contest", "8", "--passes", "1"]
    return [variant, "--folder", str(folder), *options, *more]


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    assert command.main(small(tmp_path, "--generations", "1")) == 0
    first = np.load(tmp_path / "classic-2.npy")
    assert command.main(small(tmp_path, "--generations", "2")) == 0
    second = np.load(tmp_path / "classic-2.npy")
    assert first.shape == second.shape == (WEIGHTS,)
    assert np.isfinite(second).all()
    assert (first != second).any()
    reports = [json.loads(line) for line in (tmp_path / "classic-2.jsonl").read_text().splitlines()]
    assert [report["generation"] for report in reports] == [1, 2]
    assert reports[1]["games"] > reports[0]["games"] > 0
    assert 0 <= reports[1]["share"] <= 1


def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    for jobs in "13":
        more = ("--generations", "2", "--jobs", jobs)
        command.main(small(tmp_path / jobs, *more, variant="classic-solo"))
    one, three = (np.load(tmp_path / jobs / "classic-solo-1.npy") for jobs in "13")
    assert (one == three).all()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["chess"], "chess"),
        (["classic", "--seats", "7"], "7"),
        (["classic", "--batch", "100"], "multiple of 512"),
    ],
)
def test_wrong_use(arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err


def test_a_cluster_that_is_not_there_is_told_and_nothing_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(small(tmp_path / "run", "--ray", "127.0.0.1:1")) == 2
    assert "No Ray cluster answers at 127.0.0.1:1" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
