"""The README's shell examples run as they stand; its picture is what `genial show` draws."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.pictures import PICTURE, picture

from genial.cli import main

README = Path(__file__).parent.parent / "README.md"


def test_readme_shell_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) >= 4
    for command in commands:
        name, *arguments = shlex.split(command)
        assert name == "genial"
        assert main(arguments) == 0, command
    assert "lawful" in capsys.readouterr().out
    assert (tmp_path / "position.svg").read_text(encoding="utf-8").startswith("<svg")


def test_readme_says_that_genial_is_unofficial() -> None:
    assert "unofficial" in README.read_text(encoding="utf-8")


def test_the_picture_is_what_genial_draws(tmp_path: Path) -> None:
    """If a change of the drawing is meant: `make golden`."""
    assert picture(tmp_path) == PICTURE.read_text(encoding="utf-8")
