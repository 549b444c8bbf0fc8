"""The way in: exit status, where games are saved, and a game that is killed."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

import genial
from genial.core.situation import Phase
from genial.terminal import play
from genial.terminal.entry import new_session
from genial.terminal.saves import data_folder, saved_games
from genial.terminal.session import Session


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """No terminal, an empty input, English, and a separate data folder."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return monkeypatch


def test_without_a_terminal_the_game_is_played_line_by_line(
    typed: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed.setattr(sys, "stdin", io.StringIO("1 a2 a3\nquit\n"))
    assert play("classic", seed="7") == 0
    assert "Your game is saved in" in capsys.readouterr().out
    [saved] = saved_games(tmp_path / "genial")
    assert Session.resume(saved.path).position.phase is Phase.END_TURN
    typed.setattr(sys, "stdin", io.StringIO("undo\nrefill\n"))
    assert play(None, resume=saved.path) == 0
    assert "Undone." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"variant": "chess"}, "There's no edition called “chess”"),
        ({"variant": "classic", "seats": 7}, "The number of seats in Classic can't be 7"),
        ({"variant": "classic", "bots": "deep-blue"}, "There's no bot called “deep-blue”"),
        ({"variant": "classic", "seats": 2, "people": 3}, "3 people don't fit here."),
        ({"variant": "classic", "names": ["A", "B", "C"]}, "3 names are too many."),
        ({"variant": "classic", "seed": "ä ö"}, "isn't a seed"),
        ({"variant": None, "resume": Path("not-there.genial.json")}, "not-there.genial.json can't be read"),
    ],
)
def test_usage_errors_are_explained_and_exit_2(
    typed: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: dict[str, object],
    sentence: str,
) -> None:
    assert play(**arguments, plain=True) == 2  # type: ignore[arg-type]
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "genial").exists()


def test_the_language_follows_the_option_or_the_environment(
    typed: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play("classic", language="nl") == 0
    assert "Je spel is opgeslagen" in capsys.readouterr().out
    typed.setenv("LC_ALL", "de_DE.UTF-8")
    assert play("classic") == 0
    assert "Deine Partie ist gespeichert" in capsys.readouterr().out


def test_people_take_the_first_seats_and_bots_the_others() -> None:
    session = new_session("classic", seats=4, people=2, bots="greedy,random", names=["Ada", "Ben"])
    assert session.bots == (None, None, "greedy", "random")
    assert session.names == ("Ada", "Ben", "Greedy", "Random")
    assert new_session("classic", people=3).setup.seats == 3
    assert new_session("classic", seats=3, bots="greedy").names == ("You", "Greedy 2", "Greedy 3")


def test_games_are_saved_in_the_systems_data_folder() -> None:
    assert data_folder({"LOCALAPPDATA": "C:/Data"}, "win32") == Path("C:/Data/genial")
    assert data_folder({}, "linux") == Path.home() / ".local" / "share" / "genial"


LOADED = "print('loaded:', *sorted({'rich', 'textual'} & set(sys.modules)))"


def test_playing_line_by_line_loads_no_screen_libraries(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, genial.terminal as t;"
        "t.play('classic', seed='7', plain=True, language='en', save_dir=pathlib.Path(sys.argv[1]));"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + LOADED, str(tmp_path)],
        input="1 a2 a3\nrefill\nboard\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Balanced: " in done.stdout, "a bot has moved too"
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_screen_libraries_would_be_noticed() -> None:
    code = f"import sys, genial.terminal.app; {LOADED}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "loaded: rich textual\n"


def test_a_game_killed_mid_turn_resumes_there(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, genial.terminal as t;"
        "t.play('classic', seed='7', plain=True, language='en', save_dir=pathlib.Path(sys.argv[1]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as game:
        assert game.stdin
        assert game.stdout
        game.stdin.write("1 a2 a3\n")
        game.stdin.flush()
        while "end your turn" not in game.stdout.readline().lower():
            pass
        game.kill()
    [saved] = saved_games(tmp_path)
    session = Session.resume(saved.path)
    assert session.position.phase is Phase.END_TURN
    assert session.take_back()
    assert session.position == genial.new("classic", seats=2, seed=7)
