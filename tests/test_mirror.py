"""The folders of tests mirror those of the code, and tools aren't tests (CONTRIBUTING.md)."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS, SOURCE = ROOT / "tests", ROOT / "src" / "genial"
OUTSIDE = {name: ROOT / name for name in ("baselines", "benchmarks", "tools")}
"""Folders of tests for code outside the package."""
OWN = {"browser", "core/rulings"}
"""Folders that mirror nothing: they test the whole app, and the rulings one by one."""

FILES = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py"))


def room_of(file: str) -> Path | None:
    """The folder whose modules a test file is about, or None if there is no such folder."""
    folder = Path(file).parent
    first = folder.parts[0] if folder.parts else ""
    found = OUTSIDE[first].joinpath(*folder.parts[1:]) if first in OUTSIDE else SOURCE / folder
    return found if found.is_dir() else None


def homes() -> dict[str, set[Path]]:
    """The folders of the modules of each name, and of packages, which may have tests of their own."""
    found: dict[str, set[Path]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        if path.stem == "__init__":
            found[path.parent.name].update({path.parent, path.parent.parent})
        else:
            found[path.stem].add(path.parent)
    return found


@pytest.mark.parametrize("file", [file for file in FILES if Path(file).parent.as_posix() not in OWN])
def test_a_test_stands_where_its_module_does(file: str) -> None:
    room = room_of(file)
    assert room, f"there is no {Path(file).parent} to test"
    name = Path(file).stem.removeprefix("test_")
    places = homes().get(name, set())
    if room == SOURCE or not places or room in OUTSIDE.values():
        return  # it tests several modules of its folder, or several folders
    where = ", ".join(sorted(place.relative_to(SOURCE).as_posix() for place in places))
    assert room in places, f"{name} is in {where}: move this test there, or give it a name of its own"


def test_the_makefile_runs_no_tool_from_among_the_tests() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"-m tests\.\S+", makefile) == []


@pytest.mark.parametrize("file", sorted(path.name for path in (ROOT / "tools").glob("*.py")))
def test_a_tool_is_run_by_a_command_that_can_be_found(file: str) -> None:
    text = (ROOT / "tools" / file).read_text(encoding="utf-8")
    if "__main__" in text:
        told = text + (ROOT / "Makefile").read_text(encoding="utf-8")
        module = f"tools.{file.removesuffix('.py')}"
        assert module in told or f"tools/{file}" in told, "no target runs it, and it names no command"


@pytest.mark.parametrize("file", sorted(path.name for path in (ROOT / "baselines").glob("*.py")))
def test_a_baseline_is_tested_and_explained(file: str) -> None:
    assert (TESTS / "baselines" / f"test_{file}").exists()
    assert f"baselines/{file}" in (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
