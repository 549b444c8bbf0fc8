"""Environments for research: the exact rules behind the interfaces that researchers know.

One numbering of actions (`genial.core.numbering`) and one layout of observations (`genial.core.observation`)
serve all of them. They need the extra `rl`: pip install 'genial[rl]'.

>>> env = aec("classic", seats=2)
>>> env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from genial.core.messages import listed
from genial.core.numbering import numbering
from genial.core.observation import fields, observe
from genial.core.symmetry import symmetries
from genial.core.titles import TITLES, title_of
from genial.envs.layout import schema
from genial.envs.registry import register

if TYPE_CHECKING:
    from genial.envs.aec_env import GenialAEC
    from genial.envs.many import ManyGames
    from genial.envs.single import OneSeat, Opponent
    from genial.envs.six_objectives import SixObjectives

__all__ = [
    "aec",
    "against",
    "fields",
    "numbering",
    "objectives",
    "observe",
    "register",
    "schema",
    "solo",
    "symmetries",
    "vector",
]


def aec(
    variant: str, seats: int | None = None, reward: str = "rank", render_mode: str | None = None
) -> GenialAEC:
    """A game as PettingZoo's AEC environment.

    >>> aec("classic", seats=3).possible_agents
    ['seat_0', 'seat_1', 'seat_2']
    """
    made: GenialAEC = _from("aec_env").GenialAEC(variant, seats, reward, render_mode)
    return made


def objectives(variant: str, seats: int | None = None, render_mode: str | None = None) -> SixObjectives:
    """The same with six rewards, one per colour, as in MOMAland.

    >>> env = objectives("classic", seats=2)
    >>> env.reward_space("seat_0").shape
    (6,)
    """
    made: SixObjectives = _from("six_objectives").SixObjectives(variant, seats, render_mode)
    return made


def solo(variant: str = "classic-solo", **options: Any) -> OneSeat:
    """A solo game as a Gymnasium environment; its rewards add up to the lowest marker.

    >>> env = solo("classic-solo")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, int(info["action_mask"].sum())
    ((173,), 54)
    """
    if not title_of(variant).is_solo:
        alone = listed([name for name, title in TITLES.items() if title.is_solo], last="or")
        raise ValueError(f"{variant} isn't played alone. Use genial.envs.against, or {alone}.")
    made: OneSeat = _from("single").OneSeat(variant, **options)
    return made


def against(
    variant: str, bots: Opponent | Sequence[Opponent], seats: int | None = None, **options: Any
) -> OneSeat:
    """One seat of a game as a Gymnasium environment, against bots by name, or policies.

    A policy is called with an observation and a mask, and returns an action. One bot plays all other seats;
    several sit after the agent in the order given.

    >>> env = against("classic", "greedy", seats=2)
    >>> observation, info = env.reset(seed=7)
    >>> observation, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
    """
    if title_of(variant).is_solo:
        raise ValueError(f"{variant} is played alone: use genial.envs.solo.")
    made: OneSeat = _from("single").OneSeat(variant, bots, seats, **options)
    return made


def vector(
    variant: str,
    seats: int | None = None,
    count: int = 1024,
    device: Literal["cpu", "cuda"] = "cpu",
    **options: Any,
) -> ManyGames:
    """Many games at once as a Gymnasium vector environment, on all cores or on a graphics card.

    The seat to move acts in each game; with `bots`, one seat acts and they play the others. For the options
    see `ManyGames`.

    >>> envs = vector("classic-solo", count=4)
    >>> observations, info = envs.reset(seed=7)
    >>> observations.shape, info["action_mask"].shape
    ((4, 173), (4, 10082))
    """
    made: ManyGames = _from("many").ManyGames(variant, seats, count, device, **options)
    return made


def _from(module: str) -> Any:
    try:
        return import_module(f"{__name__}.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("genial"):
            raise
        raise ModuleNotFoundError(
            f"Environments need {error.name}. Install what belongs to them with: pip install 'genial[rl]'",
            name=error.name,
        ) from error


register()
