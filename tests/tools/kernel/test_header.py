"""The C header is valid C and C++, and says what each entry does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tools.kernel.header import NAME, header

from genial.kernel import library
from genial.kernel.entries import BUDGET, DUTIES, ENTRIES


def test_every_entry_is_declared_and_explained() -> None:
    lines = header().splitlines()
    for entry in ENTRIES:
        (at,) = [n for n, line in enumerate(lines) if f" genial_{entry.name}(" in line]
        assert lines[at - 1].endswith(" */")
        assert lines[at].count("*") + lines[at].count("int64_t ") + lines[at].count("double ") >= len(
            entry.parameters
        )
    assert f"#define GENIAL_VERSION INT64_C({library.version()})" in lines
    assert f"#define GENIAL_BUDGET INT64_C({BUDGET})" in lines


def test_the_callers_duties_are_stated() -> None:
    said = " ".join(header().split())
    assert " ".join(DUTIES.split()) in said
    for duty in ("8-byte boundaries", "do not overlap", "one thread", "width is 1 at least"):
        assert duty in said


@pytest.mark.parametrize(("compiler", "file"), [("cc", "user.c"), ("c++", "user.cc")])
def test_the_header_compiles(compiler: str, file: str, tmp_path: Path) -> None:
    pytest.importorskip("ziglang", reason="the compiler is missing: install requirements/kernel.txt")
    (tmp_path / NAME).write_text(header(), encoding="utf-8")
    user = f'#include "{NAME}"\nint64_t f(void) {{ return genial_version() == GENIAL_VERSION; }}\n'
    (tmp_path / file).write_text(user, encoding="utf-8")
    strict = ["-c", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    command = [sys.executable, "-m", "ziglang", compiler, *strict, file]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
