"""Compiles everything at once, so that nobody has to wait later: what `genial warmup` does."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from genial.kernel.entries import ENTRIES
from genial.kernel.source.called import compile_entry

STEPS = len(ENTRIES)


def warm_up(progress: Callable[[], None]) -> float:
    """Compile every entry point, or load it from the cache. Returns the seconds that took."""
    begun = perf_counter()
    for entry in ENTRIES:
        compile_entry(entry)
        progress()
    return perf_counter() - begun
