"""Several games in a row: the start passes on, totals are shown, nothing is lost in the middle (SERIES)."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest
from tests.terminal.acts import Here, act
from tests.terminal.robot import Robot

import genial
from genial.core.errors import SetupError
from genial.terminal.app import GenialApp
from genial.terminal.entry import again, choose_plain, new_session
from genial.terminal.game_page import GamePage
from genial.terminal.plain import run_plain
from genial.terminal.result import series_lines
from genial.terminal.result_page import ResultPage
from genial.terminal.saves import saved_games
from genial.terminal.session import Session


def to_the_end(session: Session) -> None:
    while not session.is_over:
        act(session)


def followed(session: Session) -> Session:
    to_the_end(session)
    assert session.following is not None
    return session.following


def test_the_start_passes_clockwise_and_everybody_keeps_name_and_bot(tmp_path: Path) -> None:
    first = new_session(
        "cards", seats=3, bots="greedy,random", names=["Ada"], games=3, seed="7", folder=tmp_path
    )
    second = followed(first)
    third = followed(second)
    assert first.names == ("Ada", "Greedy", "Random")
    assert second.names == ("Greedy", "Random", "Ada")
    assert second.bots == ("greedy", "random", None)
    assert third.names == ("Random", "Ada", "Greedy")
    to_the_end(third)
    assert third.following is None
    seeds = [game.position.dealer.seed for game in (first, second, third) if game.position.dealer]
    assert seeds == ["7", "7-2", "7-3"]


def test_people_without_names_are_numbered_by_their_places() -> None:
    second = followed(new_session("cards", people=2, games=2, seed="7"))
    assert second.names == ("Player 2", "Player 1")


def test_the_highest_total_of_lowest_markers_wins() -> None:
    session = new_session("cards", people=0, bots="greedy,random", games=2, seed="7")
    second = followed(session)
    to_the_end(second)
    lowest = [[min(track) for track in game.position.tracks] for game in (session, second)]
    totals = {"Greedy": lowest[0][0] + lowest[1][1], "Random": lowest[0][1] + lowest[1][0]}
    lines = series_lines(second)
    assert lines[0] == "Series after game 2 of 2:"
    for name, total in totals.items():
        assert any(name in line and line.endswith(f"= {total}") for line in lines)
    best = max(totals, key=lambda name: totals[name])
    assert lines[-1] == f"Series winner: {best}."


def test_a_team_stays_together_and_notes_its_shared_track() -> None:
    second = followed(new_session("classic-team", people=0, bots="random", games=2, seed="7"))
    assert second.names == ("Random 2", "Random 3", "Random 4", "Random 1")
    assert second.side_name(0) == "Random 2 + Random 4"
    to_the_end(second)
    lines = series_lines(second)
    assert len(lines) == 4
    assert any("Random 1 + Random 3, " in line for line in lines)


def test_a_series_resumed_midway_continues_identically(tmp_path: Path) -> None:
    second = followed(new_session("duel", games=3, seed="7", folder=tmp_path))
    for _ in range(9):
        act(second)
    assert second.path is not None
    later = Session.resume(second.path)
    assert later.series == second.series
    assert later.names == second.names
    third, other = followed(second), followed(later)
    assert third.position == other.position
    assert third.series == other.series


def test_between_two_games_the_next_one_is_the_one_to_resume(tmp_path: Path) -> None:
    session = new_session("cards", games=2, seed="7", folder=tmp_path)
    to_the_end(session)
    [saved] = saved_games(tmp_path)
    assert session.following is not None
    assert saved.path == session.following.path
    resumed = Session.resume(saved.path)
    assert (resumed.series.played, resumed.series.games) == (1, 2)
    to_the_end(resumed)
    assert saved_games(tmp_path) == []
    assert resumed.path is not None
    assert genial.check(resumed.path.read_text()).status == "lawful"


@pytest.mark.parametrize(
    "options",
    [
        {"series": 3, "game": 2},
        {"series": 3, "game": 5, "noted": [[1, 2]]},
        {"series": 3, "game": 2, "noted": [[1]]},
        {"series": 3, "game": 2, "noted": [["a", 2]]},
        {"series": 1, "game": 2, "noted": [[1, 2]]},
        {"series": 10**9, "game": 2, "noted": [[1, 2]]},
        ["series"],
    ],
)
def test_invalid_series_options_are_ignored(tmp_path: Path, options: object) -> None:
    session = new_session("cards", games=3, seed="7", folder=tmp_path)
    assert session.path is not None
    record = json.loads(session.path.read_text())
    session.path.write_text(json.dumps({**record, "options": options}))
    assert Session.resume(session.path).series.games == 1


def test_a_series_has_a_sensible_number_of_games() -> None:
    with pytest.raises(SetupError):
        new_session("cards", games=0)
    with pytest.raises(SetupError):
        new_session("cards", games=101)


def test_playing_again_restarts_the_same_series_from_its_first_place() -> None:
    second = followed(new_session("cards", seats=3, bots="greedy,random", games=2, seed="7"))
    to_the_end(second)
    anew = again(second, language="en", folder=None)
    assert anew.bots == (None, "greedy", "random")
    assert (anew.series.games, anew.series.played) == (2, 0)


def test_line_mode_plays_a_whole_series(tmp_path: Path) -> None:
    screen = io.StringIO()
    session = choose_plain("en", tmp_path, io.StringIO("7 0\n7 2\n"), screen)
    assert session is not None
    assert run_plain(session, Robot(screen), screen) == 0
    printed = screen.getvalue()
    assert "Game 1 of 2. First turn: You." in printed
    assert "Game 2 of 2. First turn: Balanced." in printed
    assert "Series after game 2 of 2:" in printed


def test_the_screen_shows_totals_and_continues_with_the_next_game(tmp_path: Path) -> None:
    session = new_session("cards", games=2, seed="7", folder=tmp_path)
    before = session.position
    while not session.is_over:
        before = session.position
        act(session)
    last = Session(before, session.bots, series=session.series)
    app = GenialApp(last, folder=tmp_path, pause=0, bots=Here())

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(500):
                if isinstance(app.screen, ResultPage):
                    break
                await pilot.press(*([] if last.bot_to_move else ["1", "enter"]))
                await pilot.pause()
            assert isinstance(app.screen, ResultPage)
            printed = str(app.screen.query_one("#result").content)  # type: ignore[attr-defined]
            assert "Series after game 1 of 2:" in printed
            await pilot.press("n")
            await pilot.pause()
            assert isinstance(app.screen, GamePage)
            assert app.session is last.following
            assert "game 2 of 2" in str(app.screen.query_one("#header").content)  # type: ignore[attr-defined]

    asyncio.run(play())
