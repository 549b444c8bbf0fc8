"""The actions of a game, whatever its title: new, step, and step with tiles from an external dealer."""

from __future__ import annotations

import numpy as np

from genial.kernel import state as at
from genial.kernel.source import board, cards
from genial.kernel.source.compiled import State, compiled, inlined, inner
from genial.kernel.source.legal import is_legal
from genial.kernel.source.rules import Rules
from genial.kernel.source.words import put_word, word_at

OK, ILLEGAL = 0, 1


@inlined
def copy(source: State, target: State, size: int) -> None:
    """Copy a state word by word: a slice would be tested for overlap and copied byte by byte."""
    for n in range(0, size, 8):
        put_word(target, n, word_at(source, n))


@inlined
def begin(rules: Rules, fresh: State, state: State, keep: bool) -> None:
    """Deal a new game into a state, from its own stream, which continues."""
    stream = word_at(state, at.RNG)
    copy(fresh, state, rules.state_size)
    put_word(state, at.RNG, stream)
    if rules.is_cards:
        cards.deal(rules, state)
    else:
        board.deal(rules, state, keep)


@inlined
def _act_in_cards(rules: Rules, state: State, action: int, given: bool, dealt: State) -> None:
    ending = action - (rules.actions - 2)
    if ending >= 0:
        cards.end_turn(rules, state, ending == 1, given, dealt)
    else:
        cards.play(rules, state, action >> 1, action & 1)


@inner
def _act_on_board(rules: Rules, state: State, action: int, given: bool, dealt: State) -> None:
    ending = action - (rules.actions - 2)
    if ending >= 0:
        board.end_turn(rules, state, ending == 1, given, dealt)
    else:
        pairs = rules.pairs
        group = action // pairs
        board.place(rules, state, group >> 1, group & 1, action - group * pairs, True, given, dealt)


@inlined
def _act(rules: Rules, state: State, action: int, given: bool, dealt: State) -> None:
    if rules.is_cards:
        _act_in_cards(rules, state, action, given, dealt)
    else:
        _act_on_board(rules, state, action, given, dealt)


@inlined
def act(rules: Rules, state: State, action: int) -> None:
    """Do a lawful action, by number; tiles come from the state's own stream."""
    _act(rules, state, action, False, state)


@inlined
def act_dealt(rules: Rules, state: State, action: int, dealt: State) -> None:
    """The same, with tiles from an external dealer, as counts of kinds (DEAL)."""
    _act(rules, state, action, True, dealt)


@inner
def try_act(rules: Rules, state: State, action: int) -> int:
    """Do an action if it is lawful; otherwise nothing changes."""
    if not is_legal(rules, state, action):
        return ILLEGAL
    act(rules, state, action)
    return OK


@compiled
def new(rules: Rules, fresh: State, state: State, seed: int) -> None:
    """Deal a new game into a caller's state from a kernel seed (not DEAL)."""
    put_word(state, at.RNG, np.uint64(seed))
    begin(rules, fresh, state, True)


@compiled
def step(rules: Rules, state: State, action: int) -> int:
    """Do an action, by number, with tiles from the state's stream. Returns 0, or 1 if it is not lawful."""
    return try_act(rules, state, action)


@compiled
def follow(rules: Rules, state: State, action: int, dealt: State) -> int:
    """The same, with tiles from an external dealer, as counts of kinds."""
    if not is_legal(rules, state, action):
        return ILLEGAL
    act_dealt(rules, state, action, dealt)
    return OK
