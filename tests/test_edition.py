"""An edition is one file: core, kernel, commands, terminal and server play one of thirty lines."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.editions import GARDEN, garden
from tests.kernel.agreement import follow
from tests.play import walk
from tests.server.harness import Player, Server, play, play_on, running
from tests.server.several import PROCESSES
from tests.terminal.robot import Robot

import genial
from genial import kernel
from genial.bots import BOTS, play_out
from genial.bots.bot import Budget
from genial.core.editions import name_of, usual_turns
from genial.core.errors import SetupError
from genial.core.messages import LANGUAGES
from genial.core.notation import parse_position, position_text
from genial.core.record import dump, record_of
from genial.core.title import Title
from genial.core.titles import TITLES
from genial.drawing.svg import draw
from genial.own_editions import load_editions
from genial.terminal.app import GenialApp
from genial.terminal.entry import new_session
from genial.terminal.help_page import HelpPage
from genial.terminal.plain import run_plain
from genial.terminal.start_page import StartPage

SEATS = (2, 3)
FIGURES = {2: "37", 3: "61"}
"""Spaces on the board, by number of seats."""


@pytest.fixture(autouse=True)
def title() -> Iterator[Title]:
    with garden() as found:
        yield found


def genial_command(*arguments: str, expect: int = 0) -> str:
    """Run the command line in its own process, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "genial", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == expect, done.stderr
    return done.stdout + done.stderr


def test_an_edition_takes_no_more_than_thirty_lines() -> None:
    assert len(GARDEN.read_text(encoding="utf-8").splitlines()) <= 30


@pytest.mark.parametrize("seats", SEATS)
def test_core_plays_it_by_its_own_figures(title: Title, seats: int) -> None:
    assert genial.VARIANTS[-1] == "garden"
    bonus = 0
    for seed in range(12):
        positions = walk(("garden", seats), seed, greedily=True)
        end = positions[-1]
        record = dump(record_of(end))
        assert genial.check(record).status == "lawful"
        assert genial.load(record).result == end.result
        assert parse_position(position_text(positions[20])).tracks == positions[20].tracks
        assert max(max(track) for track in end.tracks) <= 12
        bonus += sum(position.bonus > 0 for position in positions)
        assert draw(end).startswith("<svg")
    assert bonus, "nobody reached the bonus step"
    assert [name_of("garden", language) for language in LANGUAGES] == ["Garden", "Garten", "Garden"]
    end = play_out(genial.new("garden", seats=seats, seed=1), [BOTS["balanced"]] * seats, Random(1))
    assert end.turn / seats == pytest.approx(usual_turns(title, seats), rel=0.5)


@pytest.mark.skipif(not kernel.available(), reason=kernel.available().reason)
@pytest.mark.parametrize("seats", SEATS)
def test_the_kernel_agrees_with_core(seats: int) -> None:
    for seed in range(3):
        assert follow(kernel.game("garden", seats), "garden", seats, seed, greedily=seed > 0)


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_plays_it(bot: str) -> None:
    for position in walk(("garden", 3), 5)[:40:13]:
        action = BOTS[bot].choose(position.view({position.seat}), Random(1), Budget(nodes=50))
        assert action in position.actions()


def test_commands_play_show_and_check_it(tmp_path: Path) -> None:
    options = ("--seats", "2", "--bots", "balanced,greedy", "--games", "2", "--seed", "1")
    genial_command("simulate", "garden", *options, "--records", str(tmp_path), "--jobs", "2")
    records = sorted(tmp_path.glob("*.genial.json"))
    assert len(records) == 2
    genial_command("check", *map(str, records))
    assert "Garden" in genial_command("show", str(records[0]))
    broken = json.loads(records[0].read_text(encoding="utf-8"))
    placed = next(event for event in broken["events"] if event["type"] == "place")
    placed["gain"][0] += 1
    records[1].write_text(json.dumps(broken), encoding="utf-8")
    genial_command("check", str(records[1]), expect=1)


def test_the_terminal_plays_it_line_by_line(tmp_path: Path) -> None:
    screen = io.StringIO()
    session = new_session("garden", seed="7", language="en", folder=tmp_path)
    assert run_plain(session, Robot(screen), screen) == 0
    assert session.position.is_over
    assert "Garden" in screen.getvalue()
    for language in LANGUAGES:
        told = io.StringIO()
        run_plain(new_session("garden", seed="7", language=language), io.StringIO("rules\nquit\n"), told)
        assert FIGURES[2] in told.getvalue()


def test_the_terminal_plays_it_in_full_screen(tmp_path: Path) -> None:
    app = GenialApp(None, folder=tmp_path, pause=0)

    async def script() -> None:
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            assert isinstance(app.screen, StartPage)
            app.screen.line = app.screen.lines.index("variant")
            await pilot.press("left")  # the last one
            assert app.screen.variant == "garden"
            app.screen.line = app.screen.lines.index("go")
            await pilot.press("enter")
            await pilot.pause()
            session = app.session
            assert session is not None
            assert session.setup.title.variant == "garden"
            before = len(session.position.events)
            await pilot.press("1", "space", "enter")
            await pilot.pause()
            assert len(session.position.events) > before
            await pilot.press("h")
            await pilot.pause()
            assert isinstance(app.screen, HelpPage)

    asyncio.run(script())


def test_the_server_plays_it_with_a_bot(tmp_path: Path) -> None:
    async def game() -> str:
        async with Player(server, "Ada") as ada:
            info = (await ada.get("/api/variants"))["variants"][-1]
            assert (info["variant"], info["names"]["nl"]) == ("garden", "Garden")
            assert (info["page"], info["lesson"], info["ours"]) == (None, None, False)
            assert all(turns > 0 for turns in info["turns"])
            assert any(letter in info["sample"]["table"] for letter in "ROYGBP")
            for language in LANGUAGES:
                rules = await ada.get(f"/api/rules/garden/{language}")
                assert rules["page"] is None
                assert all(figure in " ".join(rules["short"]) for figure in FIGURES.values())
            board = await ada.get("/api/boards/garden/3")
            table = await ada.create("garden", "mbg")
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await play_on(wire, {0}, board, Random(1))
            return (await ada.http.get(f"/api/tables/{table['id']}/games/0/record")).text

    with running(tmp_path / "genial.db") as server:
        assert genial.check(play(game())).status == "lawful"


@pytest.mark.skipif(PROCESSES > 1, reason="each start has a database of its own there")
def test_a_server_without_the_file_keeps_its_tables_and_serves_the_others(tmp_path: Path) -> None:
    with running(tmp_path / "genial.db") as server:
        table = play(_created(server, "garden"))
    title_again = TITLES.pop("garden")
    try:
        with running(tmp_path / "genial.db") as server:
            assert play(_asked(server, table, 422))["error"]["code"] == "variant-unknown"
            assert play(_created(server, "classic"))
    finally:
        TITLES["garden"] = title_again
    with running(tmp_path / "genial.db") as server:
        assert play(_asked(server, table, 200))["settings"]["variant"] == "garden"


async def _created(server: Server, variant: str) -> str:
    async with Player(server, "Ada") as ada:
        return str((await ada.create(variant, "mb", public=True))["id"])


async def _asked(server: Server, table: str, expect: int) -> Any:
    async with Player(server, "Ben") as ben:
        return await ben.get(f"/api/tables/{table}", expect)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "edition-unreadable"),
        ("EDITIONS =", "edition-unreadable"),
        ("TITLE = 1", "edition-unreadable"),
        ("EDITIONS = {1 / 0}", "edition-unreadable"),
        (GARDEN.read_text(encoding="utf-8"), "edition-taken"),
        (GARDEN.read_text(encoding="utf-8").replace("rack=4", "rack=99"), "edition-unfit"),
    ],
)
def test_a_faulty_file_is_refused_with_a_reason(text: str | None, code: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(SetupError) as refused:
        load_editions(str(path))
    assert refused.value.code == code


@pytest.mark.parametrize("command", [["-m", "genial"], [str(Path(sys.executable).with_name("genial"))]])
def test_a_command_says_in_one_line_what_is_wrong_with_a_file(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("EDITIONS =", encoding="utf-8")
    told = subprocess.run(
        [sys.executable, *command, "simulate", "classic", "--games", "1"],
        env=os.environ | {"GENIAL_EDITIONS": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr.startswith(f"genial: The edition file {path}")
    assert told.stderr.count("\n") == 1
