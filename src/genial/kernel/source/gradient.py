"""The gradient of the value's network, compiled, for learning. The forward pass is `value.forward`.

Going backwards through a layer is going forwards through its transposed weights, so these are passed too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genial.kernel import state as at
from genial.kernel.network import (
    COUNT,
    FEATURE_COUNT,
    FIRST,
    FIRST_AT,
    FOURTH,
    FOURTH_AT,
    HALF,
    LEAD_LOSS,
    LEAD_UNIT,
    OTHER,
    OUTPUT_AT,
    OUTPUTS,
    OWN,
    PARTS,
    SCRATCH,
    SECOND,
    SECOND_AT,
    TABLE_AT,
    TABLE_COUNT,
    THIRD,
    THIRD_AT,
)
from genial.kernel.source.compiled import compiled, inlined, inner, whole
from genial.kernel.source.features import Floats
from genial.kernel.source.maths import exp, log
from genial.kernel.source.value import add_rows, forward, rank_of
from genial.kernel.source.words import float_at, put_float

_TABLE, _COLOUR, _COLOUR_BIAS = PARTS["table"].begin, PARTS["colour"].begin, PARTS["colour bias"].begin
_SECOND, _SECOND_BIAS = PARTS["second"].begin, PARTS["second bias"].begin
_OWN_ORDER, _OTHER_ORDER = PARTS["own order"].begin, PARTS["other order"].begin
_THIRD_TABLE, _THIRD_BIAS = PARTS["third table"].begin, PARTS["third bias"].begin
_FOURTH, _FOURTH_BIAS = PARTS["fourth"].begin, PARTS["fourth bias"].begin
_OUTPUT, _OUTPUT_BIAS = PARTS["output"].begin, PARTS["output bias"].begin

# In the scratch space, the slopes of the loss at each layer come after these.
_BASE_SLOPE = SCRATCH
_FIRST_SLOPE = _BASE_SLOPE + FIRST
_SECOND_SLOPE = _FIRST_SLOPE + FIRST
_THIRD_SLOPE = _SECOND_SLOPE + SECOND
_FOURTH_SLOPE = _THIRD_SLOPE + THIRD
GRADIENT_SCRATCH = _FOURTH_SLOPE + FOURTH

_TURNED = ("second", "own order", "other order", "fourth")


def turned_round(weights: Floats) -> Floats:
    """The weights of the inner layers transposed, each ordered by its outputs; the others unchanged."""
    found: Floats = weights.copy()
    for name in _TURNED:
        begin, shape = PARTS[name]
        end = begin + int(np.prod(shape))
        found[begin:end] = np.swapaxes(weights[begin:end].reshape(shape), -1, -2).ravel()
    return found


@inlined
def _add_products(
    gradient: Floats, where: int, scratch: Floats, source: int, count: int, slope: int, width: int
) -> None:
    """Add the gradient of a layer's weights: each input times each slope."""
    for n in range(count):
        some = float_at(scratch, source + n)
        if some != 0:
            row = where + n * width
            for m in range(width):
                more = some * float_at(scratch, slope + m)
                put_float(gradient, row + m, float_at(gradient, row + m) + more)


@inlined
def _add(gradient: Floats, where: int, scratch: Floats, slope: int, width: int) -> None:
    for m in range(width):
        put_float(gradient, where + m, float_at(gradient, where + m) + float_at(scratch, slope + m))


@inlined
def _clear(scratch: Floats, where: int, width: int) -> None:
    for m in range(width):
        put_float(scratch, where + m, np.float32(0))


@inlined
def _keep_live(scratch: Floats, slope: int, layer: int, width: int) -> None:
    """Zero the slopes where a layer was cut off at zero."""
    for m in range(width):
        live = float_at(scratch, layer + m) > 0
        put_float(scratch, slope + m, float_at(scratch, slope + m) if live else np.float32(0))


@inner
def _backward(
    turned: Floats, scratch: Floats, share_slope: np.float32, lead_slope: np.float32, gradient: Floats
) -> None:
    """Add the gradient of one state, which has just gone forward, from the slopes of its two outputs."""
    for n in range(FOURTH):
        some, row = float_at(scratch, FOURTH_AT + n), _OUTPUT + OUTPUTS * n
        back = share_slope * float_at(turned, row) + lead_slope * float_at(turned, row + 1)
        put_float(scratch, _FOURTH_SLOPE + n, back)
        put_float(gradient, row, float_at(gradient, row) + some * share_slope)
        put_float(gradient, row + 1, float_at(gradient, row + 1) + some * lead_slope)
    gradient[_OUTPUT_BIAS] += share_slope
    gradient[_OUTPUT_BIAS + 1] += lead_slope
    _keep_live(scratch, _FOURTH_SLOPE, FOURTH_AT, FOURTH)
    _add(gradient, _FOURTH_BIAS, scratch, _FOURTH_SLOPE, FOURTH)
    _add_products(gradient, _FOURTH, scratch, THIRD_AT, THIRD, _FOURTH_SLOPE, FOURTH)
    _clear(scratch, _THIRD_SLOPE, THIRD)
    add_rows(turned, _FOURTH, scratch, _FOURTH_SLOPE, FOURTH, _THIRD_SLOPE, THIRD)
    _keep_live(scratch, _THIRD_SLOPE, THIRD_AT, THIRD)
    _add(gradient, _THIRD_BIAS, scratch, _THIRD_SLOPE, THIRD)
    _add_products(gradient, _THIRD_TABLE, scratch, TABLE_AT, TABLE_COUNT, _THIRD_SLOPE, THIRD)
    _clear(scratch, _BASE_SLOPE, FIRST)
    for colour in range(at.COLOURS):
        first, second = FIRST_AT + FIRST * colour, SECOND_AT + SECOND * colour
        own = _OWN_ORDER + HALF * THIRD * rank_of(scratch, colour, OWN, OTHER)
        other = _OTHER_ORDER + HALF * THIRD * rank_of(scratch, colour, OTHER, OWN)
        _add_products(gradient, own, scratch, second, HALF, _THIRD_SLOPE, THIRD)
        _add_products(gradient, other, scratch, second + HALF, HALF, _THIRD_SLOPE, THIRD)
        _clear(scratch, _SECOND_SLOPE, SECOND)
        add_rows(turned, own, scratch, _THIRD_SLOPE, THIRD, _SECOND_SLOPE, HALF)
        add_rows(turned, other, scratch, _THIRD_SLOPE, THIRD, _SECOND_SLOPE + HALF, HALF)
        _keep_live(scratch, _SECOND_SLOPE, second, SECOND)
        _add(gradient, _SECOND_BIAS, scratch, _SECOND_SLOPE, SECOND)
        _add_products(gradient, _SECOND, scratch, first, FIRST, _SECOND_SLOPE, SECOND)
        _clear(scratch, _FIRST_SLOPE, FIRST)
        add_rows(turned, _SECOND, scratch, _SECOND_SLOPE, SECOND, _FIRST_SLOPE, FIRST)
        _keep_live(scratch, _FIRST_SLOPE, first, FIRST)
        _add_products(gradient, _COLOUR, scratch, COUNT * colour, COUNT, _FIRST_SLOPE, FIRST)
        _add(scratch, _BASE_SLOPE, scratch, _FIRST_SLOPE, FIRST)
    _add(gradient, _COLOUR_BIAS, scratch, _BASE_SLOPE, FIRST)
    _add_products(gradient, _TABLE, scratch, TABLE_AT, TABLE_COUNT, _BASE_SLOPE, FIRST)


@compiled
def add_gradients(
    weights: Floats,
    turned: Floats,
    samples: NDArray[np.uint8],
    targets: Floats,
    rows: NDArray[np.int64],
    solo: bool,
    scratch: Floats,
    gradient: Floats,
    losses: NDArray[np.float64],
) -> None:
    """Add the gradients of some samples, and their losses of share and lead. In solo there is no share."""
    for number in range(len(rows)):
        row = whole(rows[number])
        for n in range(FEATURE_COUNT):
            scratch[n] = samples[row, n]
        forward(weights, scratch)
        odds, share = float(scratch[OUTPUT_AT]), float(targets[row, 0])
        off = float(scratch[OUTPUT_AT + 1]) - float(targets[row, 1]) / LEAD_UNIT
        losses[1] += off * off
        if solo:
            _backward(turned, scratch, np.float32(0), np.float32(off), gradient)
            continue
        losses[0] += max(odds, 0.0) + log(1.0 + exp(-abs(odds))) - share * odds
        slope = 1 / (1 + exp(-odds)) - share
        _backward(turned, scratch, np.float32(slope), np.float32(LEAD_LOSS * off), gradient)
