"""The kernel's interface: every entry point with its plain C signature, the same for source and library.

The library exports each as `genial_NAME`; the numba source has a compiled function for each. `DUTIES` states
the callers' obligations. `tools.kernel` generates the C header and the browser client's interface from this
list.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """The C type of a parameter or result."""

    RULES = "const uint16_t *"
    """The tables of one variant and seat count (`tables.py`); constant while code is running."""
    BYTES = "uint8_t *"
    SHORTS = "uint16_t *"
    INTS = "int32_t *"
    FLOATS = "float *"
    DOUBLES = "double *"
    WHOLE = "int64_t"
    REAL = "double"
    NOTHING = "void"


class Entry(NamedTuple):
    """One entry point: `genial_NAME` in C, and the location of its numba function."""

    name: str
    source: str
    """MODULE.FUNCTION inside `genial.kernel.source`."""
    parameters: dict[str, Kind]
    returns: Kind = Kind.NOTHING


DUTIES = """\
Arrays belong to the caller and lie on 8-byte boundaries, as malloc gives them; those of one call do not
overlap. One array is for one thread at a time. A search's width is 1 at least. Nothing is allocated or kept
between calls, and none of this is checked, nor how long an array is.
"""

RANDOM, GREEDY, BALANCED = 0, 1, 2
"""The policies of playouts, and one more for batches."""
MASKS, SEEN = 1, 2
"""What `turn_many` writes for each game, as bits: the lawful actions, and what the seat to move may know."""
BUDGET = 8
"""How much to spend on one step of a choice, in playouts or their equivalent.

On the largest boards this takes up to 2 ms with the library and 3 in a browser, so a step ends within 10 ms
even on a processor three times as slow. A call costs a few microseconds, so less would be wasteful.
"""
_RULES, _BYTES, _INTS, _FLOATS = Kind.RULES, Kind.BYTES, Kind.INTS, Kind.FLOATS
_SHORTS, _DOUBLES, _WHOLE = Kind.SHORTS, Kind.DOUBLES, Kind.WHOLE
_PART = {"low": _WHOLE, "high": _WHOLE}

ENTRIES: tuple[Entry, ...] = (
    # One game
    Entry("new", "play.new", {"rules": _RULES, "fresh": _BYTES, "state": _BYTES, "seed": _WHOLE}),
    Entry("step", "play.step", {"rules": _RULES, "state": _BYTES, "action": _WHOLE}, _WHOLE),
    Entry(
        "follow",
        "play.follow",
        {"rules": _RULES, "state": _BYTES, "action": _WHOLE, "dealt": _BYTES},
        _WHOLE,
    ),
    Entry("mask", "legal.mask", {"rules": _RULES, "state": _BYTES, "out": _BYTES}, _WHOLE),
    Entry("points", "legal.points", {"rules": _RULES, "state": _BYTES, "action": _WHOLE, "out": _BYTES}),
    Entry(
        "legal",
        "legal.legal",
        {"rules": _RULES, "state": _BYTES, "mask": _BYTES, "numbers": _INTS, "points": _BYTES},
        _WHOLE,
    ),
    Entry("best", "greedy.choose_best", {"rules": _RULES, "state": _BYTES}, _WHOLE),
    Entry("scan", "greedy.scan", {"rules": _RULES, "state": _BYTES, "times": _WHOLE}, _WHOLE),
    Entry("playout", "playout.playout", {"rules": _RULES, "state": _BYTES, "policy": _WHOLE}, _WHOLE),
    Entry(
        "play_many",
        "playout.play_many",
        {"rules": _RULES, "fresh": _BYTES, "state": _BYTES, "policy": _WHOLE, "games": _WHOLE},
        _WHOLE,
    ),
    Entry("ranks", "playout.ranks", {"rules": _RULES, "state": _BYTES, "out": _BYTES}),
    Entry("redeal", "redeal.redeal", {"rules": _RULES, "state": _BYTES, "viewers": _WHOLE, "seed": _WHOLE}),
    Entry("observe", "observe.observe", {"rules": _RULES, "state": _BYTES, "seat": _WHOLE, "out": _BYTES}),
    Entry(
        "features",
        "features.features",
        {"rules": _RULES, "state": _BYTES, "seat": _WHOLE, "other": _WHOLE, "out": _FLOATS},
    ),
    # Many games, one after another: those from low up to, but not including, high
    Entry(
        "deal_many",
        "batch.deal_many",
        {"rules": _RULES, "fresh": _BYTES, "states": _BYTES, "seed": _WHOLE, **_PART},
    ),
    Entry(
        "step_many",
        "batch.step_many",
        {
            "rules": _RULES,
            "fresh": _BYTES,
            "states": _BYTES,
            "actions": _INTS,
            "over": _BYTES,
            "ranks": _BYTES,
            **_PART,
        },
        _WHOLE,
    ),
    Entry(
        "turn_many",
        "batch.turn_many",
        {
            "rules": _RULES,
            "fresh": _BYTES,
            "states": _BYTES,
            "actions": _INTS,
            "over": _BYTES,
            "ranks": _BYTES,
            "tracks": _BYTES,
            "viewers": _BYTES,
            "lasts": _BYTES,
            "seats": _BYTES,
            "masks": _BYTES,
            "seen": _BYTES,
            "views": _WHOLE,
            **_PART,
        },
        _WHOLE,
    ),
    Entry(
        "choose_where",
        "batch.choose_where",
        {
            "rules": _RULES,
            "states": _BYTES,
            "asked": _BYTES,
            "actions": _INTS,
            "policy": _WHOLE,
            "worth": _SHORTS,
            "scratch": _SHORTS,
            **_PART,
        },
        _WHOLE,
    ),
    Entry("balanced_size", "balanced.scratch_size", {"rules": _RULES}, _WHOLE),
    Entry("choose_many", "batch.choose_many", {"rules": _RULES, "states": _BYTES, "actions": _INTS, **_PART}),
    Entry("mask_many", "batch.mask_many", {"rules": _RULES, "states": _BYTES, "masks": _BYTES, **_PART}),
    Entry("observe_many", "batch.observe_many", {"rules": _RULES, "states": _BYTES, "out": _BYTES, **_PART}),
    Entry("spread_many", "batch.spread_many", {"rules": _RULES, "masks": _BYTES, "out": _BYTES, **_PART}),
    # States written from outside
    Entry("clear", "restore.clear", {"rules": _RULES, "state": _BYTES}),
    Entry("rebuild", "restore.rebuild", {"rules": _RULES, "state": _BYTES}),
    Entry("note_racks", "restore.note_racks", {"rules": _RULES, "state": _BYTES}),
    # A choice: a search in memory that the caller owns, in steps as short as the caller likes
    Entry("choice_size", "choice.choice_size", {"rules": _RULES, "settings": _DOUBLES}, _WHOLE),
    Entry(
        "choice_begin",
        "choice.choice_begin",
        {
            "rules": _RULES,
            "settings": _DOUBLES,
            "worth": _SHORTS,
            "weights": _FLOATS,
            "worlds": _BYTES,
            "wanted": _INTS,
            "space": _BYTES,
            "seed": _WHOLE,
        },
        _WHOLE,
    ),
    Entry(
        "choice_step",
        "choice.choice_step",
        {
            "rules": _RULES,
            "worth": _SHORTS,
            "weights": _FLOATS,
            "worlds": _BYTES,
            "space": _BYTES,
            "budget": _WHOLE,
            "hurry": _WHOLE,
        },
        _WHOLE,
    ),
    Entry("choice_result", "choice.choice_result", {"space": _BYTES, "rows": _DOUBLES}, _WHOLE),
)
"""What the library exports."""
