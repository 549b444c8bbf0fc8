"""OpenSpiel's own checks, and what they leave out: the rules, and what has to stay hidden."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.tests import games_sim_test
from tests.editions import garden
from tests.play import GAMES, PROFILE, games, seeds, some
from tools.golden import SPIEL_PLAYTHROUGH, spiel_playthrough

import genial
from genial.core.actions import Refill, Swap
from genial.core.layout import Layout
from genial.core.observation import observe
from genial.envs.openspiel import GenialState, load, name_of

SMALL = ("quick", 2)
SIMULATED = [SMALL, ("3d", 2), ("cards", 2), ("classic-solo", 1)] if PROFILE == "quick" else GAMES


def step(state: GenialState, rng: Random) -> None:
    """Take one random step: chance's, or the player's whose turn it is."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def played(game: tuple[str, int], seed: int, most: int = 10_000) -> GenialState:
    """The state `most` random steps after the beginning, or at the end."""
    state, rng = load(*game).new_initial_state(), Random(seed)
    while most and not state.is_terminal():
        step(state, rng)
        most -= 1
    return state


def knowledge(state: GenialState, player: int) -> tuple[object, ...]:
    """Everything that OpenSpiel can tell a player."""
    return (
        state.information_state_string(player),
        state.information_state_tensor(player),
        state.observation_string(player),
        state.observation_tensor(player),
        state.to_observation_struct(player).to_json(),
        state.legal_actions(player) if state.current_player() in (player, -4) else None,
    )


# OpenSpiel's own checks


@pytest.mark.thorough
@pytest.mark.parametrize("game", SIMULATED, ids=str)
def test_openspiels_random_simulations_pass(game: tuple[str, int]) -> None:
    pyspiel.random_sim_test(load(*game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.thorough
@pytest.mark.parametrize("game", SIMULATED, ids=str)
def test_openspiels_python_simulations_pass(game: tuple[str, int]) -> None:
    """With clones before every action, OpenSpiel's serialisation, and pickles of games, types and states."""
    np.random.seed(7)
    games_sim_test.GamesSimTest("test_pig").sim_game(load(*game))


def test_the_playthrough_matches_the_stored_one() -> None:
    """After an intended change of behaviour, run `make golden` and read the diff."""
    assert spiel_playthrough() == SPIEL_PLAYTHROUGH.read_text(encoding="utf-8")


# The rules


@pytest.mark.thorough
def test_random_games_pass_the_referee(variant: str, seats: int) -> None:
    for seed in some(range(10), 1):
        state = played((variant, seats), seed)
        position = state.moment.position
        assert genial.check(genial.record_of(position)).status == "lawful"
        game = state.get_game()
        steps = state.full_history()
        assert sum(step.player >= 0 for step in steps) <= game.max_game_length()
        assert sum(step.player < 0 for step in steps) <= game.max_chance_nodes_in_history()
        if seats > 1:
            assert sum(state.returns()) == pytest.approx(0)
            assert position.result
            order = np.argsort(state.returns())[::-1]
            assert sorted(position.result.ranks) == [position.result.ranks[seat] for seat in order]
        else:
            assert state.returns() == [min(position.tracks[0])]


@given(games, seeds, st.integers(min_value=0, max_value=200))
def test_legal_actions_match_cores(game: tuple[str, int], seed: int, steps: int) -> None:
    state = played(game, seed, steps)
    position = state.moment.position
    if state.current_player() >= 0:
        numbering = state.get_game().numbering
        legal = [numbering.action_of(number) for number in state.legal_actions()]
        assert set(legal) == set(position.actions())
        assert len(legal) == len(position.actions())


def test_teams_win_and_lose_together() -> None:
    first, second, third, fourth = played(("classic-team", 4), 3).returns()
    assert (first, second) == (third, fourth)


def test_the_chances_match_the_bag() -> None:
    state = load("classic", 2).new_initial_state()
    assert state.chance_outcomes()[:2] == [(0, 5 / 120), (1, 6 / 120)]
    state.apply_action(0)
    assert state.chance_outcomes()[0] == (0, 4 / 119)
    assert state.action_to_string(0) == "RR"


def test_loose_stones_are_drawn_first() -> None:
    """3D-START: five draws, and the last colour gets what is left."""
    state = load("3d", 2).new_initial_state()
    for left in (6, 5, 4, 3, 2):
        outcomes, parts = zip(*state.chance_outcomes(), strict=True)
        assert outcomes == tuple(range(6 - left, 6))
        assert parts == (1 / left,) * left
        state.apply_action(state.legal_actions()[0])
    assert len(state.chance_outcomes()) == 15
    table = state.moment.position.table
    assert isinstance(table, Layout)
    assert table.start == table.board.start


# What a player knows


@given(games, seeds, st.integers(min_value=0, max_value=400))
def test_what_is_hidden_changes_nothing_for_a_player(game: tuple[str, int], seed: int, steps: int) -> None:
    """A state redealt within a player's knowledge looks the same to them, in every text, array and struct."""
    state, rng = played(game, seed, steps), Random(seed)
    if state.is_chance_node():
        return
    for player in range(game[1]):
        other = state.resample_from_infostate(player, rng.random)
        assert knowledge(other, player) == knowledge(state, player)
        assert other.current_player() == state.current_player()
        assert len(other.history()) == len(state.history())
        assert other.moment.position.view({player}) == state.moment.position.view({player})


def test_drawing_a_different_hidden_tile_changes_nothing_for_others() -> None:
    one, other = played(("classic", 2), 5, 30), None
    while other is None:
        step(one, Random(3))
        if one.is_chance_node() and len(one.chance_outcomes()) > 1:
            other = one.clone()
    drawer = one.moment.position.seat
    first, *_, last = one.legal_actions()
    one.apply_action(first)
    other.apply_action(last)
    assert knowledge(one, 1 - drawer) == knowledge(other, 1 - drawer)
    assert one.information_state_string(drawer) != other.information_state_string(drawer)
    assert one.observation_tensor(drawer) != other.observation_tensor(drawer)


def test_others_do_not_see_whether_a_swap_is_open() -> None:
    lawful = set()
    for seed in range(8):
        state, rng = load("classic", 2).new_initial_state(), Random(seed)
        while not state.is_terminal():
            if state.current_player() >= 0 and len(state.legal_actions()) == 2:
                mover = state.current_player()
                for _ in range(4):
                    other = state.resample_from_infostate(1 - mover, rng.random)
                    assert knowledge(other, 1 - mover) == knowledge(state, 1 - mover)
                    lawful.add(len(other.legal_actions()))
                break
            step(state, rng)
    assert lawful == {1, 2}


def test_the_tensor_begins_with_cores_observation() -> None:
    state = played(("3d", 3), 4, 90)
    while state.is_chance_node():
        step(state, Random(1))
    for player in range(3):
        seen = list(observe(state.moment.position.view({player}), player))
        assert state.observation_tensor(player) == seen
        assert state.information_state_tensor(player)[: len(seen)] == seen


def test_a_swap_tells_everybody_what_was_swapped() -> None:
    """A swapped rack has been shown, so it is in the information state of the others."""
    for seed in range(40):
        state, rng = load(*SMALL).new_initial_state(), Random(seed)
        while not state.is_terminal():
            mover = state.current_player()
            swap = state.get_game().numbering.swap
            if mover >= 0 and swap in state.legal_actions():
                rack = ".".join(state.moment.position.racks[mover])
                state.apply_action(swap)
                assert f"{mover} swaps {rack}" in state.information_state_string(1 - mover)
                return
            step(state, rng)
    pytest.fail("no swap in 40 games")


@pytest.mark.parametrize("recalls", [False, True])
def test_public_observations_show_no_rack(recalls: bool) -> None:
    kinds = pyspiel.PrivateInfoType
    state, rng = played(("classic", 2), 1, 60), Random(1)
    while state.is_chance_node():
        step(state, rng)
    other = state.resample_from_infostate(1, rng.random)
    game = state.get_game()
    public = game.make_py_observer(pyspiel.IIGObservationType(True, recalls, kinds.NONE))
    private = game.make_py_observer(pyspiel.IIGObservationType(False, recalls, kinds.SINGLE_PLAYER))
    assert public.string_from(state, 0) == public.string_from(other, 0)
    assert private.string_from(state, 0) != private.string_from(other, 0)
    assert private.string_from(state, 1) == private.string_from(other, 1)
    with pytest.raises(ValueError, match="all hands"):
        game.make_py_observer(pyspiel.IIGObservationType(True, recalls, kinds.ALL_PLAYERS))


def test_a_chance_node_cannot_be_resampled() -> None:
    with pytest.raises(ValueError, match="chance node"):
        load("cards").new_initial_state().resample_from_infostate(0, Random(1).random)


# Copies, structs and names


@given(games, seeds, st.integers(min_value=0, max_value=400))
def test_a_state_can_be_restored_from_text_and_struct(game: tuple[str, int], seed: int, steps: int) -> None:
    state = played(game, seed, steps)
    struct = state.to_struct()
    back = [
        pickle.loads(pickle.dumps(state)),
        state.get_game().deserialize_state(state.serialize()),
        state.get_game().new_initial_state(json.loads(struct.to_json())),
        state.get_game().new_initial_state(struct),
        state.clone(),
    ]
    for found in back:
        assert str(found) == str(state)
        assert found.history() == state.history()
        assert found.moment.events == state.moment.events


@given(games, seeds, st.integers(min_value=0, max_value=200))
def test_an_action_can_be_restored_from_its_struct(game: tuple[str, int], seed: int, steps: int) -> None:
    state = played(game, seed, steps)
    for action in state.legal_actions()[::50]:
        struct = state.action_to_struct(state.current_player(), action)
        assert state.struct_to_actions(struct) == [action]
        assert "type" in struct.to_dict()


def test_the_end_of_a_turn_is_a_named_action() -> None:
    numbering = load(*SMALL).numbering
    state = played(SMALL, 1, 12)
    step(state, Random(1))
    assert [state.action_to_string(0, numbering.number_of(a)) for a in (Refill(), Swap())] == [
        "refill",
        "swap",
    ]
    assert state.action_to_struct(0, numbering.refill).to_dict() == {"type": "refill"}


def test_a_state_without_a_history_is_refused() -> None:
    with pytest.raises(ValueError, match="history"):
        load("cards").new_initial_state({"variant": "cards"})


def test_every_game_is_registered(variant: str, seats: int) -> None:
    game = pyspiel.load_game(f"{name_of(variant)}(players={seats})")
    assert game.num_players() == seats
    assert str(game) == str(load(variant, seats))


def test_a_custom_edition_is_registered_when_it_is_loaded() -> None:
    with garden():
        state = played(("garden", 2), 1)
        assert genial.check(genial.record_of(state.moment.position)).status == "lawful"


def test_a_process_that_has_loaded_a_game_exits_cleanly() -> None:
    """OpenSpiel keeps registered games until after Python has shut down."""
    code = "from genial.envs.openspiel import load; load('cards').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


# Search


def test_ismcts_gives_a_policy_over_the_legal_actions() -> None:
    """OpenSpiel's ISMCTS in Python: the one in C++ doesn't work with games in Python."""
    state, rng = played(SMALL, 5, 60), Random(2)
    while state.current_player() < 0 or len(state.legal_actions()) < 2:
        step(state, rng)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(state.get_game(), evaluator, 2.0, 12, random_state=np.random.RandomState(1))
    policy: list[tuple[int, Any]] = bot.get_policy(state)
    assert {action for action, _ in policy} == set(state.legal_actions())
    assert sum(part for _, part in policy) == pytest.approx(1)
    assert bot.step(state) in state.legal_actions()
