"""Only the tools named in the lock may compile anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.kernel.versions import LOCK, TOOLS, WrongVersion, check

NUMBA = "numba=="


def test_the_lock_names_every_tool() -> None:
    lock = LOCK.read_text(encoding="utf-8")
    assert all(f"\n{tool}==" in lock for tool in TOOLS)


def test_another_version_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "kernel.txt"
    text = LOCK.read_text(encoding="utf-8")
    lock.write_text(text.replace(NUMBA, NUMBA + "9."), encoding="utf-8")
    with pytest.raises(WrongVersion, match=r"numba 9\.\S+ alone, and here is \d\S+\. Run: make kernel"):
        check(lock)


def test_a_missing_tool_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.kernel.versions._installed", lambda tool: None)
    with pytest.raises(WrongVersion, match="and here is none"):
        check()
