"""Examples in the documents run as written, and the README's picture is what `genial show` draws.

Lines after `>>>` run as doctests (pyproject.toml); the programs of docs/bots.md play whole games in
tests/bots/test_external.py and tests/server/calls/test_bot.py.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.pictures import PICTURE, picture

from genial.cli import app, main

README = Path(__file__).parent.parent / "README.md"
PAGES = [README, *sorted((README.parent / "docs").rglob("*.md"))]


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
    """After an intended change of the drawing, run `make golden`."""
    assert picture(tmp_path) == PICTURE.read_text(encoding="utf-8")


def test_examples_need_nothing_deeper_than_a_package() -> None:
    """Readers import `genial` itself, or a package such as `genial.bots`."""
    imported = [
        name
        for page in PAGES
        for name in re.findall(r">>> (?:from|import) (genial[\w.]*)", page.read_text(encoding="utf-8"))
    ]
    assert imported
    assert not [name for name in imported if name.startswith("genial.core") or name.count(".") > 1]


def test_every_python_example_is_run() -> None:
    """Examples with `>>>` are doctests. Programs are run by tests that read them from their page."""
    programs = [
        page.name
        for page in PAGES
        for block in re.findall(r"```py\w*\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        if ">>> " not in block
    ]
    assert programs == ["bots.md", "bots.md"]


def test_commands_in_the_documents_exist() -> None:
    """Each line of code that begins with `genial` is a real command with real options."""
    lines = [
        re.split(r"\s{2,}|\s#", line)[0]
        for page in PAGES
        for line in re.findall(r"^(?:    )?(genial .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    commands = [line for line in lines if not re.search(r"[\[|]|\.\.\.|\$\(", line)]
    assert len(commands) > 20
    for command in commands:
        app.parse_args(shlex.split(command)[1:], exit_on_error=False, print_error=False)
