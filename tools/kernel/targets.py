"""The machines that the kernel is compiled for."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from genial.kernel.library import names


class Form(Enum):
    """The kind of file a target's code is in."""

    ELF = "elf"
    MACHO = "macho"
    COFF = "coff"
    WASM = "wasm"
    PTX = "ptx"


class Target(NamedTuple):
    """One machine: LLVM's and the linker's names for it, and the name of the file made for it."""

    name: str
    form: Form
    triple: str
    """LLVM's name."""
    cpu: str
    features: str
    file: str
    linker: str = ""
    """Zig's name; empty if nothing is linked."""


_WASM = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+multivalue"

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target(
            "linux-x86-64-v3",
            Form.ELF,
            "x86_64-unknown-linux-gnu",
            "x86-64-v3",
            "",
            "genial-x86-64-v3.so",
            "x86_64-linux-gnu",
        ),
        Target(
            "linux-x86-64-v2",
            Form.ELF,
            "x86_64-unknown-linux-gnu",
            "x86-64-v2",
            "",
            "genial-x86-64-v2.so",
            "x86_64-linux-gnu",
        ),
        Target(
            "linux-arm64",
            Form.ELF,
            "aarch64-unknown-linux-gnu",
            "generic",
            "",
            "genial-arm64.so",
            "aarch64-linux-gnu",
        ),
        Target(
            "macos-arm64",
            Form.MACHO,
            "arm64-apple-macosx11.0",
            "apple-m1",
            "",
            "genial-arm64.dylib",
            "aarch64-macos.11.0",
        ),
        Target(
            "windows-x86-64-v3",
            Form.COFF,
            "x86_64-pc-windows-gnu",
            "x86-64-v3",
            "",
            "genial-x86-64-v3.dll",
            "x86_64-windows-gnu",
        ),
        Target(
            "windows-x86-64-v2",
            Form.COFF,
            "x86_64-pc-windows-gnu",
            "x86-64-v2",
            "",
            "genial-x86-64-v2.dll",
            "x86_64-windows-gnu",
        ),
        Target(
            "wasm",
            Form.WASM,
            "wasm32-unknown-unknown",
            "generic",
            _WASM,
            "genial.wasm",
            "wasm32-freestanding",
        ),
        Target("ptx", Form.PTX, "nvptx64-nvidia-cuda", "sm_80", "+ptx80", "genial.ptx"),
    )
}

GROUPS = {
    "linux": ("linux-x86-64-v3", "linux-x86-64-v2"),
    "windows": ("windows-x86-64-v3", "windows-x86-64-v2"),
    "all": tuple(TARGETS),
}
"""Names for several at once: both levels of one platform, and everything."""


def native() -> tuple[Target, ...]:
    """What this machine can run, best first; empty if it is none of ours.

    >>> all(target in TARGETS.values() for target in native())
    True
    """
    by_file = {target.file: target for target in TARGETS.values()}
    return tuple(by_file[name] for name in names())


def named(asked: list[str]) -> list[Target]:
    """The targets with these names, each once; `native` is the best one for this machine.

    >>> [target.file for target in named(["wasm", "windows"])]
    ['genial.wasm', 'genial-x86-64-v3.dll', 'genial-x86-64-v2.dll']
    """
    targets: dict[str, Target] = {}
    for name in asked:
        if name == "native":
            targets |= {target.name: target for target in native()[:1]}
        elif name in GROUPS:
            targets |= {each: TARGETS[each] for each in GROUPS[name]}
        elif name in TARGETS:
            targets[name] = TARGETS[name]
        else:
            known = ", ".join(["native", *GROUPS, *TARGETS])
            raise ValueError(f"There is no target '{name}'. There are: {known}.")
    return list(targets.values())
