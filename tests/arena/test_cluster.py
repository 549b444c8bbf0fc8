"""The arena, tuning and self-play on a Ray cluster of two nodes, both on 127.0.0.1.

Results are the same as on this machine, and nothing is lost with a node or with the cluster.
"""

from __future__ import annotations

import json
import os
import signal
import socketserver
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.arena.nodes import PATIENCE, Nodes, ended, wait_for_games
from tests.arena.waiting_bot import GO, MARK

from genial import __version__
from genial.arena import extras
from genial.cli import main

_MATCH = ("match", "travel", "balanced", "greedy", "--seed", "c")
_ENDLESS = 4000
"""More games than can be over before a test has done what it does meanwhile."""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    if sys.platform == "win32":
        pytest.skip("Ray's clusters on Windows are not meant for use")
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    found = Nodes()
    try:
        yield found
    finally:
        found.stop()


def on_cluster(nodes: Nodes, out: Path, games: int, ray: str | None = None) -> list[object]:
    """A match there; its result also goes to standard output."""
    where = ["--ray", ray or nodes.address, "--out", out, "--json"]
    return ["-m", "genial", "arena", *_MATCH, "--games", games, *where]


def finished(out: Path) -> int:
    """How many games are in the log."""
    return out.with_suffix(".jsonl").read_bytes().count(b"\n") - 1


def lines_here(out: Path, games: int) -> list[dict[str, Any]]:
    """The same match, played on this machine."""
    assert main(["arena", *_MATCH, "--games", str(games), "--jobs", "1", "--out", str(out), "--json"]) == 0
    return list(json.loads(out.read_text())["lines"])


def goes_on(nodes: Nodes, out: Path, here: Path, ray: str | None = None) -> None:
    """The same command continues a log, and gives the same result as on this machine."""
    kept, games = out.with_suffix(".jsonl").read_bytes(), finished(out) + 8
    games += games % 2
    status, said, errors = nodes.run(*on_cluster(nodes, out, games, ray))
    assert status == 0, errors
    result = json.loads(said)
    assert result == json.loads(out.read_text())
    assert result["complete"]
    assert finished(out) == games
    assert out.with_suffix(".jsonl").read_bytes().startswith(kept)
    assert result["lines"] == lines_here(here, games)


def test_an_interrupted_match_resumes_with_the_same_result_as_locally(nodes: Nodes, tmp_path: Path) -> None:
    out = tmp_path / "ray.json"
    process = nodes.start(*on_cluster(nodes, out, _ENDLESS))
    wait_for_games(out.with_suffix(".jsonl"), 3, process)
    process.send_signal(signal.SIGINT)
    said, errors = ended(process)
    assert process.returncode == 130
    assert said == ""
    assert f"stopped after {finished(out)} of 4000 games; run the same command to carry on" in errors
    assert json.loads(out.read_text())["complete"] is False
    goes_on(nodes, out, tmp_path / "here.json", ray="auto")


_WAITING = """
from genial.arena.cluster import RayRunner, connected
from genial.arena.runner import LocalRunner
from tests.arena.contests import settings
import msgspec, sys

def by_deal(games):
    return sorted((msgspec.structs.replace(game, ms=()) for game in games), key=lambda game: game.deal)

setup = "tests.arena.waiting_bot:install"
contest = msgspec.structs.replace(settings("match", "cards", 2, "waiting", "random"), deadline=1e6)
fixtures = [contest.fixture((0, deal, 0)) for deal in range(2)]
with connected(sys.argv[1]) as cluster:
    there = by_deal(RayRunner(cluster, setup=setup).play(fixtures))
print(there == by_deal(LocalRunner(1, setup=setup).play(fixtures)), [played.reason for played in there])
"""


def test_the_games_of_a_lost_node_are_played_again(nodes: Nodes) -> None:
    def asked() -> int:
        return len(list(nodes.folder.glob(f"{MARK}*")))

    process = nodes.start("-c", _WAITING, nodes.address)
    until = time.monotonic() + PATIENCE
    while asked() < 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    # One game is in progress on each node, and cannot be over before both may go on.
    assert asked() == 2
    nodes.do("kill")
    (nodes.folder / GO).touch()
    said, errors = ended(process)
    nodes.do("add")
    assert said == "True ['goal', 'goal']\n", errors


_FORFEITS = """
from genial.arena.cluster import RayRunner, connected
from tests.arena.contests import settings
import msgspec, sys

fixtures = [
    msgspec.structs.replace(settings("match", "cards", 2, "greedy", bot).fixture((0, deal, 0)), deadline=5.0)
    for deal, bot in enumerate(("exit", "raise", "spin-alone", "raise", "exit", "random"))
]
with connected(sys.argv[1]) as cluster:
    for played in RayRunner(cluster, setup="tests.bots.bad_bots:install").play(fixtures):
        lost = played.forfeit
        print(played.players[1], *((lost.seat, lost.problem.partition(":")[0]) if lost else [played.reason]))
"""


def test_a_bot_that_fails_to_play_loses_as_it_does_locally(nodes: Nodes) -> None:
    status, said, errors = nodes.run("-c", _FORFEITS, nodes.address)
    assert status == 0, errors
    expected = ["exit 1 died", "raise 1 raised", "spin-alone 1 deadline", "raise 1 raised", "exit 1 died"]
    assert sorted(said.splitlines()) == sorted([*expected, "random goal"])


_OTHER_VERSION = """
import genial, sys
genial.__version__ = "0.0.7"
from genial.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_node_with_another_version_is_refused(nodes: Nodes, tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    _, _, *command = on_cluster(nodes, out, 4)
    status, said, errors = nodes.run("-c", _OTHER_VERSION, *command)
    assert (status, said) == (2, "")
    assert f"can't play: RuntimeError: it has Genial {__version__} instead of 0.0.7." in errors
    assert finished(out) == 0


@pytest.mark.skipif(find_spec("optuna") is None, reason="Optuna is not installed")
def test_tuning_gives_the_same_result_as_locally(nodes: Nodes, tmp_path: Path) -> None:
    counts = ("--trials", "2", "--games", "2", "--check-games", "2", "--only", "fear")
    asked = ["tune", "cards", "level-3", *counts]
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    assert main([*asked, "--jobs", "1", "--out", str(here), "--json"]) == 0
    command = [*asked, "--ray", nodes.address, "--out", there, "--json"]
    status, said, errors = nodes.run("-m", "genial", *command)
    assert status == 0, errors
    assert json.loads(said) == json.loads(there.read_text()) == json.loads(here.read_text())


_TRAIN = """
from genial.arena.train import games
from genial.cli import main
import sys

games.CHUNK = 2500
sys.exit(main(["train", *sys.argv[1:]]))
"""
_SMALL = ("--generations", 1, "--chunks", 2, "--batch", 512, "--candidates", 4, "--contest", 8, "--passes", 1)


@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_self_play_on_a_cluster_learns_the_same_weights_as_locally(nodes: Nodes, tmp_path: Path) -> None:
    for folder, place in ((tmp_path / "here", []), (tmp_path / "there", ["--ray", nodes.address])):
        status, _, errors = nodes.run("-c", _TRAIN, "classic", "--folder", folder, *_SMALL, *place)
        assert status == 0, errors
    here, there = (tmp_path / place / "classic-2.f32" for place in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()


def test_a_match_that_loses_its_head_node_stops_and_resumes_on_another(nodes: Nodes, tmp_path: Path) -> None:
    out = tmp_path / "ray.json"
    process = nodes.start(*on_cluster(nodes, out, _ENDLESS))
    wait_for_games(out.with_suffix(".jsonl"), 3, process)
    nodes.do("behead")
    said, errors = ended(process)
    address = nodes.address
    nodes.renew()
    assert (process.returncode, said) == (2, ""), errors
    assert f"The Ray cluster at {address} is gone. Finished games are saved" in errors
    assert "Traceback" not in errors
    assert json.loads(out.read_text())["complete"] is False
    goes_on(nodes, out, tmp_path / "here.json")


class _Web(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.rfile.readline()


def test_an_address_without_a_cluster_is_noticed_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Web) as server:
        threading.Thread(target=server.serve_forever).start()
        address = f"127.0.0.1:{server.server_address[1]}"
        assert main(["arena", "match", "cards", "greedy", "random", "--ray", address]) == 2
        server.shutdown()
    assert f"There's no Ray cluster at {address}: ConnectionError: something else" in capsys.readouterr().err


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_an_unreachable_cluster_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    assert main(["arena", "match", "cards", "greedy", "random", "--ray", "auto"]) == 2
    # Ray may replace 127.0.0.1 with the machine's own address.
    assert ":1: ConnectionRefusedError" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ray", "127.0.0.1:1"], "There's no Ray cluster at 127.0.0.1:1"),
        (["--ray", "nowhere"], "There's no Ray cluster at nowhere"),
        (["--ray", "127.0.0.1:1", "--records", "r"], "--records exists on this machine only"),
    ],
)
def test_wrong_cluster_arguments_are_refused(
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


def test_programs_on_this_machine_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "match", "cards", "cmd:./mybot", "random", "--ray", "auto"]) == 2
    assert "cmd:./mybot exists on this machine only" in capsys.readouterr().err


def test_without_ray_the_error_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(package: str) -> None:
        raise ModuleNotFoundError(name=package)

    monkeypatch.setattr(extras, "import_module", absent)
    assert main(["arena", "match", "cards", "greedy", "random", "--ray", "auto"]) == 2
    assert 'This needs ray, which isn\'t installed: pip install "genial[cluster]"' in (
        capsys.readouterr().err
    )
