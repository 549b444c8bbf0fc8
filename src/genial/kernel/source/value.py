"""A learned value of a state, for one seat: a small network over the features, compiled.

Each colour goes through the same two layers. The six results are then combined twice: ordered by the seat's
own markers, lowest first, and by its opponent's; so the network knows which colour decides for whom. Two more
layers give two numbers for each opponent: the chance to end ahead of it, and by how much the lowest marker
will be ahead (in solo: the lowest marker itself). Only what the seat may know is used.

Weights are one flat array of 32-bit floats per variant and seat count, made by `genial.arena.train`.
"""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.network import (
    BASE_AT,
    COUNT,
    FIRST,
    FIRST_AT,
    FOURTH,
    FOURTH_AT,
    HALF,
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
from genial.kernel.source.compiled import State, compiled, inlined, inner, whole
from genial.kernel.source.features import (
    Floats,
    write_common,
    write_opponent,
)
from genial.kernel.source.maths import exp
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import ahead, are_opponents, standing
from genial.kernel.source.words import float_at, put_float

# Where the parts of the network start in the weights
_TABLE, _COLOUR, _COLOUR_BIAS = PARTS["table"].begin, PARTS["colour"].begin, PARTS["colour bias"].begin
_SECOND, _SECOND_BIAS = PARTS["second"].begin, PARTS["second bias"].begin
_OWN_ORDER, _OTHER_ORDER = PARTS["own order"].begin, PARTS["other order"].begin
_THIRD_TABLE, _THIRD_BIAS = PARTS["third table"].begin, PARTS["third bias"].begin
_FOURTH, _FOURTH_BIAS = PARTS["fourth"].begin, PARTS["fourth bias"].begin
_OUTPUT, _OUTPUT_BIAS = PARTS["output"].begin, PARTS["output bias"].begin


@inlined
def add_rows(
    weights: Floats, where: int, scratch: Floats, source: int, count: int, target: int, width: int
) -> None:
    """Add to a layer the rows of weights of its inputs, each times its input; four at a time."""
    for n in range(0, count & ~3, 4):
        one, two = float_at(scratch, source + n), float_at(scratch, source + n + 1)
        three, four = float_at(scratch, source + n + 2), float_at(scratch, source + n + 3)
        row = where + n * width
        for m in range(width):
            here = row + m
            some = one * float_at(weights, here) + two * float_at(weights, here + width)
            more = three * float_at(weights, here + 2 * width) + four * float_at(weights, here + 3 * width)
            put_float(scratch, target + m, float_at(scratch, target + m) + (some + more))
    for n in range(count & ~3, count):
        one = float_at(scratch, source + n)
        row = where + n * width
        for m in range(width):
            put_float(scratch, target + m, float_at(scratch, target + m) + one * float_at(weights, row + m))


@inlined
def put_layer(source: Floats, where: int, scratch: Floats, target: int, width: int) -> None:
    for m in range(width):
        put_float(scratch, target + m, float_at(source, where + m))


@inlined
def cut(scratch: Floats, where: int, width: int) -> None:
    for m in range(width):
        put_float(scratch, where + m, max(float_at(scratch, where + m), np.float32(0)))


@inlined
def _key(scratch: Floats, colour: int, first: int, second: int) -> int:
    """The sort key of a colour: one marker, then the other, then the colour itself."""
    row = COUNT * colour
    return whole(scratch[row + first]) * 1024 + whole(scratch[row + second]) * 8 + colour


@inlined
def rank_of(scratch: Floats, colour: int, first: int, second: int) -> int:
    rank, key = 0, _key(scratch, colour, first, second)
    for other in range(at.COLOURS):
        rank += _key(scratch, other, first, second) < key
    return rank


@inner
def forward(weights: Floats, scratch: Floats) -> None:
    """Run the network on the features in the scratch space: log odds of the share, lead in its unit."""
    put_layer(weights, _COLOUR_BIAS, scratch, BASE_AT, FIRST)
    add_rows(weights, _TABLE, scratch, TABLE_AT, TABLE_COUNT, BASE_AT, FIRST)
    put_layer(weights, _THIRD_BIAS, scratch, THIRD_AT, THIRD)
    add_rows(weights, _THIRD_TABLE, scratch, TABLE_AT, TABLE_COUNT, THIRD_AT, THIRD)
    for colour in range(at.COLOURS):
        first, second = FIRST_AT + FIRST * colour, SECOND_AT + SECOND * colour
        put_layer(scratch, BASE_AT, scratch, first, FIRST)
        add_rows(weights, _COLOUR, scratch, COUNT * colour, COUNT, first, FIRST)
        cut(scratch, first, FIRST)
        put_layer(weights, _SECOND_BIAS, scratch, second, SECOND)
        add_rows(weights, _SECOND, scratch, first, FIRST, second, SECOND)
        cut(scratch, second, SECOND)
        own = _OWN_ORDER + HALF * THIRD * rank_of(scratch, colour, OWN, OTHER)
        other = _OTHER_ORDER + HALF * THIRD * rank_of(scratch, colour, OTHER, OWN)
        add_rows(weights, own, scratch, second, HALF, THIRD_AT, THIRD)
        add_rows(weights, other, scratch, second + HALF, HALF, THIRD_AT, THIRD)
    cut(scratch, THIRD_AT, THIRD)
    put_layer(weights, _FOURTH_BIAS, scratch, FOURTH_AT, FOURTH)
    add_rows(weights, _FOURTH, scratch, THIRD_AT, THIRD, FOURTH_AT, FOURTH)
    cut(scratch, FOURTH_AT, FOURTH)
    share, lead = float_at(weights, _OUTPUT_BIAS), float_at(weights, _OUTPUT_BIAS + 1)
    for n in range(FOURTH):
        share += float_at(scratch, FOURTH_AT + n) * float_at(weights, _OUTPUT + OUTPUTS * n)
        lead += float_at(scratch, FOURTH_AT + n) * float_at(weights, _OUTPUT + OUTPUTS * n + 1)
    put_float(scratch, OUTPUT_AT, share)
    put_float(scratch, OUTPUT_AT + 1, lead)


@inner
def evaluate(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> None:
    """Leave a seat's share and lead at the start of the scratch space.

    Share: the mean chance, over its opponents, to end ahead of each; solo: 0. Lead: the mean distance of the
    lowest marker (in the duel: of the colours won) at the end to each opponent's; solo: the lowest marker.
    """
    share, lead, opponents = 0.0, 0.0, 0
    is_over = state[at.PHASE] == at.OVER
    if rules.is_solo:
        lead = float(standing(rules, state, seat, 0))
        if not is_over:
            write_common(rules, state, seat, scratch)
            forward(weights, scratch)
            lead = LEAD_UNIT * scratch[OUTPUT_AT + 1]
        scratch[0], scratch[1] = np.float32(0), np.float32(lead)
        return
    if not is_over:
        write_common(rules, state, seat, scratch)
    for other in range(rules.seats):
        if are_opponents(rules, seat, other):
            opponents += 1
            if is_over:
                share += ahead(rules, state, seat, other)
                lead += standing(rules, state, seat, 0) - standing(rules, state, other, 0)
            else:
                write_opponent(rules, state, other, scratch)
                forward(weights, scratch)
                share += 1 / (1 + exp(-float(scratch[OUTPUT_AT])))
                lead += LEAD_UNIT * scratch[OUTPUT_AT + 1]
    scratch[0], scratch[1] = np.float32(share / opponents), np.float32(lead / opponents)


@inner
def worth_of(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> float:
    """What a seat plays for, as one number: share of the opponents beaten, and a little for the lead.

    In solo games the lowest marker. Otherwise between 0 and 1, or a little more.
    """
    evaluate(rules, state, seat, weights, scratch)
    if rules.is_solo:
        return float(scratch[1])
    return float(scratch[0]) + LEAD_WORTH * float(scratch[1])


LEAD_WORTH = 0.01
"""What one step of the lead counts, as a share."""


@compiled
def value(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> float:
    """`worth_of`, for Python."""
    return worth_of(rules, state, seat, weights, scratch)


@compiled
def outputs(weights: Floats, scratch: Floats) -> None:
    """`forward`, for Python: replaces the features at the start of the scratch space with the results."""
    forward(weights, scratch)
    scratch[0], scratch[1] = scratch[OUTPUT_AT], scratch[OUTPUT_AT + 1]


def new_scratch() -> Floats:
    """Scratch space for one thread."""
    return np.zeros(SCRATCH, np.float32)
