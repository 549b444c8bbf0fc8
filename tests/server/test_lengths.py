"""How long the lobby says a game is."""

from __future__ import annotations

from random import Random

import pytest

import genial
from genial.bots import bot_named, play_out
from genial.core.titles import TITLES
from genial.server.lengths import TURNS


@pytest.mark.parametrize("variant", TITLES)
def test_a_game_is_about_as_long_as_the_lobby_says(variant: str) -> None:
    assert tuple(TURNS[variant]) == TITLES[variant].seats
    seats, turns = next(iter(TURNS[variant].items()))
    end = play_out(genial.new(variant, seats=seats, seed=5), [bot_named("balanced")] * seats, Random(5))
    assert end.turn / seats == pytest.approx(turns, rel=0.25)
