"""`genial train` on a small scale: it learns, it continues where it stopped, and threads change nothing."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genial.arena.statistics import Estimate
from genial.arena.train import games
from genial.arena.train.curves import curves
from genial.arena.train.reports import Report, append
from genial.arena.train.reports import read as read_reports
from genial.cli import main
from genial.kernel.weights import read

LARGEST = 16_000_000
"""The most bytes that a run may need to continue."""


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "CHUNK", 2500)


def small(folder: Path, *more: str, variant: str = "cards") -> list[str]:
    options = ["--chunks", "2", "--batch", "512", "--candidates", "4", "--contest", "8", "--passes", "1"]
    return ["train", variant, "--folder", str(folder), *options, *more]


def told(capsys: pytest.CaptureFixture[str], arguments: Sequence[str]) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow  # numba compiles
def test_a_run_continues_where_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = told(capsys, small(tmp_path, "--generations", "1"))
    first = read(tmp_path / "cards-2.f32")
    assert begun["complete"] is True
    gone_on = told(capsys, small(tmp_path, "--generations", "2"))
    second = read(tmp_path / "cards-2.f32")
    assert np.isfinite(second).all()
    assert first != second
    one, two = gone_on["reports"]
    assert [one] == begun["reports"]
    assert (one["generation"], two["generation"]) == (1, 2)
    assert two["games"] > one["games"] > 0
    assert two["seconds"] > one["seconds"]
    assert 0 <= two["share"]["low"] <= two["share"]["mean"] <= two["share"]["high"] <= 1
    assert (tmp_path / "cards-2.npz").stat().st_size < LARGEST
    assert "generation 2" in " ".join(ET.parse(tmp_path / "cards-2.svg").getroot().itertext())


@pytest.mark.slow  # numba compiles
def test_a_finished_run_is_reported_again_without_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = small(tmp_path, "--generations", "1")
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert str(tmp_path / "cards-2.f32") in out
    assert "generation 1: " in err
    before = (tmp_path / "cards-2.npz").stat().st_mtime_ns
    assert len(told(capsys, command)["reports"]) == 1
    assert (tmp_path / "cards-2.npz").stat().st_mtime_ns == before


@pytest.mark.slow  # numba compiles
def test_the_time_limit_covers_the_whole_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = small(tmp_path, "--generations", "3", "--minutes", "0.00001")
    first = told(capsys, command)
    assert len(first["reports"]) == 1
    assert told(capsys, command)["reports"] == first["reports"]
    assert len(told(capsys, small(tmp_path, "--generations", "2", "--minutes", "60"))["reports"]) == 2


@pytest.mark.slow  # numba compiles
def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    for jobs in "13":
        more = ("--generations", "2", "--jobs", jobs)
        assert main(small(tmp_path / jobs, *more, variant="classic-solo")) == 0
    one, three = (read(tmp_path / jobs / "classic-solo-1.f32") for jobs in "13")
    assert one == three
    assert "lowest marker" in (tmp_path / "1" / "classic-solo-1.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["chess"], "chess"),
        (["classic", "--seats", "7"], "7"),
        (["classic", "--batch", "100"], "multiple of 512"),
        (["classic", "--generations", "0"], "--generations can't be 0"),
        (["classic", "--minutes", "-1"], "--minutes can't be -1"),
        (["classic", "--last-rate", "nan"], "--last-rate can't be nan"),
        (["classic", "--trust", "1.5"], "--trust can't be 1.5. Use a number from 0 to 1."),
        (["classic", "--keep", "0"], "--keep can't be 0. Use a number above 0."),
        (["classic", "--seed", "-3"], "--seed can't be -3"),
        (["classic", "--jobs", "0"], "one process"),
        (["classic", "--ray", "here"], "There's no Ray cluster at here"),
    ],
)
def test_usage_errors_exit_2_and_leave_nothing_behind(
    arguments: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert main(["train", *arguments, "--folder", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert problem in err
    assert not out
    assert not folder.exists()


@pytest.mark.parametrize("package", ["numba", "numpy"])
def test_a_missing_package_is_named_with_how_to_install_it(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert main(small(tmp_path / "run")) == 2
    assert (
        f'This needs {package}, which isn\'t installed: pip install "genial[source]".'
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04 half of one"])
def test_a_broken_file_is_reported(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cards-2.npz").write_bytes(data)
    assert main(small(tmp_path)) == 2
    assert "cards-2.npz isn't a file of genial train" in capsys.readouterr().err


# Reports


def report(generation: int, games: int = 1000) -> Report:
    return Report(generation, games, 1.0, 0.6, 0.2, Estimate(0.6, 0.55, 0.65), Estimate(1.5, 1.0, 2.0))


def test_reports_of_a_killed_or_restarted_run_are_read_correctly(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert read_reports(log, 5) == ()
    for generation in (1, 2, 3, 1, 2):
        append(log, report(generation, games=1000 * generation))
    with log.open("ab") as file:
        file.write(b'{"generation":3,"gam')
    assert [found.generation for found in read_reports(log, 5)] == [1, 2]
    assert [found.generation for found in read_reports(log, 1)] == [1]


def test_curves_state_their_figures_in_words() -> None:
    for reports in ([], [report(1)], [report(1), report(2, 2500)]):
        for solo in (False, True):
            root = ET.fromstring(curves("cards-4", reports, solo))
            words = " ".join(root.itertext())
            assert "cards-4" in words
            assert ("Lowest marker" in words) == solo
            if reports:
                assert reports[-1].in_words(solo) in words
            circles = [part for part in root.iter() if part.tag.endswith("circle")]
            assert len(circles) == len(reports) * (2 if solo else 3)
