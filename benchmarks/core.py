"""The readable core: games of classic for two, next to MOMAland's ingenious, and the size of a position."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

import genial
from genial.bots import bot_named
from genial.core.position import Position


def play_core(seed: int) -> int:
    """One random game; returns the number of placements."""
    rng, placements = Random(seed), 0
    position = genial.new("classic", seats=2, seed=seed)
    while not position.is_over:
        actions = position.actions()
        position, events = position.apply(actions[rng.randrange(len(actions))])
        placements += events[0].type == "place"
    return placements


def play_core_greedily(seed: int) -> int:
    """One game of greedy bots; returns the number of placements."""
    rng, placements, bot = Random(seed), 0, bot_named("greedy")
    position = genial.new("classic", seats=2, seed=seed)
    while not position.is_over:
        position, events = position.apply(bot.choose(position.view({position.seat}), rng))
        placements += events[0].type == "place"
    return placements


def momaland_player() -> Callable[[int], int]:
    """The same for MOMAland: random lawful actions until the game is over."""
    from momaland.envs.ingenious import moingenious_v0  # type: ignore[import-not-found, unused-ignore]

    return cycle(moingenious_v0.env(num_agents=2))


def cycle(env: Any) -> Callable[[int], int]:
    """A random game through PettingZoo's interface, from a seed."""

    def play(seed: int) -> int:
        rng, steps = Random(seed), 0
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            lawful = observation["action_mask"].astype(bool).nonzero()[0]
            env.step(int(lawful[rng.randrange(len(lawful))]))
            steps += 1
        return steps

    return play


def position_size(count: int = 1000) -> float:
    """Mean bytes per stored position according to tracemalloc: every position of enough random games."""
    play_core(0)  # tables are created once, and belong to no position
    kept: list[Position] = []
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    seed = 0
    while len(kept) < count:
        rng, position = Random(seed), genial.new("classic", seats=2, seed=seed)
        seed += 1
        while not position.is_over:
            kept.append(position)
            actions = position.actions()
            position, _ = position.apply(actions[rng.randrange(len(actions))])
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(kept)
