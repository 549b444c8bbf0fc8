"""`make audit`: check whether a known vulnerability has been published for any package pinned here.

Python packages are looked up in the index that pip uses, whose JSON pages list the advisories for each
version; npm packages with `npm audit`, in the registry that npm uses. Mirrors often serve packages but no
advisories. Then nothing is known, and the report says so.

Exit status: 0 all looked up and nothing found, 1 something found, 3 some of it could not be looked up.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOUND, NOT_CHECKED = 1, 3
_PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)")
_SECONDS = 20


@dataclass
class Report:
    """What was looked up, what was found, and what could not be looked up, with the reason."""

    name: str
    checked: int = 0
    found: list[str] = field(default_factory=list)
    unknown: dict[str, str] = field(default_factory=dict)

    def lines(self) -> Iterable[str]:
        """The report in words."""
        yield f"{self.name}: {self.checked} packages looked up, {len(self.found)} advisories"
        yield from (f"  FOUND {each}" for each in self.found)
        if self.unknown:
            why = sorted(set(self.unknown.values()))
            some = ", ".join(sorted(self.unknown)[:5]) + (", ..." if len(self.unknown) > 5 else "")
            yield f"  NOT CHECKED: {len(self.unknown)} ({some}): {'; '.join(why)}"


def pins(lock: Path) -> dict[str, str]:
    """The packages in a lock file and their versions."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    return {found[1]: found[2] for line in lines if (found := _PIN.match(line))}


def pip_index() -> str:
    """The index that pip uses here: the configured one, or its default."""
    set_to = _said("-m", "pip", "config", "list")
    found = re.findall(r"^\S*\.index-url='(.*)'$", set_to, re.MULTILINE)
    own = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    return found[-1] if found else _said("-c", own).strip()


def _said(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    return done.stdout


def python_report(locks: Sequence[Path], index: str) -> Report:
    """What the index knows about the packages in these lock files."""
    report = Report("Python")
    wanted = sorted({pin for lock in locks for pin in pins(lock).items()})
    pages = index.rstrip("/").removesuffix("/simple")
    with ThreadPoolExecutor(8) as threads:
        for (name, version), told in zip(
            wanted,
            threads.map(lambda pin: _page(f"{pages}/pypi/{pin[0]}/{pin[1]}/json"), wanted),
            strict=True,
        ):
            if isinstance(told, str):
                report.unknown[name] = told
                continue
            report.checked += 1
            for each in told["vulnerabilities"]:
                if not each.get("withdrawn"):
                    better = ", ".join(each.get("fixed_in") or ()) or "no version yet"
                    report.found.append(f"{name} {version}: {each.get('id')}, mended in {better}")
    return report


def _page(url: str) -> dict[str, Any] | str:
    """The page of one version; or, if there is none that lists advisories, the reason."""
    try:
        with urllib.request.urlopen(url, timeout=_SECONDS) as answer:
            told = json.load(answer)
    except urllib.error.HTTPError as error:
        return f"the index answers {error.code}"
    except (OSError, ValueError) as error:
        return f"the index gives no page ({type(error).__name__})"
    if not isinstance(told, dict) or not isinstance(told.get("vulnerabilities"), list):
        return "the index names no advisories"
    return told


def npm_report(command: Sequence[str]) -> Report:
    """What `npm audit` knows about the packages in web/package-lock.json."""
    report = Report("npm")
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    count = sum(1 for name in lock["packages"] if name)
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        told = json.loads(asked.stdout)
        found = told["vulnerabilities"]
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
        status = told.get("statusCode") if isinstance(error, KeyError) else None
        report.unknown["web/package-lock.json"] = (
            f"the registry answers {status}" if status else "npm audit did not run"
        )
        return report
    report.checked = count
    for name, each in sorted(found.items()):
        causes = [cause["title"] for cause in each.get("via", ()) if isinstance(cause, dict)]
        if causes:  # otherwise it only uses a package that is listed itself
            report.found.append(
                f"{name} {each.get('range', '')} ({each.get('severity')}): {'; '.join(causes)}"
            )
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Look everything up and report the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--index", help="another index than pip's")
    parser.add_argument("--npm", help="another command than npm's audit")
    parser.add_argument("locks", nargs="*", type=Path, help="other locks than those in requirements/")
    chosen = parser.parse_args(arguments)
    locks = chosen.locks or sorted(
        lock for lock in (ROOT / "requirements").glob("*.txt") if "excludes" not in lock.name
    )
    npm = shlex.split(chosen.npm) if chosen.npm else [sys.executable, str(ROOT / "hatch_build.py"), "audit"]
    reports = [python_report(locks, chosen.index or pip_index()), npm_report(npm)]
    for report in reports:
        print("\n".join(report.lines()))
    if any(report.found for report in reports):
        return FOUND
    return NOT_CHECKED if any(report.unknown for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
