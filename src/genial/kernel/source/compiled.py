"""How the kernel's functions are compiled, and where the compiled code is kept.

To decide whether cached code is still valid, numba looks only at the file of a function, not at the files of
the functions it calls. So the name of the cache folder contains a hash of all the kernel's sources, and of
the versions that compile them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

State = NDArray[np.uint8]
"""One game. `state.py` defines the layout."""
Rules = NDArray[np.uint16]
"""The tables of one variant and seat count. `tables.py` defines the layout."""

Numbers = NDArray[np.int32]
"""Actions by number."""

whole = cast(Callable[[Any], int], np.int64)
"""Converts a number of any width to the machine's own integer, used for all arithmetic on offsets."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_KEPT = 3
"""How many versions of the compiled code are kept; a checkout under development makes many."""


def _folder() -> Path:
    """Where compiled code is kept: in the user's cache, because the package itself may be read-only."""
    chosen = os.environ.get("GENIAL_CACHE_DIR")
    if chosen:
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "genial"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "genial"
    sources = sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        sources.update(path.read_bytes())
    return base / "kernel" / sources.hexdigest()[:16]


def _prepared(folder: Path) -> Path | None:
    """The folder, created; None if nothing can be written, and then nothing is cached."""
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            versions = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)
            for old in versions[:-_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return None
    return folder


FOLDER = _prepared(_folder())


def compiled(function: _Function) -> _Function:
    """Compile a function that Python calls, on its first call or from the cache."""
    return _jit(function, cache=FOLDER is not None, nogil=True)


def inner(function: _Function) -> _Function:
    """Compile a function that only compiled code calls; it becomes part of its callers."""
    return _jit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: _Function) -> _Function:
    """The same, for a few lines on the hot path that must not cost a call."""
    return _jit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def _jit(function: _Function, **options: Any) -> _Function:
    config: Any = numba.config
    njit: Any = numba.njit
    before = config.CACHE_DIR
    # numba reads its cache folder when a function is decorated; other users of numba keep theirs.
    config.CACHE_DIR = str(FOLDER or "")
    try:
        # Nothing here allocates, so reference counting is not needed; it took a third of the time.
        made: _Function = njit(error_model="numpy", _nrt=False, **options)(function)
    finally:
        config.CACHE_DIR = before
    return made


def works() -> tuple[bool, str]:
    """Whether numba really compiles here, and if not, why."""
    config: Any = numba.config
    if config.DISABLE_JIT:
        return False, "numba's compiler is switched off (NUMBA_DISABLE_JIT)"
    if sys.byteorder != "little":
        return False, "the kernel's words are little-endian"
    return True, ""
