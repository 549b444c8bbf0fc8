"""Random agents for environments."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from genial.envs.aec_env import GenialAEC


def any_lawful(mask: Any, rng: Random) -> int:
    """The number of a random lawful action."""
    return int(rng.choice(np.flatnonzero(mask)))


def play_on(env: GenialAEC, rng: Random, steps: int = 10_000) -> dict[str, float]:
    """Play at random for `steps` steps or to the end. Returns each agent's total reward."""
    given = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        seen, reward, over, _, _ = env.last()
        given[agent] += reward
        env.step(None if over else any_lawful(seen["action_mask"], rng))
    return given
