"""What a page needs to run tables itself: complete, the same every time, and from this package."""

from __future__ import annotations

import ast
import asyncio
import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

import genial
from genial.core.titles import TITLES
from genial.kernel import library
from genial.server.operate.engine import NoEngine, answers, engine, python_archive
from genial.server.page import parts

ROOT = Path(__file__).parents[3]

BUILT = {"engine/parts.json": b'{"machine": {"path": "machine-1.bin", "bytes": 7}, "info": {}}'}


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    if not (library.FOLDER / "genial.wasm").exists():
        pytest.skip("the kernel for browsers is not compiled: `make kernel` compiles it")
    return engine(BUILT)


def test_the_list_names_every_file_with_its_size(made: dict[str, bytes]) -> None:
    listed = json.loads(made["engine/engine.json"])
    assert set(listed) == {"machine", "genial", "kernel", "info"}
    for name in ("genial", "kernel"):
        assert len(made[f"engine/{listed[name]['path']}"]) == listed[name]["bytes"]
    assert int(listed["kernel"]["version"]) == library.version()


def test_the_python_in_a_page_is_the_packages_own(made: dict[str, bytes]) -> None:
    listed = json.loads(made["engine/engine.json"])
    package = Path(genial.__file__).parent
    with ZipFile(io.BytesIO(gzip.decompress(made[f"engine/{listed['genial']['path']}"]))) as archive:
        for name in archive.namelist():
            assert archive.read(name) == (package.parent / name).read_bytes(), name
        names = set(archive.namelist())
    assert {
        "genial/core/referee.py",
        "genial/server/tables/hub.py",
    } <= names
    # A bot plays in a page as it does elsewhere, so no weights are missing there.
    weights = {path.relative_to(package.parent).as_posix() for path in package.glob("kernel/weights/*/*.f32")}
    assert weights
    assert weights <= names
    assert not [name for name in names if "/http/" in name or "/terminal/" in name]


def test_the_pages_standard_library_has_everything_its_python_imports() -> None:
    """The build leaves modules out (web/tools/engine.mjs), but none that is named anywhere in a page."""
    tool = (ROOT / "web" / "tools" / "engine.mjs").read_text(encoding="utf-8")
    listed = re.search(r"const WITHOUT = \[(.*?)\];", tool, re.DOTALL)
    assert listed is not None
    left_out = set(re.findall(r'"(\w+)"', listed[1]))
    assert "xmlrpc" in left_out
    for name, path in parts.sources():
        if path.suffix == ".py":
            assert not left_out & set(_imported(path)), name


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_the_same_package_gives_the_same_bytes() -> None:
    assert python_archive() == python_archive()


def test_a_missing_part_names_the_command_that_builds_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(NoEngine, match="make web"):
        engine({"index.html": b""})
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    with pytest.raises(NoEngine, match="make kernel"):
        engine(BUILT)


def test_the_first_answers_hold_what_everybody_gets() -> None:
    told: dict[str, Any] = msgspec.to_builtins(asyncio.run(answers()))
    assert [each["variant"] for each in told["GET /api/variants"]["variants"]] == list(TITLES)
    assert told["POST /api/hello"]["can"] == ["keeps-here"]
    assert {bot["name"] for bot in told["GET /api/bots"]["bots"]} >= {f"level-{n}" for n in range(1, 7)}
    assert all(told[f"GET /api/messages/{code}"]["messages"] for code in ("en", "de", "nl"))
    assert told["GET /api/boards/classic/4"]["cells"]
