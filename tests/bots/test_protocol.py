"""The bot protocol's messages: complete, readable, and without anything that the seat may not know."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.legal import Told, placements

import genial
from genial.bots import bot_named, play_out
from genial.bots.bot import Budget
from genial.bots.protocol import (
    LONGEST_FROM_HOST,
    event_seen,
    go,
    hello,
    legal,
    new_game,
    over,
    state,
    view_seen,
)
from genial.bots.stdio import Talk, serve
from genial.core.actions import Place, Play, Refill, Swap
from genial.core.notation import parse_move
from genial.core.position import Position
from genial.core.view import EVERYONE, View

RANDOM = bot_named("random")


def positions(variant: str, seats: int, seed: int) -> list[Position]:
    """Every position of a randomly played game."""
    rng, found = Random(seed), [genial.new(variant, seats=seats, seed=seed)]
    while not found[-1].is_over:
        position = found[-1]
        found.append(position.apply(RANDOM.choose(position.view({position.seat}), rng))[0])
    return found


def said(view: View, seat: int) -> list[bytes]:
    messages = (new_game(view, seat, 1), state(view, 0), go(view, 1, 2, Budget(3, 4.0), 5.0))
    return [json.dumps(message).encode() for message in messages]


def moves_of(message: dict[str, Any], board: dict[str, Any] | None) -> set[str]:
    """Every move in `legal`, as its reader would write it."""
    if message["phase"] == "end-turn":
        return {"refill", "swap"} if message["swap"] else {"refill"}
    if board is None:
        return {card["tile"] for card in message["cards"]}
    return {_written(place, board) for place in placements(message)}


def _written(place: Told, board: dict[str, Any]) -> str:
    cells = [board["names"][cell] for cell in board["pairs"][place.pair]]
    return f"{place.tile}@{','.join(reversed(cells) if place.turned else cells)}"


def test_legal_lists_every_lawful_move_and_no_other(variant: str, seats: int) -> None:
    for position in positions(variant, seats, 3)[:-1:11]:
        view = position.view({position.seat})
        told = moves_of(legal(view), new_game(view, position.seat, 1)["board"])
        actions = {parse_move(view.setup, text) for text in told}
        for action in actions:
            position.apply(action)  # lawful, or it raises
        assert {_kind(action) for action in view.actions()} == {_kind(action) for action in actions}


def _kind(action: Place | Play | Refill | Swap) -> object:
    # A double lies the same way round whichever half is named first, and so does BR turned.
    return (frozenset(action.cells), action.tile) if isinstance(action, Place) else action


def test_points_match_the_rules(variant: str, seats: int) -> None:
    position = positions(variant, seats, 4)[9]
    view = position.view({position.seat})
    message, board = legal(view), new_game(view, position.seat, 1)["board"]
    for place in list(placements(message))[::7]:
        action = parse_move(view.setup, _written(place, board))
        assert isinstance(action, Place)
        layout = position.table
        assert not isinstance(layout, genial.core.open_cards.OpenCards)
        first, second = (layout.board.number[cell] for cell in action.cells)
        colours = ["ROYGBP".index(letter) for letter in action.tile]
        expected = (layout.points(first, colours[0], second), layout.points(second, colours[1], first))
        assert place.points == expected


def test_a_view_survives_a_round_trip(variant: str, seats: int) -> None:
    for position in positions(variant, seats, 5)[::4]:
        viewer = EVERYONE if position.is_over else {position.seat}
        view = position.view(viewer)
        new, shown = (json.loads(json.dumps(m)) for m in (new_game(view, view.seat, 1), state(view, 0)))
        assert view_seen(new, shown["view"], [event_seen(event) for event in shown["events"]]) == view


def test_hidden_tiles_are_never_revealed(variant: str, seats: int) -> None:
    """Positions that differ only in what the seat may not know give the same bytes."""
    rng = Random(6)
    for position in positions(variant, seats, 6)[:-1:6]:
        seat = position.seat
        redealt = position.determinize({seat}, rng)
        assert said(position.view({seat}), seat) == said(redealt.view({seat}), seat)


def test_lines_are_short_enough_and_hold_no_line_break(variant: str, seats: int) -> None:
    for position in positions(variant, seats, 7)[:-1:7]:
        for line in said(position.view({position.seat}), position.seat):
            assert len(line) < LONGEST_FROM_HOST
            assert b"\n" not in line


def test_the_end_of_a_game_is_reported() -> None:
    end = positions("classic", 2, 8)[-1]
    message = over(end.view(EVERYONE), 3, 1)
    assert message["result"]["ranks"]
    assert message["events"][-1]["type"] == "end"
    begun = genial.new("classic", seats=2, seed=1)
    assert over(begun.view({0}), 0, 1)["result"] is None


# Our own bots as programs


def talked(talk: Talk, *messages: dict[str, Any]) -> list[dict[str, Any] | None]:
    return [talk.answer(json.loads(json.dumps(message))) for message in messages]


def test_a_house_bot_plays_the_same_through_the_protocol(variant: str, seats: int) -> None:
    talk, bot = Talk(bot_named("balanced")), bot_named("balanced")
    position, rng, known = genial.new(variant, seats=seats, seed=9), Random(9), 0
    talked(talk, hello(), new_game(position.view({0}), 0, 1))
    while not position.is_over:
        view = position.view({position.seat})
        action = bot.choose(view, Random(position.turn))
        if position.seat == 0:
            *_, answer = talked(talk, state(view, known), go(view, 1, position.turn, None, 5.0))
            known = len(view.events)
            assert answer is not None
            assert parse_move(view.setup, answer["action"]) == action
        else:
            action = RANDOM.choose(view, rng)
        position = position.apply(action)[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.sampled_from(["new", "view", "go", "over", "error", "x"]),
    st.dictionaries(
        st.sampled_from(["view", "events", "id", "budget", "seed", "board", "variant", "seats"]), json_values
    ),
)
def test_no_message_crashes_a_house_bot(kind: str, message: dict[str, Any]) -> None:
    talk = Talk(bot_named("greedy"))
    view = genial.new("cards", seats=2, seed=1).view({0})
    talked(talk, new_game(view, 0, 1), state(view, 0), message | {"type": kind})
    answer = talked(talk, new_game(view, 0, 2), state(view, 0), go(view, 5, 0, None, 1.0))[-1]
    assert answer is not None
    assert (answer["type"], answer["id"]) == ("action", 5)


@pytest.mark.parametrize("line", [b"nonsense", b"[]", b"7", b"\xff", b"[" * 100_000, b"x" * 3_000_000])
def test_unreadable_lines_are_answered_with_an_error(line: bytes) -> None:
    source = io.BytesIO(line + b'\n{"type":"hello"}\n{"type":"quit"}\n{"type":"hello"}\n')
    sink = io.BytesIO()
    serve(bot_named("greedy"), source, sink)
    answers = [json.loads(answer) for answer in sink.getvalue().splitlines()]
    assert {answer["type"] for answer in answers[:-1]} == {"error"}
    assert answers[-1]["type"] == "hello"


def test_asking_for_a_move_in_a_finished_game_is_an_error() -> None:
    """The view of a finished game is not a position to act in."""
    end = play_out(genial.new("cards", seats=2, seed=1), [RANDOM] * 2, Random(1))
    talk, view = Talk(bot_named("greedy")), end.view({0})
    answer = talked(talk, new_game(view, 0, 1), state(view, 0), {"type": "go", "id": 1})[-1]
    assert answer is not None
    assert answer["code"] == "no-view"
