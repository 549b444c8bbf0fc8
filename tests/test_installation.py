"""Installed with nothing but Python: the app has its client and its kernel, and plays at full strength."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest
from hatch_build import ANY, KERNEL, PLATFORMS, UNTESTED, native
from tests.compiled import kernels_of
from tests.once import once
from tools.installed import Environment
from tools.kernel.targets import TARGETS
from tools.wheels import wheels

ROOT = Path(__file__).parents[1]
INDEX = "genial/server/client/index.html"
SAYS = (f"{KERNEL}/UNTESTED.txt", ".dist-info/sboms/genial.cdx.json")
"""Where a wheel says that it has not been run."""
MEGABYTES = 80
"""The most an installation may take, with everything that playing needs."""
COMPILERS = ["llvmlite", "numba", "numpy", "ziglang"]

CHOICE = """
import json, sys
from importlib.util import find_spec
from random import Random
import genial
from genial import kernel
from genial.bots import bot_named
from genial.bots.bot import Budget

view = genial.new("classic", seats=2, seed=7).view({0})
action = bot_named("level-6").choose(view, Random(1), Budget(nodes=64))
compilers = [name for name in sys.argv[1:] if find_spec(name) or name in sys.modules]
print(json.dumps({"action": str(action), "engine": kernel.available().engine, "compilers": compilers}))
"""
"""Prints a move of level 6, the engine that found it, and any compilers that are installed."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def platform() -> str:
    """This machine's platform; skips if there is no kernel for it."""
    found = native()
    if found is None:
        pytest.skip("there is no compiled kernel for this machine")
    return found


@pytest.fixture(scope="module")
def kernels(platform: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kernels_of(platform, tmp_path_factory)


@pytest.fixture(scope="module")
def made(platform: str, kernels: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist, the wheel for this platform and the one for any."""

    def make(folder: Path) -> None:
        wheels([platform, ANY], kernels, folder)

    folder = once(tmp_path_factory, "dist", make)
    ends = {"sdist": "*.tar.gz", platform: f"*-{platform}.whl", ANY: f"*-{ANY}.whl"}
    return {name: next(folder.glob(end)) for name, end in ends.items()}


@pytest.fixture
def empty(tmp_path: Path) -> Environment:
    """A fresh virtual environment; skips where no package index answers."""
    here = Environment(tmp_path / "empty")
    asked = here.command("pip", "download", "--quiet", "--no-deps", "hatchling", "-d", tmp_path / "asked")
    if subprocess.run(asked, env=here.variables, capture_output=True, check=False).returncode:
        pytest.skip("no package index answers here, and pip needs one")
    return here


def run(here: Environment, *command: str, cwd: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env=here.variables | more, capture_output=True, text=True, check=False
    )


def done(here: Environment, *command: str, cwd: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    ended = run(here, *command, cwd=cwd, **more)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended


def test_each_wheel_names_its_platform(made: dict[str, Path], platform: str) -> None:
    for tag in (platform, ANY):
        assert made[tag].name.endswith(f"-py3-none-{tag}.whl")
        with zipfile.ZipFile(made[tag]) as wheel:
            (about,) = (name for name in wheel.namelist() if name.endswith(".dist-info/WHEEL"))
            lines = wheel.read(about).decode().splitlines()
        assert [line for line in lines if line.startswith("Tag: ")] == [f"Tag: py3-none-{tag}"]
        assert f"Root-Is-Purelib: {'true' if tag == ANY else 'false'}" in lines


def test_each_wheel_has_the_client_its_kernels_and_a_list_of_its_parts(
    made: dict[str, Path], platform: str
) -> None:
    for tag in (platform, ANY):
        with zipfile.ZipFile(made[tag]) as wheel:
            names = wheel.namelist()
            (parts,) = (name for name in names if name.endswith(".dist-info/sboms/genial.cdx.json"))
            listed = {part["name"] for part in json.loads(wheel.read(parts))["components"]}
        assert INDEX in names
        kernels = {f"{KERNEL}/{TARGETS[name].file}" for name in PLATFORMS[tag] if name != "ptx"}
        assert {name for name in names if name.startswith(f"{KERNEL}/")} == kernels
        assert f"{KERNEL}/genial.wasm" in kernels <= listed
        assert "svelte" in listed


def test_a_wheel_for_machines_that_we_lack_says_that_it_is_untested(
    made: dict[str, Path], platform: str, kernels: Path, tmp_path: Path
) -> None:
    assert {platform, ANY}.isdisjoint(UNTESTED)
    assert {platform, ANY, *UNTESTED} == {*PLATFORMS}
    foreign, libraries = "macosx_11_0_arm64", tmp_path / "libraries"
    shutil.copytree(kernels, libraries)
    (libraries / TARGETS["macos-arm64"].file).write_bytes(b"stands for what Zig would link")
    wheels([foreign], libraries, tmp_path)
    for path, is_foreign in ((made[platform], False), (next(tmp_path.glob(f"*{foreign}.whl")), True)):
        with zipfile.ZipFile(path) as wheel:
            told = {name: wheel.read(name).decode() for name in wheel.namelist() if name.endswith(SAYS)}
        assert [UNTESTED[foreign] in text for text in told.values()] == [is_foreign] * (1 + is_foreign)


def test_the_same_tree_gives_the_same_bytes(
    made: dict[str, Path], platform: str, kernels: Path, tmp_path: Path
) -> None:
    again = wheels([platform], kernels, tmp_path)
    assert [path.read_bytes() for path in again] == [made[name].read_bytes() for name in ("sdist", platform)]


def test_a_platforms_wheel_plays_at_full_strength(
    made: dict[str, Path], platform: str, empty: Environment
) -> None:
    empty.install(made[platform])
    assert empty.size() < MEGABYTES * 1e6
    ended = done(empty, *empty.command("python", "-c", CHOICE, *COMPILERS))
    assert ended.stderr == ""
    here = json.loads(ended.stdout)
    assert (here["engine"], here["compilers"]) == ("library", [])
    command = [sys.executable, "-c", CHOICE]
    source = subprocess.run(
        command, env=os.environ | {"GENIAL_KERNEL": "numba"}, capture_output=True, text=True, check=True
    )
    assert json.loads(source.stdout) == {**here, "engine": "numba"}


def test_the_wheel_for_any_platform_plays_on_core_and_says_so_once(
    made: dict[str, Path], empty: Environment
) -> None:
    empty.install(made[ANY])
    ended = done(empty, *empty.command("python", "-c", CHOICE, *COMPILERS))
    assert (json.loads(ended.stdout)["engine"], json.loads(ended.stdout)["compilers"]) == ("core", [])
    assert ended.stderr.count("this runs on the slower core") == 1


def test_packages_from_git_and_from_an_sdist_have_the_client(
    made: dict[str, Path], empty: Environment, tmp_path: Path
) -> None:
    for n, source in enumerate((f"git+file://{ROOT}", str(made["sdist"]))):
        command = empty.command("pip", "wheel", "-v", "--no-deps", "-w", tmp_path / str(n), source)
        ended = done(empty, *command, cwd=tmp_path)
        (wheel,) = (tmp_path / str(n)).glob("*-py3-none-any.whl")
        assert INDEX in zipfile.ZipFile(wheel).namelist()
        assert "This wheel has no compiled kernel" in ended.stdout + ended.stderr

    empty.install(wheel)
    with empty.running("serve", "--port", "0", "--db", str(tmp_path / "games.db")) as said:
        words = (word for line in said for word in line.split())
        with urllib.request.urlopen(next(word for word in words if word.startswith("http"))) as page:
            assert "/assets/" in page.read().decode()


def test_a_build_without_node_is_an_error(empty: Environment, tmp_path: Path) -> None:
    empty.install("hatchling")
    command = empty.command("python", "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    ended = run(empty, *command)
    assert ended.returncode
    assert "Node is missing" in ended.stderr


def test_a_requested_kernel_that_is_unavailable_is_an_error(
    made: dict[str, Path], empty: Environment, tmp_path: Path
) -> None:
    empty.install("hatchling")
    done(empty, "tar", "-xf", str(made["sdist"]), "-C", str(tmp_path))
    (source,) = tmp_path.glob("genial-*")
    command = empty.command("python", "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    for asked in ("win_amd64", "amiga"):
        ended = run(empty, *command, cwd=source, GENIAL_PLATFORM=asked)
        assert ended.returncode
        assert f"No kernel for GENIAL_PLATFORM={asked}" in ended.stderr
