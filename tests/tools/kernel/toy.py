"""A toy kernel: it has every entry, none of them does anything, and it compiles quickly for every target."""

from __future__ import annotations

from genial.kernel.entries import ENTRIES, Entry, Kind

_LLVM = {Kind.WHOLE: "i64", Kind.REAL: "double", Kind.NOTHING: "void"}
_RESULTS = {"i64": "i64 0", "double": "double 0.0", "void": "void"}


def toy(**bodies: str) -> str:
    """The toy's IR. `bodies` gives entries a body by name, which may use the entry's parameters by name."""
    version = "define i64 @genial_version() {\n  ret i64 7\n}\n"
    return version + "".join(_function(entry, bodies.get(entry.name)) for entry in ENTRIES)


def _function(entry: Entry, body: str | None) -> str:
    returns = _LLVM[entry.returns]
    parameters = ", ".join(f"{_LLVM.get(kind, 'ptr')} %{name}" for name, kind in entry.parameters.items())
    body = body or f"  ret {_RESULTS[returns]}"
    return f"define {returns} @genial_{entry.name}({parameters}) {{\n{body}\n}}\n"
