"""The rules stand alone: core imports only itself and the pure parts of the standard library."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src"
CORE_FILES = sorted((SRC / "genial" / "core").rglob("*.py"))

# Files, network, processes, clocks, logs and chance reach core from outside, as arguments.
IMPURE = {
    *("asyncio", "concurrent", "multiprocessing", "subprocess", "threading"),
    *("fileinput", "glob", "io", "os", "pathlib", "shutil", "sqlite3", "tempfile"),
    *("http", "select", "selectors", "socket", "ssl", "urllib"),
    *("calendar", "datetime", "logging", "sched", "time", "warnings"),
    *("random", "secrets", "uuid"),
}
IMPURE_CALLS = {"input", "open", "print"}


def imported_modules(tree: ast.AST, package: str) -> Iterator[str]:
    """The full names of the modules that a file of this package imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: -(node.level - 1) or None] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            # `from genial import core` names a module too.
            yield from (f"{base}.{alias.name}" for alias in node.names) if base == "genial" else [base]


def breaches(source: str, package: str) -> list[str]:
    """What a file of core does although it may not."""
    tree = ast.parse(source)
    found = []
    for name in imported_modules(tree, package):
        top = name.partition(".")[0]
        if top in IMPURE:
            found.append(f"imports {name}, which is not pure")
        elif top not in sys.stdlib_module_names and not f"{name}.".startswith("genial.core."):
            found.append(f"imports {name}, which is neither the standard library's nor core's")
    found += [
        f"calls {node.func.id}() in line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    return found


def test_core_has_files() -> None:
    assert CORE_FILES


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda path: str(path.relative_to(SRC)))
def test_core_is_pure(path: Path) -> None:
    package = ".".join(path.relative_to(SRC).parent.parts)
    assert breaches(path.read_text(encoding="utf-8"), package) == []


@pytest.mark.parametrize(
    "source",
    [
        "import numpy",
        "import collections.abc, os.path",
        "from random import Random",
        "from genial import bots",
        "from genial.bots import greedy",
        "import genial",
        "from .. import bots",
        "from ..bots import greedy",
        "def f():\n    import time",
        "print(1)",
    ],
)
def test_a_breach_is_found(source: str) -> None:
    assert len(breaches(source, "genial.core")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from dataclasses import dataclass",
        "import hashlib, json",
        "from genial import core",
        "import genial.core.hexes",
        "from genial.core.hexes import Cell",
        "from . import hexes",
        "from .hexes import Cell",
        "from ..core import hexes",
    ],
)
def test_pure_code_is_not_a_breach(source: str) -> None:
    assert breaches(source, "genial.core") == []


def test_tables_and_calls_load_neither_a_web_server_nor_a_database() -> None:
    """A page without a server runs them. The linter checks single imports, and this the result."""
    code = (
        "import sys, pkgutil, importlib\n"
        "for name in ('tables', 'calls', 'study', 'lessons'):\n"
        "    package = importlib.import_module(f'genial.server.{name}')\n"
        "    for found in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(found.name)\n"
        "print(sorted({'starlette', 'uvicorn', 'sqlite3', 'asyncpg', 'multiprocessing'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
