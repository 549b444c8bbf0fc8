"""Parsers accept anything and respond with our own errors, which name what was expected."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.play import games, seeds, walk

import genial
from genial.core.actions import Place
from genial.core.errors import Breach, GenialError, IllegalAction, NotationError, RecordError
from genial.core.notation import move_text, parse_move, parse_position, position_text
from genial.core.record import DEEPEST, LARGEST, read
from genial.core.referee import check, load
from genial.core.situation import Phase

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=12,
)
SAMPLE = (Path(__file__).parent.parent / "samples" / "cards-2.genial.json").read_text(encoding="utf-8")
BOARD_SAMPLE = (Path(__file__).parent.parent / "samples" / "3d-solo-1.genial.json").read_text(
    encoding="utf-8"
)


def judged(source: Any) -> None:
    """Whatever it is, the referee gives a verdict or says that it cannot be read."""
    try:
        verdict = check(source)
    except RecordError as error:
        assert error.text("en")
        assert error.text("de")
        assert error.text("nl")
    else:
        assert verdict.text("nl")
        if not verdict.ok:
            with pytest.raises(Breach):
                load(source)


@given(st.text() | st.binary() | anything)
def test_fuzz_records_from_anything(source: Any) -> None:
    judged(source)


@given(st.integers(min_value=0, max_value=10**6), st.sampled_from([SAMPLE, BOARD_SAMPLE]))
def test_fuzz_records_with_bytes_changed(seed: int, sample: str) -> None:
    rng = Random(seed)
    content = bytearray(sample.encode())
    for _ in range(rng.randrange(1, 6)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    judged(bytes(content))


@given(st.data(), st.sampled_from([SAMPLE, BOARD_SAMPLE]))
def test_fuzz_records_with_values_changed(data: st.DataObject, sample: str) -> None:
    record = json.loads(sample)
    place: Any = record
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.integers(0, 4)):
            place = place[key]
            continue
        if data.draw(st.booleans()):
            place[key] = data.draw(anything)
        else:
            del place[key]
        break
    judged(record)
    judged(json.dumps(record))


@given(games, seeds, st.data())
def test_fuzz_positions(game: tuple[str, int], seed: int, data: st.DataObject) -> None:
    rng = Random(seed)
    positions = walk(game, seed)
    text = position_text(positions[rng.randrange(len(positions))])
    alphabet = st.sampled_from(" /.;:@+-'*=ROYGBP0123456789abcdefxyz\n\0é")
    letters = list(text)
    for _ in range(data.draw(st.integers(1, 4))):
        at = rng.randrange(len(letters))
        letters[at : at + rng.randrange(3)] = data.draw(st.lists(alphabet, max_size=3))
    _parsed_or_refused("".join(letters))


@given(st.text())
def test_fuzz_positions_from_any_text(text: str) -> None:
    _parsed_or_refused(text)


def _parsed_or_refused(text: str) -> None:
    try:
        position = parse_position(text)
    except NotationError as error:
        assert error.text("de")
        return
    assert parse_position(position_text(position)) == position
    for action in position.actions()[:5]:  # an accepted position can be played on
        try:
            position.apply(action)
        except GenialError as error:
            assert error.code == "no-dealer"


@given(games, st.text() | st.from_regex(r"[ROYGBPX]{2}@[a-p]\d{1,2},[a-p]\d{1,2}", fullmatch=True))
def test_fuzz_moves(game: tuple[str, int], text: str) -> None:
    setup = genial.new(game[0], seats=game[1], seed=1).setup
    try:
        action = parse_move(setup, text)
    except NotationError as error:
        assert error.text()
        return
    assert move_text(setup, action) == text
    try:
        genial.new(game[0], seats=game[1], seed=1).apply(action)
    except GenialError as error:
        assert error.ruling or error.code


def test_a_huge_record_is_refused_unread() -> None:
    with pytest.raises(RecordError) as caught:
        read(b"[" * 100_000_000)
    assert (caught.value.code, caught.value.params["limit"]) == ("record-large", LARGEST)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"format":'])
def test_a_deep_record_is_refused_before_it_is_parsed(opening: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(opening * (LARGEST // len(opening) - 1))
    assert (caught.value.code, caught.value.params["limit"]) == ("record-deep", DEEPEST)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "record-json"),
        ("[]", "record-object"),
        ("null", "record-object"),
        ('{"format": "genial-record/2"}', "record-format"),
        ('{"format": "genial-record/1", "format": "genial-record/1"}', "record-twice"),
        ('{"format": "genial-record/1"', "record-json"),
        ('{"format": NaN}', "record-constant"),
        ('{"format": ' + "9" * 5000 + "}", "record-number"),
        ('{"format": "genial-record/1"}', "variant-missing"),
        ('{"format": "genial-record/1", "variant": null}', "variant-missing"),
        ('{"format": "genial-record/1", "variant": "chess"}', "variant-unknown"),
        ('{"format": "genial-record/1", "variant": "classic", "seats": 5}', "seats-unknown"),
        ('{"format": "genial-record/1", "variant": "classic", "seats": true}', "seats-unknown"),
        ('{"format": "genial-record/1", "variant": "cards", "seats": 2}', "record-key"),
        ('{"format": "genial-record/1", "variant": "cards", "seats": 2, "events": [1]}', "record-key"),
        ('{"format": "genial-record/1", "variant": "classic", "seats": 2, "events": []}', "record-key"),
        (
            '{"format": "genial-record/1", "variant": "cards", "seats": 2, "events": [], "rules": 2}',
            "record-rules",
        ),
        (
            '{"format": "genial-record/1", "variant": "cards", "seats": 2, "events": [], "deal": 3}',
            "record-key",
        ),
        (b'{"format": "\xff"}', "record-encoding"),
        (17, "record-type"),
    ],
)
def test_what_is_wrong_with_a_record_is_named(text: Any, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(text)
    assert caught.value.code == code


_POSITIONS = {
    "full rack": ("classic", 2, "place;", "end-turn;", "refill-nothing"),
    "solo has no end of turn": ("classic-solo", 1, "place;", "end-turn;", "end-turn-never"),
}


@pytest.mark.parametrize("name", _POSITIONS)
def test_an_impossible_position_is_refused(name: str) -> None:
    variant, seats, was, becomes, code = _POSITIONS[name]
    text = position_text(genial.new(variant, seats=seats, seed=7))
    with pytest.raises(NotationError) as refused:
        parse_position(text.replace(was, becomes))
    assert refused.value.code == code


def test_a_position_without_tiles_to_draw_or_cards_in_a_row_is_refused() -> None:
    position = genial.new("classic", seats=2, seed=7)
    position, _ = position.apply(position.actions()[0])
    with pytest.raises(NotationError, match="nothing to draw"):
        parse_position(position_text(position.change(bag=())))
    game, _rows, *rest = position_text(genial.new("cards", seats=2, seed=7)).split(" ")
    with pytest.raises(NotationError, match="seat 0 is 0 instead of 2"):
        parse_position(" ".join((game, "-/-", *rest)))


def test_a_position_to_place_on_a_full_board_is_refused() -> None:
    ends = (walk(("travel", 2), seed)[-1] for seed in range(100))
    full = next(end for end in ends if end.ending == "board-full" and end.racks[end.seat])
    with pytest.raises(NotationError, match="No tile fits"):
        parse_position(position_text(full.change(phase=Phase.PLACE, result=None)))


@pytest.mark.parametrize(
    "cells", [None, "f6", ([0, 0], [1, 0]), ((0, 0), None), ((0, {}), (1, 0)), ((0, 0),)]
)
def test_invalid_cells_are_refused(cells: Any) -> None:
    position = genial.new("classic", seats=2, seed=7)
    with pytest.raises(IllegalAction) as refused:
        position.apply(Place(position.racks[0][0], cells))
    assert refused.value.code == "cells-unreadable"


@pytest.mark.parametrize("action", [None, "refill", 3, object(), ("RB",)])
def test_something_that_is_not_an_action_is_refused(action: Any) -> None:
    with pytest.raises(IllegalAction) as refused:
        genial.new("classic", seats=2, seed=7).apply(action)
    assert refused.value.code == "action-unknown"
