"""A game of several seats as PettingZoo's agent environment cycle: each seat in its turn."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from genial.envs.one_game import Bytes, Mask, OneGame
from genial.envs.picture import RENDER_MODES, Pixels, checked_mode, shown
from genial.envs.rewards import GIVEN, checked, leads

Seen = dict[str, Any]
"""What an agent observes: `observation` and `action_mask`."""


class GenialAEC(AECEnv[str, Seen, int | None]):  # type: ignore[misc]  # PettingZoo has no types
    """Agents are `seat_0`, `seat_1`, ...; a turn takes several steps of one agent, the last of which ends it.

    An observation has the bytes of `genial.core.observation` and the mask of lawful actions, which is also in
    `infos`. Only the agent that has to act gets a non-empty mask: it reveals the rack, and whether a swap is
    possible. An action that is not lawful raises `IllegalMove` and changes nothing.
    """

    def __init__(
        self, variant: str, seats: int | None = None, reward: str = "rank", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._play = OneGame(variant, seats)
        self._reward = checked(self._play.setup, reward)
        self._rng: np.random.Generator | None = None
        self._leads = np.zeros(0)
        self._mask: Mask
        self.render_mode = checked_mode(render_mode)
        self.metadata: dict[str, Any] = {
            "name": f"{variant}-{self._play.seats}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self._play.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        game = self._play.game
        self._no_mask: Mask = np.zeros(game.actions, np.int8)
        self.action_spaces = {agent: spaces.Discrete(game.actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (game.observation_bytes,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (game.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Seen]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; without a seed, the next one that follows from the last seed."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        play = self._play
        play.deal(int(self._rng.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[play.seat]
        self._leads = leads(play.setup, play.tracks())
        self._tell()

    def observe(self, agent: str) -> Seen:
        """What an agent may know; its mask is empty while another agent has to act."""
        mask = self._mask if agent == self._acting else self._no_mask.copy()
        return {"observation": self._play.observe(self._seat_of[agent]), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        play = self._play
        play.step(action)  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        over = play.is_over
        if over or self._reward == "score":
            self._give_rewards()
            self._accumulate_rewards()
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[play.seat]
        self._tell()

    def _give_rewards(self) -> None:
        play = self._play
        if self._reward == "score":
            before, self._leads = self._leads, leads(play.setup, play.tracks())
            gained = self._leads - before
        else:
            gained = GIVEN[self._reward](play.setup, np.array(play.game.ranks(play.state)))
        self.rewards = dict(zip(self.possible_agents, map(float, gained), strict=True))

    def _tell(self) -> None:
        """Compute the mask of the agent that has to act, for both `observe` and `infos`."""
        over = self._play.is_over
        self._acting = "" if over else self.agent_selection
        self._mask = self._no_mask if over else self._play.mask()
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self._mask if agent == self._acting else self._no_mask}

    def render(self) -> str | Pixels | None:
        """The table, and the rack of the seat to move: as text, as pixels, or printed."""
        position = self._play.position()
        return shown(position.view({position.seat}), self.render_mode)

    def state(self) -> Bytes:
        """What all seats know together, one observation after another: for a critic that may see it all."""
        return np.concatenate([self._play.observe(seat) for seat in range(self._play.seats)])

    def record(self) -> dict[str, Any]:
        """The record of the game so far, which can be opened in the app and judged by `genial.check`."""
        return self._play.record()

    def close(self) -> None:
        """There is nothing to release."""
