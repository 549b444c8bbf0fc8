"""docs/architecture.md names every module of the server, room by room, with its docstring's first line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "src" / "genial" / "server"
CATALOGUES = ("messages", "words")
"""Packages with a module for each language, listed as a whole."""

_ROW = re.compile(r"^\| `([\w/.]+)` \| (.+) \|$", re.MULTILINE)


def modules() -> Iterator[tuple[str, Path]]:
    """Every module, and the packages below the rooms, by their names in the document."""
    for path in SERVER.rglob("*.py"):
        name, folder = path.relative_to(SERVER).as_posix(), path.parent
        if path.stem != "__init__" and folder.name not in CATALOGUES:
            yield name, path
        elif path.stem == "__init__" and (folder.parent.parent == SERVER or folder.name in CATALOGUES):
            yield name.removesuffix("__init__.py"), path


def first_line(module: Path) -> str:
    return (ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def test_every_module_is_listed_in_the_document() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("\n### Its rooms, module by module\n")[2].partition("\n## ")[0]
    assert dict(_ROW.findall(section)) == {name: first_line(path) for name, path in modules()}
