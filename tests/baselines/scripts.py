"""Runs baselines as a reader does: as programs, in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

BASELINES = Path(__file__).parents[2] / "baselines"
needs_torch = pytest.mark.skipif(
    find_spec("torch") is None,
    reason="PyTorch isn't here, and is too large to be locked for a test: pip install torch",
)


def run(name: str, *arguments: str, folder: Path) -> str:
    """Run a baseline to its end, and return what it printed."""
    one_core = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # leave the rest to other tests
    done = subprocess.run(
        [sys.executable, "-W", "error", str(BASELINES / name), *arguments],
        cwd=folder,
        env={**os.environ, **one_core},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def names_in(name: str) -> dict[str, Any]:
    """What a baseline defines, without running it."""
    sys.path.insert(0, str(BASELINES))  # so that they can import each other
    try:
        return run_path(str(BASELINES / name))
    finally:
        sys.path.remove(str(BASELINES))
