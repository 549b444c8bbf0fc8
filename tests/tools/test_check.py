"""tools/check.py itself: every part runs, every failure is named, and a test that hangs fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tools import check
from tools.check import Case, Outcome, main, told

ROOT = Path(__file__).parents[2]

MAKEFILE = """
red:
\t@echo a reason; exit 1
green:
\t@echo fine
passed-on:
\t@echo "($(ARGS))"
long:
\t@sleep 2; echo the end of it
driver:
\t@"{python}" -c "import asyncpg; print(asyncpg.Connection.fetch.__name__)"
vitest:
\t@printf '\\033[41m FAIL \\033[49m tests/a.test.ts\\033[2m > \\033[22mthe past > grows\\n'; exit 1
tests:
\t@"{python}" -m pytest -q -p no:cacheprovider -n 1 -c pytest.ini --junitxml=build/reports/$@.xml test_some.py
"""

SOME = """
import os, time

def test_green(): pass
def test_red(): assert 1 == 2
def test_that_dies(): os._exit(3)
def test_that_hangs(): time.sleep(60)
"""

INI = """
[pytest]
junit_family = xunit1
faulthandler_timeout = 1
faulthandler_exit_on_timeout = true
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with parts of each kind."""
    (tmp_path / "Makefile").write_text(MAKEFILE.format(python=sys.executable))
    (tmp_path / "test_some.py").write_text(SOME)
    (tmp_path / "pytest.ini").write_text(INI)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "REPORTS", tmp_path / "build" / "reports")
    return tmp_path


def checked(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["check", *arguments])
    return main()


def test_a_failing_part_hides_no_later_one(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert checked(monkeypatch, "red", "green") == 1
    out = capfd.readouterr().out
    assert "fine" in out
    assert "FAILED: red" in out
    assert "The last lines of red" in out
    assert out.count("a reason") == 2


def test_failed_tests_of_the_client_are_named_without_their_colours(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert checked(monkeypatch, "vitest") == 1
    assert "\nFAILED tests/a.test.ts > the past > grows\n" in capfd.readouterr().out


def test_green_parts_pass(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert checked(monkeypatch, "--times", "2", "--busy", "green") == 0
    out = capfd.readouterr().out
    assert out.count("fine") == 2
    assert out.endswith("Everything passed.\n")


def test_what_make_passes_on_to_a_check_is_not_for_its_parts(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARGS", "--busy")  # as within `make steady ARGS=--busy`
    monkeypatch.setenv("MAKEFLAGS", " -- ARGS=--busy")
    assert checked(monkeypatch, "--busy", "passed-on") == 0
    assert "\n()\n" in capfd.readouterr().out


def test_processes_of_a_part_are_halted_and_go_on(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    sent: list[int] = []
    kill = os.kill

    def seen(process: int, number: int) -> None:
        kill(process, number)
        sent.append(number)

    monkeypatch.setattr(os, "kill", seen)
    assert checked(monkeypatch, "--halting", "long") == 0
    assert "the end of it" in capfd.readouterr().out
    assert sent.count(signal.SIGSTOP) == sent.count(signal.SIGCONT) > 0


def test_without_a_list_of_processes_nothing_is_halted_and_it_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "PROCESSES", project / "nowhere")
    with pytest.raises(SystemExit, match="2"):
        checked(monkeypatch, "--halting", "green")
    out, err = capfd.readouterr()
    assert "--halting finds processes in" in err
    assert out == ""


@pytest.mark.parametrize("times", ["0", "-1", "often"])
def test_a_check_runs_at_least_once(
    times: str, project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        checked(monkeypatch, "--times", times, "green")
    out, err = capfd.readouterr()
    assert "--times" in err
    assert out == ""


def test_the_database_answers_late_if_asked_to(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    assert checked(monkeypatch, "driver") == 0
    assert "\nfetch\n" in capfd.readouterr().out
    assert checked(monkeypatch, "--slow-database", "driver") == 0
    assert "\nslow\n" in capfd.readouterr().out


@pytest.mark.slow
def test_every_failed_test_is_named_and_hanging_and_dying_ones_fail(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert checked(monkeypatch, "tests") == 1
    out = capfd.readouterr().out
    for name in ("red", "that_dies", "that_hangs"):
        assert f"FAILED test_some.py::test_{name}\n" in out
    assert "FAILED test_some.py::test_green" not in out
    assert "line 7 in test_that_hangs" in out, "the stack of the test that hung"


def test_the_report_names_times_and_failures() -> None:
    slow, quick = (
        Case("tests/test_a.py::test_slow", 1.5, failed=True),
        Case("tests/test_a.py::test_quick", 0.1, failed=False),
    )
    outcomes = [Outcome("unit", 2, 61.0, (quick, slow), ()), Outcome("unit", 0, 59.0, (quick, slow), ())]
    assert told(outcomes).splitlines() == [
        "",
        "How long each part took",
        "   1 min 01 s  unit: 2 tests, FAILED",
        "   0 min 59 s  unit: 2 tests",
        "   2 min 00 s  in all",
        "",
        "The slowest tests",
        "   1.5 s  tests/test_a.py::test_slow",
        "   0.1 s  tests/test_a.py::test_quick",
        "",
        "FAILED: unit, 1 of 2 times",
        "FAILED tests/test_a.py::test_slow, 2 of 2 times",
    ]


def test_the_parts_are_make_targets() -> None:
    asked = ["make", "--dry-run", "--always-make", "test", "ci", "test-all", "steady"]
    printed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    parts = {word for line in printed.splitlines() if "tools/check.py" in line for word in line.split()[2:]}
    targets = {line.partition(":")[0] for line in (ROOT / "Makefile").read_text().splitlines()}
    assert {part for part in parts if not part.startswith("--") and not part.isdigit()} <= targets
