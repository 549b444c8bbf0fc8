"""Custom editions: files named in GENIAL_EDITIONS, read when Genial starts, in each of its processes."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from genial.core.errors import SetupError
from genial.core.titles import register

_COMMANDS = ("genial", "-m")
"""The stem of `sys.argv[0]` for `genial` and `python -m genial` while Python loads this package."""


def load_named() -> None:
    """Register the editions named in GENIAL_EDITIONS.

    If a file is wrong, a command ends here with one line; code that imports Genial gets the error itself.
    """
    try:
        load_editions(os.environ.get("GENIAL_EDITIONS", ""))
    except SetupError as error:
        if Path(*sys.argv[:1]).stem not in _COMMANDS:
            raise
        print(f"genial: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def load_editions(paths: str) -> None:
    """Register the editions in some files, separated like the folders in PATH.

    Such a file is written like those in `genial.core.titles`: it ends with `EDITIONS`, its titles and what is
    known about each. It is a program and will be run, so name only files that you trust.
    """
    for path in filter(None, paths.split(os.pathsep)):
        _load(Path(path))


def _load(path: Path) -> None:
    name = f"genial_edition_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SetupError("edition-unreadable", path=str(path), why="*.py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # so that its values can be sent to other processes
    try:
        spec.loader.exec_module(module)
        editions = module.EDITIONS
    except Exception as error:  # somebody else's program: anything can be wrong with it
        raise SetupError("edition-unreadable", path=str(path), why=str(error)) from error
    for title, about in editions.items():
        register(title, about)
