"""Programs as bots: asked, timed, killed; and the arena and the terminal with them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from tests.bots.programs import command, player

import genial
from genial.bots import BOTS, bot_named, programs
from genial.bots.bot import Bot
from genial.bots.checker import ODDITIES, check
from genial.bots.child import BotFailure
from genial.bots.driver import choose
from genial.bots.external import ExternalBot, player_named
from genial.bots.thinking import Choice
from genial.bots.workers import BotPool
from genial.cli import main
from genial.core.actions import Refill
from genial.core.errors import SetupError
from genial.core.position import Position
from genial.core.titles import title_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"


@contextmanager
def program(name: str, deadline: float = 10.0) -> Iterator[ExternalBot]:
    bot = player_named(player(name), deadline)
    assert isinstance(bot, ExternalBot)
    try:
        yield bot
    finally:
        bot.kill()


def played(position: Position, bots: list[Bot]) -> Position:
    while not position.is_over:
        bot = bots[position.seat]
        position = position.apply(bot.choose(position.view({position.seat}), Random(1)))[0]
    return position


def until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        # A process that has ended but not been waited for is a zombie, which counts as dead.
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if sys.platform == "linux" else True
    except OSError:
        return False


def test_a_program_plays_several_games_in_one_process() -> None:
    with program("first") as bot:
        for seed in range(2):
            for seat in range(2):
                bots: list[Bot] = [bot_named("random")] * 2
                bots[seat] = bot
                end = played(genial.new("cards", seats=2, seed=seed), bots)
                bot.game_over(end, seat)
        view = genial.new("cards", seats=2, seed=0).view({0})
        assert choose(bot, view, Random(1)).nodes == 7
        assert bot._game == 5


def test_remarks_and_answers_to_earlier_questions_are_ignored() -> None:
    with program("chatty") as bot:
        position = genial.new("classic", seats=2, seed=1)
        assert bot.choose(position.view({0}), Random(1)) in position.actions()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("hang", "deadline"),
        ("exit", "died: exit 3: my last words"),
        ("unlawful", "unlawful: swap"),
        ("nonsense", "unlawful: "),
        ("number", "unlawful: "),
        ("garbage", "unreadable: "),
        ("flood", "unreadable: it sent a line of more than"),
        ("sorry", "refused: I do not know"),
        ("stranger", "refused: it answered hello"),
        ("cards-only", "refused: it doesn't play travel"),
    ],
)
def test_a_misbehaving_program_is_stopped_whatever_it_does(name: str, problem: str) -> None:
    with program(name, 1.0) as bot:
        if name != "stranger":
            bot.prepare()
        child = bot._child
        with pytest.raises(BotFailure) as raised:
            bot.choose(genial.new("travel", seed=1).view({0}), Random(1))
        assert raised.value.problem.startswith(problem)
        assert bot._child is None
        assert child is None or until(lambda: not is_alive(child.pid))


def test_a_program_is_killed_with_everything_it_started() -> None:
    with program("children", 3.0) as bot:
        bot.prepare()
        child = bot._child
        assert child is not None
        with pytest.raises(BotFailure, match="deadline"):
            bot.choose(genial.new("travel", seed=1).view({0}), Random(1))
        grandchild = int(child.errors.split()[0])
        assert until(lambda: not is_alive(grandchild))


def test_the_kept_standard_error_is_bounded() -> None:
    with program("loud") as bot:
        bot.choose(genial.new("travel", seed=1).view({0}), Random(1))
        assert bot._child is not None
        assert 0 < len(bot._child.errors) <= 8192


def test_after_a_failure_the_program_is_started_again() -> None:
    with program("exit") as bot:
        for _ in range(2):
            with pytest.raises(BotFailure, match="exit 3"):
                bot.choose(genial.new("travel", seed=1).view({0}), Random(1))


def test_a_program_that_cannot_be_started_is_reported() -> None:
    bot = player_named("cmd:/no/such/program")
    with pytest.raises(BotFailure, match="No such file"):
        bot.choose(genial.new("travel", seed=1).view({0}), Random(1))
    for wrong in ("cmd:", "cmd:'"):
        with pytest.raises(SetupError):
            player_named(wrong)


def test_programs_are_not_house_bots() -> None:
    """Naming a bot over the network, or in a file, starts nothing."""
    with pytest.raises(SetupError):
        bot_named(player("first"))
    assert not any(name.startswith("cmd:") for name in BOTS)


def test_a_programs_advice_includes_the_actions_asked_about() -> None:
    with program("first") as bot:
        position = genial.new("cards", seats=2, seed=1)
        wanted = position.actions()[0]
        advice = bot.advise(position.view({0}), Random(1), None, [wanted, Refill()])
        assert wanted in [candidate.action for candidate in advice.candidates]
        assert advice.unit == "points"


# The checker


def example(tmp_path: Path) -> Path:
    part = PAGE.read_text(encoding="utf-8").partition("### An example of a program")[2]
    found = re.search(r"```python\n(.*?)```", part, re.DOTALL)
    assert found
    path = tmp_path / "bot.py"
    path.write_text(found[1])
    return path


def test_the_example_is_short_and_passes_the_checker(tmp_path: Path) -> None:
    path = example(tmp_path)
    assert sum(bool(line.strip()) for line in path.read_text().splitlines()) <= 36
    found = list(check([sys.executable, str(path)]))
    assert [each for each in found if not each.ok] == []
    assert len(found) > 14 + len(ODDITIES)


@pytest.mark.parametrize(
    ("name", "failing"),
    [
        ("stranger", "it starts and answers hello"),
        ("fragile", "it survives a line that isn't JSON"),
        ("stubborn", "it stops when told to"),
        ("garbage", "it plays cards with 2 seats"),
    ],
)
def test_the_checker_finds_what_is_wrong(
    name: str, failing: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("genial.bots.checker.TITLES", {"cards": title_of("cards")})
    assert main(["bot", "check", shlex.join(command(name))]) == 1
    assert f"FAILED  {failing}" in capsys.readouterr().out


def test_our_own_bots_speak_the_protocol() -> None:
    bot = player_named(f"cmd:{sys.executable} -m genial bot run greedy")
    end = played(genial.new("cards", seats=2, seed=1), [bot, bot_named("random")])
    assert end.result is not None
    assert end.result.ranks == (1, 2)


@pytest.mark.parametrize(
    "arguments", [["check"], ["check", ""], ["run", "nobody"], ["check", "x", "--seconds", "-1"]]
)
def test_usage_errors_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", *arguments]) == 2


# Where programs play


def test_a_program_can_play_in_the_arena(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    arguments = ["--games", "2", "--jobs", "1", "--out", str(out), "--json"]
    assert main(["arena", "match", "cards", player("first"), player("exit"), *arguments]) == 0
    result = capsys.readouterr().out
    assert result.count('"problem":"died: exit 3: my last words"') == 2
    assert '"nodes":7.0' in result


def test_a_program_can_play_in_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    arguments = [
        "play",
        "cards",
        "--people",
        "0",
        "--seats",
        "2",
        "--plain",
        "--language",
        "en",
        "--seed",
        "1",
    ]
    assert main([*arguments, "--bots", f"{player('first')},{player('exit')}"]) == 0
    said = capsys.readouterr().out
    assert "failed: died: exit 3: my last words" in said
    assert "goal" in said or "last zone" in said


LIMIT = 8.0
"""Seconds for a move, four tenths of them for a program to start: a second, even if others are busy too."""


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two programs as bots of ours, for the duration of a test."""
    monkeypatch.setenv(programs.ENVIRONMENT, "{}")
    before = dict(BOTS)
    programs.offer([f"Good={shlex.join(command('first'))}", f"Slow={shlex.join(command('hang'))}"], LIMIT)
    yield
    BOTS.clear()
    BOTS.update(before)


@pytest.mark.slow
@pytest.mark.usefixtures("offered")
def test_workers_start_the_programs_an_operator_offers() -> None:
    async def asked() -> list[Choice]:
        view = genial.new("travel", seed=1).view({0})
        async with BotPool(1, setup=programs.setup()) as pool:
            return [
                await pool.choose(name, view, seed="1", deadline=LIMIT, tag="t")
                for name in ("Good", "Slow", "Good")
            ]

    good, slow, again = asyncio.run(asked())
    assert not good.fallback
    assert good.action == again.action
    assert slow.problem == "raised: BotFailure"


@pytest.mark.parametrize("text", ["Mybot", "=./mybot", "greedy=./mybot", "a/b=./mybot", "Mybot=", "Mybot='"])
def test_invalid_offers_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(programs.ENVIRONMENT, raising=False)
    before = dict(BOTS)
    with pytest.raises(SetupError):
        programs.offer([text], 10.0)
    assert before == BOTS
    assert programs.setup() is None


def test_a_server_lists_its_operators_programs(tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "genial", "serve", "--port", "0", "--db", str(tmp_path / "genial.db")]
    offer = ["--bot-workers", "1", "--bot", f"Mybot={shlex.join(command('first'))}"]
    with subprocess.Popen(
        [*serve, *offer], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            with urllib.request.urlopen(f"{url}/api/bots") as reply:
                bots = json.load(reply)["bots"]
        finally:
            server.terminate()
    assert [bot["house"] for bot in bots if bot["name"] == "Mybot"] == [True]
