"""Bag and racks as counts of kinds: drawing, putting on a rack, taking off."""

from __future__ import annotations

import numpy as np

from genial.kernel.compiled import Rules, State, inlined, inner, whole
from genial.kernel.rng import below
from genial.kernel.state import BAG, KINDS, KINDS_HELD, RACK_SIZES, RACK_STRIDE, RACKS, SUPPLY
from genial.kernel.tables import TILE_AT, TILES_IN_ALL
from genial.kernel.words import byte_at, number_at, put_byte, put_word, word_at

_1 = np.uint64(1)


@inlined
def draw_kind(rules: Rules, state: State) -> int:
    """Take one tile out of the bag, each as likely as the others; there must be one."""
    total, supply = number_at(rules, TILES_IN_ALL), whole(state[SUPPLY])
    kind = 0
    if 4 * supply > total:
        # Any tile of the full set, until it is one that is still there: exact, and mostly the first try.
        while True:
            tile = number_at(rules, TILE_AT + below(state, total))
            kind = tile & 255
            if tile >> 8 < byte_at(state, BAG + kind):
                break
    else:
        left = below(state, supply)
        while left >= byte_at(state, BAG + kind):
            left -= whole(byte_at(state, BAG + kind))
            kind += 1
    put_byte(state, BAG + kind, np.uint8(byte_at(state, BAG + kind) - 1))
    state[SUPPLY] = supply - 1
    return kind


@inlined
def put_on_rack(state: State, seat: int, kind: int) -> None:
    """Put one tile on a rack."""
    place = RACKS + RACK_STRIDE * seat + kind
    put_byte(state, place, np.uint8(byte_at(state, place) + 1))
    held = KINDS_HELD + 8 * seat
    put_word(state, held, word_at(state, held) | _1 << np.uint64(kind))


@inlined
def take_off_rack(state: State, seat: int, kind: int) -> int:
    """Take one tile off a rack; how many are left on it."""
    place = RACKS + RACK_STRIDE * seat + kind
    count = np.uint8(byte_at(state, place) - 1)
    put_byte(state, place, count)
    if count == 0:
        held = KINDS_HELD + 8 * seat
        put_word(state, held, word_at(state, held) & ~(_1 << np.uint64(kind)))
    size = whole(byte_at(state, RACK_SIZES + seat)) - 1
    put_byte(state, RACK_SIZES + seat, np.uint8(size))
    return size


@inlined
def draw(rules: Rules, state: State, seat: int, wanted: int) -> None:
    """Draw so many tiles, or all there are, onto a rack."""
    count = min(wanted, whole(state[SUPPLY]))
    for _ in range(count):
        put_on_rack(state, seat, draw_kind(rules, state))
    put_byte(state, RACK_SIZES + seat, np.uint8(byte_at(state, RACK_SIZES + seat) + count))


@inner
def draw_given(state: State, seat: int, dealt: State) -> None:
    """Draw the tiles that a dealer outside names, as counts of kinds (DEAL)."""
    count = 0
    for kind in range(KINDS):
        for _ in range(dealt[kind]):
            put_on_rack(state, seat, kind)
        state[BAG + kind] -= dealt[kind]
        count += whole(dealt[kind])
    state[SUPPLY] -= np.uint8(count)
    state[RACK_SIZES + seat] += np.uint8(count)


@inner
def note_held(state: State, seat: int) -> None:
    """Work out anew which kinds a rack holds, from its counts."""
    held, size = np.uint64(0), 0
    for kind in range(KINDS):
        count = whole(state[RACKS + RACK_STRIDE * seat + kind])
        size += count
        if count:
            held |= _1 << np.uint64(kind)
    put_word(state, KINDS_HELD + 8 * seat, held)
    state[RACK_SIZES + seat] = size
