"""What the commands share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from genial.options import bar

SOURCE = Path(__file__).parents[1] / "src" / "genial"


def test_a_bar_writes_nothing_when_nobody_is_watching(capsys: pytest.CaptureFixture[str]) -> None:
    with bar("Games", 3) as shown:
        shown.step()
        shown.show(2, "[red]half[/red] way")
        shown.begin("More", None)
        shown.step()
    assert capsys.readouterr() == ("", "")


def test_lines_above_a_bar_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    line = '{"score": [1, 2], "name": "[bold]"} ' + "long " * 40
    with bar("Training", stderr=False) as shown:
        shown.print(line)
    assert capsys.readouterr() == (f"{line}\n", "")


@pytest.mark.parametrize("part", [r'"--json"', r"\bProgress\("])
def test_the_option_and_the_bar_are_defined_only_once(part: str) -> None:
    found = [path.name for path in SOURCE.rglob("*.py") if re.search(part, path.read_text("utf-8"))]
    assert found == ["options.py"]
