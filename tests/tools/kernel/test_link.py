"""A library has every entry, depends on nothing, and has the same bytes wherever it is linked."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tools.kernel.toy import toy
from tools.kernel.link import EXPORTS, check, link
from tools.kernel.lower import lower
from tools.kernel.symbols import is_signed, symbols
from tools.kernel.targets import TARGETS, Form, Target

pytest.importorskip("ziglang", reason="the linker is missing: install requirements/kernel.txt")

LINKED = [target for target in TARGETS.values() if target.form is not Form.PTX]
each_target = pytest.mark.parametrize("target", LINKED, ids=lambda target: target.name)


def linked(target: Target, folder: Path, text: str = "") -> bytes:
    folder.mkdir(exist_ok=True)
    link(lower(text or toy(), target), target, folder / target.file)
    return (folder / target.file).read_bytes()


@each_target
def test_a_library_exports_every_entry(target: Target, tmp_path: Path) -> None:
    assert symbols(linked(target, tmp_path), target.form).exports >= set(EXPORTS)


@each_target
def test_the_same_code_gives_the_same_bytes(target: Target, tmp_path: Path) -> None:
    one, other = linked(target, tmp_path / "one"), linked(target, tmp_path / "other")
    assert one == other
    assert str(tmp_path).encode() not in one


@each_target
def test_a_missing_symbol_is_named(target: Target, tmp_path: Path) -> None:
    text = toy(clear="  call void @somebody()\n  ret void") + "declare void @somebody()\n"
    with pytest.raises((RuntimeError, ValueError), match="somebody"):
        linked(target, tmp_path, text)
    assert not list(tmp_path.iterdir())


def test_an_extra_symbol_is_named(tmp_path: Path) -> None:
    target = TARGETS["linux-x86-64-v3"]
    with pytest.raises(ValueError, match="the kernel's entries alone: genial_more"):
        linked(target, tmp_path, toy() + "define void @genial_more() {\n  ret void\n}\n")


def test_a_macos_library_must_be_signed(tmp_path: Path) -> None:
    target = TARGETS["macos-arm64"]
    whole = linked(target, tmp_path)
    assert is_signed(whole)
    unsigned = whole.replace(b"\x1d\0\0\0\x10\0\0\0", b"\x1e\0\0\0\x10\0\0\0", 1)
    with pytest.raises(ValueError, match="no signature"):
        check(unsigned, target)
