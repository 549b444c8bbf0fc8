"""Training as on a graphics card, but small: the same code on NumPy arrays, with kernels row by row."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from tests.arena.train.rows import Rows

from genial.arena.train import card
from genial.arena.train.card import OnCard
from genial.arena.train.plan import Plan
from genial.cli import main
from genial.kernel.api import Game
from genial.kernel.gpu.card import arrays
from genial.kernel.weights import read

SMALL = ["--device", "cuda", "--chunks", "1", "--batch", "512", "--candidates", "4", "--contest", "6"]


@pytest.fixture
def _without_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def on_rows(plan: Plan) -> Iterator[OnCard]:
        yield OnCard(plan, Rows(Game.of(plan.variant, plan.seats)))

    monkeypatch.setattr(card, "on_card", on_rows)
    monkeypatch.setattr(card, "GAMES", 8)
    monkeypatch.setitem(sys.modules, "cupy", ModuleType("cupy"))


@pytest.mark.slow  # numba compiles
@pytest.mark.usefixtures("_without_a_card")
@pytest.mark.parametrize(("title", "places"), [("cards", 3), ("classic-solo", 1), ("classic-team", 4)])
def test_a_run_learns_and_can_be_continued(
    title: str, places: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", title, "--seats", str(places), "--folder", str(tmp_path), *SMALL]
    command += ["--trust", "0.3", "--beside", "0.1", "--keep", "0.5", "--json"]
    assert main([*command, "--generations", "1"]) == 0
    first = read(tmp_path / f"{title}-{places}.f32")
    capsys.readouterr()
    assert main([*command, "--generations", "2"]) == 0
    second = read(tmp_path / f"{title}-{places}.f32")
    assert np.isfinite(second).all()
    assert first != second
    one, two = json.loads(capsys.readouterr().out)["reports"]
    assert (one["games"], two["games"]) == (8, 16)
    assert np.isfinite([two["share_loss"], two["lead_loss"]]).all()


def test_without_a_card_the_message_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runtime = SimpleNamespace(getDeviceCount=lambda: 0, CUDARuntimeError=OSError)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    arrays.cache_clear()
    assert main(["train", "cards", "--folder", str(tmp_path / "run"), *SMALL]) == 2
    assert "There's no graphics card to learn on. CuPy finds no NVIDIA card" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_without_cupy_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert main(["train", "cards", "--folder", str(tmp_path / "run"), *SMALL]) == 2
    assert 'This needs cupy, which isn\'t installed: pip install "genial[gpu]".' in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
