"""A Minari dataset holds the games that its environment plays back."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import minari
import numpy as np
import pytest

from genial.cli import main
from genial.core.titles import TITLES
from genial.envs.episodes import write_episodes

SOLO = [variant for variant, title in TITLES.items() if title.is_solo]
NAME = "genial/test/bot-v0"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where Minari keeps its datasets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("variant", SOLO)
def test_the_recovered_environment_replays_the_same_games(variant: str) -> None:
    steps = write_episodes(NAME, variant, "random", range(3, 5), jobs=1)
    found = minari.load_dataset(NAME)
    assert (found.total_episodes, found.total_steps) == (2, steps)
    env = found.recover_environment()
    for number, episode in enumerate(found):
        observation, info = env.reset(seed=3 + number)
        for step, action in enumerate(episode.actions):
            assert np.array_equal(observation, episode.observations[step])
            mask = np.unpackbits(
                episode.infos["action_mask"][step], count=len(info["action_mask"]), bitorder="little"
            )
            assert np.array_equal(mask, info["action_mask"])
            observation, reward, over, _, info = env.step(int(action))
            assert (reward, over) == (episode.rewards[step], episode.terminations[step])
        assert over
        assert np.array_equal(observation, episode.observations[-1])
        assert not episode.truncations.any()


def test_a_searching_bot_plays_the_same_in_two_processes() -> None:
    bot = "level-5@24n"
    for name, jobs in (("genial/one-v0", 1), ("genial/two-v0", 2)):
        write_episodes(name, "3d-solo", bot, range(2), jobs)
    one, two = (list(minari.load_dataset(name)) for name in ("genial/one-v0", "genial/two-v0"))
    assert [game.actions.tolist() for game in one] == [game.actions.tolist() for game in two]
    assert one[0].actions.tolist() != one[1].actions.tolist()


def test_the_command_names_the_data_set_after_the_player(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["arena", "minari", "3d-solo", "--bot", "random", "--games", "2", "--jobs", "1", "--json"]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["name"] == "genial/3d-solo/random-v0"
    assert minari.load_dataset(told["name"]).total_steps == told["steps"]


def test_an_existing_data_set_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    write_episodes(NAME, "3d-solo", "random", range(1), 1)
    assert main(["arena", "minari", "3d-solo", "--name", NAME, "--games", "2", "--jobs", "1"]) == 2
    assert f"There's a data set called {NAME} already" in capsys.readouterr().err
    assert minari.load_dataset(NAME).total_episodes == 1


def test_an_interrupted_data_set_leaves_nothing_behind(root: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_episodes(NAME, "3d-solo", "random", range(3), 1, stop)
    assert minari.list_local_datasets() == {}
    assert write_episodes(NAME, "3d-solo", "random", range(1), 1) > 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["classic"], "classic isn't played alone"),
        (["3d-solo", "--bot", "nobody"], "There's no bot called"),
        (["3d-solo", "--games", "0"], "at least one game"),
        (["3d-solo", "--seed", "-1"], "a seed of 0"),
        (["3d-solo", "--name", "../elsewhere"], "Malformed dataset ID"),
    ],
)
def test_usage_errors_exit_2(
    arguments: list[str], told: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", "minari", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not any(path.is_file() for path in root.rglob("*.arrow"))


def test_without_minari_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "minari", None)
    monkeypatch.delitem(sys.modules, "genial.envs.episodes")
    assert main(["arena", "minari", "3d-solo", "--games", "1"]) == 2
    assert "pip install 'genial[minari]'" in capsys.readouterr().err
