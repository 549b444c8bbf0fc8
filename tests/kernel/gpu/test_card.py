"""What is reported if the graphics card cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from genial import kernel
from genial.kernel.gpu import Batch, NoCard, card
from genial.kernel.gpu.card import arrays, code, hot_bytes
from genial.kernel.gpu.kernels import KERNELS, LARGEST_STATE
from genial.kernel.gpu.text import headed
from genial.kernel.tables import STATE_SIZE, tables


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """CuPy is looked for once per process."""
    for cached in (arrays, code):
        cached.cache_clear()
    yield
    for cached in (arrays, code):
        cached.cache_clear()


class Broken(Exception):
    """What CuPy says about a card it cannot use."""


def cupy_with(count: Any) -> Any:
    """CuPy with a driver that counts this many cards, or fails."""
    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=Broken)
    return SimpleNamespace(cuda=SimpleNamespace(runtime=runtime))


def test_without_cupy_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(NoCard, match=r"need CuPy.*pip install 'genial\[gpu\]'"):
        Batch(kernel.game("classic", 2), 4, seed=1)


def test_without_a_card_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", cupy_with(lambda: 0))
    with pytest.raises(NoCard, match="no NVIDIA card in this machine"):
        arrays()


def test_an_unusable_card_is_reported_in_the_drivers_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> int:
        raise Broken("driver too old")

    monkeypatch.setitem(sys.modules, "cupy", cupy_with(broken))
    with pytest.raises(NoCard, match="can use: driver too old"):
        arrays()


def test_missing_or_outdated_code_is_reported_with_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(NoCard, match=r"missing.*make kernel-gpu"):
        code(tmp_path / "genial.ptx")
    (tmp_path / "old.ptx").write_text("// genial 1-2\n.version 8.0\n")
    with pytest.raises(NoCard, match=r"older than its source.*make kernel-gpu"):
        code(tmp_path / "old.ptx")
    (tmp_path / "new.ptx").write_text(headed(".version 8.0\n"))
    assert code(tmp_path / "new.ptx").endswith(".version 8.0\n")


def test_a_state_fits_where_a_kernel_keeps_it(variant: str, seats: int) -> None:
    rules = tables(variant, seats).rules
    assert rules[STATE_SIZE] <= LARGEST_STATE
    for each in KERNELS:
        assert hot_bytes(rules, each) <= rules[STATE_SIZE]
        assert hot_bytes(rules, each) % 8 == 0
    (random,) = (each for each in KERNELS if each.name == "play_random")
    assert random.shape.block * (hot_bytes(rules, random) + 8) <= card.STATIC_SHARED
