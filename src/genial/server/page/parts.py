"""The parts of this package that are in a page: everything that `shell` needs, and nothing else large."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import genial

PARTS = (
    "__init__.py",
    "own_editions.py",
    "core",
    "kernel/__init__.py",
    *(f"kernel/{name}.py" for name in ("api", "convert", "engine", "entries", "lent", "network")),
    *(f"kernel/{name}.py" for name in ("settings", "state", "tables", "totals")),
    *("kernel/weights.py", "kernel/weights", "kernel/worth.py"),
    "bots/__init__.py",
    *(f"bots/{name}.py" for name in ("answer", "bot", "driver", "errors", "eyes", "levels", "one_ply")),
    *(f"bots/{name}.py" for name in ("search", "searcher", "simple", "thinking", "thought")),
    *("bots/worlds.py", "bots/worth.py", "bots/messages"),
    "server/__init__.py",
    *(f"server/{room}" for room in ("calls", "lessons", "messages", "page", "study", "tables")),
)
"""Files and whole folders, by their paths in the package. No web server, database, process or compiler is
among them, and no terminal, drawing or research.
"""
_KINDS = (".py", ".f32")
_FOR_RESEARCH = ("core/symmetry.py",)
"""Files in these folders that no page needs."""


def sources() -> Iterator[tuple[str, Path]]:
    """Every file of a page by its path in the package, always in the same order."""
    package = Path(genial.__file__).parent
    for part in sorted(PARTS):
        found = package / part
        for path in sorted(found.rglob("*")) if found.is_dir() else [found]:
            name = path.relative_to(package).as_posix()
            if path.suffix in _KINDS and name not in _FOR_RESEARCH:
                yield name, path
