"""exp, log, tanh and powers of 64-bit floats, with the same bits on every machine.

They use only operations that IEEE 754 rounds uniquely (additions, subtractions, multiplications, divisions
and comparisons) and bit shifts. Nothing is contracted, and nothing comes from a machine's maths library. Each
is within 2 units in the last place of the true value; the test measures that.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from genial.kernel.source.compiled import inlined, inner, whole
from genial.kernel.source.words import bits_of, float_of

INFINITE, UNDEFINED = float("inf"), float("nan")

LN2_HIGH = float.fromhex("0x1.62e42fefa2p-1")
"""The logarithm of 2 in 39 bits, so that no exponent times it is rounded..."""
LN2_LOW = 7.371002565167799e-13
"""... and the rest of it."""
_PER_LN2 = 1.4426950408889634
_SHIFT = 1.5 * 2.0**52
"""Added to a much smaller number, it leaves the nearest whole number in the lowest bits."""
_SHIFT_BITS = 0x4338000000000000
_EXPONENT, _BIAS = 52, 1023
"""Where the exponent starts in a float's bits, and its bias."""
_ROOT_BITS = 0x3FE6A09E667F3BCD
"""The square root of one half: in proportion, as far below 1 as its double is above."""

# exp(r) = 1 + r + r² (1/2! + r/3! + r²/4! + ...): enough terms that the next is lost in rounding.
_E2, _E3, _E4, _E5, _E6, _E7, _E8, _E9, _E10, _E11, _E12, _E13 = (1 / factorial(n) for n in range(2, 14))
# log((1 + s) / (1 - s)) = 2 s + s (2/3 s² + 2/5 s⁴ + ...)
_L3, _L5, _L7, _L9, _L11, _L13, _L15, _L17, _L19, _L21 = (2 / n for n in range(3, 22, 2))


@inlined
def _cubic(x: float, squared: float, first: float, second: float, third: float, fourth: float) -> float:
    """first + second x + third x² + fourth x³, arranged so that operations rarely wait for each other."""
    return (first + second * x) + (third + fourth * x) * squared


@inlined
def _power_of_two(exponent: int) -> float:
    return float_of(np.uint64((exponent + _BIAS) << _EXPONENT))


@inner
def exp(x: float) -> float:
    """e to the power of x."""
    if x != x:
        return x
    if x > 710.0:
        return INFINITE
    if x < -746.0:
        return 0.0
    # x = k ln 2 + r, so exp(x) is 2 to the power of k, times exp(r), with r at most half of ln 2
    shifted = x * _PER_LN2 + _SHIFT
    k, nearest = whole(bits_of(shifted)) - _SHIFT_BITS, shifted - _SHIFT
    r = (x - nearest * LN2_HIGH) - nearest * LN2_LOW
    r2 = r * r
    r4 = r2 * r2
    rest = _cubic(r, r2, _E2, _E3, _E4, _E5) + _cubic(r, r2, _E6, _E7, _E8, _E9) * r4
    rest += _cubic(r, r2, _E10, _E11, _E12, _E13) * (r4 * r4)
    # In two steps, because 2 to the power of k alone may be too large or too small for a float.
    return ((1.0 + (r + r2 * rest)) * _power_of_two(k >> 1)) * _power_of_two(k - (k >> 1))


@inner
def log(x: float) -> float:
    """The natural logarithm of x."""
    if not x > 0.0:
        return -INFINITE if x == 0.0 else UNDEFINED
    if x == INFINITE:
        return x
    k = 0
    if x < 2.0**-1022:  # smaller numbers have fewer bits, and their exponent is elsewhere
        x, k = x * 2.0**54, -54
    # x = 2 to the power of k, times 1 + f, with 1 + f between the square roots of 1/2 and of 2
    bits = whole(bits_of(x))
    moved = (bits - _ROOT_BITS) >> _EXPONENT
    k += moved
    f = float_of(np.uint64(bits - (moved << _EXPONENT))) - 1.0
    # With s = f / (2 + f), 1 + f is (1 + s) / (1 - s), and 2 s is f - f²/2 + s f²/2.
    s, half = f / (2.0 + f), 0.5 * f * f
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    series = _cubic(z, z2, _L3, _L5, _L7, _L9) + _cubic(z, z2, _L11, _L13, _L15, _L17) * z4
    series = (series + (_L19 + _L21 * z) * (z4 * z4)) * z
    return k * LN2_HIGH + (f - (half - (s * (half + series) + k * LN2_LOW)))


@inner
def tanh(x: float) -> float:
    """The hyperbolic tangent of x."""
    size = abs(x)
    if not size > 2.0**-28:  # here it is x itself; so it is for NaN
        return x
    if size < 0.55:
        # x / (1 + x²/(3 + x²/(5 + ... x²/15))), as x minus a correction
        z = x * x
        z2 = z * z
        above = _cubic(z, z2, 675675.0, 45045.0, 594.0, 1.0)
        below = _cubic(z, z2, 2027025.0, 945945.0, 51975.0, 630.0) + z2 * z2
        return x - x * (z * (above / below))
    found = 1.0 - 2.0 / (exp(2.0 * size) + 1.0)
    return found if x > 0.0 else -found


@inlined
def power(base: float, exponent: int) -> float:
    """A number to a power; for the small exponents that seat counts give."""
    found = 1.0
    for _ in range(exponent):
        found *= base
    return found
