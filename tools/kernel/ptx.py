"""The kernels of the graphics card as PTX, the text that NVIDIA's drivers compile: one thread per game.

Each thread locates its own rows of the caller's arrays and calls an entry. All of it is inlined, so that the
compiler sees which memory every access goes to. Single numbers of the rules are then read from constant
memory, `numbers`, and `genial.kernel.gpu.text` writes a variant's own into the text.

    python -m tools.kernel ptx                          genial.ptx, as `make kernel-gpu` does
    python -m tools.kernel.ptx build/kernel/search.ptx  the search, for the check of agreement
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from tools.kernel.lower import machine_for
from tools.kernel.source import unoptimised
from tools.kernel.targets import TARGETS

from genial.kernel.entries import Kind
from genial.kernel.gpu.kernels import COMMON, KERNELS, LARGEST_STATE, SEARCH, Kernel, Layout
from genial.kernel.gpu.text import headed

_LISTS = "genial.kernel.gpu.kernels"
_NUMBERS = 160
"""How many items at the start of the rules are single numbers, or small lists read at fixed places."""
_ALIGNED = {
    **dict.fromkeys(("out", "samples"), 16),
    **dict.fromkeys(("state", "given", "stream", "space", "rows", "tracks"), 8),
    **dict.fromkeys(("sums", "action", "actions", "worths", "paper", "outcome", "finals", "seat"), 4),
}

_HEAD = """
@scratch = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare i64 @llvm.umin.i64(i64, i64)
define internal void @clear_shared(i64 %begin, i64 %step, i64 %end) alwaysinline {
entry:
  br label %test
test:
  %n = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp ult i64 %n, %end
  br i1 %more, label %body, label %done
body:
  %a = getelementptr i8, ptr addrspace(3) @scratch, i64 %n
  store <4 x i32> zeroinitializer, ptr addrspace(3) %a, align 16
  %next = add nuw i64 %n, %step
  br label %test
done:
  ret void
}
define internal void @write_shared(ptr %to, i64 %begin, i64 %step, i64 %end) alwaysinline {
entry:
  %whole = and i64 %end, -16
  br label %test
test:
  %n = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp ult i64 %n, %whole
  br i1 %more, label %body, label %rest
body:
  %a = getelementptr i8, ptr addrspace(3) @scratch, i64 %n
  %b = getelementptr i8, ptr %to, i64 %n
  %v = load <4 x i32>, ptr addrspace(3) %a, align 16
  store <4 x i32> %v, ptr %b, align 16
  %next = add nuw i64 %n, %step
  br label %test
rest:
  %own = lshr i64 %begin, 4
  %last = add i64 %whole, %own
  %left = icmp ult i64 %last, %end
  br i1 %left, label %byte, label %done
byte:
  %c = getelementptr i8, ptr addrspace(3) @scratch, i64 %last
  %d = getelementptr i8, ptr %to, i64 %last
  %w = load i8, ptr addrspace(3) %c
  store i8 %w, ptr %d
  br label %done
done:
  ret void
}
define internal void @copy_words(ptr %from, ptr %to, i64 %begin, i64 %end) alwaysinline {
entry:
  br label %test
test:
  %n = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp slt i64 %n, %end
  br i1 %more, label %body, label %done
body:
  %a = getelementptr i8, ptr %from, i64 %n
  %b = getelementptr i8, ptr %to, i64 %n
  %v = load i64, ptr %a, align 8
  store i64 %v, ptr %b, align 8
  %next = add nsw i64 %n, 8
  br label %test
done:
  ret void
}
"""


def ptx() -> str:
    """The text that comes with the package."""
    return lowered(unoptimised(f"{_LISTS}:ENTRIES"), KERNELS)


def searches() -> str:
    """The text of the search, for the agreement check."""
    return lowered(unoptimised(f"{_LISTS}:SEARCHES"), (SEARCH,), inlined=False)


def lowered(text: str, kernels: tuple[Kernel, ...], *, inlined: bool = True) -> str:
    """The text of kernels whose entries are given as unoptimised IR.

    A search calls its parts, which read the caller's table: inlined, they would be ten times the code.
    """
    target = TARGETS["ptx"]
    machine = machine_for(target)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    text = re.sub(r"^target (datalayout|triple) = .*\n", "", text, flags=re.M)
    module = llvm.parse_assembly(head + text + _HEAD + "".join(map(wrapper, kernels)))
    names = {kernel.name for kernel in kernels}
    for function in module.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
            if inlined:
                function.add_function_attribute("alwaysinline")
    module.verify()
    _optimise(module, machine)
    if inlined:
        module = llvm.parse_assembly(numbered(str(module)))
        module.verify()
    return headed(complete(str(machine.emit_assembly(module))))


def complete(text: str) -> str:
    """The text; raises RuntimeError unless it contains everything it calls."""
    missing = re.findall(r"^\.extern \.func .*", text, re.M)
    if missing:
        raise RuntimeError(f"The card's code lacks: {', '.join(missing)}")
    return text


def _optimise(module: Any, machine: Any) -> None:
    """Optimise without vectors: a thread has none."""
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)


def numbered(text: str) -> str:
    """Read single numbers of the rules from `numbers`, in constant memory, instead of the caller's table."""
    functions = re.split(r"(?m)^(?=define )", text)
    numbers = f"@numbers = external addrspace(4) constant [{_NUMBERS} x i16], align 8\n"
    return "".join([functions[0], numbers, *map(_with_numbers, functions[1:])])


def _with_numbers(function: str) -> str:
    fixed = r"^  (%\S+) = getelementptr [^\n]*?i8, ptr %rules, i64 (\d+)\s*$"
    places = {"%rules": 0} | {found[1]: int(found[2]) for found in re.finditer(fixed, function, re.M)}

    def read(found: re.Match[str]) -> str:
        place = places.get(found[3], 2 * _NUMBERS)
        if place >= 2 * _NUMBERS:
            return found[0]
        where = f"getelementptr (i8, ptr addrspace(4) @numbers, i64 {place})"
        return f"{found[1]}load {found[2]}, ptr addrspace(4) {where}"

    return re.sub(r"(%\S+ = )load (i\d+), ptr (%[^\s,]+)", read, function)


class _Wrapper:
    """One kernel being written: its parameters, what a thread computes, what it passes on."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.arguments: list[str] = []
        self.before: list[str] = []
        self.passed: list[str] = []
        self.after: list[str] = []
        self.begin: list[str] = []
        self.end: list[str] = []
        for name, kind in kernel.entry.parameters.items():
            if name in kernel.fixed:
                self.passed.append(f"i64 {kernel.fixed[name]}")
            elif kind is Kind.WHOLE:
                self._number(name)
            elif name in COMMON:
                self.arguments.append(f"ptr noalias readonly align 8 %{name}")
                self.passed.append(f"ptr %{name}")
            else:
                self._row(name)

    def _number(self, name: str) -> None:
        self.arguments.append(f"i64 %{name}")
        if name == "seed":
            self.before.append("%seed.own = add i64 %seed, %id")
            name = "seed.own"
        self.passed.append(f"i64 %{name}")

    def _row(self, name: str) -> None:
        """The thread's own row of an array; several threads in turn share a row of `given`."""
        self.arguments += [f"ptr noalias align {_ALIGNED.get(name, 1)} %{name}", f"i64 %{name}.stride"]
        if name == self.kernel.staged:
            self._stage(name)
            return
        number = "%id"
        if name == "given":
            self.arguments.append("i64 %parts")
            self.before.append("%given.id = udiv i64 %id, %parts")
            number = "%given.id"
        self.before += [
            f"%{name}.offset = mul i64 {number}, %{name}.stride",
            f"%{name}.row = getelementptr i8, ptr %{name}, i64 %{name}.offset",
        ]
        if name == "state" and self.kernel.layout is not Layout.OWN:
            self._copy()
        else:
            self.passed.append(f"ptr %{name}.row")

    def _copy(self) -> None:
        """A copy of the state's hot part to work on; the cold part is as in a fresh state."""
        self.arguments += ["i64 %hot", "i64 %pitch"]
        if self.kernel.layout is Layout.LOCAL:
            self.before.append(f"%state.copy = alloca [{LARGEST_STATE} x i8], align 16")
        else:
            self.before += [
                "%thread.wide = zext i32 %thread to i64",
                "%shift = mul i64 %thread.wide, %pitch",
                "%own = getelementptr i8, ptr addrspace(3) @scratch, i64 %shift",
                "%state.copy = addrspacecast ptr addrspace(3) %own to ptr",
            ]
        self.passed.append("ptr %state.copy")
        if "fresh" in self.kernel.entry.parameters:  # games are redealt, from the state's stream
            self.before.append("call void @copy_words(ptr %state.row, ptr %state.copy, i64 0, i64 16)")
            self.after += [
                "call void @copy_words(ptr %state.copy, ptr %state.row, i64 0, i64 %hot)",
                "call void @copy_words(ptr %fresh, ptr %state.row, i64 %hot, i64 %state.stride)",
            ]

    def _stage(self, name: str) -> None:
        """Rows in shared memory. Those of a block are one piece of the array; all threads write it out."""
        self.begin += [
            "%thread.wide = zext i32 %thread to i64",
            "%size.wide = zext i32 %size to i64",
            "%chunk.begin = shl i64 %thread.wide, 4",
            "%chunk.step = shl i64 %size.wide, 4",
            "%chunk.first = zext i32 %first to i64",
            "%chunk.left = sub i64 %count, %chunk.first",
            "%chunk.rows = call i64 @llvm.umin.i64(i64 %chunk.left, i64 %size.wide)",
            f"%chunk.end = mul i64 %chunk.rows, %{name}.stride",
            "call void @clear_shared(i64 %chunk.begin, i64 %chunk.step, i64 %chunk.end)",
            "call void @llvm.nvvm.barrier0()",
        ]
        self.before += [
            f"%{name}.offset = mul i64 %thread.wide, %{name}.stride",
            f"%{name}.own = getelementptr i8, ptr addrspace(3) @scratch, i64 %{name}.offset",
            f"%{name}.row = addrspacecast ptr addrspace(3) %{name}.own to ptr",
        ]
        self.passed.append(f"ptr %{name}.row")
        self.end += [
            "call void @llvm.nvvm.barrier0()",
            f"%chunk.at = mul i64 %chunk.first, %{name}.stride",
            f"%chunk = getelementptr i8, ptr %{name}, i64 %chunk.at",
            "call void @write_shared(ptr %chunk, i64 %chunk.begin, i64 %chunk.step, i64 %chunk.end)",
        ]

    def text(self) -> str:
        entry = self.kernel.entry
        call = f"@genial_{entry.name}({', '.join(self.passed)})"
        work = [*self.before, f"call void {call}", *self.after, "br label %end"]
        if entry.returns is Kind.WHOLE:
            adding = """%some = icmp ne i64 %got, 0
  br i1 %some, label %add, label %end
add:
  %sum = atomicrmw add ptr %total, i64 %got monotonic
  br label %end"""
            work = [*self.before, f"%got = call i64 {call}", *self.after, adding]
        return f"""
define ptx_kernel void @{self.kernel.name}({", ".join(self.arguments)}, i64 %count, ptr %total) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %number = add i32 %first, %thread
  %id = zext i32 %number to i64
  %mine = icmp ult i64 %id, %count
  {_lines(self.begin)}br i1 %mine, label %work, label %end
work:
  {_lines(work)}
end:
  {_lines(self.end)}ret void
}}
"""


def _lines(lines: list[str]) -> str:
    return "".join(f"{line}\n  " for line in lines)


def wrapper(kernel: Kernel) -> str:
    """A kernel as IR: its thread, its rows, and the call."""
    return _Wrapper(kernel).text()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(searches(), "ascii")
