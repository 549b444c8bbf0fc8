"""Compiling in advance: everything that Python calls, for the types it is called with."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from genial.kernel.engine import CORE, LIBRARY, NUMBA, VARIABLE
from genial.kernel.entries import ENTRIES
from genial.kernel.source.called import source_of
from genial.kernel.source.warmup import STEPS, warm_up


def warmed(engine: str) -> tuple[int, dict[str, object]]:
    """The status and output of `genial warmup`."""
    done = subprocess.run(
        [sys.executable, "-m", "genial", "warmup", "--json"],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {VARIABLE: engine},
    )
    return done.returncode, json.loads(done.stdout)


@pytest.mark.slow  # numba compiles
def test_every_entry_is_compiled_for_one_combination_of_types() -> None:
    done: list[None] = []
    assert warm_up(lambda: done.append(None)) > 0
    assert len(done) == STEPS
    assert {entry.name: len(source_of(entry).signatures) for entry in ENTRIES} == {
        entry.name: 1 for entry in ENTRIES
    }


@pytest.mark.slow  # numba compiles
def test_warmup_compiles_and_says_so() -> None:
    answer, told = warmed(NUMBA)
    assert answer == 0
    assert told["usable"] is True
    assert told["engine"] == NUMBA


def test_without_an_engine_warmup_fails_and_says_why() -> None:
    answer, told = warmed(CORE)
    assert answer == 1
    assert told == {"usable": False, "reason": f"{VARIABLE} asks for the core"}


def test_with_the_library_there_is_nothing_to_do() -> None:
    answer, told = warmed(LIBRARY)
    if not told["usable"]:
        assert answer == 1
        assert "make kernel" in str(told["reason"])
    else:
        assert (answer, told) == (0, {"usable": True, "engine": LIBRARY, "seconds": 0.0})
