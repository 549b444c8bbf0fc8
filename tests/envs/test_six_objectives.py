"""Six rewards, one for each colour."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from tests.envs.random_play import any_lawful
from tests.play import GAMES

from genial import envs
from genial.envs.six_objectives import SixObjectives


@pytest.mark.parametrize("game", [("classic", 2), ("classic-team", 4), ("duel", 2), ("3d-solo", 1)])
def test_the_rewards_of_a_game_add_up_to_its_markers(game: tuple[str, int]) -> None:
    env, rng = envs.objectives(*game), Random(4)
    env.reset(seed=4)
    told = {agent: np.zeros(6, np.float32) for agent in env.possible_agents}
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        assert env.reward_space(agent).contains(np.asarray(reward, np.float32))
        told[agent] += reward
        env.step(None if over else any_lawful(seen["action_mask"], rng))
    end = env.record()["events"][-1]
    sides = env._play.setup.title.sides
    for seat, agent in enumerate(env.possible_agents):
        assert tuple(told[agent]) == sides.seen_by(seat, tuple(end["tracks"][seat]))


class SameDeal(SixObjectives):
    """MOMAland's suite takes one action in two games that it didn't seed, so both need the same deal."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(0 if seed is None else seed, options)


@pytest.mark.filterwarnings("ignore:Observation is not NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.parametrize("game", [game for game in GAMES if game[1] > 1])
def test_momaland_finds_nothing_wrong(game: tuple[str, int]) -> None:
    suite = pytest.importorskip(
        "momaland.test.api_test",
        reason="momaland is only in the locks for benchmarks and `make momaland-test`",
    )
    suite.api_test(SameDeal(*game), num_cycles=30)
