"""Playing a game to its end inside compiled code: at random, or greedily for points."""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.entries import GREEDY
from genial.kernel.source import board, cards
from genial.kernel.source.compiled import State, compiled, inlined, inner, whole
from genial.kernel.source.greedy import best_placement
from genial.kernel.source.play import begin
from genial.kernel.source.rng import below, next_word, nth_bit
from genial.kernel.source.rules import Rules
from genial.kernel.source.scoring import write_ranks
from genial.kernel.source.words import bit_count, word_at

_0 = np.uint64(0)


@inlined
def random_placement(rules: Rules, state: State) -> int:
    """The number of a random lawful placement, all equally likely.

    The only simplification: a double on a double track counts as one action, in any order.
    """
    opening = board.is_opening(rules, state)
    words = rules.words
    lawful = _count_legal(rules, state, opening)
    held = word_at(state, at.KINDS_HELD + 8 * whole(state[at.SEAT]))
    pairs, doubles = held & rules.two_coloured, held & rules.doubles
    ways = 2 * bit_count(pairs)
    chosen = next_word(state)
    way = whole(((chosen >> np.uint64(32)) * np.uint64(ways + bit_count(doubles))) >> np.uint64(32))
    nth = whole(((chosen & np.uint64(0xFFFFFFFF)) * np.uint64(lawful)) >> np.uint64(32))
    if way < ways:
        kind, turned = _nth_kind(pairs, way >> 1), way & 1
    else:
        kind, turned = _nth_kind(doubles, way - ways), nth & rules.order_matters
    word = 0
    while word < words - 1:
        count = bit_count(board.legal_word(rules, state, word, opening))
        if nth < count:
            break
        nth -= count
        word += 1
    pair = 64 * word + nth_bit(board.legal_word(rules, state, word, opening), nth)
    return (2 * kind + turned) * rules.pairs + pair


@inlined
def _count_legal(rules: Rules, state: State, opening: bool) -> int:
    """How many pairs of cells the next tile may lie on. Two loops, each of which can be vectorised."""
    lawful = 0
    if opening:
        for word in range(rules.words):
            lawful += bit_count(board.legal_word(rules, state, word, True))
    else:
        for word in range(rules.words):
            lawful += bit_count(board.legal_word(rules, state, word, False))
    return lawful


@inlined
def _nth_kind(kinds: np.uint64, n: int) -> int:
    for _ in range(n):
        kinds &= kinds - np.uint64(1)
    return whole(bit_count((kinds & (_0 - kinds)) - np.uint64(1)))


@inlined
def _play_board(rules: Rules, state: State, policy: int) -> int:
    placements, pairs, greedily = 0, rules.pairs, policy == GREEDY
    while True:
        # End of turn and next placement in one iteration, which keeps games in step on a graphics card.
        if state[at.PHASE] == at.END_TURN:
            # Greedy play swaps whenever it may: a rack without the lowest colours cannot raise them.
            swap = board.may_swap(rules, state) and (greedily or below(state, 2) == 1)
            board.end_turn(rules, state, swap, False, state)
        if state[at.PHASE] == at.OVER:
            return placements
        action = best_placement(rules, state) if greedily else random_placement(rules, state)
        group = action // pairs
        board.place(rules, state, group >> 1, group & 1, action - group * pairs, greedily, False, state)
        placements += 1


@inner
def _play_cards(rules: Rules, state: State, policy: int) -> int:
    placements, greedily = 0, policy == GREEDY
    while True:
        if state[at.PHASE] == at.END_TURN:
            swap = cards.may_swap(rules, state) and (greedily or below(state, 2) == 1)
            cards.end_turn(rules, state, swap, False, state)
        if state[at.PHASE] == at.OVER:
            return placements
        if greedily:
            chosen = cards.best_play(rules, state)
        else:
            chosen = 2 * cards.random_kind(rules, state) + below(state, 2)
        cards.play(rules, state, chosen >> 1, chosen & 1)
        placements += 1


@inner
def play_out(rules: Rules, state: State, policy: int) -> int:
    """Play a game to its end. Returns how many tiles or cards that took."""
    if rules.is_cards:
        return _play_cards(rules, state, policy)
    return _play_board(rules, state, policy)


@compiled
def playout(rules: Rules, state: State, policy: int) -> int:
    """Play the game in a state to its end, from its own stream. After random play the planes are stale."""
    return play_out(rules, state, policy)


@compiled
def play_many(rules: Rules, fresh: State, state: State, policy: int, games: int) -> int:
    """Deal and play `games` games one after another. Returns how many tiles or cards that took in all."""
    placements = 0
    for _ in range(games):
        begin(rules, fresh, state, policy == GREEDY)
        placements += play_out(rules, state, policy)
    return placements


@compiled
def ranks(rules: Rules, state: State, out: State) -> None:
    """Write the rank of each seat, judging by the current tracks."""
    write_ranks(rules, state, out)
