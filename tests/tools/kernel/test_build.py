"""The whole way from the source to the built files."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from tests.tools.kernel.test_lower import JOINED
from tools.kernel.build import build
from tools.kernel.lower import assembly
from tools.kernel.source import unoptimised
from tools.kernel.targets import TARGETS

from genial.kernel import library

pytest.importorskip("ziglang", reason="the linker is missing: install requirements/kernel.txt")


@pytest.mark.slow
def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    """As another process built them in another folder, without a path or a time of the build."""
    if not (library.FOLDER / "genial.wasm").exists():
        pytest.skip("nothing to compare with: `make kernel` makes it")
    said: list[str] = []
    made = build([TARGETS["wasm"], TARGETS["windows-x86-64-v2"]], tmp_path, said.append)
    assert [path.name for path in made] == ["genial.wasm", "genial-x86-64-v2.dll", "genial.h"]
    for path in (made[0], made[2]):
        assert path.read_bytes() == (library.FOLDER / path.name).read_bytes()
    assert said[-1].startswith("2 of 2: genial")
    for path in made:
        assert not re.search(rb"numba|/tmp|site-packages", path.read_bytes())
    # The header of a Windows library has a field for the time of linking.
    head = made[1].read_bytes()
    begins = int.from_bytes(head[0x3C:0x40], "little")
    linked = int.from_bytes(head[begins + 8 : begins + 12], "little")
    assert abs(linked - time.time()) > 24 * 60 * 60


@pytest.mark.slow
def test_the_kernel_has_no_fused_multiply_adds() -> None:
    text = unoptimised()
    assert "define internal" in text
    assert not re.search(r"<\d+ x i\d+>", text), "the source is as it was written: without vectors"
    for name in ("linux-x86-64-v3", "linux-arm64"):
        assert not JOINED.search(assembly(text, TARGETS[name]))
