"""A learned value of a state, for one seat: a small network over the features, compiled.

Each colour goes through the same two layers. The six results then meet twice: ordered by the seat's own
markers, the lowest first, and ordered by its opponent's; so the network knows which colour decides for whom.
Two more layers give two numbers for each opponent: the chance to end ahead of it, and by how much the lowest
marker will be ahead (in solo: the lowest marker itself). Only what the seat may know is looked at.

Weights are one flat array of 32-bit floats per variant and seat count, made by `genial.arena.train`.
"""

from __future__ import annotations

from functools import cache
from math import exp
from pathlib import Path
from typing import NamedTuple

import numpy as np

from genial.kernel.compiled import Rules, State, compiled, inlined, inner, whole
from genial.kernel.features import (
    COUNT,
    OTHER,
    OWN,
    TABLE_COUNT,
    Floats,
    are_opponents,
    write_common,
    write_opponent,
)
from genial.kernel.scoring import is_ahead, standing
from genial.kernel.state import COLOURS, OVER, PHASE
from genial.kernel.tables import IS_SOLO, SEATS
from genial.kernel.words import float_at, number_at, put_float

FIRST, SECOND, THIRD, FOURTH = 48, 32, 48, 32
"""How wide the layers are. Half of the second is ordered by the own markers, half by the opponent's."""
HALF = SECOND // 2
OUTPUTS = 2

# Where the parts of the network begin in the weights; a layer's weights are ordered by its inputs.
_SHAPES = {
    "table": (TABLE_COUNT, FIRST),
    "colour": (COUNT, FIRST),
    "colour bias": (FIRST,),
    "second": (FIRST, SECOND),
    "second bias": (SECOND,),
    "own order": (COLOURS, HALF, THIRD),
    "other order": (COLOURS, HALF, THIRD),
    "third table": (TABLE_COUNT, THIRD),
    "third bias": (THIRD,),
    "fourth": (THIRD, FOURTH),
    "fourth bias": (FOURTH,),
    "output": (FOURTH, OUTPUTS),
    "output bias": (OUTPUTS,),
}


class Part(NamedTuple):
    """A part of the weights: where it begins and what shape it has."""

    begin: int
    shape: tuple[int, ...]


def _parts() -> dict[str, Part]:
    found, begin = {}, 0
    for name, shape in _SHAPES.items():
        found[name] = Part(begin, shape)
        begin += int(np.prod(shape))
    return found


PARTS = _parts()
WEIGHTS = sum(int(np.prod(shape)) for shape in _SHAPES.values())
"""How many weights a network has."""
_TABLE, _COLOUR, _COLOUR_BIAS = PARTS["table"].begin, PARTS["colour"].begin, PARTS["colour bias"].begin
_SECOND, _SECOND_BIAS = PARTS["second"].begin, PARTS["second bias"].begin
_OWN_ORDER, _OTHER_ORDER = PARTS["own order"].begin, PARTS["other order"].begin
_THIRD_TABLE, _THIRD_BIAS = PARTS["third table"].begin, PARTS["third bias"].begin
_FOURTH, _FOURTH_BIAS = PARTS["fourth"].begin, PARTS["fourth bias"].begin
_OUTPUT, _OUTPUT_BIAS = PARTS["output"].begin, PARTS["output bias"].begin

LEAD_UNIT = 8.0
"""The network's second number counts in this many places."""

FEATURE_COUNT = COLOURS * COUNT + TABLE_COUNT
# Where things stand in the scratch space: features, layers (the first two for each colour), outputs
TABLE_AT = COLOURS * COUNT
BASE_AT = -(-FEATURE_COUNT // 16) * 16
"""What the table adds to the first layer, for all colours alike."""
FIRST_AT = BASE_AT + FIRST
SECOND_AT = FIRST_AT + COLOURS * FIRST
THIRD_AT = SECOND_AT + COLOURS * SECOND
FOURTH_AT = THIRD_AT + THIRD
OUTPUT_AT = FOURTH_AT + FOURTH
SCRATCH = OUTPUT_AT + 16


@inlined
def add_rows(
    weights: Floats, at: int, scratch: Floats, source: int, count: int, target: int, width: int
) -> None:
    """Add to a layer the rows of weights of its inputs, each times its input; four at a time."""
    for n in range(0, count & ~3, 4):
        one, two = float_at(scratch, source + n), float_at(scratch, source + n + 1)
        three, four = float_at(scratch, source + n + 2), float_at(scratch, source + n + 3)
        row = at + n * width
        for m in range(width):
            here = row + m
            some = one * float_at(weights, here) + two * float_at(weights, here + width)
            more = three * float_at(weights, here + 2 * width) + four * float_at(weights, here + 3 * width)
            put_float(scratch, target + m, float_at(scratch, target + m) + (some + more))
    for n in range(count & ~3, count):
        one = float_at(scratch, source + n)
        row = at + n * width
        for m in range(width):
            put_float(scratch, target + m, float_at(scratch, target + m) + one * float_at(weights, row + m))


@inlined
def put_layer(source: Floats, at: int, scratch: Floats, target: int, width: int) -> None:
    for m in range(width):
        put_float(scratch, target + m, float_at(source, at + m))


@inlined
def cut(scratch: Floats, at: int, width: int) -> None:
    for m in range(width):
        put_float(scratch, at + m, max(float_at(scratch, at + m), np.float32(0)))


@inlined
def _key(scratch: Floats, colour: int, first: int, second: int) -> int:
    """What colours are ordered by: one marker, then the other, then their own order."""
    row = COUNT * colour
    return whole(scratch[row + first]) * 1024 + whole(scratch[row + second]) * 8 + colour


@inlined
def rank_of(scratch: Floats, colour: int, first: int, second: int) -> int:
    rank, key = 0, _key(scratch, colour, first, second)
    for other in range(COLOURS):
        rank += _key(scratch, other, first, second) < key
    return rank


@inner
def forward(weights: Floats, scratch: Floats) -> None:
    """Run the network over the features in the scratch space: log odds of the share, lead in its unit."""
    put_layer(weights, _COLOUR_BIAS, scratch, BASE_AT, FIRST)
    add_rows(weights, _TABLE, scratch, TABLE_AT, TABLE_COUNT, BASE_AT, FIRST)
    put_layer(weights, _THIRD_BIAS, scratch, THIRD_AT, THIRD)
    add_rows(weights, _THIRD_TABLE, scratch, TABLE_AT, TABLE_COUNT, THIRD_AT, THIRD)
    for colour in range(COLOURS):
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
    """Leave a seat's share and lead at the beginning of the scratch space.

    Share: the mean chance, over its opponents, to end ahead of each; solo: 0. Lead: the mean distance of the
    lowest marker (in the duel: of the colours won) at the end to each opponent's; solo: the lowest marker.
    """
    share, lead, opponents = 0.0, 0.0, 0
    is_over = state[PHASE] == OVER
    if number_at(rules, IS_SOLO):
        lead = float(standing(rules, state, seat, 0))
        if not is_over:
            write_common(rules, state, seat, scratch)
            forward(weights, scratch)
            lead = LEAD_UNIT * scratch[OUTPUT_AT + 1]
        scratch[0], scratch[1] = np.float32(0), np.float32(lead)
        return
    if not is_over:
        write_common(rules, state, seat, scratch)
    for other in range(number_at(rules, SEATS)):
        if are_opponents(rules, seat, other):
            opponents += 1
            if is_over:
                share += ahead(rules, state, seat, other)
                lead += standing(rules, state, seat, 0) - standing(rules, state, other, 0)
            else:
                write_opponent(rules, state, other, scratch)
                forward(weights, scratch)
                share += 1 / (1 + exp(-scratch[OUTPUT_AT]))
                lead += LEAD_UNIT * scratch[OUTPUT_AT + 1]
    scratch[0], scratch[1] = np.float32(share / opponents), np.float32(lead / opponents)


@inlined
def ahead(rules: Rules, state: State, seat: int, other: int) -> float:
    """1 where a seat is ahead of another one, 0 where it is behind, else a half."""
    return 0.5 + 0.5 * (is_ahead(rules, state, seat, other) - is_ahead(rules, state, other, seat))


@inner
def worth_of(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> float:
    """What a seat plays for, as one number: share of the opponents beaten, and a little for the lead.

    In solo the lowest marker. Between 0 and 1, or a little more, except in solo.
    """
    evaluate(rules, state, seat, weights, scratch)
    if number_at(rules, IS_SOLO):
        return float(scratch[1])
    return float(scratch[0]) + LEAD_WORTH * float(scratch[1])


LEAD_WORTH = 0.01
"""What a place of the lead counts, in shares."""


@compiled
def value(rules: Rules, state: State, seat: int, weights: Floats, scratch: Floats) -> float:
    """`worth_of`, for Python."""
    return worth_of(rules, state, seat, weights, scratch)


@compiled
def outputs(weights: Floats, scratch: Floats) -> None:
    """`forward`, for Python: features at the beginning; the two numbers then stand there."""
    forward(weights, scratch)
    scratch[0], scratch[1] = scratch[OUTPUT_AT], scratch[OUTPUT_AT + 1]


def new_scratch() -> Floats:
    """Scratch space for one thread."""
    return np.zeros(SCRATCH, np.float32)


FOLDER = Path(__file__).parent / "weights"


@cache
def weights_of(variant: str, seats: int) -> Floats | None:
    """The weights learned for a variant and seat count; None where there are none."""
    path = FOLDER / f"{variant}-{seats}.npy"
    if not path.exists():
        return None
    found: Floats = np.load(path)
    if found.shape != (WEIGHTS,):
        raise ValueError(f"{path.name} holds {found.shape} weights and not {WEIGHTS}")
    return found.astype(np.float32)
