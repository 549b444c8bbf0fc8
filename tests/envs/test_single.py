"""Gymnasium's environments: solo, and in one seat against others."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.envs.random_play import any_lawful
from tests.play import GAMES

import genial
from genial import envs
from genial.core.record import read
from genial.core.referee import replay
from genial.drawing.text import text
from genial.envs.one_game import Bytes, IllegalMove, Mask
from genial.envs.picture import picture
from genial.envs.single import OneSeat

SOLO = [variant for variant, seats in GAMES if seats == 1]


def first_lawful(observation: Bytes, mask: Mask) -> int:
    """A policy that takes the first lawful action."""
    return int(mask.argmax())


def played(env: OneSeat, seed: int) -> float:
    """Play a game at random, and return the sum of its rewards."""
    rng, worth, over = Random(seed), 0.0, False
    env.reset(seed=seed)
    while not over:
        observation, reward, over, _, info = env.step(any_lawful(env.action_masks(), rng))
        assert env.observation_space.contains(observation)
        assert np.array_equal(info["action_mask"], env.action_masks())
        worth += reward
    return worth


def environment(variant: str, seats: int, **options: Any) -> OneSeat:
    if seats == 1:
        return envs.solo(variant, **options)
    return envs.against(variant, first_lawful, seats, **options)


@pytest.mark.filterwarnings("ignore:.*not having a spec")
def test_gymnasium_finds_nothing_wrong(variant: str, seats: int) -> None:
    check_env(environment(variant, seats, unlawful="next"))


def test_the_played_game_is_lawful(variant: str, seats: int) -> None:
    env = environment(variant, seats)
    played(env, 3)
    assert genial.check(env.record()).status == "lawful"


@pytest.mark.parametrize("variant", SOLO)
def test_solo_rewards_add_up_to_the_lowest_marker(variant: str) -> None:
    env = envs.solo(variant)
    worth = played(env, 5)
    assert worth == min(env.record()["events"][-1]["tracks"][0])


@pytest.mark.parametrize("bots", ["greedy", ["random", "balanced"], [first_lawful, "random"]])
def test_bots_and_policies_play_the_other_seats(bots: Any) -> None:
    env = envs.against("quick" if bots == "greedy" else "cards", bots, seats=None if bots == "greedy" else 3)
    worth = played(env, 1)
    assert -1 <= worth <= 1
    assert genial.check(env.record()).status == "lawful"


def test_a_searching_bot_can_play_too() -> None:
    """It redeals what it can't see, so it needs the whole history of the game."""
    env = envs.against("quick", "level-5@40n", seat=0)
    played(env, 1)
    assert genial.check(env.record()).status == "lawful"


def test_the_agents_seat_is_drawn_or_chosen() -> None:
    env = envs.against("classic", first_lawful, seats=4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2, 3}
    assert env.reset(seed=1, options={"seat": 2})[1]["seat"] == 2
    assert envs.against("classic", first_lawful, seat=1).reset(seed=1)[1]["seat"] == 1
    with pytest.raises(ValueError, match="seats 0 to 1, but the agent's is 5"):
        envs.against("classic", first_lawful, seat=5)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_continues_like_its_original(how: Any) -> None:
    env = envs.against("classic", "random", seats=2)
    _, info = env.reset(seed=5)
    env.step(int(info["action_mask"].argmax()))
    other, rng, again = how(env), Random(1), Random(1)
    for _ in range(8):
        one = env.step(any_lawful(env.action_masks(), rng))
        two = other.step(any_lawful(other.action_masks(), again))
        assert np.array_equal(one[0], two[0])
    assert env.record() == other.record()


def test_an_unlawful_action_is_explained_and_changes_nothing() -> None:
    env = envs.solo("classic-solo")
    observation, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove, match=f"Seat 0 cannot do action {wrong} .* Lawful: "):
        env.step(wrong)
    assert np.array_equal(env.action_masks(), info["action_mask"])
    lenient = envs.solo("classic-solo", unlawful="next")
    lenient.reset(seed=1)
    assert not np.array_equal(lenient.step(wrong)[0], observation)


def test_wrong_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="2 other seats, but 3 bots"):
        envs.against("classic", ["random"] * 3, seats=3)
    with pytest.raises(ValueError, match="isn't played alone"):
        envs.solo("classic")
    with pytest.raises(ValueError, match="is played alone"):
        envs.against("3d-solo", "random")


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_every_render_mode_shows_what_the_agent_sees_now(
    mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    env, rng = envs.against("travel", first_lawful, render_mode=mode), Random(1)
    env.reset(seed=1, options={"seat": 1})
    for _ in range(6):
        env.step(any_lawful(env.action_masks(), rng))
        *_, position = replay(read(env.record()))
        mine, theirs = position.view({1}), position.view({0})
        capsys.readouterr()
        rendered, printed = env.render(), capsys.readouterr().out
        if mode == "rgb_array":
            assert isinstance(rendered, np.ndarray)
            assert rendered.dtype == np.uint8
            assert rendered.shape[2] == 3
            assert np.array_equal(rendered, picture(mine))
            assert not np.array_equal(rendered, picture(theirs))
            assert printed == ""
        else:
            told = rendered if mode == "ansi" else printed.removesuffix("\n")
            assert told == text(mine, colour=False) != text(theirs, colour=False)
            assert (printed == "") == (mode == "ansi")
            assert (rendered is None) == (mode == "human")


def test_gymnasium_makes_it_by_name() -> None:
    env = gymnasium.make("genial/classic-solo-1-v0")
    assert env.reset(seed=1)[0].shape == (173,)
    duel = gymnasium.make("genial/duel-2-v0", bots="random", render_mode="ansi")
    duel.reset(seed=1)
    assert "Duel" in str(duel.render())
