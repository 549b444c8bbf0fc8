"""The kernel compiled ahead of time: located for this machine and called through ctypes, without numpy or
numba.

`tools.kernel` creates the files in the folder `library` next to this module: `make kernel` in a checkout, the
wheel build for everybody else. They need nothing from the machine but its processor.
"""

from __future__ import annotations

import ctypes
import platform
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from genial.kernel.engine import LIBRARY, Buffer, Engine
from genial.kernel.entries import ENTRIES, Entry, Kind

FOLDER = Path(__file__).parent / "library"
COMING = FOLDER / ".coming"
"""There while `make play` compiles a library."""
_COMPILING = 600
"""For how many seconds a compiler may run. It was ended with the machine if the file is older than that."""
_CHECKOUT = Path(__file__).parents[3]
"""The folder of the sources, if this is a checkout."""

_CONSTANTS = ("entries", "network", "settings", "state", "tables", "totals", "worth")
_SOURCES = ("source/*.py", *(f"{name}.py" for name in _CONSTANTS), "../core/observation.py")
"""What the code in a library is made from: the functions, and the offsets compiled in as numbers."""

_LEVELS = {
    "v3": {"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
}
"""The levels of x86-64, best first, with Linux's names for the processor features each requires."""
_WINDOWS_LEVELS = {"v3": 40, "v2": 38}
"""The Windows equivalents: PF_AVX2_INSTRUCTIONS_AVAILABLE and PF_SSE4_2_INSTRUCTIONS_AVAILABLE."""


class NoLibrary(Exception):
    """Why the compiled kernel cannot be used here, as a sentence."""


class Library(Engine):
    """A loaded library: one function for each entry, by the entry's name.

    Arrays can be any writable contiguous buffer (bytearray, array, numpy), and are not copied. Nothing is
    checked: neither the type of their items nor their length, nor the rest of `entries.DUTIES`. Other threads
    can run meanwhile.
    """

    name = LIBRARY

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._loaded = ctypes.CDLL(str(path))
            made_of = self._version()
        except (OSError, AttributeError) as error:
            raise NoLibrary(f"The compiled kernel {path.name} cannot be loaded: {error}.") from error
        if made_of != version():
            raise NoLibrary(f"The compiled kernel {path.name} is older than its source. {advice()}")
        for entry in ENTRIES:
            setattr(self, entry.name, self._function(self._loaded, entry))

    def bound(self, name: str, array: Buffer) -> Callable[..., Any]:
        # Other threads wait meanwhile: letting them run would take longer than the call.
        entry = next(entry for entry in ENTRIES if entry.name == name)
        function = self._function(ctypes.PyDLL(str(self.path)), entry)
        function.argtypes = [ctypes.c_void_p, *function.argtypes[1:]]
        return partial(function, ctypes.addressof(_Array.from_param(array)))

    def _version(self) -> int:
        function = self._loaded.genial_version
        function.restype = ctypes.c_int64
        return int(function())

    @staticmethod
    def _function(loaded: ctypes.CDLL, entry: Entry) -> Any:
        function = loaded[f"genial_{entry.name}"]
        function.argtypes = [_TYPES.get(kind, _Array) for kind in entry.parameters.values()]
        function.restype = _TYPES[entry.returns]
        return function


class _Array:
    """An array as a parameter: its address. The ctypes object made from it keeps it alive during the call."""

    from_param = (ctypes.c_char * 0).from_buffer


_TYPES: dict[Kind, Any] = {Kind.WHOLE: ctypes.c_int64, Kind.REAL: ctypes.c_double, Kind.NOTHING: None}


@cache
def load() -> Library:
    """The library for this machine, ready to call; `NoLibrary` says why there is none."""
    return Library(find())


def is_coming() -> bool:
    """True if a library is being compiled right now."""
    try:
        return time.time() - COMING.stat().st_mtime < _COMPILING
    except OSError:
        return False


def find(folder: Path = FOLDER) -> Path:
    """The best library file for this machine; `NoLibrary` says why there is none."""
    runnable = names()
    if not runnable:
        machine = f"{platform.system()} on {platform.machine()}"
        raise NoLibrary(f"There is no compiled kernel for this machine ({machine}).")
    for name in runnable:
        if (folder / name).is_file():
            return folder / name
    raise NoLibrary(f"The compiled kernel is missing. {advice()}")


def advice(checkout: Path = _CHECKOUT) -> str:
    """How to get compiled kernels: in a checkout, or else where Genial is installed."""
    if (checkout / "tools" / "kernel").is_dir():
        return "Run: make kernel"
    return (
        "Install a wheel made for this system, or run `GENIAL_PLATFORM=native pip install .` in the sources."
    )


@cache
def version() -> int:
    """A number that identifies the current sources of the compiled code. A library stores that of its own."""
    sources = sha256()
    for pattern in _SOURCES:
        for path in sorted(Path(__file__).parent.glob(pattern)):
            sources.update(path.name.encode())
            sources.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return int.from_bytes(sources.digest()[:8], "little") >> 1


def names() -> list[str]:
    """The files that this machine can run, best first."""
    ending = {"linux": "so", "darwin": "dylib", "win32": "dll"}.get(sys.platform)
    machine = platform.machine().lower()
    if ending is None or sys.maxsize < 2**32 or sys.byteorder != "little":
        return []
    if machine in ("aarch64", "arm64"):
        return [f"genial-arm64.{ending}"]
    if machine in ("x86_64", "amd64"):
        return [f"genial-x86-64-{level}.{ending}" for level in _LEVELS if _has(level)]
    return []


def _has(level: str) -> bool:
    """True if this processor supports a level of x86-64, and the system lets programs use it."""
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(_WINDOWS_LEVELS[level]))
    return _LEVELS[level] <= _processor()


@cache
def _processor() -> frozenset[str]:
    """The processor's features, according to Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").split())
