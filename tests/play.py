"""Random games for the tests."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

import genial
from genial.core.actions import Place, Play
from genial.core.moves import Phase, outcome
from genial.core.position import Position
from genial.core.titles import TITLES

GAMES = [(variant, seats) for variant, title in TITLES.items() for seats in title.seats]
"""Every variant with each of its seat counts."""

games = st.sampled_from(GAMES)
seeds = st.integers(min_value=0, max_value=2**32)


def walk(game: tuple[str, int], seed: int, *, greedily: bool = False) -> list[Position]:
    """The positions of a random game, one after each action; greedy play reaches bonus moves and ends."""
    rng = Random(seed)
    position = genial.new(game[0], seats=game[1], seed=seed)
    positions = [position]
    while not position.is_over:
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        if greedily and position.phase is Phase.PLACE:
            few = [actions[rng.randrange(len(actions))] for _ in range(12)]
            action = max(
                (a for a in few if isinstance(a, Place | Play)),
                key=lambda a: sum(outcome(position, a).score.gain),
            )
        elif greedily:
            action = actions[-1]  # a swap where there is one
        position, _ = position.apply(action)
        positions.append(position)
    return positions
