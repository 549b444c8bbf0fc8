"""Text from files is escaped before it reaches the terminal: it controls nothing, and breaks no command."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

import genial
from genial.core.record import deal_key, dump, record_of
from genial.server.store import open_store

WILD = "\x1b[2J\x1b]0;title\x07\x9b31m\r\u202eevil\u2066\u200b\x00\ud800[red]"
"""Clears the screen, names the window, reverses the writing, and has half a surrogate pair and markup."""
SAMPLES = Path(__file__).parent / "samples"
TERMINALS = {
    "utf-8": {"PYTHONIOENCODING": "utf-8"},
    "ascii": {"PYTHONIOENCODING": "ascii", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"},
}


def run(*arguments: str | Path, terminal: str = "utf-8", stdin: str = "") -> tuple[int, str]:
    """Run a command, and return its exit status and everything it said."""
    environment = {**os.environ, **TERMINALS[terminal], "TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-m", "genial", *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
    )
    said = (done.stdout + done.stderr).decode("utf-8" if terminal == "utf-8" else "ascii")
    assert "Traceback" not in said, said
    for letter in said.replace("\n", ""):
        assert letter.isprintable() or unicodedata.category(letter) == "Zs", (hex(ord(letter)), said)
    return done.returncode, said


def record(**changes: Any) -> dict[str, Any]:
    return {**json.loads((SAMPLES / "cards-2.genial.json").read_text(encoding="utf-8")), **changes}


def written(folder: Path, data: object, name: str = "game.genial.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="ascii")
    return path


BROKEN: dict[str, dict[str, Any]] = {
    "format": {"format": WILD},
    "variant": {"variant": WILD},
    "rules": {"rules": [WILD]},
    "event": {"events": [{"type": WILD}]},
    "tile": {"events": [{"type": "open", "seat": 0, "tile": WILD}]},
    "seed": {"deal": {"scheme": "genial-deal/1", "seed": WILD}},
}


@pytest.mark.parametrize("terminal", TERMINALS)
def test_check_escapes_control_characters_in_records(tmp_path: Path, terminal: str) -> None:
    files = [written(tmp_path, record(**change), f"{name}.json") for name, change in BROKEN.items()]
    twice = tmp_path / "twice.json"
    twice.write_text('{"\\u001b[2J\\ud800": 1, "\\u001b[2J\\ud800": 2}', encoding="ascii")
    wild_name = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\x1b[2J\xc2\x9b\xff\n.json"))
    wild_name.write_text("{}", encoding="ascii")
    status, said = run("check", *files, twice, wild_name, tmp_path / "\u202enone", terminal=terminal)
    assert status == 2
    # Values are escaped as JSON does it, and everything else as Python does.
    assert said.count("\\x1b[2J") + said.count("\\u001b[2J") >= 7
    assert len(said.splitlines()) == len(files) + 3
    assert run("check", "--json", *files, twice, wild_name, terminal=terminal)[0] == 2


@pytest.mark.parametrize("terminal", TERMINALS)
def test_show_escapes_names(tmp_path: Path, terminal: str) -> None:
    path = written(tmp_path, record(names=[WILD, "Zoë"]))
    _, said = run("show", path, terminal=terminal)
    assert "\\x1b[2J" in said
    svg = tmp_path / "\x1b[2J.svg"
    assert run("show", path, "--svg", svg, terminal=terminal)[0] == 0
    svg.read_text(encoding="utf-8")
    position = tmp_path / "position.txt"
    position.write_bytes(f"classic/2 {WILD}".encode("utf-8", "surrogatepass"))
    assert run("show", position, terminal=terminal)[0] == 2


@pytest.mark.parametrize("terminal", TERMINALS)
def test_a_saved_game_with_wild_names_can_be_resumed(tmp_path: Path, terminal: str) -> None:
    dealt = genial.new("travel", seed=7)
    begun = record_of(dealt, names=[WILD, "Zoë"], bots=[None, "greedy"], **deal_key(dealt))
    path = written(tmp_path, json.loads(json.dumps(begun)), "\x1b[2J.json")
    status, said = run("play", "--resume", path, "--plain", terminal=terminal, stdin="help\n\x1b[2J\nquit\n")
    assert status == 0
    assert "\\x1b[2J" in said
    bad = written(tmp_path, {**begun, "bots": [None, WILD]}, "bad.json")
    missing = tmp_path / "\x1b[2Jnone"
    wrong = bad if terminal == "ascii" else missing
    assert run("play", "--resume", wrong, "--plain", terminal=terminal)[0] == 2


def test_records_with_wild_names_can_be_imported_and_exported(tmp_path: Path) -> None:
    good, bad = tmp_path / "\x1b[2J\u202e.json", written(tmp_path, record(format=WILD))
    good.write_text(dump(record(names=[WILD.replace("\ud800", ""), "Zoë"])), encoding="utf-8")
    db = tmp_path / "\x1b[2J.db"
    asyncio.run(open_store(db, migrate=True).close())
    out = tmp_path / "\x1b[2Jout"
    for words, wanted in (
        (("import", good, bad), 1),
        (("export", out), 0),
        (("backup", tmp_path / "\x1b[2J.copy"), 0),
    ):
        status, said = run(*words, "--db", db, terminal="ascii")
        assert (status, "\\x1b[2J" in said) == (wanted, True)


@pytest.mark.parametrize("terminal", TERMINALS)
def test_arena_results_with_wild_names_can_be_shown(tmp_path: Path, terminal: str) -> None:
    result = sorted((Path(__file__).parents[1] / "docs" / "ladder").glob("*.json"))[0].read_text(
        encoding="utf-8"
    )
    wild = json.dumps(WILD.replace("\ud800", ""))[1:-1]
    path = tmp_path / "\x1b[2J.json"
    path.write_text(result.replace("level-5@0.2", wild), encoding="ascii")
    for options in ([], ["--json"] if terminal == "ascii" else ["--markdown"]):
        status, said = run("arena", "show", path, *options, terminal=terminal)
        assert status in (0, 1)
        assert "[2J" in said
    path.write_text("{" + wild, encoding="ascii")
    assert run("arena", "show", path, terminal=terminal)[0] == 2
