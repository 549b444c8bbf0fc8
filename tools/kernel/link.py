"""From an object file to what a machine loads, and checks that it is complete."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.kernel.symbols import is_signed, symbols
from tools.kernel.targets import Form, Target

from genial.kernel.entries import ENTRIES

EXPORTS = ("genial_version", *(f"genial_{entry.name}" for entry in ENTRIES))

_OWN = {
    Form.MACHO: {"/usr/lib/libSystem.B.dylib", "dyld_stub_binder", "__dso_handle", "_mh_dylib_header"},
    Form.WASM: {"memory", "__heap_base"},
}
"""What the format itself adds: a macOS library names itself, WebAssembly exports its memory and heap base."""


def link(code: bytes, target: Target, out: Path) -> None:
    """Write the library, if nothing is missing in it."""
    with tempfile.TemporaryDirectory() as folder:
        # A relative name, so that no path gets into the file.
        Path(folder, "genial.o").write_bytes(code)
        _zig(_command(target), folder)
        linked = Path(folder, target.file).read_bytes()
    check(linked, target)
    _put(linked, out)


def check(linked: bytes, target: Target) -> None:
    """ValueError if a library lacks something, contains something foreign, or macOS would not load it."""
    own = _OWN.get(target.form, set())
    found = symbols(linked, target.form)
    if missing := found.imports - own:
        raise ValueError(f"{target.file} needs what nobody gives it: {', '.join(sorted(missing))}")
    if wrong := (found.exports - own) ^ set(EXPORTS):
        raise ValueError(
            f"{target.file} should export the kernel's entries alone: {', '.join(sorted(wrong))}"
        )
    if target.form is Form.MACHO and not is_signed(linked):
        raise ValueError(f"{target.file} has no signature, so macOS would not load it")


def _put(code: bytes, out: Path) -> None:
    """Write it atomically: a game may be looking for it, or be running the previous one."""
    part = out.with_name(f"{out.name}.part")
    part.write_bytes(code)
    part.replace(out)


def _command(target: Target) -> list[str]:
    if target.form is Form.WASM:
        # With the stack first, one that is too deep ends the program instead of overwriting constants. Memory
        # is free from __heap_base on.
        exports = [f"--export={name}" for name in (*EXPORTS, "__heap_base")]
        options = ["--no-entry", "--strip-all", "--stack-first", *exports]
        return ["wasm-ld", *options, "genial.o", "-o", target.file]
    options = {
        Form.ELF: [f"-Wl,-soname,{target.file}", "-Wl,-z,defs", "-Wl,--build-id=none"],
        Form.MACHO: [f"-Wl,-install_name,@rpath/{target.file}"],
        Form.COFF: ["-Wl,/Brepro"],  # a hash instead of the time
    }[target.form]
    common = ["-target", target.linker, "-shared", "-nostdlib", "-s"]
    return ["cc", *common, *options, "genial.o", "-o", target.file]


def _zig(arguments: list[str], folder: str) -> None:
    command = [sys.executable, "-m", "ziglang", *arguments]
    own = os.environ | {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
    made = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(f"zig {' '.join(arguments)}:\n{made.stderr}")
