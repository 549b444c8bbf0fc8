"""Compares the screen at the end of a game with the server's record of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, expect
from tests.browser.person import Person

import genial
from genial.bots.messages import WORDS
from genial.core.cellnames import cell_name
from genial.core.events import Ended, Event, Placed, Played, Reshuffled, Swapped
from genial.core.position import Position
from genial.core.record import Record, read

_NUMBER = re.compile(r"[−-]?\d+")


def agree(person: Person, content: bytes) -> Record:
    """Expect the referee to find the record lawful, and the screen to show the same game."""
    verdict = genial.check(content)
    assert verdict.status == "lawful", verdict.text("en")
    record = read(content)
    final = genial.load(content)
    names = [_shown_name(person, name) for name in record.extras["names"]]
    _agree_on_figures(person, final, names)
    _agree_on_winner(person, final, names)
    _agree_on_history(person, final, names)
    return record


def _shown_name(person: Person, name: str) -> str:
    """The name on the screen: a bot has the language's word for it, and a number if there are several."""
    bot, space, number = name.partition(" ")
    word = WORDS.messages(person.language).get(f"bot-{bot}")
    return name if word is None else f"{word}{space}{number}"


def shown_tracks(person: Person, name: str) -> list[list[int]]:
    """The markers of everybody with this name, as a screen reader reads them: bots may share a name."""
    tracks = person.screen.track(name).all()
    return [_numbers(" ".join(track.get_by_role("listitem").all_inner_texts()[:6])) for track in tracks]


def _numbers(text: str) -> list[int]:
    return [int(number.replace("−", "-")) for number in _NUMBER.findall(text)]


def _sides(final: Position) -> list[list[int]]:
    """The seats of each side."""
    sides, seats = final.setup.title.sides, range(final.setup.seats)
    return [[seat for seat in seats if sides.side_of(seat) == n] for n in range(sides.side_count(len(seats)))]


def _joined(person: Person, names: list[str], seats: list[int]) -> str:
    return person.words.listed([names[seat] for seat in seats])


def _end(final: Position) -> Ended:
    end = final.events[-1]
    assert isinstance(end, Ended)
    return end


def _agree_on_figures(person: Person, final: Position, names: list[str]) -> None:
    """The result's table has a row for each side with its markers by colour, in order of rank."""
    table = person.page.get_by_role("table", name=person.words("end_figures"))
    rows = table.get_by_role("row").filter(has=person.page.get_by_role("rowheader"))
    sides, end = _sides(final), _end(final)
    expect(rows).to_have_count(len(sides))
    told = [
        (
            row.get_by_role("rowheader").inner_text().strip(),
            _numbers(" ".join(row.get_by_role("cell").all_inner_texts())),
        )
        for row in rows.all()
    ]
    seen_by = final.setup.title.sides.seen_by
    expected = [(_joined(person, names, side), list(seen_by(side[0], end.tracks[side[0]]))) for side in sides]
    assert sorted(told) == sorted(expected), f"{told} on the screen, {expected} in the record"
    if len(sides) > 2:
        ranks = {_joined(person, names, side): end.ranks[side[0]] for side in sides}
        shown = [ranks[name] for name, _ in told]
        assert shown == sorted(shown)


def _agree_on_winner(person: Person, final: Position, names: list[str]) -> None:
    """The heading says who won."""
    end, words = _end(final), person.words
    first = [side for side in _sides(final) if end.ranks[side[0]] == 1]
    if len(names) == 1:
        said = {words("end_solo", lowest=min(end.tracks[0]))}
    elif len(first) > 1:
        said = {words("end_draw")}
    else:
        winner = first[0]
        said = {words("end_won", count=len(winner), name=_joined(person, names, winner))}
        if person.name in [names[seat] for seat in winner]:
            said = {words("end_team_won" if len(winner) > 1 else "end_you_won")} | said
    shown = person.page.get_by_role("heading", level=2).all_inner_texts()
    assert said & set(shown), f"{shown} on the screen, one of {said} was expected"


def _agree_on_history(person: Person, final: Position, names: list[str]) -> None:
    """Every move of the record is in the list of moves, the newest first."""
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
