"""Many games at once are the same games as one by one, whatever the mode, the masks and the buffers."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tests.envs.random_play import any_lawful
from tests.envs.stand_in import OnCard, StandInForCard, Waited

import genial
from genial import envs
from genial.core.observation import OFFSETS
from genial.core.record import record_of
from genial.core.tiles import TILES
from genial.envs.many import ManyGames
from genial.envs.one_game import IllegalMove, _dealt, _followed
from genial.kernel.gpu.card import NoCard, arrays

MODES = [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP]


def lawful(masks: Any, rng: Random) -> Any:
    """A lawful action in each game, or any number where one has ended and the next has not begun."""
    return np.array([any_lawful(mask, rng) if mask.any() else 7 for mask in masks], np.int32)


def first_lawful(observations: Any, masks: Any) -> Any:
    """A policy for many games."""
    return masks.argmax(1)


def test_games_played_together_are_lawful(variant: str, seats: int) -> None:
    """Core follows each game from its states, and the referee judges the record."""
    many, rng = envs.vector(variant, seats, count=3, reward="score"), Random(1)
    seen, info = many.reset(seed=1)
    game = many.game
    told = [_dealt(game, bytes(state)) for state in many._batch.states]
    worth, done = np.zeros((3, seats)), 0
    while not done:
        assert many.observation_space.contains(seen)
        assert np.array_equal(info["seat"], [position.seat for position in told])
        actions = lawful(info["action_mask"], rng)
        before = many._batch.states.copy()
        seen, rewards, over, cut, info = many.step(actions)
        worth += rewards.reshape(3, seats)
        assert not cut.any()
        for n in range(3):
            state = bytearray(before[n])
            game.step(state, int(actions[n]))
            told[n] = _followed(game, told[n], state, int(actions[n]))
            if over[n]:
                assert genial.check(record_of(told[n])).status == "lawful"
                result = told[n].result
                assert result is not None
                assert tuple(info["ranks"][n]) == result.ranks
                if seats == 2 and variant != "duel":
                    one, two = (min(track) for track in result.tracks)
                    assert list(worth[n]) == [one - two, two - one]
                done += 1
                told[n], worth[n] = _dealt(game, bytes(many._batch.states[n])), 0
    many.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("bots", [None, "random", first_lawful], ids=["solo", "random", "policy"])
def test_modes_end_games_as_they_promise(mode: AutoresetMode, bots: Any) -> None:
    """Both modes play the same games, but report the end differently."""
    seats = None if bots is None else 3
    many = envs.vector(
        "3d-solo" if bots is None else "cards", seats, count=4, bots=bots, autoreset_mode=mode, reward="rank"
    )
    assert many.metadata["autoreset_mode"] is mode
    rng, ended = Random(5), np.zeros(4, np.bool_)
    seen, info = many.reset(seed=3)
    met = 0
    for _ in range(150):
        masks = info["action_mask"]
        assert [bool(mask.any()) for mask in masks] == [not over for over in ended] or mode is MODES[0]
        seen, rewards, over, _, info = many.step(lawful(masks, rng))
        if mode is AutoresetMode.NEXT_STEP:
            last = seen
            assert not (over & ended).any(), "the action after the end is ignored"
            ended = over
        else:
            last = info["final_obs"]
            assert np.array_equal(info["_final_obs"], over)
        for n in np.flatnonzero(over):
            assert last[n][OFFSETS["phase"]] == 2
            assert last[n][OFFSETS["reason"]]
            met += 1
        for n in np.flatnonzero(~over):
            assert seen[n][OFFSETS["phase"]] != 2
            assert bots is None or rewards[n] == 0
            assert bots is None or seen[n][OFFSETS["mover"]] == 0
    assert met >= 4


def test_the_agents_seat_passes_clockwise() -> None:
    many, rng = envs.vector("cards", 3, count=3, bots="random"), Random(5)
    _, info = many.reset(seed=3)
    seats, games = info["seat"].tolist(), [1, 1, 1]
    assert seats == [0, 1, 2]
    while min(games) < 3:
        _, _, over, _, info = many.step(lawful(info["action_mask"], rng))
        for n in range(3):
            games[n] += int(over[n])
            assert info["seat"][n] == (seats[n] + games[n] - 1) % 3


@pytest.mark.parametrize("kind", ["bytes", "bits"])
def test_buffers_are_written_in_place(kind: Any) -> None:
    game = genial.kernel.game("classic", 2)
    width, dtype = (game.actions, np.int8) if kind == "bytes" else (game.mask_bytes, np.uint8)
    mine: dict[str, Any] = {
        "observations": np.zeros((2, game.observation_bytes), np.uint8),
        "masks": np.zeros((2, width), dtype),
        "rewards": np.zeros((2, 2), np.float32),
        "terminals": np.zeros(2, np.bool_),
        "truncations": np.zeros(2, np.bool_),
    }
    many = envs.vector("classic", 2, count=2, masks=kind, buffers=mine, copy=False)
    seen, info = many.reset(seed=1)
    assert seen is mine["observations"]
    assert info["action_mask"] is mine["masks"]
    assert mine["observations"][:, OFFSETS["rack"] :][:, : len(TILES)].sum(1).tolist() == [6, 6]
    masks = mine["masks"] if kind == "bytes" else np.unpackbits(mine["masks"], axis=1, bitorder="little")
    _, rewards, over, cut, _ = many.step(lawful(masks, Random(1)))
    assert rewards is mine["rewards"]
    assert over is mine["terminals"]
    assert cut is mine["truncations"]
    with pytest.raises(ValueError, match=r"buffer rewards is float64 \(2,\); it has to be float32 \(2, 2\)"):
        envs.vector("classic", 2, count=2, buffers={"rewards": np.zeros(2)})
    with pytest.raises(ValueError, match="called gold"):
        envs.vector("classic", 2, count=2, buffers={"gold": np.zeros(2)})


def test_without_masks_and_observations_it_only_steps() -> None:
    many = envs.vector("classic", 2, count=4, masks=None, observations=False)
    seen, info = many.reset(seed=1)
    assert seen is None
    assert "action_mask" not in info
    for _ in range(200):
        _, rewards, over, _, info = many.step(many._batch.choose())
        assert (rewards.any(1) <= over).all()


def test_an_unlawful_action_changes_no_game() -> None:
    many = envs.vector("cards", 2, count=3)
    _, info = many.reset(seed=1)
    before, actions = many._batch.states.copy(), lawful(info["action_mask"], Random(1))
    for wrong in (43, -1, 99):
        actions[1] = wrong
        with pytest.raises(IllegalMove, match=r"In game 1: Seat 0 cannot do .* Lawful: "):
            many.step(actions)
    assert np.array_equal(many._batch.states, before)
    with pytest.raises(ValueError, match=r"3 games, but the actions have the shape \(2,\)"):
        many.step(actions[:2])
    lenient = envs.vector("cards", 2, count=3, check=False)
    lenient.reset(seed=1)
    assert lenient.step(actions)[-1]["unlawful"] == 1


def test_gymnasiums_wrappers_accept_it() -> None:
    many = RecordEpisodeStatistics(envs.vector("quick", count=2, bots="random", autoreset_mode="NextStep"))
    rng = Random(1)
    _, info = many.reset(seed=1)
    lengths: list[int] = []
    while len(lengths) < 2:
        _, _, over, _, info = many.step(lawful(info["action_mask"], rng))
        lengths += [int(length) for length in info["episode"]["l"][over]] if over.any() else []
    assert min(lengths) > 5


def test_seeds_decide_the_games() -> None:
    one, two = (envs.vector("classic", 2, count=5) for _ in range(2))
    assert np.array_equal(one.reset(seed=4)[0], two.reset(seed=4)[0])
    assert np.array_equal(one.reset()[0], two.reset()[0])
    assert not np.array_equal(one.reset(seed=5)[0], two.reset(seed=4)[0])
    assert isinstance(one, gymnasium.vector.VectorEnv)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "tpu"}, "no device called 'tpu'. Choose cpu or cuda"),
        ({"bots": "level-6"}, "against random, greedy, balanced or a policy, not 'level-6'"),
        ({"bots": ["random"] * 3}, "1 other seats, but 3 bots"),
        ({"autoreset_mode": "Disabled"}, "SAME_STEP"),
        ({"autoreset_mode": "NextStep", "final_obs": False}, "NEXT_STEP with observations and final_obs"),
    ],
)
def test_an_unknown_choice_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        envs.vector("classic", 2, count=2, **options)


@pytest.mark.parametrize("bot", ["random", "greedy", "balanced"])
def test_bots_play_as_they_should(variant: str, seats: int, bot: str) -> None:
    """They play every other seat, and all but `random` beat an agent that plays at random."""
    if seats == 1:
        pytest.skip("nobody else plays")
    many = envs.vector(variant, seats, count=32, bots=bot, reward="rank", observations=False, masks="bits")
    many.reset(seed=2)
    paid: list[float] = []
    while len(paid) < 64:
        _, rewards, over, _, info = many.step(many.random_actions())
        assert (info["seat"] == many._own).all()
        paid += rewards[over].tolist()
    assert bot == "random" or sum(paid) / len(paid) < -0.1
    many.close()


def test_bots_of_several_kinds_sit_in_the_given_order() -> None:
    """Each plays as it does alone: the games are the same, whichever is asked first."""
    asked: list[int] = []

    def first(observations: Any, masks: Any) -> Any:
        asked.extend(observations[:, OFFSETS["mover"]].tolist())
        return masks.argmax(1)

    many = envs.vector("cards", 3, count=8, bots=["greedy", first])
    _, info = many.reset(seed=1)
    rng = Random(1)
    for _ in range(40):
        _, _, _, _, info = many.step(lawful(info["action_mask"], rng))
    assert set(asked) == {0}


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give environments for "cuda" a stand-in for the card."""
    monkeypatch.setattr("genial.kernel.gpu.batch.Card", StandInForCard)
    monkeypatch.setattr(OnCard, "may_wait", False)


@pytest.mark.parametrize("reward", ["rank", "win", "score"])
@pytest.mark.parametrize(
    "options", [{}, {"final_obs": True}, {"autoreset_mode": "NextStep", "final_obs": True}]
)
def test_on_a_card_the_same_games_are_played_and_nothing_waits(
    card: None, reward: str, options: dict[str, Any]
) -> None:
    for variant, seats in [("cards", 3), ("classic-team", 4), ("3d-solo", 1), ("duel", 2)]:
        told: dict[str, Any] = {"reward": reward, "masks": "bytes", **options}
        here = envs.vector(variant, seats, count=6, check=False, **told)
        there = envs.vector(variant, seats, 6, "cuda", **told)
        with pytest.raises(Waited):
            bool(there.reset(seed=1)[0][0, 0])
        _compare(here.reset(seed=1), there.reset(seed=1))
        for _ in range(250):
            actions = np.array(here.random_actions())
            assert np.array_equal(actions, np.asarray(there.random_actions()))
            _compare(here.step(actions), there.step(there._xp.asarray(actions)))


@pytest.mark.parametrize("bots", ["random", "greedy", first_lawful], ids=["random", "greedy", "policy"])
def test_on_a_card_bots_play_too(card: None, monkeypatch: pytest.MonkeyPatch, bots: Any) -> None:
    monkeypatch.setattr(OnCard, "may_wait", True)
    many = envs.vector("cards", 3, 6, "cuda", bots=bots, check=True, copy=True)
    _, info = many.reset(seed=1)
    ended, rng = 0, Random(3)
    while ended < 6:
        actions = lawful(np.asarray(info["action_mask"]), rng)
        _, rewards, over, _, info = many.step(actions)
        assert rewards.dtype == np.float32
        assert np.array_equal(np.asarray(info["seat"]), np.asarray(many._own))
        ended += int(over.sum())
    actions = lawful(np.asarray(info["action_mask"]), rng)
    actions[2] = 99
    with pytest.raises(IllegalMove, match="In game 2: "):
        many.step(actions)
    with pytest.raises(ValueError, match="against random, greedy or a policy, not 'balanced'"):
        envs.vector("cards", 3, 6, "cuda", bots="balanced")


def _compare(here: Any, there: Any) -> None:
    """Expect two answers to be the same. Values where nothing ended don't count."""
    *arrays, info = here
    *others, more = there
    assert [np.asarray(other).tolist() for other in others] == [array.tolist() for array in arrays]
    assert {*more} <= {*info}
    for name, found in more.items():
        marked = info.get(f"_{name}", slice(None))
        one, other = (np.atleast_1d(np.asarray(each))[marked] for each in (info[name], found))
        assert np.array_equal(one, other), name


def test_without_a_card_it_says_what_is_missing() -> None:
    try:
        arrays()
    except NoCard:
        with pytest.raises(NoCard, match=r"graphics card|NVIDIA"):
            ManyGames("classic", 2, 4, "cuda")
    else:
        seen, _ = ManyGames("classic", 2, 4, "cuda").reset(seed=1)
        assert seen.shape == (4, 173)
