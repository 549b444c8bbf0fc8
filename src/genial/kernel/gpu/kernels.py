"""What runs on the card: one list from which `tools.kernel.ptx` generates the code and `Card` the calls.

A kernel plays one game in each thread. Its source function gets the thread's own row of every array; results
are summed over all threads. Where a thread keeps its data, and how a kernel is launched, was found by
measuring (docs/benchmarks.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from genial.kernel.entries import GREEDY, RANDOM, Entry, Kind

POLICIES = {"random": RANDOM, "greedy": GREEDY}
LARGEST_STATE = 5696
"""The size of the largest state (3D), in bytes."""

COMMON = ("rules", "fresh", "told", "worth", "weights")
"""Arrays shared by all threads; of every other array each thread has a row."""

_RULES, _BYTES, _INTS, _WHOLE = Kind.RULES, Kind.BYTES, Kind.INTS, Kind.WHOLE
_PLAY = Entry(
    "play",
    "playout.play_many",
    {"rules": _RULES, "fresh": _BYTES, "state": _BYTES, "policy": _WHOLE, "games": _WHOLE},
    _WHOLE,
)
_PLAYOUTS = Entry(
    "playouts",
    "many.playouts",
    {
        "rules": _RULES,
        "given": _BYTES,
        "state": _BYTES,
        "policy": _WHOLE,
        "viewers": _WHOLE,
        "times": _WHOLE,
        "seed": _WHOLE,
        "ranks": _BYTES,
        "sums": _INTS,
    },
    _WHOLE,
)
_SEARCH = Entry(
    "search",
    "many.search",
    {
        "rules": _RULES,
        "told": Kind.DOUBLES,
        "worth": Kind.SHORTS,
        "weights": Kind.FLOATS,
        "state": _BYTES,
        "stream": _BYTES,
        "space": _BYTES,
        "rows": Kind.DOUBLES,
        "action": _INTS,
    },
    _WHOLE,
)
_STEPS: tuple[Entry, ...] = (
    Entry("deal", "play.new", {"rules": _RULES, "fresh": _BYTES, "state": _BYTES, "seed": _WHOLE}),
    Entry(
        "step",
        "many.step",
        {
            "rules": _RULES,
            "fresh": _BYTES,
            "state": _BYTES,
            "action": _INTS,
            "over": _BYTES,
            "ranks": _BYTES,
        },
        _WHOLE,
    ),
    Entry(
        "turn",
        "many.turn",
        {
            "rules": _RULES,
            "fresh": _BYTES,
            "state": _BYTES,
            "action": _INTS,
            "over": _BYTES,
            "ranks": _BYTES,
            "tracks": _BYTES,
            "viewer": _BYTES,
            "last": _BYTES,
        },
        _WHOLE,
    ),
    Entry("choose", "many.choose", {"rules": _RULES, "state": _BYTES, "action": _INTS}),
    Entry("choose_best", "many.choose_best", {"rules": _RULES, "state": _BYTES, "action": _INTS}),
    Entry("ranks", "playout.ranks", {"rules": _RULES, "state": _BYTES, "out": _BYTES}),
)
_VIEWS: tuple[Entry, ...] = (
    Entry("masks", "many.masks", {"rules": _RULES, "state": _BYTES, "out": _BYTES}, _WHOLE),
    Entry("observe", "many.observe", {"rules": _RULES, "state": _BYTES, "out": _BYTES}),
)
_OFFER = Entry(
    "offer",
    "lockstep.offer",
    {
        "rules": _RULES,
        "worth": Kind.SHORTS,
        "state": _BYTES,
        "paper": Kind.SHORTS,
        "actions": _INTS,
        "worths": _INTS,
        "room": _WHOLE,
    },
)
_ATTEMPT = Entry(
    "attempt",
    "lockstep.attempt",
    {
        "rules": _RULES,
        "given": _BYTES,
        "state": _BYTES,
        "action": _INTS,
        "samples": _BYTES,
        "outcome": Kind.FLOATS,
    },
)
_ADVANCE = Entry(
    "advance",
    "lockstep.advance",
    {"rules": _RULES, "state": _BYTES, "action": _INTS, "finals": Kind.FLOATS},
    _WHOLE,
)
_VIEW = Entry("view", "lockstep.view", {"rules": _RULES, "state": _BYTES, "seat": _INTS, "samples": _BYTES})
LOCKSTEP: tuple[Entry, ...] = (_OFFER, _ATTEMPT, _ADVANCE, _VIEW)
"""What learning needs: games that advance in lockstep."""
ENTRIES: tuple[Entry, ...] = (*_STEPS, *_VIEWS, _PLAY, _PLAYOUTS, *LOCKSTEP)
"""The source functions that kernels call."""
SEARCHES: tuple[Entry, ...] = (_SEARCH,)


class Layout(Enum):
    """Where a thread keeps the state it plays on."""

    OWN = "own"
    """In the batch itself, with states side by side."""
    LOCAL = "local"
    """A copy in the thread's local memory, which the card interleaves word by word."""
    SHARED = "shared"
    """A copy in the multiprocessor's shared memory: fast but small."""


class Shape(NamedTuple):
    """How a kernel is launched."""

    block: int = 128
    """Threads per block."""
    registers: int | None = None
    """The most registers a thread may use; None leaves the choice to the card's compiler."""


PLAIN, WARP = Shape(), Shape(32)
"""WARP: one warp per block; with shared memory, this lets the most run at once."""


@dataclass(frozen=True)
class Kernel:
    """One kernel: a source function, and how a thread calls it."""

    name: str
    entry: Entry
    layout: Layout = Layout.OWN
    """Where `state` is."""
    shape: Shape = PLAIN
    fixed: dict[str, int] = field(default_factory=dict)
    """Parameters compiled in as constants."""
    staged: str = ""
    """An array whose rows, initially zero, are kept in shared memory until a block writes them all out."""


def _whole_games(policy: str, layout: Layout, shape: Shape) -> tuple[Kernel, ...]:
    """Whole games on the card with one policy, without the code of the others."""
    return tuple(
        Kernel(f"{entry.name}_{policy}", entry, layout, shape, {"policy": POLICIES[policy]})
        for entry in (_PLAY, _PLAYOUTS)
    )


KERNELS: tuple[Kernel, ...] = (
    *(Kernel(entry.name, entry) for entry in _STEPS),
    *(Kernel(entry.name, entry, shape=WARP, staged="out") for entry in _VIEWS),
    *_whole_games("random", Layout.SHARED, WARP),
    # Greedy play needs so much of a state that very few fit into shared memory.
    *_whole_games("greedy", Layout.LOCAL, Shape(64, registers=64)),
    Kernel("offer", _OFFER),
    Kernel("attempt", _ATTEMPT, Layout.LOCAL, WARP, staged="samples"),
    Kernel("advance", _ADVANCE),
    Kernel("view", _VIEW, shape=WARP, staged="samples"),
)
"""The contents of `genial.ptx`."""
SEARCH = Kernel("search", _SEARCH, shape=Shape(1))
"""Only for the agreement check: much code with divergent threads, so each gets its own warp."""
