"""One agent in Gymnasium: alone in a solo game, or in one seat against bots or policies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from genial.bots import bot_named
from genial.bots.bot import Bot
from genial.envs.one_game import Bytes, Mask, OneGame
from genial.envs.picture import RENDER_MODES, Pixels, checked_mode, shown
from genial.envs.rewards import GIVEN, checked, leads

Policy = Callable[[Bytes, Mask], int]
"""Chooses an action from an observation and a mask."""
Opponent = str | Bot | Policy
Unlawful = Literal["error", "next"]


class OneSeat(gymnasium.Env[Bytes, int]):
    """A game seen from one seat. The others are played by bots, each seeing what its own seat may know.

    The mask of lawful actions is `action_masks()`, and also in the info. Unlawful actions raise
    `IllegalMove`; with `unlawful="next"` the next lawful number is used instead, for programs that choose
    blindly.
    """

    def __init__(
        self,
        variant: str,
        bots: Opponent | Sequence[Opponent] = (),
        seats: int | None = None,
        *,
        seat: int | None = None,
        reward: str = "rank",
        unlawful: Unlawful = "error",
        render_mode: str | None = None,
    ) -> None:
        self._play = OneGame(variant, seats)
        game, count = self._play.game, self._play.seats
        self._opponents = _opponents(bots, count - 1)
        if seat is not None and seat not in range(count):
            raise ValueError(f"There are the seats 0 to {count - 1}, but the agent's is {seat}.")
        self._reward = checked(self._play.setup, reward)
        self._wanted_seat, self._unlawful = seat, unlawful
        self._seat, self._lead, self._chance = 0, 0.0, Random(0)
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 2}
        self.render_mode = checked_mode(render_mode)
        self.action_space = spaces.Discrete(game.actions)  # type: ignore[assignment]
        self.observation_space = spaces.Box(0, 255, (game.observation_bytes,), np.uint8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        """Deal a new game, and let the others play until it is the agent's turn.

        The agent's seat is random, unless it was chosen for all games or is given here: `{"seat": 0}`.
        """
        super().reset(seed=seed)
        play = self._play
        play.deal(int(self.np_random.integers(2**63)))
        drawn = int(self.np_random.integers(play.seats))
        chosen = (options or {}).get("seat", self._wanted_seat)
        self._seat = drawn if chosen is None else int(chosen)
        self._chance = Random(int(self.np_random.integers(2**63)))
        self._lead = float(leads(play.setup, play.tracks())[self._seat])
        self._let_others_play()
        return play.observe(self._seat), self._info()

    def step(self, action: int) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        play = self._play
        play.step(self._lawful(action))
        self._let_others_play()
        over = play.is_over
        return play.observe(self._seat), self._gained(over), over, False, self._info()

    def action_masks(self) -> Mask:
        """The lawful actions, one byte each."""
        return self._play.mask()

    def chosen_by(self, bot: Bot, chance: Random) -> int:
        """What a bot would do in the agent's place now, for imitating one or collecting its games.

        >>> from genial.bots import bot_named
        >>> env = OneSeat("classic-solo")
        >>> _, info = env.reset(seed=7)
        >>> int(info["action_mask"][env.chosen_by(bot_named("greedy"), Random(1))])
        1
        """
        return self._play.chosen_by(bot, chance)

    def record(self) -> dict[str, Any]:
        """The record of the game so far, which can be opened in the app and judged by `genial.check`."""
        return self._play.record()

    def render(self) -> str | Pixels | None:
        """What the agent sees: as text, as pixels, or printed."""
        return shown(self._play.position().view({self._seat}), self.render_mode)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._play.mask(), "seat": self._seat}

    def _lawful(self, action: int) -> int:
        if self._unlawful == "error" or self._play.is_over:
            return action
        lawful = self._play.mask().nonzero()[0]
        return int(lawful[np.searchsorted(lawful, action) % len(lawful)])

    def _gained(self, over: bool) -> float:
        play = self._play
        if self._reward == "score":
            before, self._lead = self._lead, float(leads(play.setup, play.tracks())[self._seat])
            return self._lead - before
        if not over:
            return 0.0
        given = GIVEN[self._reward](play.setup, np.array(play.game.ranks(play.state)))
        return float(given[self._seat])

    def _let_others_play(self) -> None:
        play = self._play
        while not play.is_over and play.seat != self._seat:
            opponent = self._opponents[(play.seat - self._seat) % play.seats - 1]
            if isinstance(opponent, _Asked):
                play.step(int(opponent.policy(play.observe(play.seat), play.mask())))
            else:
                play.step(play.chosen_by(opponent, self._chance))


@dataclass(frozen=True)
class _Asked:
    """A policy that plays a seat."""

    policy: Policy


def _opponents(bots: Opponent | Sequence[Opponent], count: int) -> list[Bot | _Asked]:
    """One opponent for each other seat, in the order they sit after the agent."""
    given: list[Opponent] = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
    if len(given) == 1:
        given *= count
    if len(given) != count:
        raise ValueError(f"There are {count} other seats, but {len(given)} bots. One bot plays all of them.")
    return [
        bot_named(bot) if isinstance(bot, str) else _Asked(bot) if callable(bot) else bot for bot in given
    ]
