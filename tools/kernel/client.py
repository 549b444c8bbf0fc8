"""The kernel's interface for the browser client, generated from Python's own lists.

python -m tools.kernel.client > web/src/lib/kernel/entries.ts
"""

from __future__ import annotations

from types import ModuleType

from genial.kernel import settings, state, totals
from genial.kernel.entries import BUDGET, ENTRIES, GREEDY, RANDOM, Entry, Kind

_TYPES = {Kind.WHOLE: "Whole", Kind.REAL: "number", Kind.NOTHING: "void"}


def text() -> str:
    """The text of the file."""
    return "\n".join(
        [
            "// Made from the kernel's own lists by `python -m tools.kernel.client`.",
            "",
            "/** Where an array begins in the kernel's memory. */",
            "export type Address = number;",
            "/** A whole number; a bigint where a number cannot hold all of its 64 bits. */",
            "export type Whole = number | bigint;",
            "",
            "/** The entry points (src/genial/kernel/entries.py). */",
            "export interface Entries {",
            *(f"  {entry.name}: ({_parameters(entry)}) => {_returned(entry)};" for entry in ENTRIES),
            "}",
            "",
            "/** Of each entry: which of its parameters, counted from 0, are whole numbers of 64 bits. */",
            "export const WHOLE: Record<keyof Entries, readonly number[]> = {",
            *(f"  {entry.name}: [{_wholes(entry)}]," for entry in ENTRIES),
            "};",
            "",
            "/** What to spend on one step of a choice, so that it ends within 10 ms. */",
            f"export const BUDGET = {BUDGET};",
            "",
            *_numbers("POLICIES", "How playouts play.", {"RANDOM": RANDOM, "GREEDY": GREEDY}),
            *_numbers(
                "STATE",
                "Where things stand in a state (src/genial/kernel/state.py).",
                {name: getattr(state, name) for name in ("PHASE", "SEAT", "RNG", "OVER")},
            ),
            *_numbers("SETTINGS", "What a search is told (src/genial/kernel/settings.py).", _named(settings)),
            *_numbers(
                "TOTALS", "What a search tells of a candidate (src/genial/kernel/totals.py).", _named(totals)
            ),
        ]
    )


def _parameters(entry: Entry) -> str:
    return ", ".join(f"{name}: {_TYPES.get(kind, 'Address')}" for name, kind in entry.parameters.items())


def _returned(entry: Entry) -> str:
    return "number" if entry.returns is Kind.WHOLE else _TYPES[entry.returns]


def _wholes(entry: Entry) -> str:
    kinds = enumerate(entry.parameters.values())
    return ", ".join(str(n) for n, kind in kinds if kind is Kind.WHOLE)


def _named(module: ModuleType) -> dict[str, int]:
    """The numbers that a module names itself; those it only uses are in `state`."""
    return {
        name: value
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int) and not hasattr(state, name)
    }


def _numbers(name: str, meaning: str, numbers: dict[str, int]) -> list[str]:
    items = (f"  {each}: {number}," for each, number in numbers.items())
    return [f"/** {meaning} */", f"export const {name} = {{", *items, "} as const;", ""]


if __name__ == "__main__":
    print(text(), end="")
