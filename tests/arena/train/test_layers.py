"""The network for many states at once gives the kernel's results, forwards and backwards."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba compiles the network that is compared with")

from genial.arena.train.layers import Network, Targets
from genial.arena.train.network import HEADS, begin_weights, paces_of
from genial.kernel.network import COUNT, FEATURE_COUNT, OTHER, OUTPUT_AT, OWN, TABLE_AT, WEIGHTS
from genial.kernel.source.gradient import GRADIENT_SCRATCH, add_gradients, turned_round
from genial.kernel.source.value import outputs
from genial.kernel.state import COLOURS

pytestmark = pytest.mark.slow  # numba compiles
STATES = 64


def states(rng: np.random.Generator) -> np.ndarray:
    """Rows of features, with markers that are often close together."""
    found = rng.integers(0, 12, (STATES, FEATURE_COUNT)).astype(np.uint8)
    colours = found[:, :TABLE_AT].reshape(STATES, COLOURS, COUNT)
    colours[:, :, [OWN, OTHER]] = rng.integers(0, 4, (STATES, COLOURS, 2))
    return found


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def begun(rng: np.random.Generator, samples: np.ndarray) -> np.ndarray:
    weights = begin_weights(paces_of(samples), rng)
    weights += rng.normal(0, 0.02, WEIGHTS).astype(np.float32)
    return weights


def test_the_forward_pass_matches_the_kernel(rng: np.random.Generator) -> None:
    samples = states(rng)
    weights = begun(rng, samples)
    found = Network(np, weights).outputs(samples)
    scratch = np.zeros(OUTPUT_AT + 16, np.float32)
    for row, sample in zip(found, samples, strict=True):
        scratch[:FEATURE_COUNT] = sample
        outputs(weights, scratch)
        assert row == pytest.approx(scratch[:2], abs=1e-4)


@pytest.mark.parametrize("solo", [False, True])
def test_the_backward_pass_matches_the_kernel(rng: np.random.Generator, solo: bool) -> None:
    samples = states(rng)
    weights = begun(rng, samples)
    share, lead = rng.random(STATES).astype(np.float32), rng.normal(0, 4, STATES).astype(np.float32)
    targets = Targets(share, lead, rng.integers(0, 19, (STATES, 2, COLOURS)))
    found, _, losses = Network(np, weights).slope(samples, targets, solo, 0.0)
    wanted, sums = np.zeros(WEIGHTS, np.float32), np.zeros(2)
    scratch = np.zeros(GRADIENT_SCRATCH, np.float32)
    both = np.stack([share, lead], 1)
    rows = np.arange(STATES, dtype=np.int64)
    add_gradients(weights, turned_round(weights), samples, both, rows, solo, scratch, wanted, sums)
    assert found == pytest.approx(wanted / STATES, abs=1e-4)
    assert (losses.share, losses.lead) == pytest.approx(tuple(sums / STATES), rel=1e-4)


@pytest.mark.parametrize("solo", [False, True])
def test_with_auxiliary_heads_the_gradient_is_that_of_the_loss(rng: np.random.Generator, solo: bool) -> None:
    samples = states(rng)
    weights = begun(rng, samples).astype(np.float64)
    heads = rng.normal(0, 0.05, HEADS)
    targets = Targets(np.zeros(STATES), np.zeros(STATES), rng.integers(0, 19, (STATES, 2, COLOURS)))
    beside = 0.5

    def loss(weights: np.ndarray, heads: np.ndarray) -> float:
        found = Network(np, weights, heads).slope(samples, targets, solo, beside)[2]
        sides = 1 if solo else 2
        lead = found.lead * (0.5 if solo else 0.25)
        return float(found.share + lead + beside * sides * (found.places + found.lowest))

    gradient, beside_them, _ = Network(np, weights, heads).slope(samples, targets, solo, beside)
    for array, slope in ((weights, gradient), (heads, beside_them)):
        for n in rng.choice(array.size, 24, replace=False):
            step = np.zeros(array.shape)
            step.flat[n] = 1e-5
            if array is weights:
                up, down = loss(weights + step, heads), loss(weights - step, heads)
            else:
                up, down = loss(weights, heads + step), loss(weights, heads - step)
            measured = (up - down) / 2e-5
            assert slope.ravel()[n] == pytest.approx(measured, rel=1e-3, abs=1e-5)
