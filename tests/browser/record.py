"""The screen at the end of a game, against the server's record of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, expect
from tests.browser.person import Person

import genial
from genial.core.cellnames import cell_name
from genial.core.events import Ended, Event, Placed, Played, Reshuffled, Swapped
from genial.core.messages import catalogue
from genial.core.position import Position
from genial.core.record import Record, read

_NUMBER = re.compile(r"[−-]?\d+")


def agree(person: Person, content: bytes) -> Record:
    """The referee finds the record lawful, and the screen tells the same game."""
    verdict = genial.check(content)
    assert verdict.status == "lawful", verdict.text("en")
    record = read(content)
    final = genial.load(content)
    names = [_shown_name(person, name) for name in record.extras["names"]]
    _agree_on_tracks(person, final, names)
    _agree_on_ranks(person, final, names)
    _agree_on_history(person, final, names)
    return record


def _shown_name(person: Person, name: str) -> str:
    """People as they are called; a bot by the language's word for it, with its number among several."""
    bot, space, number = name.partition(" ")
    word = catalogue(person.language).get(f"bot-{bot}")
    return name if word is None else f"{word}{space}{number}"


def shown_tracks(person: Person, name: str) -> list[list[int]]:
    """The markers of everybody with this name, as a screen reader hears them: bots may share one."""
    tracks = person.screen.track(name)
    for folded in person.screen.folded(name).all():
        if not tracks.first.is_visible():
            person.hand.press(folded)
    told = [(track.get_attribute("aria-label") or "").partition(":")[2] for track in tracks.all()]
    return [_numbers(text) for text in told]


def _agree_on_tracks(person: Person, final: Position, names: list[str]) -> None:
    expected: dict[str, list[list[int]]] = {}
    looks = names.index(person.name)
    for seats in _tracks(final):
        markers = final.setup.title.sides.seen_by(looks, _end(final).tracks[seats[0]])
        expected.setdefault(_joined(names, seats), []).append(list(markers))
    shown = {name: shown_tracks(person, name) for name in expected}
    assert {name: sorted(found) for name, found in shown.items()} == {
        name: sorted(found) for name, found in expected.items()
    }, f"{shown} on the screen, {expected} in the record"


def _numbers(text: str) -> list[int]:
    return [int(number.replace("−", "-")) for number in _NUMBER.findall(text)]


def _tracks(final: Position) -> list[list[int]]:
    """The seats of each track."""
    sides, seats = final.setup.title.sides, range(final.setup.seats)
    return [[seat for seat in seats if sides.track_of(seat) == n] for n in range(sides.tracks(len(seats)))]


def _sides(final: Position) -> list[list[int]]:
    """The seats of each side."""
    sides, seats = final.setup.title.sides, range(final.setup.seats)
    return [[seat for seat in seats if sides.side_of(seat) == n] for n in range(sides.sides(len(seats)))]


def _joined(names: list[str], seats: list[int]) -> str:
    return " + ".join(names[seat] for seat in seats)


def _end(final: Position) -> Ended:
    end = final.events[-1]
    assert isinstance(end, Ended)
    return end


def _agree_on_ranks(person: Person, final: Position, names: list[str]) -> None:
    """The table of the result has a row for each side, with its rank and its six markers."""
    rows = person.page.get_by_role("row").filter(has=person.page.get_by_role("rowheader"))
    sides = _sides(final)
    expect(rows).to_have_count(len(sides))
    end = _end(final)
    told = sorted(_told(row.inner_text(), row.get_by_role("rowheader").inner_text()) for row in rows.all())
    expected = []
    for side in sides:
        rank = [] if len(names) == 1 else [end.ranks[side[0]]]
        markers = sorted(abs(place) for place in end.tracks[side[0]])
        expected.append((_joined(names, side), rank, markers))
    assert told == sorted(expected), f"{told} on the screen, {expected} in the record"


def _told(row: str, name: str) -> tuple[str, list[int], list[int]]:
    """A row of the result: whose, the rank if there is one, the markers."""
    numbers = _numbers(row.replace(name, ""))
    ranks = numbers[: len(numbers) - 6]
    return name, ranks, sorted(abs(place) for place in numbers[len(ranks) :])


def _agree_on_history(person: Person, final: Position, names: list[str]) -> None:
    """Every move that the record tells stands in the list of moves, the newest first."""
    lines = person.screen.history
    told = [event for event in final.events if isinstance(event, Placed | Played | Swapped | Reshuffled)]
    expect(lines).to_have_count(len(told))
    for line, parts in zip(
        lines.all(), (_line(event, final, names) for event in reversed(told)), strict=True
    ):
        _tells(line, parts)


def _line(event: Event, final: Position, names: list[str]) -> Iterator[str]:
    if isinstance(event, Placed | Played | Swapped):
        yield names[event.seat]
    if isinstance(event, Placed):
        board = final.setup.board
        assert board is not None
        yield " ".join(cell_name(board, cell) for cell in event.cells)
    if isinstance(event, Placed | Played):
        yield from (f"{points:+d}".replace("-", "−") for points in event.gain if points)


def _tells(line: Locator, parts: Iterator[str]) -> None:
    text = " ".join((line.text_content() or "").split())
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"
