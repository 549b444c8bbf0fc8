"""Line mode: whole games by script, wrong inputs, taking back, saving, the curtain."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.terminal.acts import act
from tests.terminal.robot import Robot

import genial
from genial.core.actions import Play, Refill
from genial.core.events import Drew
from genial.core.moves import may_swap
from genial.core.situation import Phase
from genial.kernel.engine import CORE, VARIABLE
from genial.terminal.bot_worker import BotWorker
from genial.terminal.entry import choose_plain, new_session
from genial.terminal.plain import run_plain
from genial.terminal.session import Session


def talk(session: Session, *lines: str) -> str:
    """What is printed for these lines, after the greeting and the first prompt."""
    screen = io.StringIO()
    assert run_plain(session, io.StringIO("".join(f"{line}\n" for line in lines)), screen) == 0
    return screen.getvalue().split("> ", 1)[1]


@pytest.mark.first_of_each
def test_a_whole_scripted_game_leaves_a_lawful_record(variant: str, seats: int, tmp_path: Path) -> None:
    session = new_session(variant, seats=seats, seed="evening", bots="random", folder=tmp_path)
    screen = io.StringIO()
    assert run_plain(session, Robot(screen), screen) == 0
    assert session.is_over
    assert "The game is over." in screen.getvalue()
    assert "\x1b" not in screen.getvalue()
    assert "??" not in screen.getvalue()
    assert session.path is not None
    assert genial.check(session.path.read_text()).status == "lawful"


@pytest.mark.slow
def test_two_people_and_two_bots_play_a_whole_game(tmp_path: Path) -> None:
    session = new_session("classic-team", people=2, seed="7", folder=tmp_path)
    screen = io.StringIO()
    run_plain(session, Robot(screen), screen)
    assert session.path is not None
    assert genial.check(session.path.read_text()).status == "lawful"
    assert "Player 1 + Balanced 3" in screen.getvalue()


def test_bots_alone_can_be_watched(tmp_path: Path) -> None:
    session = new_session("cards", people=0, seed="7", bots="greedy,random", folder=tmp_path)
    screen = io.StringIO()
    assert run_plain(session, io.StringIO(), screen) == 0
    assert session.is_over
    assert "Greedy: card" in screen.getvalue()


@pytest.mark.parametrize(
    ("language", "alone", "together"),
    [
        ("en", "Ada plays like Juno here", "Ada and Mira play like Juno here"),
        ("de", "Ada spielt hier wie Juno", "Ada und Mira spielen hier wie Juno"),
        ("nl", "Ada speelt hier zoals Juno", "Ada en Mira spelen hier zoals Juno"),
    ],
)
def test_bots_that_cannot_look_ahead_are_named_once(
    monkeypatch: pytest.MonkeyPatch, language: str, alone: str, together: str
) -> None:
    monkeypatch.setenv(VARIABLE, CORE)
    for bots, told in (("level-6", alone), ("level-6,level-4,level-6", together), ("level-3", None)):
        seats = 4 if "," in bots else 2
        session, screen = (
            new_session("classic", seats=seats, bots=bots, games=2, language=language),
            io.StringIO(),
        )
        assert run_plain(session, io.StringIO("tracks\nboard\n"), screen) == 0
        assert screen.getvalue().count("genial warmup") == (told is not None)
        assert told is None or f"{told}," in screen.getvalue()


def test_a_series_tells_only_once_that_bots_cannot_look_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, CORE)
    session, screen = new_session("cards", people=0, bots="random,level-4", games=2), io.StringIO()
    assert run_plain(session, io.StringIO(), screen) == 0
    assert "Game 2 of 2" in screen.getvalue()
    assert screen.getvalue().count("Mira plays like Juno here") == 1


def test_with_a_kernel_nothing_is_said_about_it() -> None:
    screen = io.StringIO()
    assert run_plain(new_session("classic", bots="level-6"), io.StringIO(), screen) == 0
    assert "Juno" not in screen.getvalue()


def test_a_hanging_bot_is_reported_and_another_moves_for_it() -> None:
    session, screen = new_session("cards", seed="7"), io.StringIO()
    worker = BotWorker(seconds=0.5, setup="tests.bots.bad_bots:all_hang")
    assert run_plain(session, io.StringIO("1\nrefill\n"), screen, worker) == 0
    assert "didn't manage this turn, so another bot played it." in screen.getvalue()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "Type help"),
        ("fly", "“fly” isn't a command or a move"),
        ("1", "Say where"),
        ("RB@f6", "isn't a command or a move"),
        ("1 a2 zz", "“zz” isn't a space on this board"),
        ("1 a2 a99", "“a99” isn't a space"),
        ("9 a2 a3", "There's no tile 9. Choose one from 1 to 6."),
        ("0 a2 a3", "There's no tile 0"),
        ("99999999999999999999 a2 a3", "isn't a command or a move"),
        ("XX@a2,a3", "“XX” isn't a tile"),
        ("RR@a2,a3", "You don't have RR."),
        ("1 a1 a2", "There's no room on a1 and a2."),
        ("1 a2 a4", "a2 and a4 aren't next to each other."),
        ("1 f6 f7", "won't do in the first round"),
        ("refill", "Drawing comes last."),
        ("refill now", "“now” isn't a command"),
        ("swap", "You can only swap at the end of your turn"),
        ("undo", "There's nothing to undo"),
        ("places", "Type places and the number"),
        ("places x", "Type places and the number"),
        ("places 7", "There's no tile 7"),
        ("preview", "Type preview and a move"),
        ("preview refill", "isn't a command or a move"),
        ("preview 1 f6 f7", "in the first round"),
        ("look", "Type look"),
        ("look z9", "“z9” isn't a space"),
        ("language xx", "Type language and one of these: en, de, nl"),
        ("\x00\x1b[2J", "isn't a command"),
    ],
)
def test_wrong_input_is_explained_and_changes_nothing(line: str, answer: str, tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    assert session.path is not None
    before, saved = session.position, session.path.read_text()
    assert answer in talk(session, line)
    assert session.position is before
    assert session.path.read_text() == saved


def test_moves_can_be_written_in_several_ways() -> None:
    tile = new_session("classic", seed="7").position.racks[0][0]
    after = set()
    for line in (f"{tile}@a2,a3", f"{tile.lower()} a2 a3", "1 a2 a3", "1 A2,A3", f"{tile[::-1]}@a3,a2"):
        session = new_session("classic", seed="7")
        talk(session, line)
        assert session.position.phase is Phase.END_TURN
        after.add((session.position.table.symbols, session.position.racks))  # type: ignore[union-attr]
    assert len(after) == 1


def previewed(session: Session, move: str) -> list[str]:
    """The lines of a preview, which places nothing."""
    session.lift_curtain()
    before = session.position
    lines = talk(session, f"preview {move}").split("> ")[0].splitlines()
    assert session.position is before
    return lines


def test_a_preview_shows_every_line_that_counts_and_the_total() -> None:
    session = new_session("classic", people=2, seed="7")
    for _ in range(14):
        act(session)
    assert previewed(session, "BP@g3,h3") == [
        "Blue g3: 1 point.",
        "  left: 1 (g2)",
        "Purple h3: 3 points.",
        "  lower right: 2 (i3, j3)",
        "  left: 1 (h2)",
        "Total: 4 points: blue 1 and purple 3.",
    ]
    # One step from the end, only one point counts, and the marker arrives.
    tracks = tuple((0, 0, 0, 0, 0, 17) for _ in range(2))
    session.position = session.position.change(tracks=tracks)
    assert previewed(session, "BP@g3,h3")[2:] == [
        "Purple h3: 3 points.",
        "  lower right: 2 (i3, j3)",
        "  left: 1 (h2)",
        "  only 1 of them counts",
        "Total: 2 points: blue 1 and purple 1.",
        "A bonus move.",
    ]


def test_a_preview_of_a_card_names_the_cards_that_match() -> None:
    assert previewed(new_session("cards", people=2, seed="7"), "PY") == [
        "Purple: 2 points.",
        "  Player 1: YP (yellow and purple)",
        "  Player 2: GP (green and purple)",
        "Yellow: 2 points.",
        "  Player 1: YP (yellow and purple)",
        "  Player 1: YG (yellow and green)",
        "Total: 4 points: yellow 2 and purple 2.",
    ]


def test_undo_takes_back_a_placement_before_drawing() -> None:
    session = new_session("classic", seed="7")
    before = session.position
    assert "Undone." in talk(session, "1 a2 a3", "undo")
    assert session.position == before


def test_a_swap_is_offered_in_words_when_it_is_lawful() -> None:
    for seed in range(400):
        session = new_session("classic", seed=str(seed), bots="random")
        for _ in range(60):
            act(session)
            if session.position.seat == 0 and may_swap(session.position):
                rack = session.position.racks[0]
                screen = io.StringIO()
                run_plain(session, io.StringIO("swap\n"), screen)
                assert "swap" in screen.getvalue().split("> ")[0]
                assert f"You: swapped {', '.join(rack[:-1])} and {rack[-1]}." in screen.getvalue()
                return
    raise AssertionError("no swap was ever lawful")


def test_the_order_of_a_card_is_asked_for_only_when_it_matters() -> None:
    for seed in range(200):
        session = new_session("cards", seed=str(seed), people=2, bots="random")
        for _ in range(80):
            if session.is_over:
                break
            session.lift_curtain()
            before = session.position
            if before.phase is Phase.PLACE:
                printed = talk(session, "1")
                tile = before.racks[before.seat][0]
                orders = [before.apply(Play(order))[0].tracks for order in {tile, tile[::-1]}]
                assert ("The order makes a difference" in printed) == any(one != orders[0] for one in orders)
                if "The order makes a difference" in printed:
                    assert session.position is before
                    assert f"{tile}: " in printed
                    assert f"{tile[::-1]}: " in printed
                    return
            if session.position is before:
                session.act(Refill() if before.phase is Phase.END_TURN else before.actions()[0])
    raise AssertionError("the order never mattered")


def test_end_of_input_saves_the_game_and_says_how_to_resume(tmp_path: Path) -> None:
    session = new_session("classic", seed="7", folder=tmp_path)
    printed = talk(session, "1 a2 a3")
    assert f"genial play --resume {session.path}" in printed
    assert session.path is not None
    assert Session.resume(session.path).position == session.position


def test_quit_stops_at_once() -> None:
    session = new_session("classic", seed="7")
    assert "drawn" not in talk(session, "quit", "1 a2 a3")


def test_save_writes_a_copy_but_overwrites_nothing_else(tmp_path: Path) -> None:
    session = new_session("classic", seed="7")
    copy, letter = tmp_path / "my game.genial.json", tmp_path / "letter.txt"
    letter.write_text("Dear Ada")
    printed = talk(
        session, f"save {copy}", f"save {copy}", f"save {letter}", f"save {tmp_path}/a\x00b", "save"
    )
    assert genial.check(copy.read_text()).status == "lawful so far"
    assert letter.read_text() == "Dear Ada"
    assert "isn't a game" in printed


def test_the_language_can_be_changed_mid_game() -> None:
    session = new_session("classic", seed="7")
    printed = talk(session, "language de", "rack", "hilfe", "language nl", "rek")
    assert "Ab jetzt auf Deutsch." in printed
    assert "Deine Ablagebank:" in printed
    assert "Befehle:" in printed
    assert "Je voorraadbank:" in printed


def test_board_tracks_and_rack_are_described_in_words() -> None:
    session = new_session("classic", seed="7")
    printed = talk(session, "look a2", "board", "tracks", "rack", "help")
    assert "left: a1, red, printed symbol" in printed
    assert "upper left: off the board" in printed
    assert "f  P . . . . . . . . . B" in printed
    assert "You: red 0, orange 0" in printed
    assert "Commands:" in printed


def test_the_duel_is_labelled_as_reconstructed() -> None:
    session = new_session("duel", seed="7")
    screen = io.StringIO()
    run_plain(session, io.StringIO(""), screen)
    assert "reconstructed" in screen.getvalue()
    assert "red in the middle" in screen.getvalue()


def test_no_tile_of_a_rack_is_printed_before_the_curtain_is_lifted() -> None:
    session = new_session("classic", people=2, seed="7")
    racks = session.position.racks
    screen = io.StringIO()
    run_plain(session, io.StringIO("\n1 a2 a3\nrefill\n"), screen)
    before_first, first, before_second = screen.getvalue().split("> ")[0], *_between(screen.getvalue())
    assert not any(tile in before_first for tile in racks[0] + racks[1])
    assert all(tile in first for tile in racks[0])
    # After the refill: neither the drawn tile of the first nor a tile of the second player.
    drawn = session.position.events[-1]
    assert isinstance(drawn, Drew)
    assert drawn.tiles[0] not in before_second or drawn.tiles[0] == racks[0][0]
    assert not any(f"{tile} (" in before_second for tile in racks[1] if tile not in racks[0])
    assert "Player 1 draws." in before_second
    assert "Pass the keyboard to Player 2" in before_second


def _between(printed: str) -> tuple[str, str]:
    turns = printed.split("> ")
    return turns[1], turns[3]


def test_a_person_is_told_what_happened_since_their_last_turn(tmp_path: Path) -> None:
    session = new_session("classic", people=2, seats=3, seed="7", folder=tmp_path)
    screen = io.StringIO()
    run_plain(session, io.StringIO("\n1 a5 a6\nrefill\n\n"), screen)
    last_turn = screen.getvalue().split("> ")[4]
    assert "Player 1: " in last_turn


def test_the_line_mode_menu_starts_or_continues_a_game(tmp_path: Path) -> None:
    screen = io.StringIO()
    session = choose_plain("en", tmp_path, io.StringIO("what\n99\n8\n"), screen)
    assert session is not None
    assert session.setup.title.variant == "duel"
    session.act(session.position.actions()[0])
    again = choose_plain("en", tmp_path, io.StringIO("c\n"), screen)
    assert again is not None
    assert again.position == session.position
    assert choose_plain("en", tmp_path, io.StringIO(""), screen) is None
    assert session.path is not None
    assert json.loads(session.path.read_text())["variant"] == "duel"
