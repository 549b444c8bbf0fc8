"""Bag and racks as counts of kinds: drawing, putting on a rack, taking off a rack."""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source.compiled import State, inlined, inner, whole
from genial.kernel.source.rng import below
from genial.kernel.source.rules import Rules
from genial.kernel.source.words import byte_at, put_byte, put_word, word_at

_1 = np.uint64(1)


@inlined
def draw_kind(rules: Rules, state: State) -> int:
    """Take one tile out of the bag, all equally likely; there must be one."""
    total, supply = rules.tiles_in_all, whole(state[at.SUPPLY])
    kind = 0
    if 4 * supply > total:
        # Try tiles of the full set until one is still in the bag: exact, and usually the first will do.
        while True:
            tile = rules.tile_at[below(state, total)]
            kind = tile & 255
            if tile >> 8 < byte_at(state, at.BAG + kind):
                break
    else:
        left = below(state, supply)
        while left >= byte_at(state, at.BAG + kind):
            left -= whole(byte_at(state, at.BAG + kind))
            kind += 1
    put_byte(state, at.BAG + kind, np.uint8(byte_at(state, at.BAG + kind) - 1))
    state[at.SUPPLY] = supply - 1
    return kind


@inlined
def put_on_rack(state: State, seat: int, kind: int) -> None:
    """Put one tile on a rack."""
    where = at.RACKS + at.RACK_STRIDE * seat + kind
    put_byte(state, where, np.uint8(byte_at(state, where) + 1))
    held = at.KINDS_HELD + 8 * seat
    put_word(state, held, word_at(state, held) | _1 << np.uint64(kind))


@inlined
def take_off_rack(state: State, seat: int, kind: int) -> int:
    """Take one tile off a rack. Returns how many are left on it."""
    where = at.RACKS + at.RACK_STRIDE * seat + kind
    count = np.uint8(byte_at(state, where) - 1)
    put_byte(state, where, count)
    if count == 0:
        held = at.KINDS_HELD + 8 * seat
        put_word(state, held, word_at(state, held) & ~(_1 << np.uint64(kind)))
    size = whole(byte_at(state, at.RACK_SIZES + seat)) - 1
    put_byte(state, at.RACK_SIZES + seat, np.uint8(size))
    return size


@inlined
def draw(rules: Rules, state: State, seat: int, wanted: int) -> None:
    """Draw `wanted` tiles, or all there are, onto a rack."""
    count = min(wanted, whole(state[at.SUPPLY]))
    for _ in range(count):
        put_on_rack(state, seat, draw_kind(rules, state))
    put_byte(state, at.RACK_SIZES + seat, np.uint8(byte_at(state, at.RACK_SIZES + seat) + count))


@inner
def draw_given(state: State, seat: int, dealt: State) -> None:
    """Draw the tiles named by an external dealer, as counts of kinds (DEAL)."""
    count = 0
    for kind in range(at.KINDS):
        for _ in range(dealt[kind]):
            put_on_rack(state, seat, kind)
        state[at.BAG + kind] -= dealt[kind]
        count += whole(dealt[kind])
    state[at.SUPPLY] -= np.uint8(count)
    state[at.RACK_SIZES + seat] += np.uint8(count)


@inner
def note_held(state: State, seat: int) -> None:
    """Recompute which kinds a rack holds, from its counts."""
    held, size = np.uint64(0), 0
    for kind in range(at.KINDS):
        count = whole(state[at.RACKS + at.RACK_STRIDE * seat + kind])
        size += count
        if count:
            held |= _1 << np.uint64(kind)
    put_word(state, at.KINDS_HELD + 8 * seat, held)
    state[at.RACK_SIZES + seat] = size
