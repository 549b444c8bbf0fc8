"""What an agent is rewarded for: its rank, the win, or its lead over its best opponent.

In solo games there is nobody to beat, so every reward there is the score: what the lowest marker gained.
Ranks, tracks and states are numpy or CuPy arrays, of one game or of many. Nothing here waits for a card:
numpy's functions pass CuPy arrays on to CuPy, and no list is used as an index, since it would have to be
copied there first.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Literal

import numpy as np

from genial.core.colours import COLOURS
from genial.core.sides import Sides
from genial.core.title import Setup
from genial.kernel import state as at

Reward = Literal["rank", "win", "score"]
REWARDS: tuple[Reward, ...] = ("rank", "win", "score")


def checked(setup: Setup, reward: str) -> Reward:
    """The reward with this name, or an error that lists them all."""
    for known in REWARDS:
        if reward == known:
            return "score" if setup.title.is_solo else known
    raise ValueError(f"There's no reward called {reward!r}. Choose from: {', '.join(REWARDS)}.")


def by_rank(setup: Setup, ranks: Any) -> Any:
    """For each seat, from -1 for last to 1 for first: the share of opponents behind it minus the share ahead.

    >>> import numpy as np
    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> by_rank(setup(title_of("classic"), 3), np.array([1, 2, 2])).tolist()
    [1.0, -0.5, -0.5]
    >>> by_rank(setup(title_of("classic-team"), 4), np.array([3, 1, 3, 1])).tolist()
    [-1.0, 1.0, -1.0, 1.0]
    """
    mine, others = ranks[..., :, None], ranks[..., None, :]
    behind, ahead = (others > mine).sum(-1), (others < mine).sum(-1)
    return (behind - ahead) / max(setup.seats - _partners(setup), 1)


def by_win(setup: Setup, ranks: Any) -> Any:
    """Each seat's share of the win: 1, a part if several sides are first, or 0.

    >>> import numpy as np
    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> by_win(setup(title_of("classic"), 3), np.array([1, 3, 1])).tolist()
    [0.5, 0.0, 0.5]
    """
    first = ranks == 1
    # A game that has not ended may have no ranks yet.
    return first * (_partners(setup) / np.maximum(first.sum(-1, keepdims=True), 1))


GIVEN = {"rank": by_rank, "win": by_win}
"""What is given at the end of a game."""


def _partners(setup: Setup) -> int:
    """How many seats a side has."""
    return setup.seats // setup.title.sides.side_count(setup.seats)


def tracks_of(states: Any) -> Any:
    """The tracks within states."""
    return states[..., at.TRACKS : at.RACKS]


def markers(setup: Setup, tracks: Any) -> Any:
    """The markers of each seat, from its own point of view: tracks by seats by colours."""
    title, width = setup.title, len(COLOURS)
    places = tracks.astype("int32").reshape(*tracks.shape[:-1], at.MOST_SEATS, 8)
    found = np.stack(
        [places[..., title.sides.track_of(seat), :width] for seat in range(setup.seats)], axis=-2
    )
    found += title.track.lowest_step
    if title.sides is Sides.SHARED:
        found[..., 1, :] *= -1
    return found


def leads(setup: Setup, tracks: Any) -> Any:
    """How far each seat is ahead of its best opponent in what the game is about; in solo, its own score.

    That is the lowest marker or, in the duel, the number of colours on the seat's side (SERIES).
    """
    stand, sides, seats = markers(setup, tracks), setup.title.sides, range(setup.seats)
    points = (stand > 0).sum(-1) if sides is Sides.SHARED else stand.min(-1)
    if setup.title.is_solo:
        return points
    found = points.copy()
    for seat in seats:
        others = [points[..., other] for other in seats if sides.side_of(other) != sides.side_of(seat)]
        found[..., seat] -= reduce(np.maximum, others)
    return found
