"""A kernel run by somebody else plays the same games, on copies of the arrays it is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

import genial
from genial import kernel
from genial.bots.worlds import worlds_of
from genial.kernel import convert, engine, library
from genial.kernel.api import Game
from genial.kernel.lent import Lent
from genial.kernel.tables import tables


def copying(name: str, arguments: Sequence[Any]) -> Any:
    """Call the library as a page does: with copies, which are copied back."""
    copies: list[Any] = [
        each if isinstance(each, int) else bytearray(memoryview(each).cast("B")) for each in arguments
    ]
    result = getattr(library.load(), name)(*copies)
    for given, copy in zip(arguments, copies, strict=True):
        if not isinstance(given, int):
            memoryview(given).cast("B")[:] = copy
    return result


@pytest.fixture
def lent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lent]:
    try:
        library.load()
    except library.NoLibrary as error:
        pytest.skip(str(error))
    monkeypatch.setattr(engine, "_given", [])
    found = Lent(copying)
    engine.give(found)
    Game.of.cache_clear()
    convert.fresh.cache_clear()
    yield found
    Game.of.cache_clear()
    convert.fresh.cache_clear()


def test_the_lent_engine_is_the_one_in_use(lent: Lent) -> None:
    assert engine.engine() is lent
    assert kernel.available() == (True, "", engine.LENT)


def test_games_match_the_librarys(lent: Lent, variant: str, seats: int) -> None:
    game, native = Game.of(variant, seats), library.load()
    assert game.engine is lent
    states = []
    for each in (lent, native):
        state = bytearray(game.tables.state_size)
        each.new(game.tables.rules, game.fresh, state, 7)
        assert each.playout(game.tables.rules, state, 1) > 0
        states.append(state)
    assert states[0] == states[1]


def test_steps_change_the_state_that_was_given(lent: Lent) -> None:
    game = Game.of("classic", 2)
    state = game.new(seed=7)
    before = bytes(state)
    number = game.legal(state).numbers[0]
    assert game.step(state, number) == 0
    assert state != before
    assert game.step(state, number) == 1


def test_worlds_match_the_librarys(lent: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    view = genial.new("3d", seats=3, seed=7).view({0})
    here = worlds_of(view, Random(3), 4)
    monkeypatch.setattr(engine, "_given", [])
    convert.fresh.cache_clear()
    assert worlds_of(view, Random(3), 4) == here
    assert tables("3d", 3).state_size == len(here.states) // here.number
