"""Observers of states in OpenSpiel's form: an array with named parts, and a text.

With perfect recall they give the information state: what the player sees now, and everything it has seen.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from genial.core.observation import fields, observation_size
from genial.core.title import Setup
from genial.envs.chance import Moment
from genial.envs.knowledge import (
    drawn_text,
    history_numbers,
    history_text,
    most_numbers,
    rack_text,
    seen,
    seen_text,
)


class HasMoment(Protocol):
    """An OpenSpiel state that holds one of our moments."""

    moment: Moment


class PlayerObserver:
    """Everything one player may know.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> observer = PlayerObserver(setup(title_of("classic"), 2), recalls=True)
    >>> observer.tensor.shape, observer.dict["rack"].shape, observer.dict["history"].shape
    ((816,), (21,), (643,))
    """

    def __init__(self, found: Setup, recalls: bool) -> None:
        self._recalls = recalls
        self._now = observation_size(found)
        self.tensor = np.zeros(self._now + (most_numbers(found) if recalls else 0), np.float32)
        self.dict = {
            field.name: self.tensor[field.offset :][: field.length].reshape(field.shape)
            for field in fields(found)
        }
        if recalls:
            self.dict["history"] = self.tensor[self._now :]

    def set_from(self, state: HasMoment, player: int) -> None:
        """Write what the player knows into `tensor`, whose parts are in `dict`."""
        self.tensor[: self._now] = np.frombuffer(seen(state.moment, player), np.uint8)
        if self._recalls:
            history = self.dict["history"]
            numbers = history_numbers(state.moment, player)[-len(history) :]
            history[: len(numbers)] = numbers
            history[len(numbers) :] = 0

    def string_from(self, state: HasMoment, player: int) -> str:
        return history_text(state.moment, player) if self._recalls else seen_text(state.moment, player)


class PartObserver:
    """What is public, or what only one player sees, as text; together they are everything it may know."""

    def __init__(self, public: bool, private: bool, recalls: bool) -> None:
        self._public, self._private, self._recalls = public, private, recalls
        self.tensor = None
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: HasMoment, player: int) -> None:
        """There is no tensor to set."""

    def string_from(self, state: HasMoment, player: int) -> str:
        moment = state.moment
        if self._public:
            return history_text(moment, None) if self._recalls else seen_text(moment, None)
        if self._private:
            return drawn_text(moment, player) if self._recalls else rack_text(moment, player)
        return ""
