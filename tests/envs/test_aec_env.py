"""PettingZoo's environment: it passes PettingZoo's own suites, and plays by the rules."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import given, settings
from pettingzoo.env_registry.registration import make
from pettingzoo.test import api_test, render_test, seed_test
from tests.envs.random_play import any_lawful, play_on
from tests.play import games, seeds

import genial
from genial import envs
from genial.core.observation import observe
from genial.envs.one_game import IllegalMove

# PettingZoo warns of every environment with masks, as observations are dicts and only the mover may act.
quiet = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
    "ignore:Observation space for each agent probably should be",
)


@quiet
def test_pettingzoo_finds_nothing_wrong(variant: str, seats: int) -> None:
    api_test(envs.aec(variant, seats), num_cycles=40)


@quiet
def test_the_same_seed_gives_the_same_game(variant: str, seats: int) -> None:
    seed_test(lambda: envs.aec(variant, seats), num_cycles=10)


@quiet
def test_every_render_mode_gives_what_it_promises(
    variant: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(lambda render_mode: envs.aec(variant, seats, render_mode=render_mode))
    assert "turn" in capsys.readouterr().out


def test_the_played_game_is_lawful(variant: str, seats: int) -> None:
    env = envs.aec(variant, seats)
    env.reset(seed=3)
    play_on(env, Random(3), 25)
    assert genial.check(env.record()).status == "lawful so far"
    play_on(env, Random(3))
    assert genial.check(env.record()).status == "lawful"


@given(games, seeds)
@settings(max_examples=20)
def test_nothing_hidden_reaches_an_agent(game: tuple[str, int], seed: int) -> None:
    """Observations and masks depend on the agent's view alone: core's position, redealt, gives the same."""
    rng, env = Random(seed), envs.aec(*game)
    env.reset(seed=seed)
    play_on(env, rng, rng.randrange(40))
    if not env.agents or env.terminations[env.agent_selection]:
        return
    position = env._play.position()
    for seat, agent in enumerate(env.possible_agents):
        redealt = position.determinize({seat}, rng)
        seen = env.observe(agent)
        assert bytes(seen["observation"]) == observe(redealt.view({seat}), seat)
        if seat != position.seat:
            assert not seen["action_mask"].any()
            assert not env.infos[agent]["action_mask"].any()
        else:
            lawful = {env._play.game.number_of(action) for action in redealt.view({seat}).actions()}
            assert set(np.flatnonzero(seen["action_mask"])) == lawful
            assert np.array_equal(env.infos[agent]["action_mask"], seen["action_mask"])


@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("game", [("classic", 3), ("3d", 2), ("cards", 2)])
def test_a_copy_continues_like_its_original(game: tuple[str, int], how: Any) -> None:
    env = envs.aec(*game)
    env.reset(seed=5)
    play_on(env, Random(1), 15)
    other = how(env)
    assert play_on(env, Random(2)) == play_on(other, Random(2))
    assert env.record() == other.record()
    env.reset()
    other.reset()
    assert np.array_equal(env.state(), other.state())


@pytest.mark.parametrize(("reward", "game"), [("rank", ("classic", 3)), ("win", ("classic-team", 4))])
def test_rewards_come_at_the_end_and_follow_the_ranks(reward: str, game: tuple[str, int]) -> None:
    env = envs.aec(*game, reward)
    env.reset(seed=2)
    given = play_on(env, Random(2))
    ranks = env.record()["events"][-1]["ranks"]
    best = max(given.values())
    assert [value == best for value in given.values()] == [rank == 1 for rank in ranks]
    assert abs(sum(given.values()) - (0 if reward == "rank" else 2)) < 1e-9


def test_score_rewards_add_up_to_the_lead_in_lowest_markers() -> None:
    env = envs.aec("classic", 2, "score")
    env.reset(seed=2)
    given = play_on(env, Random(2))
    one, two = (min(track) for track in env.record()["events"][-1]["tracks"])
    assert list(given.values()) == [one - two, two - one]


def test_an_unlawful_action_is_explained_and_changes_nothing() -> None:
    env = envs.aec("cards", 2)
    env.reset(seed=1)
    before, mask = env.state(), env.observe("seat_0")["action_mask"]
    lawful = int(np.flatnonzero(mask)[0])
    for wrong in (43, -1, 10_000, "refill", int(np.flatnonzero(mask[:-2] == 0)[0])):
        with pytest.raises(IllegalMove, match=rf"Seat 0 cannot do .* now\. Lawful: {lawful} \("):
            env.step(wrong)  # type: ignore[arg-type]
    assert np.array_equal(env.state(), before)
    assert env.agent_selection == "seat_0"


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'money'\. Choose from: rank, win, score"):
        envs.aec("classic", 2, reward="money")
    with pytest.raises(ValueError, match="render mode 'film'"):
        envs.aec("classic", 2, render_mode="film")


def test_one_agent_plays_a_turn_to_its_end() -> None:
    env = envs.aec("classic", 2)
    env.reset(seed=1)
    env.step(any_lawful(env.observe("seat_0")["action_mask"], Random(1)))
    assert env.agent_selection == "seat_0"
    env.step(env._play.game.refill)
    assert env.agent_selection == "seat_1"


def test_pettingzoo_makes_it_by_name() -> None:
    env = make("aec", "genial/3d-3-v0")
    assert isinstance(env, pettingzoo.AECEnv)
    assert env.possible_agents == ["seat_0", "seat_1", "seat_2"]
