"""The kernel's entry points as unoptimised LLVM IR: one text for every target.

numba optimises for the machine it runs on, with vectors of that machine's width: each function, then the
function with everything it calls. Here both steps are skipped, and what remains is one module with everything
that an entry calls, as it was written. numba shows no IR for code from its cache, and other users of numba
want theirs optimised. So this runs in a separate process, without a cache:

    text = unoptimised()

Each entry gets a function with the C signature of `genial.kernel.entries`, which calls numba's. For an array
numba takes seven arguments: the owner, its parent, how many items, their size, the data, the length and
the stride. C callers give the data only, so the length is a very large one: the source never asks for it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from tools.kernel.versions import LOCK

from genial.kernel.entries import Entry, Kind
from genial.kernel.library import version

_LENGTH = 1 << 40
_ROOT = Path(__file__).parents[2]
_KEPT = _ROOT / "build" / "kernel"
_SHOWN = re.compile(r"(@numba\.dynamic\.globals\.)([0-9a-f]+(?:\.\d+)?)")
_FILLED = re.compile(r"^(@numba\.dynamic\.globals\.\d+ = .*)inttoptr \(i64 \d+ to ptr\)", re.MULTILINE)

_ITEMS = {
    Kind.RULES: ("uint16", 2),
    Kind.BYTES: ("uint8", 1),
    Kind.SHORTS: ("uint16", 2),
    Kind.INTS: ("int32", 4),
    Kind.FLOATS: ("float32", 4),
    Kind.DOUBLES: ("float64", 8),
}
"""numba's name for an array's items, and their size in bytes."""
_VALUES = {Kind.WHOLE: ("int64", "i64"), Kind.REAL: ("float64", "double"), Kind.NOTHING: ("void", "void")}
"""The names that numba and LLVM have for anything that is not an array."""


def unoptimised(entries: str = "genial.kernel.entries:ENTRIES") -> str:
    """The IR of a list of entries, MODULE:NAME. Each target needs it, so it is cached."""
    name = entries.rpartition(":")[2].lower()
    kept = _KEPT / f"{name}-{_made_of(entries)}.ll"
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    text = made_anew(entries)
    _KEPT.mkdir(parents=True, exist_ok=True)
    for earlier in _KEPT.glob(f"{name}-*.ll"):
        earlier.unlink(missing_ok=True)
    with NamedTemporaryFile("w", dir=_KEPT, suffix=".part", delete=False, encoding="utf-8") as file:
        file.write(text)
    os.replace(file.name, kept)  # another process may be making it at the same time
    return text


def _made_of(entries: str) -> str:
    """What the IR depends on: the kernel's sources, the list, this module, and the compiler."""
    listed = import_module(entries.partition(":")[0]).__file__
    assert listed
    found = sha256(f"{version()} {entries} {sys.version}".encode())
    for path in (Path(listed), Path(__file__), LOCK):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def made_anew(entries: str) -> str:
    """The same, made in a separate process, whatever is cached."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    own = {
        "GENIAL_CACHE_DIR": os.devnull,  # no folder can be created there
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([str(_ROOT / "src"), *filter(None, [clean.get("PYTHONPATH")])]),
    }
    command = [sys.executable, "-m", "tools.kernel.source", entries]
    made = subprocess.run(command, cwd=_ROOT, env=clean | own, capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(f"The kernel's source could not be compiled:\n{made.stderr}")
    return made.stdout


def _write(entries: tuple[Entry, ...]) -> str:
    """What `unoptimised` returns, here and now."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    _only_translate()
    modules = [_module(llvm, entry) for entry in entries]
    whole = llvm.parse_assembly(f"define i64 @genial_version() {{\n  ret i64 {version()}\n}}")
    for module in modules:
        whole.link_in(module)
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and not value.name.startswith("genial_"):
            value.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes.run(whole, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)))
    whole.verify()
    return without_addresses(str(whole))


def without_addresses(text: str) -> str:
    """Make the text the same in every process: numba names and fills what an error would show by its address.

    None of it is left in what is linked, because the kernel raises nothing.
    """
    numbers: dict[str, int] = {}
    named = _SHOWN.sub(lambda found: f"{found[1]}{numbers.setdefault(found[2], len(numbers))}", text)
    return _FILLED.sub(r"\1null", named)


def _only_translate() -> None:
    """From here on numba neither optimises nor generates runnable code, which would only be thrown away."""
    from numba.core import codegen

    library: Any = codegen.JITCodeLibrary
    library._optimize_functions = lambda self, module: None
    library._optimize_final_module = lambda self: None
    library._finalize_specific = lambda self: None
    library.get_pointer_to_function = lambda self, name: self._ensure_finalized() or 1  # nobody calls it
    engine: Any = codegen.JITCPUCodegen
    engine._add_module = lambda self, module: None
    engine.set_env = lambda self, name, environment: None


def _module(llvm: Any, entry: Entry) -> Any:
    """One entry and everything it calls."""
    module, function = entry.source.split(".")
    dispatcher: Any = getattr(import_module(f"genial.kernel.source.{module}"), function)
    signature = _signature(entry)
    dispatcher.compile(signature)
    overload = dispatcher.overloads[signature.args]
    compiled = llvm.parse_assembly(overload.library.get_llvm_str())
    compiled.link_in(llvm.parse_assembly(_wrapper(entry, overload.fndesc.llvm_func_name)))
    return compiled


def _signature(entry: Entry) -> Any:
    from numba.core import types

    def of(kind: Kind) -> Any:
        if kind in _ITEMS:
            return types.Array(getattr(types, _ITEMS[kind][0]), 1, "C")
        return getattr(types, _VALUES[kind][0])

    return of(entry.returns)(*map(of, entry.parameters.values()))


def _wrapper(entry: Entry, inner: str) -> str:
    """The function that C calls. numba's returns a status, which is always 0, and writes its result."""
    parameters, arguments = [], ["ptr %result", "ptr %error"]
    for name, kind in entry.parameters.items():
        if kind in _ITEMS:
            size = _ITEMS[kind][1]
            parameters.append(f"ptr %{name}")
            arguments += [
                "ptr null",
                "ptr null",
                f"i64 {_LENGTH}",
                f"i64 {size}",
                f"ptr %{name}",
                f"i64 {_LENGTH}",
                f"i64 {size}",
            ]
        else:
            parameters.append(f"{_VALUES[kind][1]} %{name}")
            arguments.append(parameters[-1])
    returned = _VALUES[entry.returns][1]
    result = "ptr" if returned == "void" else returned
    leave = (
        "ret void" if returned == "void" else f"%value = load {result}, ptr %result\n  ret {returned} %value"
    )
    types = ", ".join(argument.split(" ", 1)[0] for argument in arguments)
    return f"""
declare i32 @{inner}({types})
define {returned} @genial_{entry.name}({", ".join(parameters)}) {{
  %result = alloca {result}
  %error = alloca ptr
  %status = call i32 @{inner}({", ".join(arguments)})
  {leave}
}}
"""


if __name__ == "__main__":
    module, name = sys.argv[1].split(":")
    print(_write(getattr(import_module(module), name)))
