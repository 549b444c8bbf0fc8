"""Playing a game to its end inside compiled code: at random, or greedily for points."""

from __future__ import annotations

import numpy as np

from genial.kernel import board, cards
from genial.kernel.compiled import Rules, State, compiled, inlined, inner, whole
from genial.kernel.greedy import best_placement
from genial.kernel.play import begin
from genial.kernel.rng import below, next_word, nth_bit
from genial.kernel.scoring import write_ranks
from genial.kernel.state import END_TURN, KINDS_HELD, OVER, PHASE, SEAT
from genial.kernel.tables import DOUBLES, IS_CARDS, ORDER_MATTERS, PAIRS, TWO_COLOURED, WORDS
from genial.kernel.words import bit_count, number_at, set_at, word_at

RANDOM, GREEDY = 0, 1
_0 = np.uint64(0)


@inlined
def random_placement(rules: Rules, state: State) -> int:
    """Any lawful placement, each as likely as the others: its number.

    Only a double on a double track is taken more simply than core lists it: one action, in any order.
    """
    opening = board.is_opening(rules, state)
    words = number_at(rules, WORDS)
    places = 0
    for word in range(words):
        places += bit_count(board.legal_word(rules, state, word, opening))
    held = word_at(state, KINDS_HELD + 8 * whole(state[SEAT]))
    pairs, doubles = held & set_at(rules, TWO_COLOURED), held & set_at(rules, DOUBLES)
    ways = 2 * bit_count(pairs)
    chosen = next_word(state)
    way = whole(((chosen >> np.uint64(32)) * np.uint64(ways + bit_count(doubles))) >> np.uint64(32))
    place = whole(((chosen & np.uint64(0xFFFFFFFF)) * np.uint64(places)) >> np.uint64(32))
    if way < ways:
        kind, turned = _nth_kind(pairs, way >> 1), way & 1
    else:
        kind, turned = _nth_kind(doubles, way - ways), place & number_at(rules, ORDER_MATTERS)
    word = 0
    while word < words - 1:
        count = bit_count(board.legal_word(rules, state, word, opening))
        if place < count:
            break
        place -= count
        word += 1
    pair = 64 * word + nth_bit(board.legal_word(rules, state, word, opening), place)
    return (2 * kind + turned) * number_at(rules, PAIRS) + pair


@inlined
def _nth_kind(kinds: np.uint64, n: int) -> int:
    for _ in range(n):
        kinds &= kinds - np.uint64(1)
    return whole(bit_count((kinds & (_0 - kinds)) - np.uint64(1)))


@inlined
def _play_board(rules: Rules, state: State, policy: int) -> int:
    placements, pairs, greedily = 0, number_at(rules, PAIRS), policy == GREEDY
    while state[PHASE] != OVER:
        if state[PHASE] == END_TURN:
            # Greed swaps whenever it may: a rack without the lowest colours cannot raise them.
            swap = board.may_swap(rules, state) and (greedily or below(state, 2) == 1)
            board.end_turn(rules, state, swap, False, state)
            continue
        action = best_placement(rules, state) if greedily else random_placement(rules, state)
        group = action // pairs
        board.place(rules, state, group >> 1, group & 1, action - group * pairs, greedily, False, state)
        placements += 1
    return placements


@inner
def _play_cards(rules: Rules, state: State, policy: int) -> int:
    placements, greedily = 0, policy == GREEDY
    while state[PHASE] != OVER:
        if state[PHASE] == END_TURN:
            swap = cards.may_swap(rules, state) and (greedily or below(state, 2) == 1)
            cards.end_turn(rules, state, swap, False, state)
            continue
        if greedily:
            chosen = cards.best_play(rules, state)
        else:
            chosen = 2 * cards.random_kind(rules, state) + below(state, 2)
        cards.play(rules, state, chosen >> 1, chosen & 1)
        placements += 1
    return placements


@inner
def play_out(rules: Rules, state: State, policy: int) -> int:
    """Play a game to its end; how many tiles or cards that took."""
    if number_at(rules, IS_CARDS):
        return _play_cards(rules, state, policy)
    return _play_board(rules, state, policy)


@compiled
def playout(rules: Rules, state: State, policy: int) -> int:
    """Play the game in a state to its end, from its own stream. After random play the planes are stale."""
    return play_out(rules, state, policy)


@compiled
def play_many(rules: Rules, fresh: State, state: State, policy: int, games: int) -> int:
    """Deal and play so many games one after the other; how many tiles or cards that took in all."""
    placements = 0
    for _ in range(games):
        begin(rules, fresh, state)
        placements += play_out(rules, state, policy)
    return placements


@compiled
def ranks(rules: Rules, state: State, out: State) -> None:
    """The rank of each seat, as the tracks stand."""
    write_ranks(rules, state, out)
