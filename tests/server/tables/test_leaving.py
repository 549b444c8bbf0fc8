"""LEAVING: who gets up, who is only away, and what those who wait may choose."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from random import Random

import pytest
from tests.server.desk import ADA, BEN, CAT, Desk, at, desk

import genial
from genial.core.actions import Refill
from genial.core.errors import GenialError
from genial.server.tables import decisions, leaving
from genial.server.tables.absences import Choice
from genial.server.tables.entries import Body, kind_of
from genial.server.tables.log import table_from
from genial.server.tables.settings import Clock, PlaceChoice, TableSettings
from genial.server.tables.views import AbsentView, ChoiceView, table_view

PATIENCE = 120_000
DEVICES = (ADA, BEN + "1", CAT + "2", CAT + "3")
"""As `desk` seats them."""


def refused(code: str, action: Callable[[], object]) -> None:
    with pytest.raises(GenialError) as caught:
        action()
    assert caught.value.code == code
    assert caught.value.ruling == "LEAVING"


def kinds(bodies: list[Body]) -> list[str]:
    return [kind_of(body) for body in bodies]


def miss(made: Desk, place: int, present: Collection[int]) -> list[Body]:
    return leaving.missed(made.table, DEVICES[place], present, PATIENCE)


def vote(made: Desk, place: int, absent: int, choice: Choice, present: Collection[int]) -> list[Body]:
    return leaving.vote(made.table, DEVICES[place], absent, choice, present, made.now)


# Getting up


def test_leaving_ends_a_game_of_two_sides_and_otherwise_a_bot_plays_on(variant: str, seats: int) -> None:
    """LEAVING: with two sides the game ends and the leaver comes last; with more, a bot plays on."""
    made = desk(TableSettings(variant, seats, first=seats - 1))
    made.random_act(Random(1))
    sides = made.table.setup.title.sides
    if seats == 1:  # nobody is waiting
        assert decisions.leave(made.table, ADA, 0) == []
        return
    made.put(decisions.leave(made.table, ADA, 0))
    if sides.side_count(seats) > 2:
        assert made.table.is_running
        assert (made.table.holders[0].away, made.table.holders[0].bot) == (True, decisions.SUBSTITUTE)
    else:
        result, seat = made.game.result, made.game.seat_of(0)
        assert result is not None
        assert made.table.status == "over"
        assert (result.reason, result.by) == ("abandoned", seat)
        side = sides.side_of(seat)
        assert {result.ranks[n] for n in range(seats) if sides.side_of(n) == side} == {seats // 2 + 1}
        assert {result.ranks[n] for n in range(seats) if sides.side_of(n) != side} == {1}
        assert not any(holder.bot for holder in made.table.holders)
        assert genial.check(made.game.record()).status == "lawful"


@pytest.mark.parametrize("leaver", range(4))
def test_leaving_a_team_game_ends_it_and_the_partner_is_last_too(leaver: int) -> None:
    """LEAVING, TEAM: two teams are two sides."""
    made = desk(TableSettings("classic-team", 4, first=0))
    made.put(decisions.leave(made.table, DEVICES[leaver], leaver))
    result = made.game.result
    assert result is not None
    assert (result.reason, result.by) == ("abandoned", leaver)
    assert result.ranks == ((3, 1, 3, 1) if leaver % 2 == 0 else (1, 3, 1, 3))


def test_with_three_sides_the_bot_gives_the_place_back() -> None:
    """LEAVING"""
    made = desk(TableSettings("classic", 3, first=1))
    made.put(decisions.leave(made.table, DEVICES[1], 1))
    assert made.table.bot_to_move() == decisions.SUBSTITUTE
    assert decisions.leave(made.table, DEVICES[1], 1) == []
    with pytest.raises(GenialError, match="Seat 2 isn't yours"):
        decisions.come_back(made.table, ADA, 1)
    made.put(decisions.come_back(made.table, DEVICES[1], 1))
    assert made.table.bot_to_move() is None


def test_leaving_a_game_that_nobody_else_waits_for_changes_nothing() -> None:
    """LEAVING: alone, against bots, or with everybody at one screen."""
    ways = {"m": "classic-solo", "mr": "classic", "mrr": "cards", "mm": "duel", "mrmr": "classic-team"}
    for places, variant in ways.items():
        made = Desk()
        choices = [PlaceChoice("me") if each == "m" else PlaceChoice("bot", "random") for each in places]
        settings = TableSettings(variant, len(places), first=0)
        made.put(decisions.create(settings, choices, ADA, "Ada", "00" * 16, "CODES"))
        made.put(decisions.start(made.table, ADA))
        assert decisions.leave(made.table, ADA, 0) == []
        assert miss(made, 0, []) == []
        assert made.table.bot_to_move() is None


def test_resigning_a_solo_game_ends_it() -> None:
    """LEAVING, SOLO"""
    made = desk(TableSettings("classic-solo", 1))
    made.put(decisions.resign(made.table, 0))
    assert made.game.result is not None
    assert (made.game.result.reason, made.game.result.ranks) == ("resign", (1,))
    assert genial.check(made.game.record()).status == "lawful"


def test_leaving_between_two_games_of_a_series_brings_in_no_bot() -> None:
    """LEAVING, SERIES"""
    made = desk(TableSettings("cards", 2, games=2))
    made.play_out(Random(1))
    assert made.table.status == "between"
    assert decisions.leave(made.table, ADA, 0) == []


# Being away


def test_nothing_happens_automatically_to_an_absent_player() -> None:
    """LEAVING: the others are only offered a choice."""
    for seats in (2, 3):
        made = desk(TableSettings("classic", seats, first=1))
        made.put(miss(made, 1, [0]))
        assert [(absence.place, absence.since) for absence in made.table.absences] == [(1, made.now)]
        made.now += 7 * 24 * 3_600_000
        assert miss(made, 1, [0]) == []
        assert made.table.is_running
        assert made.table.bot_to_move() is None
        assert table_from("desk", made.kept).absences == made.table.absences


def test_only_the_player_the_game_waits_for_is_missed() -> None:
    """LEAVING: somebody who is away while another thinks keeps nobody waiting."""
    made = desk(TableSettings("classic", 3, first=0))
    assert miss(made, 1, [0, 2]) == []
    made.random_act(Random(1))
    made.put(decisions.act(made.table, 0, Refill()))
    made.put(miss(made, 1, [0, 2]))
    assert made.table.absence(1) is not None
    # Anybody who acts is present, however they got there; then the game waits for the next player.
    made.random_act(Random(1))
    assert made.table.absences == ()
    made.put(miss(made, 1, [0, 2]))
    made.put(decisions.act(made.table, 1, Refill()))
    assert made.table.absences == ()


def test_nobody_is_missed_when_nobody_waits() -> None:
    """LEAVING: if both players are gone, the game stays as it was, and the time starts when one is back."""
    made = desk(TableSettings("travel", 2, first=1))
    assert miss(made, 1, []) == []
    made.put(miss(made, 1, [0]))
    assert kinds(miss(made, 0, [])) == ["unmissed"]
    made.put(miss(made, 0, []))
    made.now += 24 * 3_600_000
    made.put(miss(made, 1, [0]))
    refused("absent-briefly", lambda: vote(made, 0, 1, "end", [0]))


def test_with_a_clock_time_decides_and_nothing_is_offered() -> None:
    """LEAVING"""
    made = desk(TableSettings("travel", 2, first=1, clock=Clock(move=30)))
    assert miss(made, 1, [0]) == []
    refused("absent-here", lambda: vote(made, 0, 1, "bot", [0]))
    made.now += 31_000
    made.put(decisions.run_out(made.table, made.now))
    assert made.game.result is not None
    assert made.game.result.reason == "time"


def test_a_returning_player_is_no_longer_missed() -> None:
    """LEAVING"""
    made = desk(TableSettings("travel", 2, first=1))
    made.put(miss(made, 1, [0]))
    made.put(leaving.back(made.table, DEVICES[1]))
    assert made.table.absences == ()
    assert leaving.back(made.table, DEVICES[1]) == []
    refused("absent-here", lambda: vote(made, 0, 1, "bot", [0, 1]))
    refused("absent-here", lambda: vote(made, 0, 1, "end", [0, 1]))


def test_a_server_restart_resets_the_absence_timer() -> None:
    """LEAVING"""
    made = desk(TableSettings("travel", 2, first=1))
    made.put(miss(made, 1, [0]))
    made.now += 3_600_000
    made.put(decisions.resume(made.table))
    assert made.table.absences == ()
    assert decisions.resume(made.table) == []
    made.put(miss(made, 1, [0]))
    refused("absent-briefly", lambda: vote(made, 0, 1, "end", [0]))


# Choosing


def test_a_bot_stands_in_on_request_until_the_person_returns() -> None:
    """LEAVING"""
    made = desk(TableSettings("travel", 2, first=1))
    made.put(miss(made, 1, [0]))
    made.put(vote(made, 0, 1, "bot", [0]))
    assert made.table.bot_to_move() == decisions.SUBSTITUTE
    assert made.table.absences == ()
    bot = made.table.bot_to_move()
    for _ in range(2):  # a placement and the end of the turn
        action = made.game.position.actions()[0]
        made.put(decisions.act(made.table, 1, action, bot=bot))
    made.put(leaving.back(made.table, DEVICES[1]))
    assert not made.table.holders[1].away
    # The person is told what was done for them, until they make a move.
    assert table_view(made.table, at([1]), made.now).places[1].covered == 1
    made.random_act(Random(1))
    made.put(decisions.act(made.table, 0, Refill()))
    assert made.table.covered[:2] == (0, 1)
    made.random_act(Random(1))
    assert made.table.covered[:2] == (0, 0)


def test_after_a_longer_absence_the_game_may_be_ended_as_abandoned() -> None:
    """LEAVING"""
    made = desk(TableSettings("duel", 2, first=1))
    made.put(miss(made, 1, [0]))
    for waited in (0, PATIENCE - 1):
        made.now = 1_000_000 + waited
        refused("absent-briefly", lambda: vote(made, 0, 1, "end", [0]))
    made.now += 1
    made.put(vote(made, 0, 1, "end", [0]))
    result = made.game.result
    assert result is not None
    assert (result.reason, result.by) == ("abandoned", made.game.seat_of(1))
    assert result.ranks[made.game.seat_of(1)] == 2
    assert genial.check(made.game.record()).status == "lawful"


def test_everybody_present_has_to_agree() -> None:
    """LEAVING, TEAM: the absent person's partner too, because it is their game as well."""
    choices: tuple[Choice, ...] = ("bot", "end")
    for choice in choices:
        made = desk(TableSettings("classic-team", 4, first=1))
        made.put(miss(made, 1, [0, 2, 3]))
        made.now += PATIENCE
        for place in (0, 2):
            made.put(vote(made, place, 1, choice, [0, 2, 3]))
            assert vote(made, place, 1, choice, [0, 2, 3]) == []
        made.put(vote(made, 3, 1, "wait", [0, 2, 3]))
        assert made.table.is_running
        assert not made.table.holders[1].away
        made.put(vote(made, 3, 1, choice, [0, 2, 3]))
        assert made.table.holders[1].away is (choice == "bot")
        assert (made.game.result is not None) is (choice == "end")
    assert made.game.result is not None
    assert made.game.result.ranks == (1, 3, 1, 3) if made.game.seat_of(1) % 2 else (3, 1, 3, 1)


def test_absent_players_and_programs_are_not_asked() -> None:
    """LEAVING"""
    made = desk(TableSettings("classic", 3, first=1))
    made.put(miss(made, 1, [0]))
    made.put(vote(made, 0, 1, "bot", [0]))
    assert made.table.holders[1].away
    made = desk(TableSettings("classic", 3, first=1), start=False)
    made.put(decisions.leave(made.table, DEVICES[2], 2))
    made.put(decisions.sit(made.table, CAT, "Cat (bot)", "", program=True))
    made.put(decisions.start(made.table, ADA))
    made.put(miss(made, 1, [0, 2]))
    made.put(vote(made, 0, 1, "bot", [0, 2]))
    assert made.table.holders[1].away


def test_with_three_sides_nobody_can_end_the_game() -> None:
    """LEAVING: a bot plays on."""
    made = desk(TableSettings("cards", 3, first=1))
    made.put(miss(made, 1, [0, 2]))
    made.now += PATIENCE
    refused("absent-many", lambda: vote(made, 0, 1, "end", [0, 2]))
    assert table_view(made.table, at([0]), made.now).absent == [AbsentView(1, None, [])]


def test_nobody_can_vote_about_a_present_player_or_themselves() -> None:
    """LEAVING"""
    made = desk(TableSettings("travel", 2, first=1))
    choices: tuple[Choice, ...] = ("wait", "bot", "end")
    for choice in choices:
        refused("absent-here", partial(vote, made, 0, 1, choice, [0, 1]))
        refused("absent-here", partial(vote, made, 0, 0, choice, [0, 1]))
    made.put(miss(made, 1, [0]))
    made.now += PATIENCE
    for choice in choices:
        # Back again just now, before anybody could write it down.
        refused("absent-here", partial(vote, made, 0, 1, choice, [0, 1]))
        refused("absent-here", partial(vote, made, 1, 1, choice, [0]))
    with pytest.raises(GenialError, match="no seat 4"):
        vote(made, 0, 3, "bot", [0])


def test_a_player_who_owes_an_answer_may_get_a_bot_but_does_not_lose() -> None:
    """LEAVING: whoever asked to take back can play on."""
    made = desk(TableSettings("classic", 2, first=0))
    made.random_act(Random(1))
    made.put(decisions.act(made.table, 0, Refill()))
    made.random_act(Random(1))
    before = made.game.positions[-2][0]
    made.put(decisions.ask_back(made.table, 1, before))
    made.put(miss(made, 0, [1]))
    made.now += PATIENCE
    refused("absent-not-to-move", lambda: vote(made, 1, 0, "end", [1]))
    assert table_view(made.table, at([1]), made.now).absent == [AbsentView(0, None, [])]
    made.put(vote(made, 1, 0, "bot", [1]))
    assert made.game.positions[-1][1].phase.value == "place"  # and no consent is missing any longer


def test_the_table_shows_who_is_missing_and_what_was_chosen() -> None:
    """LEAVING"""
    made = desk(TableSettings("classic-team", 4, first=1))
    made.put(miss(made, 1, [0, 2, 3]))
    made.put(vote(made, 2, 1, "bot", [0, 2, 3]))
    made.now += 20_000
    seen = table_view(made.table, at([0]), made.now).absent
    assert seen == [AbsentView(1, PATIENCE - 20_000, [ChoiceView(2, "bot")])]
