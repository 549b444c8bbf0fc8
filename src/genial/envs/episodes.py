"""Solo games by a bot as a data set for Minari, for learning without playing.

An episode is a game of the environment `genial/<variant>-1-v0`, with the seed it was reset with: if you
recover the environment from the data set and repeat the actions, you see the same observations and rewards.
It also has the mask of lawful actions before each step, as bits (`numpy.unpackbits` with
`bitorder="little"`).
"""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Any, NamedTuple

import minari
import numpy as np
from minari.data_collector import EpisodeBuffer
from minari.storage.datasets_root_dir import get_dataset_path

from genial import __version__
from genial.bots import bot_named
from genial.core.title import setup
from genial.core.titles import title_of
from genial.envs import solo
from genial.envs.layout import env_id
from genial.envs.one_game import Bytes


class Episode(NamedTuple):
    """One game in Minari's form: with one more observation and mask than actions."""

    seed: int
    observations: Bytes
    masks: Bytes
    actions: list[int]
    rewards: list[float]


def episode(variant: str, bot: str, seed: int) -> Episode:
    """A solo game by a bot.

    >>> found = episode("3d-solo", "random", 7)
    >>> len(found.observations) - len(found.actions), sum(found.rewards) >= 0
    (1, True)
    """
    env, player, chance = solo(variant), bot_named(bot), Random(seed)
    observation, info = env.reset(seed=seed)
    observations, masks, actions, rewards = [observation], [_bits(info)], list[int](), list[float]()
    over = False
    while not over:
        actions.append(env.chosen_by(player, chance))
        observation, reward, over, _, info = env.step(actions[-1])
        observations.append(observation)
        masks.append(_bits(info))
        rewards.append(reward)
    return Episode(seed, np.stack(observations), np.stack(masks), actions, rewards)


def _bits(info: dict[str, Any]) -> Bytes:
    return np.packbits(info["action_mask"].view(bool), bitorder="little")


def write_episodes(
    name: str,
    variant: str,
    bot: str,
    seeds: range,
    jobs: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> int:
    """Play a game for each seed and store them with Minari's data sets. Returns how many steps there are.

    The games are the same whatever the number of processes. `minari.load_dataset(name)` finds them.
    """
    solo(variant)
    bot_named(bot)
    if not seeds or seeds[0] < 0 or (jobs is not None and jobs < 1):
        raise ValueError("Use at least one game and one process, and a seed of 0 or more.")
    folder = get_dataset_path(name)
    if folder.exists():
        raise ValueError(
            f"There's a data set called {name} already. Choose another name, or the next version."
        )
    steps = 0

    def buffers() -> Iterator[EpisodeBuffer]:
        nonlocal steps
        for number, found in enumerate(_played(variant, bot, seeds, jobs or os.cpu_count() or 1)):
            steps += len(found.actions)
            yield _buffer(number, found)
            progress()

    told = (
        f"{variant} of Genial {__version__}, played by {bot}, seeds {seeds[0]} to {seeds[-1]}. "
        "Whatever is lawful before a step is in infos['action_mask'], a bit for each action."
    )
    try:
        with warnings.catch_warnings(category=UserWarning, action="ignore"):  # an author is not required
            minari.create_dataset_from_buffers(
                name,
                buffers(),
                env=env_id(setup(title_of(variant), 1)),
                algorithm_name=bot,
                data_format="arrow",
                description=told,
                requirements=[f"genial[rl]=={__version__}"],
            )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # an incomplete one could pass for complete
        raise
    return steps


def _played(variant: str, bot: str, seeds: range, jobs: int) -> Iterator[Episode]:
    one = partial(episode, variant, bot)
    if jobs == 1:
        yield from map(one, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, seeds)


def _buffer(number: int, found: Episode) -> EpisodeBuffer:
    ends = [False] * (len(found.actions) - 1)
    return EpisodeBuffer(
        id=number,
        seed=found.seed,
        observations=found.observations,
        actions=found.actions,
        rewards=found.rewards,
        terminations=[*ends, True],
        truncations=[*ends, False],
        infos={"action_mask": found.masks},
    )
