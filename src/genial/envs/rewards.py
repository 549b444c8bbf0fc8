"""What an agent is rewarded for: its rank, the win, or the distance to its best opponent.

In solo nobody is to be beaten, so every reward there is the score: what the lowest marker gained. Ranks,
tracks and states are arrays, of numpy or CuPy, of one game or of many. Nothing here waits for a card: numpy's
functions hand CuPy's arrays on to CuPy, and no list is an index, which would have to be sent there first.
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
    """The reward that is meant, or an error that names them all."""
    for known in REWARDS:
        if reward == known:
            return "score" if setup.title.is_solo else known
    raise ValueError(f"There's no reward called {reward!r}. Choose from: {', '.join(REWARDS)}.")


def by_rank(setup: Setup, ranks: Any) -> Any:
    """For each seat from -1, last, to 1, first: how many opponents are behind it, less those ahead, in parts.

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
    """For each seat its share of the win: 1, a part of it where several sides are first, or 0.

    >>> import numpy as np
    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> by_win(setup(title_of("classic"), 3), np.array([1, 3, 1])).tolist()
    [0.5, 0.0, 0.5]
    """
    first = ranks == 1
    # Where a game has not ended there may be no ranks yet.
    return first * (_partners(setup) / np.maximum(first.sum(-1, keepdims=True), 1))


GIVEN = {"rank": by_rank, "win": by_win}
"""What is given at the end of a game."""


def _partners(setup: Setup) -> int:
    """How many seats a side has."""
    return setup.seats // setup.title.sides.side_count(setup.seats)


def tracks_of(states: Any) -> Any:
    """Where the markers are, as states have it."""
    return states[..., at.TRACKS : at.RACKS]


def markers(setup: Setup, tracks: Any) -> Any:
    """The markers of each seat, as it sees them: colours of seats of tracks."""
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
    """How far each seat is ahead of its best opponent in what the game is about; in solo, how far it is.

    That is the lowest marker, or in the duel the number of colours on one's side (SERIES).
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
