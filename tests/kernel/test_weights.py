"""Learned weights in files: read as they were written, and refused if they are not a network's."""

from __future__ import annotations

from array import array
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from genial.kernel import weights
from genial.kernel.network import WEIGHTS
from genial.kernel.weights import VERSION, file_of, read, weights_of, write


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    rng, path = Random(1), file_of(tmp_path, "classic", 2)
    some = array("f", (rng.gauss(0, 1) for _ in range(WEIGHTS)))
    write(path, some)
    assert read(path) == some
    assert path.stat().st_size == 4 * WEIGHTS


def test_weights_of_another_network_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / str(VERSION)).mkdir()
    write(file_of(tmp_path / str(VERSION), "classic", 2), array("f", [0.0] * 3))
    monkeypatch.setattr(weights, "FOLDER", tmp_path)
    weights_of.cache_clear()
    with pytest.raises(ValueError, match=r"classic-2\.f32 has 3 weights instead of 14,434"):
        weights_of("classic", 2)
    assert weights_of("classic", 3) is None
    weights_of.cache_clear()


def test_the_package_has_weights_for_classic_with_two_seats() -> None:
    found = weights_of("classic", 2)
    assert found is not None
    assert len(found) == WEIGHTS
    assert weights_of("cards", 2) is None


def test_weights_of_older_versions_stay_unchanged() -> None:
    """Bots that use them serve as benchmarks, so they are the same bytes for good."""
    found = {
        path.relative_to(weights.FOLDER).as_posix(): sha256(path.read_bytes()).hexdigest()[:16]
        for path in weights.FOLDER.glob("*/*.f32")
    }
    assert found == {
        "1/classic-2.f32": "551cdfe4d8f10841",
        "2/classic-2.f32": "084bd2232e60a641",
        "2/classic-3.f32": "1de6e7c4313a7775",
        "2/classic-team-4.f32": "a8d5b268578966cf",
        "2/travel-2.f32": "ea7b4c5385c48ebc",
    }


def test_all_weights_together_are_small() -> None:
    """They are part of what a page loads before its first game."""
    assert sum(path.stat().st_size for path in weights.FOLDER.rglob("*.f32")) < 2_000_000
