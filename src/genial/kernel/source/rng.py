"""The kernel's own random stream, one word stored in the state: SplitMix64.

Only playouts, batches and redealing use it. A game that leaves a record is dealt from outside, by DEAL.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, inlined, whole
from genial.kernel.source.words import bit_count, lowest_bit, put_word, word_at

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_1 = np.uint64(1)


@inlined
def next_word(state: State) -> np.uint64:
    """The next 64 random bits."""
    seed = word_at(state, at.RNG) + _STEP
    put_word(state, at.RNG, seed)
    seed = (seed ^ (seed >> _30)) * _FIRST
    seed = (seed ^ (seed >> _27)) * _SECOND
    return seed ^ (seed >> _31)


@inlined
def below(state: State, limit: int) -> int:
    """A number from 0 to limit - 1; the bias of the multiplication is below one in ten million."""
    return whole(((next_word(state) >> _32) * np.uint64(limit)) >> _32)


@inlined
def nth_bit(word: np.uint64, n: int) -> int:
    """The number of the n-th set bit of a word, counted from 0."""
    base = 0
    width = 32
    while width >= 4:  # halve as long as that saves more than it costs
        low = word & ((_1 << np.uint64(width)) - _1)
        count = bit_count(low)
        if n >= count:
            n -= count
            word = word >> np.uint64(width)
            base += width
        else:
            word = low
        width >>= 1
    while n > 0:
        word &= word - _1
        n -= 1
    return base + lowest_bit(word)
