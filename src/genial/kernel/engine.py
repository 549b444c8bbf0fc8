"""What runs the kernel's entry points: the compiled library, otherwise numba's functions, otherwise nothing.

An engine passed to `give` takes precedence: a page lends its own (`lent.py`).

Every entry in `entries.py` is a callable of the engine: `engine().step(rules, state, action)`. Arrays can be
anything with a writable buffer: bytearray, array, numpy. They are not copied, and their lengths are not
checked.

GENIAL_KERNEL=library, numba or core selects one of the three regardless of the others, for tests and
benchmarks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias

Buffer: TypeAlias = Any
"""Anything with a writable buffer. Python 3.11 has no type for this that includes numpy arrays."""
VARIABLE = "GENIAL_KERNEL"
LIBRARY, NUMBA, CORE, LENT = "library", "numba", "core", "lent"
_ADVICE = "Install numba with: pip install 'genial[source]'"


class Engine:
    """The entry points as Python calls them, each by its name."""

    name: str
    """LIBRARY, NUMBA or LENT."""

    def bound(self, name: str, array: Buffer) -> Callable[..., Any]:
        """An entry whose first array is fixed, for calls that take about a microsecond.

        The array must live as long as the result and must not move.
        """
        return partial(getattr(self, name), array)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Reached only for names that are not entries; defined so that type checkers accept the entries."""
        raise AttributeError(f"The kernel has no entry {name!r}.")


class Found(NamedTuple):
    """The engine, or the reason why there is none."""

    engine: Engine | None
    reason: str


_given: list[Engine] = []


def give(engine: Engine) -> None:
    """Use this engine from now on, whatever else is available. Existing games keep theirs."""
    _given[:] = [engine]


def find() -> Found:
    """The engine that was found first. If there was none, a library built since then is still found."""
    if _given:
        return Found(_given[0], "")
    found = _look(again=False)
    return _look(again=True) if found.engine is None and is_library_there() else found


def is_library_there() -> bool:
    """True if the library can be used, so that nothing has to be compiled. Never loads numba."""
    if os.environ.get(VARIABLE, "") not in ("", LIBRARY):
        return False
    from genial.kernel import library

    try:
        library.load()
    except library.NoLibrary:
        return False
    return True


def may_run() -> bool:
    """True if something will run the kernel, as far as can be told without loading numba."""
    if _given or is_library_there():
        return True
    return os.environ.get(VARIABLE, "") in ("", NUMBA) and find_spec("numba") is not None


@cache
def _look(again: bool) -> Found:
    """Look for an engine; cached separately for the first look and for looking again."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == CORE:
        return Found(None, f"{VARIABLE} asks for the core")
    loaders = {LIBRARY: _library, NUMBA: _numba}
    if wanted and wanted not in loaders:
        return Found(None, f"{VARIABLE} is {wanted!r} instead of library, numba or core")
    problems = []
    for name in [wanted] if wanted else loaders:
        try:
            return Found(loaders[name](), "")
        # Missing, too old for this Python, or broken: whatever it is, the next one or core works.
        except Exception as error:
            problems.append(str(error).rstrip("."))
    return Found(None, ". ".join([*problems, _ADVICE]))


def is_coming() -> bool:
    """True if the library is being compiled right now and will be used: there is no need to act."""
    from genial.kernel import library

    return library.is_coming() and os.environ.get(VARIABLE, "") in ("", LIBRARY)


def engine() -> Engine:
    """The engine; raises RuntimeError if there is none, so check `kernel.available` first."""
    found = find()
    if found.engine is None:
        raise RuntimeError(found.reason)
    return found.engine


def _library() -> Engine:
    from genial.kernel import library

    return library.load()


def _numba() -> Engine:
    from genial.kernel.source import called

    return called.load()
