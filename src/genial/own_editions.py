"""Editions of your own: files that GENIAL_EDITIONS names, read when Genial starts, in every process of it."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from genial.core.errors import SetupError
from genial.core.titles import register

_COMMANDS = ("genial", "-m")
"""How Python calls `genial` and `python -m genial` while it loads this package."""


def load_named() -> None:
    """Register the editions that GENIAL_EDITIONS names.

    A command ends here with one line if a file is wrong; whoever imports Genial gets the error itself.
    """
    try:
        load_editions(os.environ.get("GENIAL_EDITIONS", ""))
    except SetupError as error:
        if Path(*sys.argv[:1]).stem not in _COMMANDS:
            raise
        print(f"genial: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def load_editions(paths: str) -> None:
    """Register the editions of some files, separated as the folders in PATH are.

    Such a file is written like those in `genial.core.titles`: it ends with `EDITIONS`, its titles and what is
    known about each. It is a program, and it is run: name only files that you trust.
    """
    for path in filter(None, paths.split(os.pathsep)):
        _load(Path(path))


def _load(path: Path) -> None:
    name = f"genial_edition_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SetupError("edition-unreadable", path=str(path), why="*.py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # so that values of its own kinds can go to other processes
    try:
        spec.loader.exec_module(module)
        editions = module.EDITIONS
    except Exception as error:  # a program of somebody else's: anything can be wrong with it
        raise SetupError("edition-unreadable", path=str(path), why=str(error)) from error
    for title, about in editions.items():
        register(title, about)
