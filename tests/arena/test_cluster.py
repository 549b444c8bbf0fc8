"""The arena on a Ray cluster of two nodes, both on 127.0.0.1: the same games, and none lost with a node."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from genial.arena import extras
from genial.cli import main

_ROOT = Path(__file__).parents[2]
_TRIES = 2
"""Ray gives its parts fixed times to start, which are short on a busy machine."""
_START_SECONDS = 180
_RUN_SECONDS = 300
_MATCH = ("match", "travel", "balanced", "greedy", "--seed", "c")


class Nodes:
    """The cluster's nodes, in a process of their own and its children."""

    def __init__(self, folder: str) -> None:
        # The cluster stays on 127.0.0.1, tells nobody of itself, and may start slowly.
        self.environment = os.environ | {
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_TMPDIR": folder,
            "RAY_agent_register_timeout_ms": "120000",
            "PYTHONPATH": str(_ROOT),
        }
        with (Path(folder) / "errors").open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.arena.ray_nodes"],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.address = self._answer()

    def do(self, order: str) -> None:
        assert self._process.stdin
        print(order, file=self._process.stdin, flush=True)
        assert self._answer() == order

    def _answer(self) -> str:
        assert self._process.stdout
        ready, _, _ = select.select([self._process.stdout], [], [], _START_SECONDS)
        return self._process.stdout.readline().strip() if ready else ""

    def stop(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait()
        self._process.stdout.close()

    def start(self, *arguments: object) -> subprocess.Popen[bytes]:
        """A command of the arena on the cluster."""
        command = [sys.executable, "-m", "genial", "arena", *map(str, arguments), "--ray", self.address]
        # Whoever runs these tests in the background may have signals ignored, and children inherit that.
        listening = None if sys.platform == "win32" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        return subprocess.Popen(
            command,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=listening,
        )


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    told = ""
    for _ in range(_TRIES):
        folder = tempfile.mkdtemp(prefix="r")  # pytest's own are too long for Ray's sockets
        found = Nodes(folder)
        try:
            if found.address:
                yield found
                return
            told = (Path(folder) / "errors").read_text()[-400:]
        finally:
            found.stop()
            shutil.rmtree(folder, ignore_errors=True)
    pytest.skip(f"Ray does not start here: {told}")


def here(out: Path, *arguments: object) -> list[dict[str, Any]]:
    """The games of a command, played on this machine."""
    assert main(["arena", *map(str, arguments), "--jobs", "1", "--out", str(out), "--json"]) == 0
    return lines_of(out)


def lines_of(out: Path) -> list[dict[str, Any]]:
    result = json.loads(out.read_text())
    assert result["complete"]
    return list(result["lines"])


def wait_for(log: Path, games: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _RUN_SECONDS
    while time.monotonic() < until and process.poll() is None:
        if log.exists() and log.read_bytes().count(b"\n") > games:
            return
        time.sleep(0.05)
    pytest.fail(f"no {games} games were played: {process.communicate()[1].decode()}")


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
def test_an_interrupted_match_goes_on_and_is_the_same_as_here(nodes: Nodes, tmp_path: Path) -> None:
    out, wanted = tmp_path / "ray.json", (*_MATCH, "--games", 24)
    process = nodes.start(*wanted, "--out", out)
    wait_for(out.with_suffix(".jsonl"), 3, process)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=_RUN_SECONDS)
    assert process.returncode == 130
    assert b"the same command goes on" in told
    kept = out.with_suffix(".jsonl").read_bytes()
    assert json.loads(out.read_text())["complete"] is False

    again = nodes.start(*wanted, "--out", out)
    _, told = again.communicate(timeout=_RUN_SECONDS)
    assert again.returncode == 0, told.decode()
    log = out.with_suffix(".jsonl").read_bytes()
    assert log.startswith(kept)
    assert log.count(b"\n") == 25
    assert lines_of(out) == here(tmp_path / "here.json", *wanted)


@pytest.mark.skipif(sys.platform == "win32", reason="Ray's clusters there are not meant for use")
def test_the_games_of_a_lost_node_are_played_again(nodes: Nodes, tmp_path: Path) -> None:
    out, wanted = tmp_path / "ray.json", (*_MATCH, "--games", 30)
    process = nodes.start(*wanted, "--out", out)
    wait_for(out.with_suffix(".jsonl"), 3, process)
    nodes.do("kill")
    assert process.poll() is None, "all was over before the node was lost"
    _, told = process.communicate(timeout=_RUN_SECONDS)
    nodes.do("add")
    assert process.returncode == 0, told.decode()
    assert out.with_suffix(".jsonl").read_bytes().count(b"\n") == 31
    assert lines_of(out) == here(tmp_path / "here.json", *wanted)


_FORFEITS = """
from genial.arena.cluster import RayRunner, connected
from tests.arena.contests import settings
import msgspec, sys

fixtures = [
    msgspec.structs.replace(settings("match", "cards", 2, "greedy", bot).fixture((0, deal, 0)), deadline=1.0)
    for deal in range(2)
    for bot in ("raise", "exit", "spin-alone")
]
with connected(sys.argv[1]) as ray:
    for played in RayRunner(ray, setup="tests.bots.bad_bots:install").play(fixtures):
        print(played.players[1], played.forfeit.seat, played.forfeit.problem.partition(":")[0])
"""


def test_a_bot_that_does_not_play_loses_as_it_does_here(nodes: Nodes) -> None:
    script = [sys.executable, "-c", _FORFEITS, nodes.address]
    done = subprocess.run(script, env=nodes.environment, capture_output=True, text=True, timeout=_RUN_SECONDS)
    assert done.returncode == 0, done.stderr
    each = ["exit 1 died", "raise 1 raised", "spin-alone 1 deadline"]
    assert sorted(done.stdout.splitlines()) == sorted(2 * each)


_SELF_PLAY = """
from concurrent.futures import ThreadPoolExecutor
from genial.arena.cluster import pool_at
from genial.arena.train import games
import sys

def gathered(address):
    with ThreadPoolExecutor(1) as threads, pool_at(address, threads) as pool:
        players = games.Players("classic", 2, 4, pool)
        found = players.gather(games.NO_WEIGHTS, games.Heat(0.12), [1, 2, 3], lambda: None)
        return found.games, found.samples.tobytes(), found.targets.tobytes()

games.CHUNK = 2500
here, there = gathered(None), gathered(sys.argv[1])
print(here == there, here[0] > 0)
"""


def test_self_play_gathers_the_same_as_it_does_here(nodes: Nodes) -> None:
    if find_spec("numba") is None:
        pytest.skip("numba is not installed")
    script = [sys.executable, "-c", _SELF_PLAY, nodes.address]
    done = subprocess.run(script, env=nodes.environment, capture_output=True, text=True, timeout=_RUN_SECONDS)
    assert done.stdout == "True True\n", done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ray", "127.0.0.1:1"], "No Ray cluster answers at 127.0.0.1:1"),
        (["--ray", "nowhere"], "No Ray cluster answers at nowhere"),
        (["--ray", "127.0.0.1:1", "--records", "r"], "--records is of this machine alone"),
    ],
)
def test_what_cannot_be_played_on_a_cluster_is_refused(
    arguments: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["arena", "match", "cards", "greedy", "random", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


def test_programs_of_this_machine_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "match", "cards", "cmd:./mybot", "random", "--ray", "auto"]) == 2
    assert "cmd:./mybot is of this machine alone" in capsys.readouterr().err


def test_without_ray_the_error_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(package: str) -> None:
        raise ModuleNotFoundError(name=package)

    monkeypatch.setattr(extras, "import_module", absent)
    assert main(["arena", "match", "cards", "greedy", "random", "--ray", "auto"]) == 2
    assert 'ray is not installed, and is needed for this: pip install "genial[cluster]"' in (
        capsys.readouterr().err
    )
