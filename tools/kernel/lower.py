"""From IR to a target's machine code: optimised, but exact.

No instruction may round differently than the source says. LLVM merges a product and a sum into one
instruction, or reorders sums, only if the IR allows it; so IR that does is refused.
"""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from tools.kernel.targets import Form, Target

_LAX = re.compile(
    r"= (?:tail )?(?:fadd|fsub|fmul|fdiv|frem|fneg|fcmp|select|phi|call)"
    r" (?:(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )+|@llvm\.(?:fmuladd|fma)\."
)
"""What lets LLVM compute with other rounding than IEEE's: fast-math, and fused products and sums."""

_WINDOWS_ENTRY = "define i32 @DllMainCRTStartup(ptr %library, i32 %why, ptr %reserved) {\n  ret i32 1\n}\n"
"""What Windows calls when it loads a library. There is nothing to set up."""


def lower(text: str, target: Target) -> bytes:
    """The IR optimised for a target, as an object file."""
    machine = machine_for(target)
    return bytes(machine.emit_object(_optimised(text, target, machine)))


def assembly(text: str, target: Target) -> str:
    """The same as text, for reading."""
    machine = machine_for(target)
    return str(machine.emit_assembly(_optimised(text, target, machine)))


def machine_for(target: Target) -> Any:
    """LLVM's code generator for a target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc="static" if target.form is Form.WASM else "pic",
        codemodel="default",
    )


def _optimised(text: str, target: Target, machine: Any) -> Any:
    if lax := _LAX.search(text):
        raise ValueError(f"The kernel's code would not compute exactly: {lax.group().strip()}")
    module = llvm.parse_assembly(_for_target(text, target, machine))
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    # A board has too few rows for several vectors at once: greedy 3D gains a fifth, all else is as fast.
    tuning.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    return module


def _for_target(text: str, target: Target, machine: Any) -> str:
    """The same module for a triple; on Windows with the library's exports.

    Functions are marked as having no C library: otherwise LLVM would turn loops that fill or copy into calls.
    """
    text = re.sub(r"^target (datalayout|triple) = .*\n", "", text, flags=re.M)
    if target.form is Form.COFF:
        text = re.sub(r"^define (?=\w+ @genial_)", "define dllexport ", text, flags=re.M) + _WINDOWS_ENTRY
    text = re.sub(r"^(define .*) \{$", r'\1 "no-builtins" {', text, flags=re.M)
    return f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n{text}'
