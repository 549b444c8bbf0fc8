"""The C header of the library, generated from the list of entries and the docstrings in the source."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from textwrap import indent

from genial.kernel import library
from genial.kernel.entries import BUDGET, DUTIES, ENTRIES, Entry, Kind

NAME = "genial.h"
_SOURCE = Path(library.__file__).parent / "source"

_HEAD = """/* Genial's kernel: the rules of the Einfach Genial (Ingenious) family on flat arrays.

   %(duties)s
   What the arrays hold: src/genial/kernel/tables.py (rules), state.py (state), settings.py (a search).
   Made by tools/kernel/header.py. */
#ifndef GENIAL_H
#define GENIAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the library was compiled from. Another number, another header. */
#define GENIAL_VERSION INT64_C(%(version)d)
int64_t genial_version(void);

/* A budget for genial_choice_step, which then returns within 10 ms. */
#define GENIAL_BUDGET INT64_C(%(budget)d)
"""
_TAIL = """
#ifdef __cplusplus
}
#endif

#endif
"""


def header() -> str:
    """The text of genial.h.

    >>> "int64_t genial_step(const uint16_t *rules, uint8_t *state, int64_t action);" in header()
    True
    """
    said = {"duties": _indented(DUTIES), "version": library.version(), "budget": BUDGET}
    return _HEAD % said + "".join(map(_declaration, ENTRIES)) + _TAIL


def _declaration(entry: Entry) -> str:
    parameters = ", ".join(_typed(kind, name) for name, kind in entry.parameters.items())
    declared = f"{_typed(entry.returns, f'genial_{entry.name}')}({parameters});"
    return f"\n/* {_indented(_docstring(entry))} */\n{declared}\n"


def _indented(text: str) -> str:
    return indent(text, "   ").strip()


def _typed(kind: Kind, name: str) -> str:
    return f"{kind.value}{name}" if kind.value.endswith("*") else f"{kind.value} {name}"


def _docstring(entry: Entry) -> str:
    module, function = entry.source.split(".")
    return _docstrings(module)[function]


@cache
def _docstrings(module: str) -> dict[str, str]:
    """The docstrings of the functions in a source module, read without importing numba."""
    tree = ast.parse((_SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return {node.name: ast.get_docstring(node) or "" for node in functions}
