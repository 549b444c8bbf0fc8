"""Making ready to think: whether it is done is known for each place that the kernel's sources lie in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from genial.bots import warm


def sources(folder: Path, time: int = 1_000_000_000) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "play.py").write_text("the same words everywhere")
    os.utime(folder / "play.py", ns=(time, time))
    return folder


def test_the_same_sources_elsewhere_or_installed_anew_are_not_ready(tmp_path: Path) -> None:
    here = warm.stamp(sources(tmp_path / "here"))
    assert warm.stamp(sources(tmp_path / "there")) != here
    warm.stamp.cache_clear()
    assert warm.stamp(sources(tmp_path / "here")) == here
    warm.stamp.cache_clear()
    assert warm.stamp(sources(tmp_path / "here", 2_000_000_000)) != here


def test_ready_means_ready_for_this_very_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("genial.kernel.compiled.FOLDER", tmp_path)
    monkeypatch.setattr(warm, "_KERNEL", sources(tmp_path / "here"))
    assert not warm.is_warm()
    (tmp_path / warm.stamp(tmp_path / "here")).touch()
    assert warm.is_warm()
    monkeypatch.setattr(warm, "_KERNEL", sources(tmp_path / "there"))
    assert not warm.is_warm()
