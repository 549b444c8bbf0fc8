"""The full screen, played with keys and mouse."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.terminal.acts import Here, act
from tests.terminal.test_take_back import last_round
from textual.pilot import Pilot
from textual.widgets import Input

import genial
from genial.core.layout import Layout
from genial.core.moves import may_swap
from genial.core.situation import Phase
from genial.kernel.engine import CORE, VARIABLE
from genial.terminal.app import GenialApp
from genial.terminal.board_view import BoardView
from genial.terminal.bot_worker import BotWorker
from genial.terminal.curtain_page import CurtainPage
from genial.terminal.entry import new_session
from genial.terminal.game_page import GamePage
from genial.terminal.glyphs import GLYPHS, tile_parts
from genial.terminal.help_page import HelpPage
from genial.terminal.result_page import ResultPage
from genial.terminal.saves import remembered_names
from genial.terminal.session import Session
from genial.terminal.start_page import StartPage
from genial.terminal.telling import Teller

SMALL, LARGE = (80, 24), (120, 40)
HANGING = "tests.bots.bad_bots:all_hang"
Script = Callable[[GenialApp, "Pilot[None]"], Awaitable[None]]


def on_screen(app: GenialApp) -> str:
    """All visible characters."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in line) for line in strips)


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Let the app work until a condition holds; fails if it never does."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        await pilot.pause()
    assert condition()


def run(
    session: Session | None,
    folder: Path,
    script: Script,
    size: tuple[int, int] = SMALL,
    bots: BotWorker | None = None,
) -> GenialApp:
    app = GenialApp(session, folder=folder, pause=0, bots=bots or Here())

    async def play() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(play())
    return app


def shown(tile: str) -> str:
    return "".join(text for text, _ in tile_parts(tile))


@pytest.mark.slow
def test_a_whole_game_against_a_bot_can_be_played_by_keyboard(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        while not session.is_over:
            ending = session.position.phase is Phase.END_TURN
            await pilot.press(*(["enter"] if ending else ["1", "space", "enter"]))
        await pilot.pause()
        assert isinstance(app.screen, ResultPage)
        printed = on_screen(app)
        assert "The game is over." in printed
        assert "decide" in printed.lower()
        await pilot.press("b")
        assert isinstance(app.screen, GamePage)
        await pilot.press("enter")
        assert isinstance(app.screen, ResultPage)
        await pilot.press("n")
        await pilot.pause()
        assert isinstance(app.screen, GamePage)
        assert app.session is not session
        assert app.session is not None
        assert app.session.bots == session.bots

    run(session, tmp_path, script)
    assert session.path is not None
    assert genial.check(session.path.read_text()).status == "lawful"


def test_bots_that_cannot_look_ahead_are_named_until_the_first_key_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, CORE)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        said = " ".join(on_screen(app).split())
        assert "Ada plays like Juno here, because the compiled kernel is missing." in said
        assert "The command genial warmup says what you can do." in said
        await pilot.press("1")
        assert "Juno" not in on_screen(app)
        app.action_again()
        await pilot.pause()
        assert app.session is not session
        assert "Juno" not in on_screen(app)

    session = new_session("classic", bots="level-6", seed="7", folder=tmp_path)
    run(session, tmp_path, script)


@pytest.mark.slow
def test_the_3d_game_can_be_played_by_keyboard_on_a_large_screen(tmp_path: Path) -> None:
    session = new_session("3d", seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        for _ in range(6):
            await pilot.press("1", "space", "r", "enter", "enter")

    run(session, tmp_path, script, LARGE)
    assert session.path is not None
    assert session.position.turn == 12
    assert genial.check(session.path.read_text()).status == "lawful so far"


def test_a_card_game_can_be_played_by_keyboard_and_shows_both_orders(tmp_path: Path) -> None:
    session = new_session("cards", seats=3, seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await until(pilot, lambda: " first: " in on_screen(app))
        first = session.position.racks[0][2]
        printed = on_screen(app)
        assert "Face-up cards" in printed
        assert printed.count("discarded next") == 3
        assert printed.count(" first: ") == 2
        assert shown(first) in printed
        await pilot.press("r")
        assert shown(first[::-1]) in on_screen(app)
        for _ in range(5):
            await pilot.press("2", "enter", "enter")

    run(session, tmp_path, script)
    assert session.path is not None
    assert genial.check(session.path.read_text()).ok
    assert session.position.turn >= 12


def test_the_preview_shows_tile_points_and_counted_cells_and_take_back_works(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    before = session.position

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        page = app.screen
        assert isinstance(page, GamePage)
        tile = session.position.racks[0][0]
        place = next(
            action
            for action in before.actions()
            if action.tile == tile and sum(before.apply(action)[1][0].gain) > 0  # type: ignore[union-attr]
        )
        page.point_at(place.cells[0])  # type: ignore[union-attr]
        await pilot.press("1")
        for _ in range(12):
            if "‹" in on_screen(app):
                break
            await pilot.press("r")
        printed = on_screen(app)
        assert f"[{GLYPHS['ROYGBP'.index(tile[0])]}]" in printed
        assert "1 point: " in printed
        assert "▒" in printed
        await pilot.press("enter")
        assert session.position.phase is Phase.END_TURN
        assert "to end your turn" in on_screen(app)
        assert "u undo" in on_screen(app)
        await pilot.press("u")
        assert session.position == before
        await pilot.press("u")
        assert "There's nothing to undo" in on_screen(app)

    run(session, tmp_path, script)


def test_an_impossible_place_is_explained_and_changes_nothing(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    before = session.position

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        assert "Choose a tile." in on_screen(app)
        await pilot.press("1", "enter")
        assert "f6 won't do in the first round" in on_screen(app)
        await pilot.press("s")
        assert "You can only swap at the end of your turn" in on_screen(app)
        await pilot.press(
            "6", "6", "f", "R", "tab", "shift+tab", "m", "z", "z", "left", "up", "down", "9", "x"
        )
        assert session.position is before

    run(session, tmp_path, script)


def test_the_heat_map_shows_points_for_the_picked_tile(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("1", "m")
        board = app.screen.query_one(BoardView)
        assert "1" in str(board.content)
        await pilot.press("m")
        assert "1" not in str(board.content)

    run(session, tmp_path, script)


def test_a_click_picks_a_cell_and_a_second_click_turns_the_tile(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        page = app.screen
        assert isinstance(page, GamePage)
        await pilot.press("1")
        # Row a starts after the letter and ten half cells; its second cell is next to a printed symbol.
        at = (2 + 5 * 2 + 4 + 1, 0)
        await pilot.click(BoardView, offset=at)
        assert page.half_made.cell == (1, -5)
        before = page.half_made.direction(session.view())
        await pilot.click(BoardView, offset=at)
        assert page.half_made.direction(session.view()) != before
        await pilot.press("enter")
        assert session.position.phase is Phase.END_TURN

    run(session, tmp_path, script)


def test_a_swap_is_offered_in_words_and_made_with_a_key(tmp_path: Path) -> None:
    session = next(found for found in map(_before_a_swap, range(400)) if found is not None)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        assert "s: swap." in on_screen(app)
        assert "s swap" in on_screen(app)
        await pilot.press("s")
        assert any(event.type == "swap" for event in session.position.events)

    run(session, tmp_path, script)


def _before_a_swap(seed: int) -> Session | None:
    session = new_session("classic", seed=str(seed), bots="random")
    for _ in range(60):
        act(session)
        if session.position.seat == 0 and may_swap(session.position):
            return session
    return None


def test_the_duel_is_labelled_and_shows_both_sides_of_the_pegs(tmp_path: Path) -> None:
    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        printed = on_screen(app)
        assert "Duel (reconstructed)" in printed
        assert "◂ Balanced" in printed
        assert "You ▸" in printed
        await pilot.press("h")
        assert "Reconstructed: the printed rules" in on_screen(app)

    run(new_session("duel", seed="7", folder=tmp_path), tmp_path, script)


def test_a_team_shares_a_track_and_solo_shows_the_current_tile(tmp_path: Path) -> None:
    async def team(app: GenialApp, pilot: Pilot[None]) -> None:
        assert "You + Bal" in on_screen(app)

    async def solo(app: GenialApp, pilot: Pilot[None]) -> None:
        assert "Your tile:" in on_screen(app)
        await pilot.press("space", "enter")
        assert "round 2" in on_screen(app)

    run(new_session("classic-team", seed="7", folder=tmp_path), tmp_path, team, LARGE)
    run(new_session("classic-solo", seed="7", folder=tmp_path), tmp_path, solo)
    run(new_session("3d-solo", seed="7", folder=tmp_path), tmp_path, solo)


def test_stacked_tiles_show_their_level(tmp_path: Path) -> None:
    session = new_session("3d", people=0, bots="random", seed="7")
    while not any(height > 2 for height in _layout(session).heights):
        act(session)
    session = Session(session.position, [None if n == session.position.seat else "random" for n in range(2)])

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        assert any(f"{glyph}2" in on_screen(app) for glyph in GLYPHS)

    run(session, tmp_path, script)


def _layout(session: Session) -> Layout:
    assert isinstance(session.position.table, Layout)
    return session.position.table


def test_the_curtain_hides_every_rack(tmp_path: Path) -> None:
    session = new_session("classic", people=2, seed="7", names=["Ada", "Ben"], folder=tmp_path)
    racks = session.position.racks

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, CurtainPage)
        assert "Pass the keyboard to Ada." in on_screen(app)
        assert not any(shown(tile) in on_screen(app) for tile in racks[0] + racks[1])
        await pilot.press("enter")
        assert all(shown(tile) in on_screen(app) for tile in racks[0])
        assert not any(shown(tile) in on_screen(app) for tile in racks[1] if tile not in racks[0])
        await pilot.press("1", "space", "enter", "enter")
        assert isinstance(app.screen, CurtainPage)
        assert "Pass the keyboard to Ben." in on_screen(app)
        assert not any(shown(tile) in on_screen(app) for tile in racks[0] + racks[1])
        # The page behind the curtain has no rack either.
        rack = str(app.screen_stack[-2].query_one("#rack").content)  # type: ignore[attr-defined]
        assert not any(glyph in rack for glyph in GLYPHS)
        await pilot.press("enter")
        assert all(shown(tile) in on_screen(app) for tile in racks[1])

    run(session, tmp_path, script)


def test_bots_move_after_a_pause_that_a_key_skips(tmp_path: Path) -> None:
    session = new_session("classic", seats=3, seed="7", folder=tmp_path)
    app = GenialApp(session, folder=tmp_path, pause=3600, bots=Here())

    async def play() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("1", "space", "enter", "enter")
            assert session.position.seat == 1
            assert "Balanced 2 is thinking" in on_screen(app)
            await pilot.press("space")
            await until(pilot, lambda: session.position.seat == 2)
            await until(pilot, lambda: "Balanced 2: " in on_screen(app))
            await pilot.press("enter")
            await until(pilot, lambda: session.position.seat == 0)
            await until(pilot, lambda: "Your turn" in on_screen(app))

    asyncio.run(play())


@pytest.mark.slow
def test_the_screen_stays_responsive_while_a_bot_hangs_and_is_replaced(tmp_path: Path) -> None:
    session = new_session("classic", seats=2, seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("1", "space", "enter", "enter")
        thinking = session.position
        assert thinking.seat == 1
        await pilot.press("h")
        assert isinstance(app.screen, HelpPage)
        await pilot.press("escape", "1", "enter", "u")
        assert session.position is thinking, "nobody else moves"
        await until(pilot, lambda: session.position.seat == 0)
        await until(pilot, lambda: "so another bot played it." in on_screen(app))
        assert "Your turn" in on_screen(app)

    run(session, tmp_path, script, bots=BotWorker(seconds=2, setup=HANGING))


def test_quitting_while_a_bot_thinks_ends_the_bot_too(tmp_path: Path) -> None:
    session, worker = new_session("classic", seats=2, seed="7", folder=tmp_path), BotWorker(setup=HANGING)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("1", "space", "enter", "enter")
        await until(pilot, lambda: worker._pool is not None and worker._pool.running == 1)

    run(session, tmp_path, script, bots=worker)
    assert worker._pool is not None
    assert worker._pool.pids == []


def test_the_language_is_switched_everywhere(tmp_path: Path) -> None:
    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        assert "Your rack:" in on_screen(app)
        await pilot.press("l")
        assert "Deine Ablagebank:" in on_screen(app)
        assert "Du bist dran" in on_screen(app)
        await pilot.press("h")
        assert isinstance(app.screen, HelpPage)
        assert "Leg einen deiner 6 Steine" in on_screen(app)
        await pilot.press("escape", "l")
        assert "Je voorraadbank:" in on_screen(app)
        await pilot.press("l")
        assert "Your rack:" in on_screen(app)

    run(new_session("classic", seed="7", folder=tmp_path), tmp_path, script)


@pytest.mark.slow
@pytest.mark.parametrize("variant_name", ["classic", "3d", "cards"])
def test_resizing_never_crashes_and_a_small_screen_is_reported(variant_name: str, tmp_path: Path) -> None:
    session = new_session(variant_name, seats=4, seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("1", "space")
        for size in ((40, 10), (1, 1), (80, 24), (200, 60), (70, 22), (69, 22), (140, 45)):
            await pilot.resize_terminal(*size)
            small = size[0] < 70 or size[1] < 22
            await until(pilot, lambda small=small: app.screen.has_class("small") is small)  # type: ignore[misc]
            await pilot.press("space", "z")
        await pilot.resize_terminal(40, 10)
        await until(pilot, lambda: "40 x 10" in on_screen(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Your turn" in on_screen(app))

    run(session, tmp_path, script)


def test_all_tracks_are_readable_on_a_small_screen_with_four_seats(tmp_path: Path) -> None:
    session = new_session("classic", seats=4, people=0, bots="random", seed="7")
    for _ in range(60):
        act(session)
    session = Session(session.position, [None, "random", "random", "random"])
    if session.bot_to_move:
        session.bots = tuple(None if n == session.position.seat else "random" for n in range(4))

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        printed = on_screen(app)
        for colour in range(6):
            line = next(
                line for line in printed.splitlines() if f"{GLYPHS[colour]}{'ROYGBP'[colour]} " in line
            )
            numbers = line.split(f"{GLYPHS[colour]}{'ROYGBP'[colour]} ")[1].replace("◂", " ").split()
            assert numbers == [str(markers[colour]) for markers in session.position.tracks]
        assert "◂ lowest" in printed

    run(session, tmp_path, script)


def test_the_start_page_starts_quick_and_custom_games_and_continues_them(tmp_path: Path) -> None:
    async def quick(app: GenialApp, pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, StartPage)
        assert "Continue" not in on_screen(app)
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(app.screen, GamePage)
        assert app.session is not None
        assert app.session.bots == (None, "balanced")

    async def own(app: GenialApp, pilot: Pilot[None]) -> None:
        assert "Continue: Classic" in on_screen(app)
        # Title: six to the right is the card game; then four seats, the second one a person.
        await pilot.press(
            "down", "down", *["right"] * 6, "down", "right", "right", "down", "down", "left", "left"
        )
        assert "Card game" in on_screen(app)
        await pilot.press("l")
        assert "Kartenspiel" in on_screen(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.session is not None
        assert app.session.setup.title.variant == "cards"
        assert app.session.bots == (None, "random", "balanced", "balanced")

    async def continued(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, GamePage)
        assert app.session is not None
        assert app.session.setup.title.variant == "cards"

    async def clicked(app: GenialApp, pilot: Pilot[None]) -> None:
        page = app.screen
        assert isinstance(page, StartPage)
        await pilot.click("#menu", offset=(10, 6))
        assert page.lines[page.line] == "variant"
        await pilot.click("#menu", offset=(10, 6))
        assert page.variant == "classic-team"
        await pilot.click("#menu", offset=(10, 4))
        await pilot.pause()
        assert isinstance(app.screen, GamePage)

    for script in (quick, own, continued, clicked):
        run(None, tmp_path, script)


def test_a_damaged_saved_game_is_reported_and_not_offered_again(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        assert session.path is not None
        session.path.write_text("{}")
        await pilot.press("enter")
        assert isinstance(app.screen, StartPage)
        assert "Continue" not in on_screen(app)
        assert "format" in on_screen(app)

    run(None, tmp_path, script)


def test_names_are_typed_in_the_menu_cleaned_and_remembered(tmp_path: Path) -> None:
    async def typed(app: GenialApp, pilot: Pilot[None]) -> None:
        page = app.screen
        assert isinstance(page, StartPage)
        await pilot.press("n")
        assert not page.query_one(Input).display, "only a person's line has a name"
        await pilot.press("down", "down", "down", "n")
        # Letters that are keys elsewhere are just letters here.
        await pilot.press(*"qlph", "space", "A", "d", "a", "enter")
        assert page.names[0] == "qlph Ada"
        assert "qlph Ada" in on_screen(app)
        await pilot.press("n", "X", "escape")
        assert page.names[0] == "qlph Ada"
        await pilot.press("n")
        page.query_one(Input).value = "  Ada \u202e\x1b[2J "
        await pilot.press("enter")
        assert page.names[0] == "Ada [2J"

    async def remembered(app: GenialApp, pilot: Pilot[None]) -> None:
        assert "Ada [2J" in on_screen(app)
        await pilot.press("p")
        await pilot.pause()
        assert app.session is not None
        assert app.session.names == ("Ada [2J", "Balanced")

    run(None, tmp_path, typed)
    run(None, tmp_path, remembered)
    (tmp_path / "names.json").write_text('{"not": "a list"}')
    assert remembered_names(tmp_path) == [""] * 4
    (tmp_path / "names.json").write_text('["Ada", 7, "\\u001b[2J"]')
    assert remembered_names(tmp_path) == ["Ada", "", "[2J", ""]


def test_the_menu_starts_a_series(tmp_path: Path) -> None:
    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press(*["down"] * 5, "right", "right", "left", "right")
        assert "◂ 3 ▸" in on_screen(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.session is not None
        assert app.session.series.games == 3
        assert "game 1 of 3" in on_screen(app)

    run(None, tmp_path, script, LARGE)


def test_a_placement_can_be_taken_back_at_the_curtain(tmp_path: Path) -> None:
    session = last_round(people=2)
    before = session.position

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        await pilot.press("u")
        assert isinstance(app.screen, CurtainPage), "there is nothing to take back yet"
        await pilot.press("enter", "1", "space", "enter")
        await until(pilot, lambda: isinstance(app.screen, CurtainPage))
        assert "Ada, press u" in on_screen(app)
        await pilot.press("u")
        await pilot.pause()
        assert session.position == before
        assert "Pass the keyboard to Ada." in on_screen(app)

    run(session, tmp_path, script)


def test_a_placement_can_be_taken_back_while_a_bot_waits(tmp_path: Path) -> None:
    session = last_round(people=1)
    before = session.position
    app = GenialApp(session, folder=tmp_path, pause=3600, bots=Here())

    async def play() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("1", "space", "enter")
            assert session.bot_to_move
            await pilot.press("u")
            await pilot.pause()
            assert session.position == before
            assert "Your turn" in on_screen(app)
            await pilot.press("space")
            assert session.position.seat == 0, "the bot that waited moves no more"

    asyncio.run(play())


@pytest.mark.parametrize(("language", "call"), [("en", "Genial!"), ("de", "Genial!"), ("nl", "Geniaal!")])
def test_a_bonus_move_is_called_out(language: str, call: str, tmp_path: Path) -> None:
    position = genial.new("classic", seats=2, seed=7)
    position = position.change(tracks=((17,) * 6, (0,) * 6))
    best = max(position.actions(), key=lambda action: sum(position.apply(action)[1][0].gain))  # type: ignore[union-attr]
    session = Session(position, [None, "balanced"], language=language)
    session.act(best)
    assert session.position.bonus

    async def script(app: GenialApp, pilot: Pilot[None]) -> None:
        assert call in str(app.screen.query_one("#header").content)  # type: ignore[attr-defined]
        session.act(session.position.actions()[0])
        assert call in (Teller(session).event(session.view().events, len(session.position.events) - 1) or "")

    run(session, tmp_path, script)
