"""What runs the kernel: the library without numba and numpy, else numba, else nothing, and who is told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from genial import kernel
from genial.kernel import library
from genial.kernel.engine import CORE, LIBRARY, NUMBA, VARIABLE, is_library_there
from genial.kernel.entries import ENTRIES
from genial.kernel.source import called

_NO_COMPILER = "import sys; sys.modules['numba'] = sys.modules['numpy'] = None\n"
_ASK = "from genial import kernel; print(*kernel.available())"
_STARTED = ["genial", "genial.cli", "genial.terminal", "genial.kernel", "genial.bots.warm"]
_MOVE = """
import genial
from random import Random
from genial.bots import bot_named
from genial.bots.bot import Budget
for variant in ("classic", "3d", "cards"):
    view = genial.new(variant, seats=2, seed=5).view({0})
    advice = bot_named("level-6").advise(view, Random(1), Budget(nodes=200))
    print(advice.candidates[0].action, advice.candidates[0].value, advice.nodes)
"""


def needs_library() -> None:
    try:
        library.load()
    except library.NoLibrary as missing:
        pytest.skip(str(missing))


def run(code: str, **environment: str) -> str:
    told = {name: value for name, value in os.environ.items() if name != VARIABLE} | environment
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=told)
    return done.stdout


@pytest.mark.parametrize("module", _STARTED)
def test_nothing_a_player_starts_loads_a_compiler(module: str) -> None:
    compilers = ("numba", "numpy", "llvmlite")
    found = run(f"import sys, {module}; print([name for name in {compilers} if name in sys.modules])")
    assert found.strip() == "[]"


def test_the_kernel_is_available_here() -> None:
    assert kernel.available()
    assert kernel.available().reason == ""
    assert kernel.available().engine in (LIBRARY, NUMBA)
    assert kernel.fallback_notice() is None


@pytest.mark.slow  # numba compiles
def test_level_6_plays_the_same_moves_without_numba_and_numpy() -> None:
    needs_library()
    found = run(_NO_COMPILER + _MOVE)
    assert len(found.splitlines()) == 3
    assert found == run(_MOVE, **{VARIABLE: NUMBA})


def test_the_environment_variable_chooses_the_engine() -> None:
    assert run(_ASK, **{VARIABLE: NUMBA}) == f"True  {NUMBA}\n"
    assert run(_ASK, **{VARIABLE: CORE}) == f"False {VARIABLE} asks for the core {CORE}\n"
    assert "instead of library, numba or core" in run(_ASK, **{VARIABLE: "fortran"})
    needs_library()
    assert run(_ASK) == run(_ASK, **{VARIABLE: LIBRARY}) == f"True  {LIBRARY}\n"


def test_with_the_library_numba_is_not_imported() -> None:
    needs_library()
    code = "import sys; from genial.bots.warm import is_warm; print(is_warm(), 'numba' in sys.modules)"
    assert run(code) == "True False\n"


def test_a_library_built_in_the_meantime_is_found_without_a_restart(tmp_path: Path) -> None:
    needs_library()
    code = f"""
import shutil
from pathlib import Path
from genial import kernel
from genial.kernel import library

find, folder = library.find, Path({str(tmp_path)!r})
library.find = lambda: find(folder)
print(kernel.available().engine)
shutil.copy(find(), folder)
print(kernel.available().engine)
"""
    assert run(_NO_COMPILER + code).split() == [CORE, LIBRARY]


def test_when_numba_is_chosen_the_library_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, NUMBA)
    assert not is_library_there()


def test_without_numba_the_kernel_says_why_and_what_to_do() -> None:
    told = run(_NO_COMPILER + _ASK, **{VARIABLE: NUMBA})
    assert told.startswith("False ")
    assert "numba" in told
    assert "pip install 'genial[source]'" in told


def test_outside_a_checkout_the_advice_is_for_those_who_installed_it(tmp_path: Path) -> None:
    package = Path(kernel.__file__).parents[1]
    without = shutil.ignore_patterns("client", "library", "__pycache__")
    shutil.copytree(package, tmp_path / "genial", ignore=without)
    program = _NO_COMPILER + "import sys; sys.path.insert(0, sys.argv[1])\n" + _ASK
    told = subprocess.run(
        [sys.executable, "-c", program, tmp_path], check=True, capture_output=True, text=True, cwd=tmp_path
    ).stdout
    assert told.startswith("False ")
    if "no compiled kernel for this machine" not in told:
        assert "Install a wheel" in told
        assert "`GENIAL_PLATFORM=native pip install .`" in told
    assert "pip install 'genial[source]'" in told
    assert "make" not in told.replace("made", "")


def test_whether_the_kernel_may_run_is_known_without_loading_numba() -> None:
    ask = "import sys; from genial.kernel.engine import may_run; print(may_run(), 'numba' in sys.modules)"
    assert run(ask, **{VARIABLE: NUMBA}) == "True False\n"
    assert run(ask, **{VARIABLE: CORE}) == "False False\n"
    assert run(_NO_COMPILER + ask, **{VARIABLE: NUMBA}) == "False True\n"
    needs_library()
    assert run(_NO_COMPILER + ask) == "True True\n"


def test_a_disabled_compiler_does_not_count_as_a_kernel() -> None:
    told = run(_ASK, **{VARIABLE: NUMBA, "NUMBA_DISABLE_JIT": "1"})
    assert told.startswith("False ")
    assert "NUMBA_DISABLE_JIT" in told


def test_falling_back_to_core_is_announced_once() -> None:
    code = "from genial import kernel; print(kernel.fallback_notice()); print(kernel.fallback_notice())"
    first, second = run(code, **{VARIABLE: CORE}).splitlines()
    assert "slower" in first
    assert second == "None"


def test_while_the_kernel_compiles_the_notice_asks_for_nothing(tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
from genial import kernel
from genial.kernel import library

find, folder = library.find, Path({str(tmp_path)!r})
library.find = lambda: find(folder)
library.COMING = folder / "coming"
print(kernel.fallback_notice())
"""
    coming = tmp_path / "coming"
    assert "numba" in run(_NO_COMPILER + code)
    coming.touch()
    told = run(_NO_COMPILER + code)
    assert "is being compiled" in told
    assert "level 3" in told
    assert "numba" not in told
    assert "slower core" in run(_NO_COMPILER + code, **{VARIABLE: CORE})
    an_hour_ago = time.time() - 3600
    os.utime(coming, (an_hour_ago, an_hour_ago))
    assert "numba" in run(_NO_COMPILER + code), "a compiler that was ended with the machine compiles nothing"


def test_make_play_tells_whoever_plays_that_it_compiles() -> None:
    root = Path(__file__).parents[2]
    sign = library.COMING.relative_to(root)
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    assert f"KERNEL_COMING := {sign.as_posix()}\n" in makefile
    (recipe,) = re.findall(r"^kernel-meanwhile:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert "touch $(KERNEL_COMING)" in recipe
    assert "rm -f $(KERNEL_COMING)" in recipe


def test_a_game_without_an_engine_says_why_there_is_none() -> None:
    code = """
from genial import kernel
try:
    kernel.game("classic", 2)
except RuntimeError as error:
    print(error)
"""
    assert run(code, **{VARIABLE: CORE}) == f"{VARIABLE} asks for the core\n"


@pytest.mark.slow  # numba compiles
def test_an_engine_has_every_entry_and_nothing_else() -> None:
    engine = called.load()
    assert all(callable(getattr(engine, entry.name)) for entry in ENTRIES)
    with pytest.raises(AttributeError, match="no entry 'chess'"):
        _ = engine.chess
