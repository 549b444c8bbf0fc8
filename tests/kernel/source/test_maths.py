"""The kernel's exp, log, tanh and powers, compared with the true values that `decimal` gives to 60 digits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from itertools import pairwise
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from genial.kernel.source import maths

COUNT = 3000
"""How many points in each range."""
SMALLEST = math.ulp(0.0)
LARGEST = math.nextafter(math.inf, 0)


def looped(function: Callable[[float], float]) -> Any:
    """A compiled function over many points; not cached, so that its code can be inspected."""

    def run(points: Any, out: Any) -> None:
        for n in range(points.shape[0]):
            out[n] = function(points[n])

    return numba.njit(error_model="numpy")(run)


def true_tanh(x: Decimal) -> Decimal:
    if abs(x) < Decimal("1e-12"):
        return x - x**3 / 3
    doubled = (2 * x).exp()
    return (doubled - 1) / (doubled + 1)


LOOPED = {name: looped(getattr(maths, name)) for name in ("exp", "log", "tanh")}
TRUE: dict[str, Callable[[Decimal], Decimal]] = {"exp": Decimal.exp, "log": Decimal.ln, "tanh": true_tanh}


def values(name: str, points: Iterable[float]) -> list[float]:
    given = np.array(list(points))
    found = np.zeros_like(given)
    LOOPED[name](given, found)
    return [float(value) for value in found]


def both_signs(points: Iterable[float]) -> list[float]:
    return [signed for point in points for signed in (point, -point)]


def ranges() -> dict[str, tuple[str, list[float]]]:
    """Where each function is tested: throughout its range, and where its parts meet."""
    rng = Random(1)
    wide = [math.ldexp(rng.uniform(0.5, 1), rng.randint(-1073, 1024)) for _ in range(COUNT)]
    thin = [rng.uniform(0.5, 1) * 2.0 ** -rng.randint(0, 1073) for _ in range(COUNT)]
    near = [1 + rng.uniform(-0.5, 1) * 2.0 ** -rng.randint(0, 50) for _ in range(COUNT)]
    halves = [(n + 0.5) * math.log(2) * (1 + rng.uniform(-1e-9, 1e-9)) for n in range(-1070, 1023)]
    roots = [math.sqrt(0.5) * 2.0**n * (1 + rng.uniform(-1e-9, 1e-9)) for n in range(-1020, 1020)]
    return {
        "exp all over": ("exp", [rng.uniform(-708.3, 709.7) for _ in range(COUNT)]),
        "exp of small numbers": ("exp", both_signs(thin)),
        "exp where its result has few bits": ("exp", [rng.uniform(-745.1, -708.4) for _ in range(COUNT)]),
        "exp between two powers of two": ("exp", halves),
        "log all over": ("log", wide),
        "log of the smallest and largest": ("log", [SMALLEST, 3 * SMALLEST, 2.0**-1022, LARGEST]),
        "log near 1": ("log", [point for point in near if point > 0 and point != 1]),
        "log between two powers of two": ("log", roots),
        "tanh all over": ("tanh", [rng.uniform(-22, 22) for _ in range(COUNT)]),
        "tanh of small numbers": ("tanh", both_signs(thin)),
        "tanh where its parts meet": ("tanh", both_signs(0.55 + rng.uniform(-0.05, 0.05) for _ in near)),
    }


RANGES = ranges()


@pytest.mark.parametrize("where", RANGES)
def test_functions_are_within_two_units_in_the_last_place(where: str) -> None:
    name, points = RANGES[where]
    worst, at = Decimal(0), 0.0
    with localcontext(prec=60):
        for point, found in zip(points, values(name, points), strict=True):
            true = TRUE[name](Decimal(point))
            off = abs(Decimal(found) - true) / Decimal(math.ulp(float(true)))
            worst, at = max((worst, at), (off, point))
    assert worst < 2, at


@pytest.mark.parametrize("name", LOOPED)
def test_increasing_functions_stay_nearly_monotonic(name: str) -> None:
    """Neighbours may fall back by a last place or two, never more: the search compares such numbers."""
    rng = Random(2)
    points = sorted(rng.uniform(0.01, 3) for _ in range(COUNT))
    found = values(name, points)
    for first, second in pairwise(found):
        assert second >= first - 3 * math.ulp(first)


def test_the_edges_of_exp() -> None:
    assert values("exp", [0.0, -0.0, SMALLEST, -SMALLEST]) == [1.0] * 4
    assert values("exp", [709.782712893384]) == [pytest.approx(LARGEST, rel=1e-12)]
    assert values("exp", [709.7827128933841, 710.5, LARGEST, math.inf]) == [math.inf] * 4
    assert values("exp", [-745.13]) == [SMALLEST]
    assert values("exp", [-745.14, -746.5, -LARGEST, -math.inf]) == [0.0] * 4
    assert math.isnan(values("exp", [math.nan])[0])


def test_the_edges_of_log() -> None:
    assert values("log", [1.0, math.inf]) == [0.0, math.inf]
    assert values("log", [0.0, -0.0]) == [-math.inf] * 2
    assert all(math.isnan(value) for value in values("log", [-SMALLEST, -1.0, -math.inf, math.nan]))


def test_the_edges_of_tanh() -> None:
    assert [repr(value) for value in values("tanh", [0.0, -0.0])] == ["0.0", "-0.0"]
    assert values("tanh", both_signs([SMALLEST, 2.0**-1022])) == both_signs([SMALLEST, 2.0**-1022])
    assert values("tanh", both_signs([20.0, 400.0, LARGEST, math.inf])) == both_signs([1.0] * 4)
    assert max(values("tanh", [x / 16 for x in range(400)])) == 1.0
    assert math.isnan(values("tanh", [math.nan])[0])


def test_a_power_is_a_product() -> None:
    power = looped(numba.njit(lambda x: maths.power(x, 3)))
    bases, found = np.array([0.0, 0.3, 1.0, -1.5]), np.zeros(4)
    power(bases, found)
    assert found.tolist() == (bases * bases * bases).tolist()


def test_the_two_parts_of_ln_2_are_exact_enough() -> None:
    with localcontext(prec=60):
        assert abs(Decimal(maths.LN2_HIGH) + Decimal(maths.LN2_LOW) - Decimal(2).ln()) < Decimal("1e-28")
    assert all((maths.LN2_HIGH * k).as_integer_ratio()[1] <= 2**40 for k in range(1, 1077))


@pytest.mark.parametrize("name", LOOPED)
def test_nothing_is_contracted_and_no_library_is_called(name: str) -> None:
    values(name, [0.5])
    (signature,) = LOOPED[name].signatures
    assert "fma" not in LOOPED[name].inspect_asm(signature)
    code = LOOPED[name].inspect_llvm(signature)
    assert not re.search(r"declare [^\n]*@\"?(llvm\.)?(exp|log|tanh|pow|fma|fmuladd|ldexp|frexp)\w*", code)
    assert not re.search(r" = f(add|sub|mul|div) [a-z]+ (double|<)", code), "a flag like `fast`, `contract`"
