"""Six objectives instead of one: what each colour's marker gained, for multi-objective learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from genial.core.colours import COLOURS
from genial.envs.aec_env import GenialAEC
from genial.envs.rewards import markers

if TYPE_CHECKING:
    Base = GenialAEC
else:
    try:  # MOMAland checks that an environment is of its class; without it nobody does
        from momaland.utils.env import MOAECEnv

        class Base(GenialAEC, MOAECEnv):
            """An environment for MOMAland."""

    except ImportError:
        Base = GenialAEC

Gains = NDArray[np.float32]


class SixObjectives(Base):
    """The same game with a reward of six numbers, in the order of the colours.

    A game's rewards add up to its final markers. How to weigh them is up to the learner; the game itself is
    about the lowest of the six.
    """

    def __init__(self, variant: str, seats: int | None = None, render_mode: str | None = None) -> None:
        super().__init__(variant, seats, "score", render_mode)
        track = self._play.setup.title.track
        width = len(COLOURS)
        most = np.full(width, track.highest_step - track.lowest_step, np.float32)
        self.reward_spaces = {
            agent: spaces.Box(-most, most, (width,), np.float32) for agent in self.possible_agents
        }
        self._markers: Gains = np.zeros(0, np.float32)

    def reward_space(self, agent: str) -> spaces.Box:
        """The space of an agent's rewards."""
        return self.reward_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self._markers = self._stand()
        zero: dict[str, Any] = {agent: np.zeros(len(COLOURS), np.float32) for agent in self.agents}
        self.rewards, self._cumulative_rewards = zero, {agent: gain.copy() for agent, gain in zero.items()}

    def _clear_rewards(self) -> None:
        for agent in self.rewards:
            self.rewards[agent] = np.zeros(len(COLOURS), np.float32)  # type: ignore[assignment]

    def _give_rewards(self) -> None:
        before, self._markers = self._markers, self._stand()
        gained: list[Any] = list(self._markers - before)
        self.rewards = dict(zip(self.possible_agents, gained, strict=True))

    def _stand(self) -> Gains:
        stand: Gains = markers(self._play.setup, self._play.tracks()).astype(np.float32)
        return stand
