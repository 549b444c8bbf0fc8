"""Worlds to search in: complete games, as kernel states, that the viewer cannot tell from the true one."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from genial.core.determinize import determinize
from genial.core.events import Reshuffled, Swapped
from genial.core.view import View
from genial.kernel import convert


class Worlds(NamedTuple):
    """Redealt states, one after another."""

    states: bytearray
    number: int
    """How many there are."""
    redealing: bool
    """True if the kernel can redeal exactly, so that all other worlds can be made from one."""


def worlds_of(view: View, rng: Random, count: int) -> Worlds:
    """This many worlds of a view, or just one if the kernel can make the others from it."""
    redealing = _is_simple(view)
    positions = [determinize(view, rng) for _ in range(1 if redealing else count)]
    states = bytearray().join(convert.from_core(position) for position in positions)
    return Worlds(states, len(positions), redealing)


def _is_simple(view: View) -> bool:
    """True if any unseen tile can be anywhere: nobody else gave tiles back, so none was drawn too early."""
    for event in view.events:
        if isinstance(event, Reshuffled) or (isinstance(event, Swapped) and event.seat not in view.viewer):
            return False
    return True
