"""A stand-in for a graphics card: numpy for CuPy's arrays, the library for kernels, and no waiting unnoticed.

When Python gets a number or a truth value from a card, all work sent there has to finish first. The same goes
for an index that is a mask or a list. Here they raise `Waited`, unless waiting is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from genial.kernel.api import Game
from genial.kernel.entries import GREEDY


class Waited(AssertionError):
    """Raised when something waits for the card."""


class OnCard(np.ndarray[Any, Any]):
    """An array that would be on the card."""

    may_wait = False

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(array).view(OnCard)  # CuPy has no scalars: a sum is an array

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(self._sent(key))
        return found if isinstance(found, OnCard) else np.asarray(found).view(OnCard)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._sent(key), value)

    def _sent(self, key: Any) -> Any:
        for part in key if isinstance(key, tuple) else (key,):
            masked = isinstance(part, np.ndarray) and part.dtype == np.bool_
            if masked or isinstance(part, list):
                self._wait()
        return key

    def _wait(self) -> None:
        if not OnCard.may_wait:
            raise Waited

    def __bool__(self) -> bool:
        self._wait()
        return bool(np.asarray(self).item())

    def __int__(self) -> int:
        self._wait()
        return int(np.asarray(self).item())

    def __float__(self) -> float:
        self._wait()
        return float(np.asarray(self).item())

    def get(self) -> Any:
        """A copy in this machine's memory."""
        self._wait()
        return np.array(self)


class StandInForCuPy:
    """The parts of CuPy that environments call."""

    ndarray = OnCard

    @staticmethod
    def asnumpy(array: Any) -> Any:
        return np.array(array)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(np, name)
        if name == "nonzero":

            def nonzero(array: Any) -> Any:
                array._wait()
                return tuple(found.view(OnCard) for found in np.nonzero(np.asarray(array)))

            return nonzero
        return lambda *arguments, **named: np.asarray(function(*arguments, **named)).view(OnCard)


class StandInForCard:
    """The parts of a card that `genial.kernel.gpu.Batch` calls."""

    def __init__(self, game: Game) -> None:
        self.xp = StandInForCuPy()
        self._game = game

    def launch(self, name: str, count: int, **given: Any) -> Any:
        """Have the library do the same work, with the arrays in the order that its entries expect."""
        engine, rules, fresh = self._game.engine, self._game.tables.rules, self._game.fresh
        spare = np.zeros(count, np.uint8)
        if name == "deal":
            found = engine.deal_many(rules, fresh, given["state"], given["seed"], 0, count)
        elif name == "step":
            found = engine.step_many(rules, fresh, *given.values(), 0, count)
        elif name == "turn":
            found = engine.turn_many(rules, fresh, *given.values(), spare, spare, spare, 0, 0, count)
        elif name == "choose":
            found = engine.choose_many(rules, *given.values(), 0, count)
        elif name == "choose_best":
            unused = np.zeros(1, np.uint16)
            asked = np.ones(count, np.uint8)
            found = engine.choose_where(
                rules, given["state"], asked, given["action"], GREEDY, unused, unused, 0, count
            )
        else:
            entry = {"masks": engine.mask_many, "observe": engine.observe_many}[name]
            found = entry(rules, *given.values(), 0, count)
        return np.array([found or 0]).view(OnCard)
