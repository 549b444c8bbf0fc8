"""Taking back as long as nobody has seen new tiles, as on the server (TURN)."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from tests.server.desk import Desk, desk

import genial
from genial.core.position import Position
from genial.core.situation import Phase
from genial.server.tables import decisions
from genial.server.tables.settings import TableSettings
from genial.terminal.entry import new_session
from genial.terminal.plain import run_plain
from genial.terminal.session import Session


def server_says(made: Desk, place: int) -> Position | None:
    """The position to which the server would take a person back, if only bots sit with them."""
    if not made.table.is_running:
        return None
    seq = decisions.step_back(made.game, place)
    seq = decisions.ask_target(made.table, place) if seq is None else seq
    return next((position for number, position in made.game.positions if number == seq), None)


@pytest.mark.parametrize(
    ("name", "count"),
    [("3d", 2), ("3d", 3), ("travel", 2), ("classic-solo", 1), ("3d-solo", 1), ("cards", 2)],
)
def test_the_terminal_allows_the_same_take_backs_as_the_server(name: str, count: int) -> None:
    made, rng = desk(TableSettings(name, count)), Random(5)
    place = made.game.place_of(0)
    session = Session(made.game.position, [None] + ["random"] * (count - 1))
    across = 0
    while made.table.is_running:
        actions = session.position.actions()
        action = actions[rng.randrange(len(actions))]
        session.act(action)
        assert made.game.mover is not None
        made.put(decisions.act(made.table, made.game.mover, action))
        assert session.position == made.game.position
        expected = server_says(made, place)
        assert session.can_take_back == (expected is not None)
        if expected is not None:
            assert session._earlier[-1] == expected
            across += session.position.seat != 0
    assert bool(across) == (name == "3d")


def last_round(people: int) -> Session:
    """A game of 3D for two in its last round, with the first seat to place."""
    for seed in range(50):
        position = genial.new("3d", seats=2, seed=seed)
        rng = Random(seed)
        while not position.is_over:
            if position.last_turns == 2 and position.seat == 0 and position.phase is Phase.PLACE:
                return Session(position, [None, None if people == 2 else "greedy"], names=["Ada", "Ben"])
            actions = position.actions()
            position, _ = position.apply(actions[rng.randrange(len(actions))])
    raise AssertionError("no last round begins with the first seat")


def place_until_the_turn_passes(session: Session) -> Position:
    before = session.position
    while session.position.seat == 0:
        before = session.position
        session.act(session.position.actions()[0])
    return before


def test_a_last_round_placement_can_be_taken_back_until_the_next_person_looks() -> None:
    session = last_round(people=2)
    session.lift_curtain()
    before = place_until_the_turn_passes(session)
    assert not session.can_take_back, "whoever is at the keyboard does not take back for others"
    session.drop_curtain()
    assert session.back_to == 0
    assert session.take_back()
    assert session.position == before
    assert session.curtain_for == 0
    session.lift_curtain()
    place_until_the_turn_passes(session)
    session.drop_curtain()
    session.lift_curtain()
    assert session.at_keyboard == 1
    assert not session.can_take_back


def test_a_bot_cannot_prevent_taking_back() -> None:
    session = last_round(people=1)
    before = place_until_the_turn_passes(session)
    assert session.bot_to_move
    assert session.take_back()
    assert session.position == before


def test_in_line_mode_a_placement_can_be_taken_back_at_the_curtain() -> None:
    session = last_round(people=2)
    screen = io.StringIO()
    run_plain(session, io.StringIO("\nplaces 1 1\n"), screen)
    move = screen.getvalue().split("> ")[2].splitlines()[0].partition(":")[0]
    before = session.position
    session.drop_curtain()
    screen = io.StringIO()
    run_plain(session, io.StringIO(f"\n{move}\nundo\n"), screen)
    assert session.position == before
    assert "Ada, type undo" in screen.getvalue()


def test_a_resumed_game_can_still_take_back_after_the_turn_has_passed(tmp_path: Path) -> None:
    session = last_round(people=1)
    session.keep_in(tmp_path / "game.genial.json")
    before = place_until_the_turn_passes(session)
    assert session.path is not None
    later = Session.resume(session.path)
    assert later.take_back()
    assert later.position == before


def test_solo_draws_at_once_so_nothing_can_be_taken_back() -> None:
    session = new_session("3d-solo", seed="7")
    while not session.is_over:
        session.act(session.position.actions()[0])
        assert not session.can_take_back
