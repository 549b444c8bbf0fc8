"""A frame for all searches: everything a search works with, laid out in a piece of memory its caller owns.

Nothing is kept anywhere else, so a search can be paused after any node and resumed later, from Python, C or
JavaScript alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genial.kernel import settings, totals
from genial.kernel import state as at
from genial.kernel.network import SCRATCH
from genial.kernel.source.balanced import Worth, scratch_size
from genial.kernel.source.compiled import Numbers, State, inlined, inner, whole
from genial.kernel.source.features import Floats
from genial.kernel.source.rules import Rules
from genial.kernel.source.shortlist import Desk
from genial.kernel.source.words import (
    bytes_in,
    doubles_in,
    floats_in,
    ints_in,
    longs_in,
    shorts_in,
)

Longs = NDArray[np.int64]
Doubles = NDArray[np.float64]

# The progress of a search: whole numbers at the start of its memory.
KIND, SEED = 0, 1
CANDIDATES, ASKED = 2, 3
"""ASKED: how many of them, from the first, stay in the race whatever their results."""
LIVE = 4
"""How many candidates are in the race."""
LEFT = 5
"""How many parts of the work are left, including the current one: one for each halving."""
FIRST, ROUND, LAST = 6, 7, 8
"""The rounds of this part: its first, the current one, and the one before which it ends."""
CURSOR = 9
"""Which of the live candidates is next in this round."""
NODES_LEFT, LINES = 10, 11
"""What the remaining parts may spend; the lines of an exact endgame so far."""
DEPTH, IS_NEW = 12, 13
"""Where the exact endgame is: below 0 before and after a candidate; whether nothing was tried there yet."""
_NUMBERS = 16

# Kinds of search
PLAYOUTS, BY_VALUE, EXACT = 0, 1, 2

REPLIES = 8
"""How many placements of each seat are considered after a candidate."""
LOOKED_AT = 4
"""How many times the width the learned value considers, to choose the candidates from."""
MOST_PAIRS = 5
"""The most pairs of cells for an exact endgame. With six, one world can take a tenth of a second."""
_DEPTHS = MOST_PAIRS + 2
"""A placement removes at least one pair, so no line is deeper."""
OUTCOME_LEAD, OUTCOME_WINS = at.MOST_SEATS, at.MOST_SEATS + 1
"""The outcome of a line: each seat's score, the mover's lead, each seat's share of the win."""
OUTCOME = 2 * at.MOST_SEATS + 1


class Stack(NamedTuple):
    """The exact endgame's lines: for each depth a state, its actions and the best outcome so far."""

    states: State
    actions: Numbers
    counts: Numbers
    """Two for each depth: how many actions there are, and how many were tried."""
    outcomes: Doubles


class Frame(NamedTuple):
    """What a search works with."""

    rules: Rules
    worth: Worth
    weights: Floats
    worlds: State
    """Worlds that the mover cannot tell from the true one, one after another."""
    numbers: Longs
    """Its progress."""
    settings: Doubles
    rows: Doubles
    """One row for each candidate (`kernel.totals`)."""
    live: Numbers
    """The candidates still in the race."""
    state: State
    desk: Desk
    likings: Doubles
    """What the learned value says about each action on the desk, before the race."""
    stack: Stack


class _Parts(NamedTuple):
    """Where the parts of the memory start, in bytes."""

    live: int
    state: int
    trial: int
    paper: int
    scratch: int
    actions: int
    worths: int
    likings: int
    states: int
    stacked: int
    counts: int
    outcomes: int
    end: int


SETTINGS_AT = 8 * _NUMBERS
ROWS_AT = SETTINGS_AT + 8 * settings.COUNT


@inlined
def most_exact(rules: Rules) -> int:
    """The most actions for which the endgame is solved exactly."""
    return 2 * rules.rack * MOST_PAIRS


@inlined
def _padded(size: int) -> int:
    return (size + 31) & ~31


@inner
def _parts(rules: Rules, told: Doubles) -> _Parts:
    size, exact = rules.state_size, most_exact(rules)
    width, wanted = whole(told[settings.WIDTH]), whole(told[settings.WANTED])
    most = max(width, exact) + wanted
    listed = max(LOOKED_AT * width, most)
    live = ROWS_AT + _padded(8 * totals.WIDTH * most)
    state = live + _padded(4 * most)
    trial = state + size
    paper = trial + size
    scratch = paper + _padded(2 * scratch_size(rules))
    actions = scratch + _padded(4 * SCRATCH)
    worths = actions + _padded(4 * listed)
    likings = worths + _padded(4 * listed)
    states = likings + _padded(8 * listed)
    stacked = states + _DEPTHS * size
    counts = stacked + _padded(4 * _DEPTHS * exact)
    outcomes = counts + _padded(4 * 2 * _DEPTHS)
    end = outcomes + _padded(8 * OUTCOME * _DEPTHS)
    return _Parts(
        live,
        state,
        trial,
        paper,
        scratch,
        actions,
        worths,
        likings,
        states,
        stacked,
        counts,
        outcomes,
        end,
    )


@inner
def size_of(rules: Rules, told: Doubles) -> int:
    """How many bytes a search with these settings needs."""
    return _parts(rules, told).end


@inner
def frame_of(rules: Rules, worth: Worth, weights: Floats, worlds: State, space: State) -> Frame:
    """The frame of the search in a piece of memory, which contains its settings."""
    told = doubles_in(space, SETTINGS_AT)
    parts = _parts(rules, told)
    desk = Desk(
        bytes_in(space, parts.trial),
        shorts_in(space, parts.paper),
        floats_in(space, parts.scratch),
        ints_in(space, parts.actions),
        ints_in(space, parts.worths),
        REPLIES,
    )
    stack = Stack(
        bytes_in(space, parts.states),
        ints_in(space, parts.stacked),
        ints_in(space, parts.counts),
        doubles_in(space, parts.outcomes),
    )
    return Frame(
        rules,
        worth,
        weights,
        worlds,
        longs_in(space, 0),
        told,
        doubles_in(space, ROWS_AT),
        ints_in(space, parts.live),
        bytes_in(space, parts.state),
        desk,
        doubles_in(space, parts.likings),
        stack,
    )
