"""Run all parts of a check, one after another, and report at the end everything that went wrong.

    python3 tools/check.py lint unit browser      make targets; the first red one does not hide the others
    python3 tools/check.py --times 20 contract    again and again, to find what fails by chance
    python3 tools/check.py --busy ...             with both cores kept busy by something else
    python3 tools/check.py --halting ...          with one process after another halted for a moment
    python3 tools/check.py --slow-database ...    with PostgreSQL answering late

Needs nothing but Python, because it runs before anything is installed. Parts that run pytest leave a report
in build/reports/, which names the failed tests and the slowest ones.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
REPORTS = ROOT / "build" / "reports"
SLOWEST = 10
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
_VITEST = re.compile(r"\s*FAIL\s+(\S+ > .*)")
SLOW_DATABASE = ROOT / "tools" / "slow_database"
PROCESSES = Path("/proc")
LAST_LINES = 25
"""How many lines of output are repeated for a part that failed without a failed test."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test from a report."""

    name: str
    seconds: float
    failed: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one run of a part."""

    part: str
    status: int
    seconds: float
    tests: tuple[Case, ...]
    tail: tuple[str, ...]
    named: tuple[str, ...] = ()
    """Failed tests named in its output, as Vitest does."""

    @property
    def failed(self) -> list[str]:
        return [*(test.name for test in self.tests if test.failed), *self.named]


def tests_in(report: Path) -> tuple[Case, ...]:
    """The tests in a pytest report; empty if there is no report, or it was cut short."""
    try:
        cases = ElementTree.parse(report).iter("testcase")
    except (OSError, ElementTree.ParseError):
        return ()
    return tuple(
        Case(
            name=f"{case.get('file') or case.get('classname')}::{case.get('name')}",
            seconds=float(case.get("time") or 0),
            failed=case.find("failure") is not None or case.find("error") is not None,
        )
        for case in cases
    )


def run(part: str) -> Outcome:
    """Make one part, passing on its output as it comes."""
    report = REPORTS / f"{part}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    # In its own session, which is ended as a whole: nobody has to wait for what a killed test leaves behind.
    process = subprocess.Popen(
        ["make", "--no-print-directory", "ARGS=", part],  # those of `make steady ARGS=--busy` are ours
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    lines: list[str] = []
    named: dict[str, None] = {}

    def pass_on() -> None:
        assert process.stdout is not None
        with process.stdout as printed:
            for line in printed:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
                lines.append(_COLOURS.sub("", line.decode(errors="replace").rstrip()))
                del lines[:-LAST_LINES]
                if found := _VITEST.match(lines[-1]):
                    named[found[1]] = None

    reader = threading.Thread(target=pass_on, daemon=True)
    with ended_with(process):
        reader.start()
        status = process.wait()
    reader.join(timeout=5)
    return Outcome(part, status, time.monotonic() - began, tests_in(report), tuple(lines), tuple(named))


@contextmanager
def ended_with(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Make everything the process started end with it, and the process end with us."""

    def end() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)

    def stop(number: int, _frame: FrameType | None) -> None:
        end()
        sys.exit(128 + number)

    before = {
        number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        end()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def busy(cores: int) -> Iterator[None]:
    """Keep that many cores busy meanwhile."""
    spin = [sys.executable, "-c", "import os\nwhile os.getppid() != 1: sum(range(10**6))"]
    spinners = [subprocess.Popen(spin) for _ in range(cores)]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


@contextmanager
def halting() -> Iterator[None]:
    """Meanwhile halt one of our descendants after another for a moment, as a machine with other work does."""
    over = threading.Event()

    def halt() -> None:
        while not over.wait(random.uniform(0.02, 0.4)):
            found = descendants(os.getpid())
            if found:
                halted = random.choice(found)
                with suppress(ProcessLookupError):
                    os.kill(halted, signal.SIGSTOP)
                    over.wait(random.uniform(0.02, 0.7))
                    os.kill(halted, signal.SIGCONT)

    halter = threading.Thread(target=halt)
    halter.start()
    try:
        yield
    finally:
        over.set()
        halter.join()


def descendants(ancestor: int) -> list[int]:
    """The processes that this one or its children started, other than those that a test halted."""
    children = defaultdict[int, list[int]](list)
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state not in "ZT":
                children[int(parent)].append(int(path.parent.name))
    found = children[ancestor]
    for process in found:
        found += children[process]
    return found


def told(outcomes: Sequence[Outcome]) -> str:
    """What the reader needs to know: times, the slowest tests, and everything that failed."""
    lines = ["", "How long each part took"]
    for outcome in outcomes:
        count = len(outcome.tests)
        tests = f": {count} test{'s' * (count != 1)}" if count else ""
        lines.append(
            f"  {_minutes(outcome.seconds)}  {outcome.part}{tests}{', FAILED' * bool(outcome.status)}"
        )
    lines.append(f"  {_minutes(sum(outcome.seconds for outcome in outcomes))}  in all")

    slowest: dict[str, float] = {}
    for test in (test for outcome in outcomes for test in outcome.tests):
        slowest[test.name] = max(test.seconds, slowest.get(test.name, 0))
    if slowest:
        longest = sorted(slowest.items(), key=lambda item: -item[1])[:SLOWEST]
        lines += ["", "The slowest tests", *(f"  {seconds:4.1f} s  {name}" for name, seconds in longest)]

    for outcome in outcomes:
        if outcome.status and not outcome.failed and outcome.tail:
            lines += ["", f"The last lines of {outcome.part}", *(f"  {line}" for line in outcome.tail)]

    reds = Counter(outcome.part for outcome in outcomes if outcome.status)
    runs = Counter(outcome.part for outcome in outcomes)
    names = Counter(name for outcome in outcomes for name in outcome.failed)
    lines.append("")
    if reds:
        lines += [f"FAILED: {part}{_often(count, runs[part])}" for part, count in reds.items()]
        lines += [f"FAILED {name}{_often(count, max(runs.values()))}" for name, count in names.most_common()]
    else:
        lines.append("Everything passed.")
    return "\n".join(lines)


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:2} min {rest:02} s"


def _often(count: int, runs: int) -> str:
    return f", {count} of {runs} times" if runs > 1 else ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Run parts of the check, all of them, and tell what failed.")
    parser.add_argument("parts", nargs="+", help="targets of the Makefile")
    parser.add_argument("--times", type=int, default=1, help="how often each part runs")
    parser.add_argument("--busy", action="store_true", help="keep both cores busy meanwhile")
    parser.add_argument("--halting", action="store_true", help="halt one process after another meanwhile")
    parser.add_argument("--slow-database", action="store_true", help="let PostgreSQL answer late")
    arguments = parser.parse_args()
    if arguments.times < 1:
        parser.error("--times must be at least 1: what never runs never fails")
    if arguments.halting and not PROCESSES.is_dir():
        parser.error(f"--halting finds processes in {PROCESSES}, which this system lacks; run it on Linux")
    if arguments.slow_database:
        os.environ["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(SLOW_DATABASE), os.environ.get("PYTHONPATH")])
        )
    REPORTS.mkdir(parents=True, exist_ok=True)
    outcomes = []
    with (
        busy((os.cpu_count() or 1) if arguments.busy else 0),
        halting() if arguments.halting else nullcontext(),
    ):
        for part in arguments.parts:
            for _ in range(arguments.times):
                print(f"\n== {part}", flush=True)
                outcomes.append(run(part))
    print(told(outcomes), flush=True)
    return int(any(outcome.status for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
