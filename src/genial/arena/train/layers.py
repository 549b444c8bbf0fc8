"""The value's network for many states at once, with NumPy on a processor or CuPy on a graphics card.

Its forward pass gives what `kernel.source.value.forward` gives, up to rounding of the sums. In training it
also has heads that play no part in the game: where each marker will end, and which colour will be the lowest.
They teach the layers below far more than one result per game does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from genial.arena.train.network import PLACES, layers_of
from genial.kernel.network import COUNT, HALF, LEAD_LOSS, LEAD_UNIT, OTHER, OWN, PARTS, TABLE_AT, THIRD
from genial.kernel.state import COLOURS

Array = Any
"""A NumPy or CuPy array."""
SIDES = (OWN, OTHER)


class Targets(NamedTuple):
    """The outcomes of some states."""

    share: Array
    lead: Array
    finals: Array
    """Where the markers ended: states by sides (own, the opponent's) by colours."""


class Losses(NamedTuple):
    """Means over a batch."""

    share: Array
    lead: Array
    places: Array
    lowest: Array


@dataclass(slots=True)
class _Passed:
    """What the forward pass leaves for the backward pass."""

    colours: Array
    table: Array
    first: Array
    second: Array
    dest: tuple[Array, Array]
    """For each colour, its row in the order by own markers, and by the opponent's."""
    ordered: tuple[Array, Array]
    third: Array
    fourth: Array


class Network:
    """Layers as views into flat weights, and the heads next to them."""

    def __init__(self, xp: Any, weights: Array, heads: Array = None) -> None:
        self.xp = xp
        self.weights = weights
        self.layers = layers_of(weights)
        self.heads = heads
        """From the second layer to steps of the seat's marker, of the opponent's, and to being the lowest."""

    def outputs(self, samples: Array) -> Array:
        """Log odds of the share, and the lead in its unit, for each row of features."""
        return self._forward(samples)[0]

    def _forward(self, samples: Array) -> tuple[Array, _Passed]:
        xp, layers, count = self.xp, self.layers, len(samples)
        colours = samples[:, :TABLE_AT].reshape(count * COLOURS, COUNT).astype(np.float32)
        table = samples[:, TABLE_AT:].astype(np.float32)
        base = table @ layers["table"] + layers["colour bias"]
        first = (colours @ layers["colour"]).reshape(count, COLOURS, -1)
        first += base[:, None]
        xp.maximum(first, 0, out=first)
        first = first.reshape(count * COLOURS, -1)
        second = first @ layers["second"] + layers["second bias"]
        xp.maximum(second, 0, out=second)
        dest = self._rows(samples)
        ordered = tuple(
            self._in_order(second[:, side * HALF : (side + 1) * HALF], dest[side]) for side in (0, 1)
        )
        third = table @ layers["third table"] + layers["third bias"]
        for name, rows in zip(("own order", "other order"), ordered, strict=True):
            third += rows @ layers[name].reshape(COLOURS * HALF, THIRD)
        xp.maximum(third, 0, out=third)
        fourth = third @ layers["fourth"] + layers["fourth bias"]
        xp.maximum(fourth, 0, out=fourth)
        found = fourth @ layers["output"] + layers["output bias"]
        return found, _Passed(colours, table, first, second, dest, (ordered[0], ordered[1]), third, fourth)

    def _rows(self, samples: Array) -> tuple[Array, Array]:
        """The row of each colour of each state, ordered by own markers and by the opponent's (`rank_of`)."""
        xp, count = self.xp, len(samples)
        features = samples[:, :TABLE_AT].reshape(count, COLOURS, COUNT)
        own, other = (features[:, :, side].astype(np.int32) for side in SIDES)
        begins = xp.arange(count, dtype=np.int32)[:, None] * COLOURS
        found = []
        for one, two in ((own, other), (other, own)):
            key = one * 1024 + two * 8 + xp.arange(COLOURS, dtype=np.int32)
            ranks = (key[:, None, :] < key[:, :, None]).sum(2, dtype=np.int32)
            found.append((begins + ranks).ravel())
        return found[0], found[1]

    def _in_order(self, rows: Array, dest: Array) -> Array:
        """Rows of colours put in order, with those of a state in one row."""
        ordered = self.xp.empty_like(rows)
        ordered[dest] = rows
        return ordered.reshape(-1, COLOURS * HALF)

    def slope(
        self, samples: Array, targets: Targets, solo: bool, beside: float
    ) -> tuple[Array, Array, Losses]:
        """The gradient of the weights and of the heads, and the losses; the heads' count `beside`."""
        xp, layers, count = self.xp, self.layers, np.float32(len(samples))
        found, passed = self._forward(samples)
        gradient = xp.zeros_like(self.weights)
        into = layers_of(gradient)
        odds, off = found[:, 0], found[:, 1] - targets.lead / np.float32(LEAD_UNIT)
        cross = xp.maximum(odds, 0) + xp.log1p(xp.exp(-xp.abs(odds))) - targets.share * odds
        back = xp.empty_like(found)
        back[:, 0] = 0 if solo else (1 / (1 + xp.exp(-odds)) - targets.share) / count
        back[:, 1] = off * np.float32(1 if solo else LEAD_LOSS) / count
        share = xp.zeros((), np.float32) if solo else cross.mean()
        slope = self._layer(into, "output", passed.fourth, back)
        slope = self._layer(into, "fourth", passed.third, slope)
        into["third bias"][...] = slope.sum(0)
        into["third table"][...] = passed.table.T @ slope
        second = xp.empty_like(passed.second)
        for side, name in enumerate(("own order", "other order")):
            rows = layers[name].reshape(COLOURS * HALF, THIRD)
            into[name][...] = (passed.ordered[side].T @ slope).reshape(PARTS[name].shape)
            second[:, side * HALF : (side + 1) * HALF] = (slope @ rows.T).reshape(-1, HALF)[passed.dest[side]]
        heads = None
        places = lowest = xp.zeros((), np.float32)
        if self.heads is not None:
            heads, more, places, lowest = self._taught(passed.second, targets, solo, np.float32(beside))
            second += more
        second *= passed.second > 0
        into["second bias"][...] = second.sum(0)
        into["second"][...] = passed.first.T @ second
        first = second @ layers["second"].T
        first *= passed.first > 0
        into["colour"][...] = passed.colours.T @ first
        base = first.reshape(len(samples), COLOURS, -1).sum(1)
        into["colour bias"][...] = base.sum(0)
        into["table"][...] = passed.table.T @ base
        return gradient, heads, Losses(share, (off * off).mean(), places, lowest)

    def _layer(self, into: dict[str, Array], name: str, inputs: Array, slope: Array) -> Array:
        """Note a layer's gradient. Returns the slope of its inputs, which were cut off at zero."""
        into[name][...] = inputs.T @ slope
        into[f"{name} bias"][...] = slope.sum(0)
        back = slope @ self.layers[name].T
        back *= inputs > 0
        return back

    def _taught(
        self, second: Array, targets: Targets, solo: bool, beside: np.float32
    ) -> tuple[Array, Array, Array, Array]:
        """What the heads say about the second layer: their gradient, its slope, the losses of both kinds."""
        xp, sides = self.xp, 1 if solo else 2
        said = second @ self.heads
        count = len(second)
        back = xp.zeros_like(said)
        places = xp.zeros((), np.float32)
        for side in range(sides):
            part = slice(side * PLACES, (side + 1) * PLACES)
            wanted = xp.minimum(targets.finals[:, side].ravel(), PLACES - 1)
            chance, loss = _softmax(xp, said[:, part], wanted)
            back[:, part] = chance * (beside / np.float32(count))
            places = places + loss / sides
        lowest = xp.zeros((), np.float32)
        for side in range(sides):
            column = 2 * PLACES + side
            wanted = targets.finals[:, side].argmin(1)
            chance, loss = _softmax(xp, said[:, column].reshape(-1, COLOURS), wanted)
            back[:, column] = chance.ravel() * (beside * np.float32(COLOURS / count))
            lowest = lowest + loss / sides
        return second.T @ back, back @ self.heads.T, places, lowest


def _softmax(xp: Any, said: Array, wanted: Array) -> tuple[Array, Array]:
    """The slope of a softmax's cross entropy with respect to its inputs, and its mean."""
    said = said - said.max(1, keepdims=True)
    chance = xp.exp(said)
    chance /= chance.sum(1, keepdims=True)
    rows = xp.arange(len(said))
    loss = -xp.log(xp.maximum(chance[rows, wanted], np.float32(1e-9))).mean()
    chance[rows, wanted] -= 1
    return chance, loss
