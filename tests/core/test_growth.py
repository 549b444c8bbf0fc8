"""Everything from outside is read in time that grows linearly with its length, no faster."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.growth import MOST, growth, ratio

import genial
from genial.core.errors import GenialError
from genial.core.notation import LONGEST, parse_position, position_text
from genial.core.record import read, record_of
from genial.core.referee import check

NESTED = {
    "keys, the last one twice": lambda n: "{" + ",".join(f'"{key}":0' for key in [*range(n), n - 1]) + "}",
    "keys, all of them twice": lambda n: "{" + ",".join(f'"{key}":0' for key in [*range(n), *range(n)]) + "}",
    "quotes that are never closed": lambda n: '"\\' * n,
    "escaped quotes": lambda n: '\\"' * n,
    "quotes after a lone backslash": lambda n: '["' + '\\"' * n + "\\",
    "quotes": lambda n: '"' * (2 * n + 1),
    "strings": lambda n: "[" + '"",' * n,
    "objects": lambda n: "[" + "{}," * n,
    "numbers of many digits": lambda n: "[" + ",".join(["9" * 4299] * n) + "]",
    "a long number": lambda n: "[0." + "1" * n + "]",
    "white space": lambda n: " " * n,
    "escapes": lambda n: '["' + "\\u0041" * n + '"]',
}


@pytest.mark.parametrize("name", NESTED)
def test_a_record_is_read_in_linear_time(name: str) -> None:
    make: Callable[[int], str] = NESTED[name]
    assert growth(make, read) < MOST


def record(events: list[dict[str, Any]], **more: Any) -> str:
    begun = record_of(genial.new("classic", seats=2, seed=7))
    return json.dumps({**begun, "unfinished": True, "events": events, **more})


LISTS: dict[str, Callable[[int], str]] = {
    "names": lambda n: record([], names=["Ada"] * n),
    "a deal of many tiles": lambda n: record([{"type": "deal", "seat": 0, "tiles": ["RB"] * n}]),
    "a type that is a list": lambda n: record([{"type": [[]] * n}]),
    "an event with many keys": lambda n: record([{"type": "draw", **{str(k): k for k in range(n)}}]),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_record_is_judged_in_linear_time(name: str) -> None:
    def judged(text: str) -> None:
        check(text).text("de")

    assert growth(LISTS[name], judged) < MOST


@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("filling", ["a", "/", "R0'", "-", "RB", "1.", ";seat=", "a:"])
def test_a_position_is_read_in_linear_time(part: int, filling: str) -> None:
    parts = position_text(genial.new("3d", seats=4, seed=7)).split(" ")
    parts[part] = ""
    room = (LONGEST - len(" ".join(parts))) // len(filling)

    def text(times: int) -> str:
        return " ".join([*parts[:part], filling * times, *parts[part + 1 :]])

    def many(position: str) -> None:
        for _ in range(20):
            with pytest.raises(GenialError):
                parse_position(position)

    assert ratio(many, text(room // 4), text(room)) < MOST


def test_work_that_compares_everything_with_everything_is_found_and_its_growth_is_told() -> None:
    def compare(given: list[int]) -> int:
        return sum(one == other for one in given for other in given)

    assert MOST < growth(lambda size: list(range(size)), compare) < 4 * MOST
