"""`genial arena`: what it prints, what it leaves behind, and its exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from genial.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["arena", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_match_prints_tables_and_leaves_a_result(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, svg = tmp_path / "result.json", tmp_path / "chart.svg"
    arguments = ("match", "cards", "greedy", "random", "--games", 6, "--jobs", 1, "--out", out, "--svg", svg)
    status, said, _ = run(capsys, *arguments)
    assert status == 0
    assert "Card game, 2 seats" in said
    assert svg.read_text().startswith("<svg")
    result = json.loads(out.read_text())
    assert result["command"] == "genial arena match cards greedy random --seats 2 --games 6"
    assert len(result["lines"]) == 6
    assert len(out.with_suffix(".jsonl").read_text().splitlines()) == 7


def test_a_missed_demand_exits_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    shared = ("--games", 10, "--jobs", 1, "--out", out, "--at-least", 0.9, "--fixed", "--json")
    status, said, _ = run(capsys, "match", "cards", "random", "greedy", *shared)
    assert status == 1
    assert json.loads(said)["pairs"][0]["verdict"]["met"] is False
    out.with_suffix(".jsonl").unlink()
    assert run(capsys, "match", "cards", "greedy", "random", *shared)[0] == 0
    assert run(capsys, "show", out)[0] == 0


def test_the_same_command_continues_and_plays_nothing_twice(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("solo", "3d-solo", "random", "--games", 4, "--jobs", 1)
    assert run(capsys, *arguments)[0] == 0
    (log,) = tmp_path.glob("*.jsonl")
    before = log.read_bytes()
    assert run(capsys, *arguments)[0] == 0
    assert log.read_bytes() == before
    assert run(capsys, *arguments[:-4], "--games", 5, "--jobs", 1)[0] == 0
    assert log.read_bytes().startswith(before)
    assert len(log.read_bytes().splitlines()) == 6


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_resumes_where_it_stopped(tmp_path: Path, number: int) -> None:
    out = tmp_path / "result.json"
    command = [sys.executable, "-m", "genial", "arena", "match", "travel", "balanced", "greedy"]
    command += ["--games", "24", "--jobs", "2", "--out", str(out)]
    # If these tests run in the background, signals may be ignored, and children inherit that.
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, preexec_fn=listening
    )
    log = out.with_suffix(".jsonl")
    until = time.monotonic() + 60
    while time.monotonic() < until and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.05)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    kept = log.read_bytes().count(b"\n")
    assert 4 <= kept < 25
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert b"run the same command to carry on" in err
        assert json.loads(out.read_text())["complete"] is False
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    result = json.loads(out.read_text())
    assert result["complete"]
    assert len(result["lines"]) == 24
    assert log.read_bytes().count(b"\n") == 25


def test_show_prints_several_results_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = []
    for mode, *words in (
        ("ladder", "cards", "random", "greedy", "balanced"),
        ("round-robin", "duel", "random", "greedy"),
        ("gauntlet", "cards", "greedy", "random"),
        ("table", "cards", "random", "greedy", "balanced", "--seats", 3),
        ("solo", "classic-solo", "random", "greedy"),
    ):
        paths.append(tmp_path / f"{mode}.json")
        assert run(capsys, mode, *words, "--games", 2, "--jobs", 1, "--out", paths[-1])[0] == 0
    status, said, _ = run(capsys, "show", *paths, "--markdown")
    assert status == 0
    assert "| greedy | random |" in said
    assert "    genial arena ladder cards random greedy balanced --seats 2 --games 2\n" in said
    assert run(capsys, "show", *paths, "--svg", tmp_path / "all.svg")[0] == 0
    assert (tmp_path / "all.svg").read_text().count("lowest marker") >= 1
    assert len(json.loads(run(capsys, "show", *paths, "--json")[1])) == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "cards", "greedy"],
        ["match", "cards", "greedy", "greedy"],
        ["match", "cards", "greedy", "nobody"],
        ["match", "chess", "greedy", "random"],
        ["match", "classic-solo", "greedy", "random"],
        ["solo", "classic", "greedy"],
        ["match", "cards", "greedy", "random", "--seats", "5"],
        ["match", "cards", "greedy", "random", "--games", "0"],
        ["match", "cards", "greedy", "random", "--jobs", "0"],
        ["match", "cards", "greedy", "random", "--seed", "white space"],
        ["match", "cards", "greedy", "random", "--at-least", "65"],
        ["match", "cards", "greedy", "random", "--deadline", "-1"],
        ["match", "cards", "greedy", "random", "--nodes", "nan"],
        ["table", "classic-team", "greedy", "random", "balanced"],
        ["show"],
        ["show", "absent.json"],
        [],
    ],
)
def test_usage_errors_exit_2_and_leave_nothing_behind(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = run(capsys, *arguments)
    assert status == (2 if arguments else 0)
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == []
