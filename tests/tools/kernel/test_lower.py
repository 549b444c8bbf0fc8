"""Code is optimised for its target, and always computes exactly what its source says."""

from __future__ import annotations

import re

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import pytest
from tests.tools.kernel.toy import toy
from tools.kernel.lower import assembly, lower, machine_for
from tools.kernel.targets import TARGETS, Form, Target

LINKED = [target for target in TARGETS.values() if target.form is not Form.PTX]

JOINED = re.compile(r"\bv?fn?m(?:add|sub|la|ls)\w*\b")
"""A fused multiply and add, or subtract, of x86-64 and of arm64."""

PRODUCT_AND_SUM = """
  %at = getelementptr double, ptr %settings, i64 1
  %a = load double, ptr %settings
  %b = load double, ptr %at
  %product = fmul{0} double %a, %b
  %sum = fadd{0} double %product, %a
  store double %sum, ptr %at
  ret i64 0"""


@pytest.mark.parametrize("target", LINKED, ids=lambda target: target.name)
def test_a_product_and_a_sum_stay_two_instructions(target: Target) -> None:
    text = assembly(toy(choice_size=PRODUCT_AND_SUM.format("")), target)
    assert re.search(r"mulsd|fmul|f64\.mul", text)
    assert not JOINED.search(text)


def test_fused_instructions_would_be_found() -> None:
    """The test above looks for what LLVM writes when it may fuse them."""
    text = toy(choice_size=PRODUCT_AND_SUM.format(" fast"))
    for name in ("linux-x86-64-v3", "linux-arm64"):
        allowed = text.replace(" fast", " reassoc")
        with pytest.raises(ValueError, match="would not compute exactly: = fmul reassoc"):
            lower(allowed, TARGETS[name])
    assert JOINED.search("\tvfmadd213sd\t%xmm0, %xmm1, %xmm2")
    assert JOINED.search("\tfmadd\td0, d0, d1, d0")


def test_a_call_that_fuses_both_is_refused() -> None:
    body = "  %x = call double @llvm.fmuladd.f64(double 1.0, double 2.0, double 3.0)\n  ret i64 0"
    text = toy(choice_size=body) + "declare double @llvm.fmuladd.f64(double, double, double)\n"
    with pytest.raises(ValueError, match="fmuladd"):
        lower(text, TARGETS["linux-arm64"])


LOOP = """
entry:
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i8, ptr @one, i64 %n
{}
  %next = add i64 %n, 1
  %more = icmp ult i64 %next, 4096
  br i1 %more, label %loop, label %done
done:
  ret void"""
FILLS = "  store i8 0, ptr %to"
COPIES = """  %from = getelementptr i8, ptr @other, i64 %n
  %byte = load i8, ptr %from
  store i8 %byte, ptr %to"""
PLACES = "@one = global [4096 x i8] zeroinitializer\n@other = global [4096 x i8] zeroinitializer\n"

CALLED = re.compile(r"\b_?mem(?:set|cpy|move)\b")
"""What fills and copies in a C library."""


@pytest.mark.parametrize("target", LINKED, ids=lambda target: target.name)
@pytest.mark.parametrize("body", [FILLS, COPIES], ids=["fills", "copies"])
def test_loops_that_fill_or_copy_call_no_library_function(body: str, target: Target) -> None:
    """Neither memset nor memcpy is there, so LLVM must not make calls of such loops."""
    assert not CALLED.search(assembly(PLACES + toy(clear=LOOP.format(body)), target))


@pytest.mark.parametrize("body", [FILLS, COPIES], ids=["fills", "copies"])
def test_such_calls_would_be_found(body: str) -> None:
    """Where a C library is there, LLVM does make calls of these loops."""
    target = TARGETS["linux-x86-64-v3"]
    machine = machine_for(target)
    module = llvm.parse_assembly(f'target triple = "{target.triple}"\n{PLACES}{toy(clear=LOOP.format(body))}')
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    assert CALLED.search(str(machine.emit_assembly(module)))
