"""The card's code can be built completely on a machine without a card."""

from __future__ import annotations

import re

import pytest
from tools.kernel import ptx

from genial.kernel.gpu.kernels import KERNELS, Kernel, Layout
from genial.kernel.gpu.text import kernel_text, made_of, names, version
from genial.kernel.tables import tables


def test_single_numbers_of_the_rules_are_read_from_constant_memory() -> None:
    function = """define void @play(ptr %rules) {
  %1 = getelementptr inbounds i8, ptr %rules, i64 6
  %2 = load i16, ptr %1, align 2
  %3 = load i16, ptr %rules, align 2
  %4 = getelementptr i8, ptr %rules, i64 4000
  %5 = load i16, ptr %4, align 2
}
"""
    text = ptx.numbered(function)
    assert "%2 = load i16, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @numbers, i64 6)" in text
    assert "%3 = load i16, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @numbers, i64 0)" in text
    assert "%5 = load i16, ptr %4" in text


def test_a_function_that_the_code_lacks_is_an_error() -> None:
    assert ptx.complete(".version 8.0\n") == ".version 8.0\n"
    with pytest.raises(RuntimeError, match=r"lacks.*memset"):
        ptx.complete(".version 8.0\n.extern .func memset\n")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_each_thread_works_on_its_own_rows(kernel: Kernel) -> None:
    text = ptx.wrapper(kernel)
    assert f"define ptx_kernel void @{kernel.name}(" in text
    assert ("@scratch" in text) == (kernel.layout is Layout.SHARED or bool(kernel.staged))
    assert text.count("@llvm.nvvm.barrier0()") == (2 if kernel.staged else 0)
    assert ("alloca" in text) == (kernel.layout is Layout.LOCAL)


@pytest.mark.slow
def test_all_kernels_are_generated() -> None:
    text = ptx.ptx()
    assert made_of(text) == version()
    assert sorted(names(text)) == sorted(kernel.name for kernel in KERNELS)
    assert not re.findall(r"\b(?:add|sub|mul|div|fma)\.f(?:32|64)|\bfma\.|\.approx", text), (
        "rounded otherwise"
    )
    for variant in ("classic", "3d", "cards"):
        numbers = bytes(memoryview(tables(variant, 2).rules).cast("B"))
        for kernel in KERNELS:
            assert "numbers" not in kernel_text(text, kernel.name, numbers)
