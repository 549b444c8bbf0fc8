"""Draw the diagrams of the rules: every entry of diagrams.json becomes diagrams/NAME.svg.

    python docs/rules/diagrams.py            draw them all
    python docs/rules/diagrams.py --check    say which files are not up to date; exit status 1 if any

The engine lays every tile and counts every point. Where an entry expects points, they must be the engine's;
what an entry calls forbidden, the engine must forbid. All pages share the diagrams, whatever their
language, so there are no words on them but names, and on the duel's the label that all of them need.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from genial.core.actions import Place, Play
from genial.core.colours import COLOURS
from genial.core.errors import IllegalAction
from genial.core.explain import explain
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.pairs import check_cells
from genial.core.position import Position, before_dealing
from genial.core.situation import Phase
from genial.core.tiles import SYMBOLS
from genial.core.title import Title, setup
from genial.core.titles import title_of
from genial.drawing.board_svg import board_block
from genial.drawing.canvas import Block, label, picture, side_by_side, stacked
from genial.drawing.cards_svg import open_rows
from genial.drawing.describe import describe, markers_words
from genial.drawing.palette import ink
from genial.drawing.seating import seating
from genial.drawing.sides_svg import track_block
from genial.drawing.words import word

HERE = Path(__file__).resolve().parent
SOURCE, TARGET = HERE / "diagrams.json", HERE / "diagrams"
INK = ink("light")
Entry = Mapping[str, Any]


def entries() -> list[Entry]:
    """What is to be drawn."""
    found: list[Entry] = json.loads(SOURCE.read_text(encoding="utf-8"))
    return found


def draw_entry(entry: Entry) -> str:
    """The picture of an entry. Raises ValueError where the engine does not agree with it."""
    title = title_of(entry["variant"])
    parts = {"board": _board, "tracks": _tracks, "cards": _cards}
    drawn = [parts[part](entry, title) for part in entry["show"]]
    blocks = [block for block, _ in drawn]
    if title.reconstructed:  # DUEL
        told = " · ".join(word("reconstructed", language) for language in ("en", "de", "nl"))
        blocks.insert(0, Block(280, 14, label(0, 11, told, INK.theme.quiet, 12)))
    name = entry["name"].replace("-", " ")
    return picture(stacked(blocks, 18), INK, name, " ".join(words for _, words in drawn), margin=16)


def _board(entry: Entry, title: Title) -> tuple[Block, str]:
    position = _laid(entry, title)
    layout = position.table
    assert isinstance(layout, Layout)
    preview = _place(entry["explain"]) if "explain" in entry else None
    if preview:
        check_cells(position, layout, preview.cells)
        _expect(entry, explain(position, preview).gain)
    forbidden = [_place(each) for each in entry.get("forbid", ())]
    for place in forbidden:
        _expect_forbidden(entry, position, layout, place)
    legal = entry.get("mark") == "legal"
    block = board_block(position, INK, preview=preview, mark_legal=legal, forbidden=forbidden)
    return block, describe(position, seating(position), ["board"], preview)


def _laid(entry: Entry, title: Title) -> Position:
    """The position with the entry's tiles on the board, laid by the rules."""
    start = None
    seats = entry.get("seats", title.seats[0])
    board = setup(title, seats).board
    if "start" in entry and board:
        start = tuple(board.number[_cell(entry["start"][letter])] for letter in COLOURS)
    position = before_dealing(setup(title, seats), start=start).change(phase=Phase.PLACE)
    for each in entry["placements"]:
        place, layout = _place(each), position.table
        assert isinstance(layout, Layout)
        check_cells(position, layout, place.cells)
        first, second = (layout.board.number[cell] for cell in place.cells)
        table = layout.lay(first, second, SYMBOLS[place.tile])
        position = position.change(table=table, turn=position.turn + 1)
    return position


def _tracks(entry: Entry, title: Title) -> tuple[Block, str]:
    names = [str(name) for name in entry["names"]]
    pegs = title.reconstructed
    told, blocks = [], []
    for n, row in enumerate(entry["tracks"]):
        markers = tuple(row)
        shown = tuple(names) if pegs else (names[n],)
        blocks.append(track_block(title.track, markers, INK, shown))
        told.append(f"{' – '.join(shown)}: {markers_words(markers)}.")
    return _in_pairs(blocks), " ".join(told)


def _cards(entry: Entry, title: Title) -> tuple[Block, str]:
    rows = tuple(tuple(row) for row in entry["open"])
    position = before_dealing(setup(title, entry["seats"])).change(phase=Phase.PLACE, table=OpenCards(rows))
    markers = tuple(entry["markers"])
    position = position.change(tracks=(markers, *position.tracks[1:]))
    play = Play(entry["play"])
    gain = explain(position, play).gain
    _expect(entry, gain)
    names = [str(n + 1) for n in range(entry["seats"])]
    who = seating(position, names)
    track = track_block(title.track, markers, INK, (names[0],), gain)
    blocks = [open_rows(position, names, INK, preview=play, language=None), track]
    words = f"{describe(position, who, ['board'], play)} {names[0]}: {markers_words(markers)}."
    return side_by_side(blocks, 30), words


def _in_pairs(blocks: list[Block]) -> Block:
    return stacked([side_by_side(blocks[n : n + 2], 40) for n in range(0, len(blocks), 2)], 22)


def _expect(entry: Entry, gain: tuple[int, ...]) -> None:
    if "expect" in entry and list(gain) != entry["expect"]:
        raise ValueError(f"{entry['name']} expects {entry['expect']}, the engine counts {list(gain)}")


def _expect_forbidden(entry: Entry, position: Position, layout: Layout, place: Place) -> None:
    try:
        check_cells(position, layout, place.cells)
    except IllegalAction:
        return
    raise ValueError(f"{entry['name']} forbids {place}, the engine allows it")


def _place(each: Entry) -> Place:
    first, second = each["cells"]
    return Place(each["tile"], (_cell(first), _cell(second)))


def _cell(pair: Iterable[int]) -> tuple[int, int]:
    q, r = pair
    return q, r


def outdated() -> list[str]:
    """The files that are missing, differ from what would be drawn now, or belong to no entry."""
    wanted = {f"{entry['name']}.svg": draw_entry(entry) for entry in entries()}
    there = {path.name: path.read_text(encoding="utf-8") for path in TARGET.glob("*.svg")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main(arguments: list[str]) -> int:
    """Draw, or check. Returns the exit status."""
    if arguments not in ([], ["--check"]):
        print(f"expected nothing or --check, got: {' '.join(arguments)}", file=sys.stderr)
        return 2
    if arguments:
        stale = outdated()
        for name in stale:
            print(f"not up to date: {name}; run python docs/rules/diagrams.py", file=sys.stderr)
        return 1 if stale else 0
    TARGET.mkdir(exist_ok=True)
    for name in outdated():
        (TARGET / name).unlink(missing_ok=True)
    for entry in entries():
        (TARGET / f"{entry['name']}.svg").write_text(draw_entry(entry), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
