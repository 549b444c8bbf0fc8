"""Sets of small numbers kept in one int: cheap to copy, count and intersect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bit_set(numbers: Iterable[int]) -> int:
    """The set of these numbers.

    >>> bit_set([0, 2, 5])
    37
    """
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def members(bits: int) -> Iterator[int]:
    """The numbers in the set, ascending.

    >>> list(members(37))
    [0, 2, 5]
    """
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def nth_member(bits: int, n: int) -> int:
    """The n-th number in the set, counted from 0, found by halving.

    >>> nth_member(37, 2)
    5
    """
    base, width = 0, bits.bit_length()
    while width > 1:
        half = width >> 1
        low = bits & ((1 << half) - 1)
        count = low.bit_count()
        if n < count:
            bits, width = low, half
        else:
            n -= count
            bits >>= half
            base += half
            width -= half
    return base
