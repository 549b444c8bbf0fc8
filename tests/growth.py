"""How a parser's work grows with the size of its input."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from genial.core.errors import GenialError

_T = TypeVar("_T")
MOST = 8.0
"""Four times the input is four times the work, or sixteen if every part is compared with every other."""
TRIES = 3
"""A busy machine may spoil one measurement, but work that really grows too fast fails all of them."""


def growth(make: Callable[[int], _T], work: Callable[[_T], object]) -> float:
    """How much more processor time the work takes for an input of four times the size, at most `MOST`."""
    size = 1
    while _seconds(work, make(size)) < 0.002:
        size *= 2
    small, large = make(size), make(4 * size)
    smallest = ratio(work, small, large)
    for _ in range(TRIES - 1):
        if smallest < MOST:
            break
        smallest = min(smallest, ratio(work, small, large))
    return smallest


def ratio(work: Callable[[_T], object], small: _T, large: _T) -> float:
    """How much longer the work takes for one than for the other."""
    return min(_seconds(work, large) for _ in range(3)) / min(_seconds(work, small) for _ in range(5))


def _seconds(work: Callable[[_T], object], given: _T) -> float:
    begun = time.process_time()
    with suppress(GenialError):  # refusing is work too
        work(given)
    return time.process_time() - begun
