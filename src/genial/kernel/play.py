"""The acts of a game, whatever its title: new, step, and step with tiles that a dealer outside deals."""

from __future__ import annotations

import numpy as np

from genial.kernel import board, cards
from genial.kernel.compiled import Rules, State, compiled, inlined, inner
from genial.kernel.legal import is_legal
from genial.kernel.state import RNG
from genial.kernel.tables import ACTIONS, IS_CARDS, PAIRS, STATE_SIZE
from genial.kernel.words import number_at, put_word, word_at

OK, ILLEGAL = 0, 1


@inlined
def copy(source: State, target: State, size: int) -> None:
    """Copy a state, word by word: a slice would be tested for overlap and copied byte by byte."""
    for n in range(0, size, 8):
        put_word(target, n, word_at(source, n))


@inlined
def begin(rules: Rules, fresh: State, state: State) -> None:
    """Deal a new game into a state, from its own stream, which goes on."""
    stream = word_at(state, RNG)
    copy(fresh, state, number_at(rules, STATE_SIZE))
    put_word(state, RNG, stream)
    if number_at(rules, IS_CARDS):
        cards.deal(rules, state)
    else:
        board.deal(rules, state)


@inlined
def act(rules: Rules, state: State, action: int, keep: bool, given: bool, dealt: State) -> None:
    """Do a lawful action, by its number."""
    ending = action - (number_at(rules, ACTIONS) - 2)
    if ending >= 0:
        if number_at(rules, IS_CARDS):
            cards.end_turn(rules, state, ending == 1, given, dealt)
        else:
            board.end_turn(rules, state, ending == 1, given, dealt)
        return
    pairs = number_at(rules, PAIRS)
    group = action // pairs
    if number_at(rules, IS_CARDS):
        cards.play(rules, state, group >> 1, group & 1)
    else:
        board.place(rules, state, group >> 1, group & 1, action - group * pairs, keep, given, dealt)


@inner
def try_act(rules: Rules, state: State, action: int) -> int:
    """Do an action if it is lawful; else nothing changes."""
    if not is_legal(rules, state, action):
        return ILLEGAL
    act(rules, state, action, True, False, state)
    return OK


@compiled
def new(rules: Rules, fresh: State, state: State, seed: int) -> None:
    """A new game from a seed of the kernel's own (not DEAL) into a caller's state."""
    put_word(state, RNG, np.uint64(seed))
    begin(rules, fresh, state)


@compiled
def step(rules: Rules, state: State, action: int) -> int:
    """Do an action, by its number; tiles come from the state's own stream. 0, or 1 if it is not lawful."""
    return try_act(rules, state, action)


@compiled
def follow(rules: Rules, state: State, action: int, dealt: State) -> int:
    """The same, with the tiles that a dealer outside deals, as counts of kinds (DEAL)."""
    if not is_legal(rules, state, action):
        return ILLEGAL
    act(rules, state, action, True, True, dealt)
    return OK
