"""A server without the packages of other parts, or without a kernel, serves and says what is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
from tests.server.operations import Server

ROOT = Path(__file__).parents[1]
LEFT_OUT = {"textual", "openskill"}
"""Packages that a host need not install."""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which no process can import these packages."""
    for package in LEFT_OUT | {"optuna", "ray"}:
        stub = tmp_path / "missing" / package / "__init__.py"
        stub.parent.mkdir(parents=True)
        stub.write_text(
            f"raise ModuleNotFoundError('No module named {package}', name={package!r})", encoding="utf-8"
        )
    path = [str(tmp_path / "missing"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONUNBUFFERED": "1"}


def pins(lock: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.MULTILINE))


def test_the_servers_lock_leaves_out_only_what_a_server_does_not_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = set(project["project"]["dependencies"]) | set(
        project["project"]["optional-dependencies"]["postgres"]
    )
    server = {each for each in project["dependency-groups"]["server"] if isinstance(each, str)}
    assert {re.split("[>=]", each)[0] for each in asked - server} == LEFT_OUT
    assert server < asked
    assert pins("server").items() <= pins("dev").items()
    assert not LEFT_OUT & pins("server").keys()


def started(tmp_path: Path, environment: dict[str, str], *genial: str) -> Server:
    """A server, started by this command."""
    command = [sys.executable, *genial, "serve", "--port", "0", "--db", str(tmp_path / "a.db")]
    return Server(
        subprocess.Popen(
            [*command, "--bot-workers", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
    )


def test_a_server_without_a_kernel_says_so_once(tmp_path: Path) -> None:
    code = "import sys; sys.modules['numba'] = None; from genial.cli import main; sys.exit(main())"
    environment = {**os.environ, "GENIAL_KERNEL": "core", "PYTHONUNBUFFERED": "1"}
    server = started(tmp_path, environment, "-c", code)
    try:
        server.await_address()
        assert server.stop() == 0
        assert server.log.count("this runs on the slower core") == 1
    finally:
        server.end()


def test_a_server_runs_without_what_it_does_not_need(tmp_path: Path, environment: dict[str, str]) -> None:
    server = started(tmp_path, environment, "-m", "genial")
    try:
        server.await_address()
        for path in ("/healthz", "/api/variants"):
            with urllib.request.urlopen(f"{server.url}{path}", timeout=20) as answer:
                assert answer.status == 200
    finally:
        server.end()


@pytest.mark.parametrize("command", [["arena", "match", "travel", "random", "greedy", "--games", "2"]])
def test_a_command_that_needs_more_says_what_to_install(
    environment: dict[str, str], command: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "genial", *command],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.strip() == (
        'genial: This needs openskill, which isn\'t installed: pip install "openskill".'
    )


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal that is none")
def test_the_terminals_screen_says_what_to_install(environment: dict[str, str], tmp_path: Path) -> None:
    import pty

    screen, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "genial", "play", "travel"],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, "XDG_DATA_HOME": str(tmp_path), "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    os.close(terminal)
    os.close(screen)
    assert done.returncode == 2
    assert "pip install textual" in done.stderr
    assert "genial play --plain" in done.stderr
    assert len(done.stderr.splitlines()) == 1
