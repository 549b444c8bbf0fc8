"""The attacks of `make attack`: cheap ones are made here, and a broken bound is reported."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.checkout import ROOT
from benchmarks.conversation import NOW
from tools.attack import endings
from tools.attack.__main__ import ATTACKS, BEGIN, END, attacked, put_into, run
from tools.attack.bystanders import Figures
from tools.attack.result import Attack, Outcome, Results
from tools.attack.scene import Scene
from tools.attack.siege import Spent, judged
from tools.timing import Delays

import genial
from genial.core.notation import move_text

CHEAP = (
    "guessing",
    "look-alikes",
    "rematch-away",
    "qr-host",
    "second-server",
    "check-controls",
    "damaged-file",
    "open-token",
)
CALM = Figures(moves=100.0, p50=2.0, p99=20.0, longest=40.0, bots=1.2, gap=0.1, trouble="")
LITTLE = Spent(mib=5.0, log_bytes=10_000)
DID = Outcome("300 sent", True)


def named(name: str) -> Attack:
    return next(attack for attack in ATTACKS if attack.name == name)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path, ROOT, "sqlite", seconds=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHEAP)
def test_cheap_attacks_keep_their_bounds(scene: Scene, name: str) -> None:
    outcome = asyncio.run(attacked(scene, named(name)))
    assert outcome.met, outcome.shown


HELPLESS = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/healthz" else 500)
        self.end_headers()

HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Answer).serve_forever()
"""
"""A server that is alive but fails every request."""


def test_a_server_that_breaks_a_bound_is_found_out(scene: Scene, tmp_path: Path) -> None:
    package = tmp_path / "helpless" / "src" / "genial"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(HELPLESS)
    outcome = asyncio.run(attacked(replace(scene, source=tmp_path / "helpless"), named("qr-host")))
    assert outcome == Outcome("7 of 7 fail with 500", False)


def test_undisturbed_bystanders_are_judged_undisturbed() -> None:
    assert judged(DID, CALM, CALM, LITTLE, "").met


@pytest.mark.parametrize(
    ("did", "during", "spent", "after"),
    [
        (Outcome("1,500 held at the end", False), CALM, LITTLE, ""),
        (DID, replace(CALM, p99=101.0), LITTLE, ""),
        (DID, replace(CALM, bots=2.1), LITTLE, ""),
        (DID, replace(CALM, gap=1.1), LITTLE, ""),
        (DID, replace(CALM, trouble="3 sockets lost"), LITTLE, ""),
        (DID, CALM, replace(LITTLE, mib=101.0), ""),
        (DID, CALM, replace(LITTLE, log_bytes=1_000_001), ""),
        (DID, CALM, LITTLE, "no new table can be made"),
    ],
)
def test_each_bound_of_a_siege_can_be_broken(did: Outcome, during: Figures, spent: Spent, after: str) -> None:
    assert not judged(did, CALM, during, spent, after).met


def test_a_delay_that_reveals_an_open_swap_is_found_out() -> None:
    steady = [0.6 + n / 1e6 for n in range(400)]
    assert endings.judged(Delays(400, {False: steady, True: steady})) == Outcome("AUC 0.50", True)
    longer = [delay + 1e-3 for delay in steady]
    assert endings.judged(Delays(400, {False: steady, True: longer})) == Outcome("AUC 1.00", False)


@pytest.mark.parametrize("conversation", ["update", "entry"])
def test_a_listener_times_from_the_last_placement_to_the_end(conversation: str) -> None:
    """In today's version of the conversation, and in the one before, which an attacked commit may speak."""

    async def heard() -> None:
        position = genial.new(endings.VARIANT, seats=endings.SEATS, seed=1)
        listener = endings.Listener(position)
        placement = move_text(position.setup, position.actions()[0])
        for seq, action in enumerate((placement, "refill")):
            entry = {"seq": seq, "kind": "acted", "data": {"place": 0, "action": action}}
            message = {"entries": [entry]} if conversation == "update" else {"entry": entry}
            listener.hear(json.dumps({"type": conversation, **message}).encode())
        seen = await listener.ended
        assert seen is not None
        is_open, seconds = seen
        assert not is_open
        assert 0 < seconds < 1

    asyncio.run(heard())


async def broken(_: Scene) -> Outcome:
    return Outcome("everybody is cut off", False)


async def impossible(_: Scene) -> Outcome:
    raise RuntimeError("no server")


@pytest.mark.parametrize("work", [broken, impossible])
def test_a_broken_bound_fails_the_run(
    scene: Scene, work: object, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    attack = Attack("x", "something bad", "nothing happens", work)  # type: ignore[arg-type]
    results = Results(tmp_path / "results.json")
    assert not run([(NOW, scene)], [attack], results)
    Results(tmp_path / "results.json").sheet([attack], NOW).show(markdown=True)
    assert "| nothing happens | **no** |" in capsys.readouterr().out


def test_a_bound_broken_by_another_commit_does_not_fail_the_run(scene: Scene) -> None:
    attack = Attack("x", "something bad", "nothing happens", broken)
    assert run([("4ecf47b", scene)], [attack], Results())


async def kept(_: Scene) -> Outcome:
    return Outcome("nobody notices", True)


def test_a_commit_that_was_attacked_before_keeps_its_column(
    scene: Scene, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before, now = (Attack("x", "something bad", "nothing happens", work) for work in (broken, kept))
    run([("4ecf47b", scene)], [before], Results(tmp_path / "results.json"))
    results = Results(tmp_path / "results.json")
    run([(NOW, scene)], [now], results)
    results.sheet([now], NOW).show(markdown=True)
    assert "| everybody is cut off | nobody notices | nothing happens | yes |" in capsys.readouterr().out


def test_the_table_replaces_the_one_in_the_document(tmp_path: Path) -> None:
    document = tmp_path / "security.md"
    document.write_text(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n", encoding="utf-8")
    put_into(document, "| new |")
    put_into(document, "| newer |")
    assert document.read_text(encoding="utf-8") == (f"Before.\n\n{BEGIN}\n\n| newer |\n\n{END}\n\nAfter.\n")
