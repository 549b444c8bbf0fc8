"""Many games in one buffer, one after another: each function handles those with `low` <= number < `high`."""

from __future__ import annotations

import numpy as np

from genial.kernel.entries import BALANCED, GREEDY, MASKS, SEEN
from genial.kernel.source import balanced, many, play
from genial.kernel.source.balanced import Worth
from genial.kernel.source.compiled import Numbers, State, compiled, inlined
from genial.kernel.source.legal import mask_words, write_mask
from genial.kernel.source.rules import Rules
from genial.kernel.source.words import byte_at, bytes_in, ints_in, put_word_anywhere
from genial.kernel.state import RACKS, SEAT, TRACKS

_ONES, _OWN_BITS = np.uint64(0x0101010101010101), np.uint64(0x8040201008040201)
_CARRIES, _7 = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(7)


@compiled
def deal_many(rules: Rules, fresh: State, states: State, seed: int, low: int, high: int) -> None:
    """Deal new games, each from its own seed."""
    for n in range(low, high):
        play.new(rules, fresh, bytes_in(states, rules.state_size * n), seed + n)


@compiled
def step_many(
    rules: Rules,
    fresh: State,
    states: State,
    actions: Numbers,
    over: State,
    ranks: State,
    low: int,
    high: int,
) -> int:
    """Do one action in each game. Returns how many were not lawful. Finished games are ranked and redealt."""
    illegal = 0
    for n in range(low, high):
        state, ranked = bytes_in(states, rules.state_size * n), bytes_in(ranks, rules.seats * n)
        illegal += many.step(rules, fresh, state, ints_in(actions, n), bytes_in(over, n), ranked)
    return illegal


@compiled
def turn_many(
    rules: Rules,
    fresh: State,
    states: State,
    actions: Numbers,
    over: State,
    ranks: State,
    tracks: State,
    viewers: State,
    lasts: State,
    seats: State,
    masks: State,
    seen: State,
    views: int,
    low: int,
    high: int,
) -> int:
    """Like `step_many`, and write all a learner needs in the same pass. Returns how many were not lawful.

    For each game its tracks before a redeal, and the seat to move; for games that ended, what the viewer saw
    last. `views` says what else: the lawful actions (MASKS), and what the seat to move may know (SEEN).
    """
    illegal = 0
    for n in range(low, high):
        state = bytes_in(states, rules.state_size * n)
        illegal += many.turn(
            rules,
            fresh,
            state,
            ints_in(actions, n),
            bytes_in(over, n),
            bytes_in(ranks, rules.seats * n),
            bytes_in(tracks, (RACKS - TRACKS) * n),
            bytes_in(viewers, n),
            bytes_in(lasts, rules.observation_size * n),
        )
        seats[n] = state[SEAT]
        if views & MASKS:
            write_mask(rules, state, bytes_in(masks, 8 * mask_words(rules) * n))
        if views & SEEN:
            many.observe(rules, state, bytes_in(seen, rules.observation_size * n))
    return illegal


@compiled
def choose_where(
    rules: Rules,
    states: State,
    asked: State,
    actions: Numbers,
    policy: int,
    worth: Worth,
    scratch: Worth,
    low: int,
    high: int,
) -> int:
    """Write what a policy does in each game marked in `asked`. Returns how many are.

    Balanced play needs its table of worth, and scratch paper for `balanced_size` numbers.
    """
    count = 0
    for n in range(low, high):
        if asked[n]:
            state, action = bytes_in(states, rules.state_size * n), ints_in(actions, n)
            if policy == BALANCED:
                chosen = balanced.choose(rules, state, worth, scratch)
                action[0] = many.lawful(rules, state, chosen) if chosen < rules.actions - 2 else chosen
            elif policy == GREEDY:
                many.choose_best(rules, state, action)
            else:
                many.choose(rules, state, action)
            count += 1
    return count


@compiled
def choose_many(rules: Rules, states: State, actions: Numbers, low: int, high: int) -> None:
    """Write a random lawful action for each game, from its own stream."""
    for n in range(low, high):
        many.choose(rules, bytes_in(states, rules.state_size * n), ints_in(actions, n))


@compiled
def mask_many(rules: Rules, states: State, masks: State, low: int, high: int) -> None:
    """Write the set of lawful actions of each game, one bit each."""
    for n in range(low, high):
        mask = bytes_in(masks, 8 * mask_words(rules) * n)
        write_mask(rules, bytes_in(states, rules.state_size * n), mask)


@compiled
def observe_many(rules: Rules, states: State, out: State, low: int, high: int) -> None:
    """Write what the seat to move may know in each game."""
    for n in range(low, high):
        many.observe(rules, bytes_in(states, rules.state_size * n), bytes_in(out, rules.observation_size * n))


@inlined
def _spread_byte(bits: np.uint8) -> np.uint64:
    """Eight bytes, each 1 if its bit is set."""
    own = np.uint64(bits) * _ONES & _OWN_BITS
    return (own + _CARRIES) >> _7 & _ONES


@compiled
def spread_many(rules: Rules, masks: State, out: State, low: int, high: int) -> None:
    """Expand sets of lawful actions from one bit to one byte per action."""
    actions = rules.actions
    whole_bytes = actions >> 3
    for n in range(low, high):
        mask, row = 8 * mask_words(rules) * n, actions * n
        for part in range(whole_bytes):
            put_word_anywhere(out, row + 8 * part, _spread_byte(byte_at(masks, mask + part)))
        for bit in range(actions & 7):
            out[row + 8 * whole_bytes + bit] = masks[mask + whole_bytes] >> np.uint8(bit) & np.uint8(1)
