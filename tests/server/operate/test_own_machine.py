"""`genial` on its own: the app on your own machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.server.operations import kept_logging

from genial.server.operate import own_machine as here
from genial.server.operate.serve import Plan

PATIENCE = 90


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The app with its data in a folder, and its address."""
    with subprocess.Popen(
        [sys.executable, "-m", "genial", "--no-browser", *arguments],
        env=os.environ | {"XDG_DATA_HOME": str(folder), "LOCALAPPDATA": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def test_the_app_starts_once_and_is_found_again(tmp_path: Path, client_built: None) -> None:
    with started(tmp_path) as (process, told):
        assert told.startswith("Genial is at http://127.0.0.1:")
        url = told.rpartition(" ")[2]
        assert "Genial" in httpx.get(url, timeout=PATIENCE).text
        with started(tmp_path) as (second, answer):
            assert answer == f"Genial is already running at {url}"
            assert second.wait(PATIENCE) == 0
        assert httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert sorted(path.name for path in (tmp_path / "genial").iterdir()) == ["genial.db"]


def test_lan_is_refused_when_a_local_only_server_already_runs(tmp_path: Path, client_built: None) -> None:
    with started(tmp_path) as (_, told), started(tmp_path, "--lan") as (second, answer):
        assert answer == f"Genial is already running at {told.rpartition(' ')[2]}"
        assert second.wait(PATIENCE) == 1
        assert second.stdout is not None
        assert "--lan" in second.stdout.read()


def test_with_lan_it_says_where_earlier_games_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def serve(plan: Plan, announce: Callable[[str], None]) -> None:
        plan.db.touch()  # type: ignore[union-attr]
        announce("http://192.168.1.5:8000")

    monkeypatch.setattr(here, "serve", serve)
    monkeypatch.setattr(here, "lan_address", lambda: "127.0.0.1")
    db, told = tmp_path / "genial.db", []
    for lan in (True, False, True):
        with kept_logging():
            assert here.play_here(db, lan=lan, browser=False) == 0
        told.append("without --lan show at 127.0.0.1" in capsys.readouterr().out)
    assert told == [False, False, True]


def test_a_killed_servers_lock_keeps_nobody_from_playing(tmp_path: Path, client_built: None) -> None:
    (tmp_path / "genial").mkdir()
    (tmp_path / "genial" / "genial.db.lock").write_text('{"pid": 1, "by": "http://127.0.0.1:9"}')
    with started(tmp_path, "--port", "0") as (_, told):
        assert told.startswith("Genial is at ")


def test_a_busy_port_is_no_obstacle(tmp_path: Path, client_built: None) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which is just as good
        with started(tmp_path) as (_, told):
            assert told.startswith("Genial is at ")
            assert not told.endswith(":8000")


def test_without_the_client_it_says_how_to_get_it(tmp_path: Path) -> None:
    """What an unbuilt checkout says, tried with a package that has no client."""
    code = (
        "import sys; from genial.server.http import static; static.built = lambda: {};"
        "from genial.cli import main; sys.exit(main([]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert "make play" in done.stderr
