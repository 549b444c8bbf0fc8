"""A contest: whole sets, in order, as many as are needed; its log; its result."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from tests.arena.contests import Dice, settings

from genial.arena.chart import chart
from genial.arena.contest import Contest
from genial.arena.fixtures import Fixture
from genial.arena.game import Forfeit, Played, forfeited
from genial.arena.log import GameLog
from genial.arena.results import Result, dumped, read, result_of, write
from genial.arena.sequential import Question
from genial.arena.tables import markdown, print_tables
from genial.core.errors import SetupError

QUESTION = Question(0.5, margin=0.1)


class Home(Dice):
    """`strong` wins, wherever it sits; now and then the result is random."""

    def result(self, fixture: Fixture) -> Played:
        played = super().result(fixture)
        ranks = tuple(1 if player == "strong" else 2 for player in fixture.players)
        return played if fixture.deal % 4 == 3 else msgspec.structs.replace(played, ranks=ranks)


def held(runner: Dice, games: int = 100, question: Question | None = None) -> Contest:
    contest = Contest(settings(), games, question)
    contest.play(runner, lambda played: None)
    return contest


def result(contest: Contest, games: int = 100) -> Result:
    return result_of(contest, games, "genial arena match cards strong weak")


def test_all_games_are_played_in_whole_sets() -> None:
    runner = Dice(0.5)
    contest = held(runner, games=7)
    assert sorted(runner.taken) == [(0, deal, seating) for deal in range(4) for seating in range(2)]
    assert result(contest).pairs[0].games == 8
    assert result(contest).complete


def test_the_test_stops_once_it_is_sure() -> None:
    runner = Home(0.5)
    contest = held(runner, games=400, question=QUESTION)
    (pair,) = result(contest).pairs
    assert pair.verdict is not None
    assert (pair.verdict.answer, pair.verdict.met) == ("yes", True)
    assert len(runner.taken) == pair.games < 200


@pytest.mark.parametrize("shuffle", range(3))
def test_the_result_does_not_depend_on_how_many_games_are_played_at_once(shuffle: int) -> None:
    alone = held(Home(0.5), games=400, question=QUESTION)
    runner = Home(0.5, at_once=17, shuffle=shuffle)
    together = held(runner, games=400, question=QUESTION)
    assert dumped(result(together)) == dumped(result(alone))
    assert len(runner.taken) > len(alone.counted())  # played beyond the answer, and not counted


def test_an_open_question_is_judged_by_the_score() -> None:
    contest = held(Home(0.5), games=6, question=QUESTION)
    verdict = result(contest, 6).pairs[0].verdict
    assert verdict is not None
    assert (verdict.answer, verdict.met) == ("open", True)


def test_a_killed_run_loses_no_finished_game(tmp_path: Path) -> None:
    path, whole = tmp_path / "games.jsonl", held(Home(0.5), games=40)
    with GameLog(path, settings()) as log:
        for number, played in enumerate(Home(0.5).play(Contest(settings(), 40).fixtures())):
            log.add(played)
            if number == 20:
                break
    with path.open("ab") as file:
        file.write(b'{"lineup":0,"deal":')  # the power went off here
    with GameLog(path, settings()) as log:
        assert len(log.played) == 21
        contest, runner = Contest(settings(), 40, played=log.played), Home(0.5)
        contest.play(runner, log.add)
    assert len(runner.taken) == 40 - 21
    assert dumped(result(contest, 40)) == dumped(result(whole, 40))
    with GameLog(path, settings()) as log:
        assert len(log.played) == 40


def test_a_log_cut_off_in_its_first_line_starts_afresh(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"format":"genial-ar')
    with GameLog(path, settings()) as log:
        assert log.played == {}
    assert path.read_bytes().startswith(b'{"format":"genial-arena-log/1"')


def test_a_log_belongs_to_one_contest_and_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with GameLog(path, settings()), pytest.raises(SetupError, match="Another run"):
        GameLog(path, settings())
    with pytest.raises(SetupError, match="another contest"):
        GameLog(path, settings("match", "travel"))
    path.write_text("no log\n")
    with pytest.raises(SetupError, match="an arena result"):
        GameLog(path, settings())


def test_more_games_continue_from_fewer(tmp_path: Path) -> None:
    with GameLog(tmp_path / "games.jsonl", settings()) as log:
        Contest(settings(), 10).play(Dice(0.5), log.add)
        runner, contest = Dice(0.5), Contest(settings(), 16, played=log.played)
        contest.play(runner, log.add)
        assert len(runner.taken) == 6
        assert len(Contest(settings(), 4, played=log.played).counted()) == 4


def test_a_forfeit_loses_against_everybody() -> None:
    fixture = settings("match", "classic", 3).fixture((0, 0, 1))
    assert fixture.players == ("strong", "weak", "strong")
    assert forfeited(fixture, Forfeit(2, "raised")).ranks == (2, 1, 2)
    assert forfeited(fixture, Forfeit(1, "raised")).ranks == (1, 3, 1)


def test_forfeits_are_reported() -> None:
    class Broken(Dice):
        def result(self, fixture: Fixture) -> Played:
            return forfeited(fixture, Forfeit(fixture.players.index("weak"), "raised: KeyError: [red]x"))

    found = result(held(Broken(0), games=4), 4)
    assert found.pairs[0].score.mean == 1.0
    assert [bot.forfeits for bot in found.bots] == [0, 4]
    said = StringIO()
    print_tables(found, Console(file=said, width=120))
    assert said.getvalue().count("forfeit: weak: raised: KeyError: [red]x") == 4


def test_a_result_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    path, found = tmp_path / "deep" / "result.json", result(held(Home(0.5), question=QUESTION))
    write(found, path)
    assert read(path) == found
    data = json.loads(path.read_text())
    assert (data["format"], data["command"]) == ("genial-arena/1", "genial arena match cards strong weak")
    assert len(data["lines"]) == data["pairs"][0]["games"]
    for wrong in ("{}", "[]", "no", path.read_text().replace("genial-arena/1", "genial-arena/9")):
        path.write_text(wrong)
        with pytest.raises(SetupError):
            read(path)


def test_solo_results_are_distributions() -> None:
    alone = settings("solo", "classic-solo", 1, "strong", "weak")
    contest = Contest(alone, 30)
    contest.play(Dice(0.5), lambda played: None)
    found = result_of(contest, 30, "genial arena solo", solo_at_least=3)
    strong, weak = found.solo
    assert strong.distribution == ((2, 30),)
    assert strong.verdict is not None
    assert not strong.verdict.met
    assert weak.verdict is None
    assert not found.pairs
    assert found.bots[0].rating is None


def test_three_bots_at_one_table_are_compared_in_pairs() -> None:
    contest = Contest(settings("table", "classic", 3, "a", "b", "c"), 9)
    contest.play(Dice(1.0), lambda played: None)
    found = result_of(contest, 9, "genial arena table")
    assert [(pair.a, pair.b, pair.score.mean) for pair in found.pairs] == [
        ("a", "b", 0.5),
        ("a", "c", 0.5),
        ("b", "c", 0.5),
    ]


def test_charts_state_their_figures_in_words() -> None:
    found = result(held(Home(0.5), question=QUESTION))
    alone = Contest(settings("solo", "classic-solo", 1, "strong"), 3)
    alone.play(Dice(0.5), lambda played: None)
    solo = result_of(alone, 3, "genial arena solo", solo_at_least=2)
    root = ET.fromstring(chart([found, found, solo]))
    texts = [text for text in root.itertext() if text.strip()]
    assert any("strong scores" in text for text in texts)
    assert "strong against weak" in texts
    assert "Classic solo: lowest marker" in texts
    assert chart([found]) != chart([found], "dark")


def test_names_from_outside_are_not_treated_as_markup() -> None:
    name = "cmd:<b>&[bold]|"
    contest = Contest(settings("match", "cards", 2, name, "weak"), 4)
    contest.play(Dice(0.5), lambda played: None)
    found = result_of(contest, 4, "genial arena match")
    assert name in " ".join(ET.fromstring(chart([found])).itertext())
    assert "cmd:<b>&[bold]\\|" in markdown(found)
    said = StringIO()
    print_tables(found, Console(file=said, width=120))
    assert name in said.getvalue()
