"""The diagrams of the rules are up to date, and the engine agrees with what they expect."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules"


def script() -> ModuleType:
    """Load the script from its file, because docs/ isn't a package."""
    spec = importlib.util.spec_from_file_location("diagrams", RULES / "diagrams.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ENTRIES = json.loads((RULES / "diagrams.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["name"]))
def test_a_diagram_is_up_to_date(entry: dict[str, object]) -> None:
    picture = script().draw_entry(entry)
    ElementTree.fromstring(picture)
    stored = RULES / "diagrams" / f"{entry['name']}.svg"
    assert stored.read_text(encoding="utf-8") == picture, "run python docs/rules/diagrams.py"


def test_no_diagram_is_left_over() -> None:
    assert script().outdated() == []


def test_a_wrong_expectation_is_found() -> None:
    entry = next(entry for entry in ENTRIES if "explain" in entry)
    with pytest.raises(ValueError, match="the engine counts"):
        script().draw_entry({**entry, "expect": [9, 9, 9, 9, 9, 9]})


def test_a_wrong_prohibition_is_found() -> None:
    entry = next(entry for entry in ENTRIES if "forbid" in entry)
    allowed = {"tile": "RB", "cells": [[0, 1], [1, 1]]}
    with pytest.raises(ValueError, match="the engine allows it"):
        script().draw_entry({**entry, "forbid": [allowed]})


def test_the_pages_show_only_diagrams_that_exist() -> None:
    for page in RULES.glob("*/*.md"):
        for name in re.findall(r"\]\(\.\./diagrams/([^)]+)\)", page.read_text(encoding="utf-8")):
            assert (RULES / "diagrams" / name).exists(), f"{page.name} shows {name}"


def test_the_checks_exit_status_says_whether_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert script().main(["--check"]) == 0
    assert script().main(["--chekc"]) == 2
    assert "--chekc" in capsys.readouterr().err
