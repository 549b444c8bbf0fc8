"""The Python of a page is a part of the package that works on its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

import genial
from genial.server.page.parts import PARTS, sources

MISSING = {
    *("asyncpg", "ctypes", "httpx", "llvmlite", "multiprocessing", "numba"),
    *("numpy", "segno", "sqlite3", "starlette", "uvicorn", "websockets"),
}
"""What a page doesn't have, or would have to fetch."""
ROOT = Path(genial.__file__).parent
PLAY = """
import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from pathlib import Path

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
import asyncio

from genial.server.page import parts

for name, _ in parts.sources():
    if name.endswith(".py"):
        import_module(("genial/" + name).removesuffix(".py").removesuffix("/__init__").replace("/", "."))

import genial
from genial.bots import BOTS, bot_named, play_out
from genial.kernel.weights import weights_of

position = genial.new("cards", seats=2, seed=7)
print(play_out(position, [bot_named("level-3")] * 2, __import__("random").Random(1)).result.reason)
print(genial.__file__, len(BOTS), weights_of("classic", 2) is not None)
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the archive reports when run without the rest of the package."""
    folder = tmp_path_factory.mktemp("page")
    with ZipFile(folder / "genial.zip", "w") as archive:
        for name, path in sources():
            archive.write(path, f"genial/{name}")
    with ZipFile(folder / "genial.zip") as archive:
        archive.extractall(folder / "unpacked")
    code = f"import sys; MISSING = {MISSING!r}; sys.path[:0] = ARGS\n" + PLAY
    code = code.replace("ARGS", repr([str(folder / "unpacked"), str(Path(msgspec.__file__).parents[1])]))
    # -I: neither the environment nor an editable installation provides the rest of the package.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_page_plays_with_its_parts_alone(alone: list[str]) -> None:
    assert alone[0] == "goal"
    assert "unpacked" in alone[1]
    assert alone[1].endswith("9 True")


def test_every_part_is_there() -> None:
    names = [name for name, _ in sources()]
    assert len(names) == len(set(names))
    for part in PARTS:
        assert any(name == part or name.startswith(f"{part}/") for name in names), part


def test_the_parts_are_small_and_hold_nothing_unneeded() -> None:
    # Trained weights have their own limit (tests/kernel/test_weights.py).
    assert sum(path.stat().st_size for _, path in sources() if path.suffix == ".py") < 950_000
    assert not any(
        name.startswith(("arena", "drawing", "terminal", "kernel/source")) for name, _ in sources()
    )


def test_the_shell_imports_every_shipped_module_and_no_other() -> None:
    """A page's workers need all of it: nothing is shipped that nobody uses."""
    code = (
        "import json, sys, genial.server.page.parts, genial.server.page.shell\n"
        "print(json.dumps([name for name in sys.modules if name.split('.')[0] == 'genial']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    reached = set(json.loads(done.stdout))
    shipped = {
        f"genial/{name}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name, _ in sources()
        if name.endswith(".py")
    }
    assert reached <= shipped
    # Words are loaded when somebody speaks the language.
    left = {name for name in shipped - reached if ".messages." not in name and ".words." not in name}
    assert left == set()
