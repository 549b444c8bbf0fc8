"""A cold start that nobody notices: no import before it is needed, a cache, and a way on without numba."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from genial import kernel
from genial.cli import main


def run(code: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment or None
    ).stdout


@pytest.mark.parametrize("module", ["genial", "genial.cli", "genial.terminal", "genial.kernel"])
def test_nothing_a_player_starts_imports_numba(module: str) -> None:
    found = run(
        f"import sys, {module}; print([m for m in ('numba', 'numpy', 'llvmlite') if m in sys.modules])"
    )
    assert found.strip() == "[]"


def test_without_numba_the_kernel_says_why() -> None:
    code = "import sys; sys.modules['numba'] = None\nfrom genial import kernel; print(*kernel.available())"
    usable, reason = run(code).split(maxsplit=1)
    assert usable == "False"
    assert "numba" in reason
    assert "genial[fast]" in reason


def test_a_compiler_that_is_switched_off_is_no_kernel() -> None:
    code = (
        "import os; os.environ['NUMBA_DISABLE_JIT'] = '1'\n"
        "from genial import kernel; print(*kernel.available())"
    )
    assert run(code).startswith("False")


def test_the_way_back_to_core_is_told_once() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from genial import kernel; print(kernel.fallback_notice()); print(kernel.fallback_notice())"
    )
    first, second = run(code).splitlines()
    assert "slower" in first
    assert second == "None"


def test_available_here() -> None:
    assert kernel.available()
    assert kernel.available().reason == ""
    assert kernel.fallback_notice() is None


def test_warmup_compiles_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["usable"] is True


def test_without_numba_warmup_fails_and_says_why() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from genial.cli import main; sys.exit(main(['warmup', '--json']))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert json.loads(done.stdout)["usable"] is False


def test_the_steps_of_the_warmup_are_counted_rightly() -> None:
    from genial.kernel.warmup import STEPS, steps

    assert len(list(steps())) == STEPS
