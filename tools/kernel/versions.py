"""Which compiler and linker may be used: those of requirements/kernel.txt and no others.

The same source gives the same bytes only with the same tools; and `source.py` uses numba's internals, which
may be different in another version.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LOCK = Path(__file__).parents[2] / "requirements" / "kernel.txt"
TOOLS = ("numba", "llvmlite", "ziglang")


class WrongVersion(Exception):
    """A tool that is missing or differs from the lock file's, as a sentence."""


def check(lock: Path = LOCK) -> None:
    """Raise `WrongVersion` unless every tool is the one named in the lock file."""
    wanted = dict(re.findall(r"^(\w+)==([^\s;]+)", lock.read_text(encoding="utf-8"), re.M))
    for tool in TOOLS:
        if (found := _installed(tool)) != wanted[tool]:
            raise WrongVersion(
                f"The kernel is compiled with {tool} {wanted[tool]} alone, and here is {found or 'none'}."
                " Run: make kernel"
            )


def _installed(tool: str) -> str | None:
    try:
        return version(tool)
    except PackageNotFoundError:
        return None
