"""Initial weights, and how they are updated: Adam."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from genial.kernel.network import COUNT, HALF, PARTS, SECOND, WEIGHTS
from genial.kernel.state import COLOURS

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

PLACES = 64
"""How many final steps of a marker are distinguished; the last stands for all beyond."""
HEADS = (SECOND, 2 * (PLACES + 1))
"""What the heads predict from a colour's second layer: where the seat's marker and the opponent's end, and
how likely each is to be its side's lowest.
"""


def layers_of(weights: Floats) -> dict[str, Floats]:
    """The layers as views into flat weights."""
    return {
        name: weights[begin : begin + int(np.prod(shape))].reshape(shape)
        for name, (begin, shape) in PARTS.items()
    }


def paces_of(samples: Bytes) -> Floats:
    """How fast each weight may move: the larger its feature, the slower, so that all count alike.

    The features of all colours share the same paces.
    """
    colours = samples[:, : COLOURS * COUNT].reshape(-1, COUNT).std(axis=0)
    table = samples[:, COLOURS * COUNT :].std(axis=0)
    paces: Floats = np.ones(WEIGHTS, np.float32)
    layers = layers_of(paces)
    layers["colour"][...] = 1 / np.maximum(colours, 0.25)[:, None]
    layers["table"][...] = layers["third table"][...] = 1 / np.maximum(table, 0.25)[:, None]
    return paces


def begin_weights(paces: Floats, rng: np.random.Generator) -> Floats:
    """Random weights, smaller the more inputs a layer has; biases are zero, the outputs nearly so."""
    weights: Floats = np.zeros(WEIGHTS, np.float32)
    for name, layer in layers_of(weights).items():
        if not name.endswith("bias"):
            inputs = 2 * COLOURS * HALF if name.endswith("order") else layer.shape[0]
            layer[...] = rng.normal(0, (2 / inputs) ** 0.5, layer.shape)
    layers_of(weights)["output"][...] *= 0.1
    return weights * paces


def begin_heads(rng: np.random.Generator) -> Floats:
    """Small random weights."""
    return rng.normal(0, 0.1 / SECOND**0.5, HEADS).astype(np.float32)


@dataclass(slots=True)
class Adam:
    """Adam's memory of the gradients so far."""

    mean: Floats
    square: Floats
    steps: int = 0

    @staticmethod
    def of(shape: int | tuple[int, ...]) -> Adam:
        """Without any memory yet."""
        return Adam(np.zeros(shape, np.float32), np.zeros(shape, np.float32))

    def step(self, weights: Floats, gradient: Floats, rates: Floats | np.float32) -> None:
        """Move the weights against a gradient, each at its own rate."""
        self.steps += 1
        self.mean += np.float32(0.1) * (gradient - self.mean)
        self.square += np.float32(0.001) * (gradient**2 - self.square)
        mean = self.mean / np.float32(1 - 0.9**self.steps)
        square = self.square / np.float32(1 - 0.999**self.steps)
        weights -= rates * mean / (np.sqrt(square) + np.float32(1e-10))
