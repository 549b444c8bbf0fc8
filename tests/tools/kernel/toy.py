"""A kernel of nothing: every entry is there and does nothing. Compiled in no time, for every target."""

from __future__ import annotations

from genial.kernel.entries import ENTRIES, Entry, Kind

_LLVM = {Kind.WHOLE: "i64", Kind.REAL: "double", Kind.NOTHING: "void"}
_RESULTS = {"i64": "i64 0", "double": "double 0.0", "void": "void"}


def toy(**bodies: str) -> str:
    """Its IR; an entry that is named has a body of its own, which may use its parameters by name."""
    version = "define i64 @genial_version() {\n  ret i64 7\n}\n"
    return version + "".join(_function(entry, bodies.get(entry.name)) for entry in ENTRIES)


def _function(entry: Entry, body: str | None) -> str:
    returns = _LLVM[entry.returns]
    parameters = ", ".join(f"{_LLVM.get(kind, 'ptr')} %{name}" for name, kind in entry.parameters.items())
    body = body or f"  ret {_RESULTS[returns]}"
    return f"define {returns} @genial_{entry.name}({parameters}) {{\n{body}\n}}\n"
