"""Measurements on a graphics card are reported, even if only some of them were made."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.envs.stand_in import StandInForCard

from genial import envs


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    return import_module("benchmarks.gpu")


def figures(gpu: Any, share: float) -> dict[str, Any]:
    """A made-up run. Sizes are strings, as in a file that --json wrote."""
    whole = {
        policy: {str(size): {"placements": [2e9], "games": [5e7]} for size in sizes}
        for policy, sizes in gpu.SIZES.items()
    }
    return {
        "date": "2026-11-17",
        "card": "NVIDIA H200",
        "cupy": "14.2.0",
        "driver": 13000,
        "whole games": {"classic/2": whole},
        "steps": {"classic/2": {"step": [1e9]}},
        "playouts": {"classic/2": {"random": [2e8], "greedy": [4e6]}},
        "without a copy": {"PyTorch": "same memory True"},
        "handed to": "PyTorch",
        "environments": {
            name: {str(size): {"steps": [1e8, 7e8, 9e8], "asking": [share]} for size in sizes}
            for name, (_, _, sizes) in gpu.ENVIRONMENTS.items()
        },
    }


def test_environments_are_reported_by_batch_size_beside_the_target(gpu: Any) -> None:
    told = gpu.report(figures(gpu, 0.3))
    row = "| actions chosen on the card | 700.0 | 700.0 | 700.0 | 700.0 | 700.0 | >= 500 | the card (30%) |"
    assert row in told
    assert "published and not measured here: Pgx" in told
    assert "Python's calls (97%)" in gpu.report(figures(gpu, 0.97))


def test_figures_from_an_older_run_can_still_be_read(gpu: Any) -> None:
    older = figures(gpu, 0.3)
    del older["environments"]
    assert "Vector environment" not in gpu.report(older)


def test_everything_that_a_step_returns_is_handed_over(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("genial.kernel.gpu.batch.Card", StandInForCard)
    for options, _, _ in gpu.ENVIRONMENTS.values():
        many = envs.vector("classic", 2, 4, "cuda", **options)
        many.reset(seed=1)
        taken: list[Any] = []
        gpu.stepped(many, taken.append, steps=3)
        assert len(taken) == 3 * (2 if options["masks"] is None else 4)
