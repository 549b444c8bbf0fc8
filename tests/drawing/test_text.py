"""Text for terminals: every line fits, every symbol differs, and nothing hidden is shown."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.play import walk

import genial
from genial.core.actions import Place
from genial.core.cellnames import cell_name
from genial.core.layout import Layout
from genial.core.position import Position
from genial.core.tiles import HIDDEN, TILES
from genial.drawing.ansi import SHAPES, Colour, Pen, columns
from genial.drawing.svg import draw
from genial.drawing.text import text
from genial.drawing.text_board import board_lines
from genial.drawing.words import rank_words

NAMES = ["Anna", "Bert", "Clara", "Dirk"]


@cache
def moments(variant: str, seats: int) -> tuple[Position, ...]:
    positions = walk((variant, seats), 9, greedily=True)
    return positions[0], positions[len(positions) // 2], positions[-1]


def plain(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


@pytest.mark.parametrize("width", [80, 100, 140])
def test_every_line_fits_the_width(variant: str, seats: int, width: int) -> None:
    for position in moments(variant, seats):
        for situation in (position, position.view({0})):
            shown = text(situation, colour=True, width=width, names=[*NAMES[:3], "W" * 90], language="de")
            assert max(columns(line) for line in shown.splitlines()) <= width


@pytest.mark.parametrize("colour", [True, "256"])
def test_colour_changes_nothing_but_colour(variant: str, seats: int, colour: Colour) -> None:
    for position in moments(variant, seats):
        painted = text(position, colour=colour, names=NAMES)
        assert "\x1b[" in painted
        lines = [line.rstrip() for line in plain(painted).splitlines()]
        assert lines == text(position, colour=False, names=NAMES).splitlines()


def test_plain_text_is_ascii(variant: str, seats: int) -> None:
    for position in moments(variant, seats):
        for language in ("en", "de", "nl"):
            shown = text(position, colour=False, unicode=False, names=["Zoë", "安娜"], language=language)
            assert shown.isascii()
            assert "\x1b" not in shown


def test_symbols_differ_without_colour() -> None:
    """COLOURS: colour is never the only cue."""
    assert len(set(SHAPES)) == 6
    assert [columns(shape) for shape in SHAPES] == [1] * 6


def test_a_viewer_sees_nothing_of_the_other_racks(variant: str, seats: int) -> None:
    for position in moments(variant, seats)[:2]:
        for viewer in range(seats):
            racks = tuple(
                rack if seat == viewer else tuple(TILES[seat + 7 : seat + 7 + len(rack)])
                for seat, rack in enumerate(position.racks)
            )
            other = position.change(racks=racks, bag=position.bag[::-1])
            seen = text(position.view({viewer}), colour=False)
            assert text(other.view({viewer}), colour=False) == seen
            assert seen.count("▒▒▒") == sum(rack.count(HIDDEN) for rack in position.view({viewer}).racks)


def test_rows_are_offset_by_half_a_cell_and_cells_are_where_their_names_say() -> None:
    position = moments("classic", 3)[1]
    layout = position.table
    assert isinstance(layout, Layout)
    rows = {line[0]: line for line in board_lines(layout, Pen(unicode=False))[1:-1]}
    radius = layout.board.radius
    for n, cell in enumerate(layout.board.cells):
        name = cell_name(layout.board, cell)
        column = 4 + 2 * abs(cell[1]) + 4 * (int(name[1:]) - 1)
        expected = "ROYGBP."[layout.symbols[n]]
        assert rows[name[0]][column] == expected, name
    assert len(rows) == 2 * radius + 1


def test_the_halves_of_a_tile_are_joined() -> None:
    position = genial.new("classic", seats=2, seed=7)
    layout = position.table
    assert isinstance(layout, Layout)
    number = layout.board.number
    drawn = {}
    for direction, other in enumerate([(1, 0), (0, 1), (-1, 1)]):
        laid = layout.lay(number[0, 0], number[other], (0, 4))
        drawn[direction] = "\n".join(board_lines(laid, Pen()))
    assert "✹───★" in drawn[0]
    assert re.search(r"✹╲ .*\n.*[^─]╲★", drawn[1])
    assert re.search(r"╱✹.*\n.*★╱", drawn[2])


def test_levels_are_written_beside_stacked_halves() -> None:
    position = moments("3d", 2)[1]
    layout = position.table
    assert isinstance(layout, Layout)
    levels = sum(height > 1 for height in layout.heights)
    body = "\n".join(line[1:-2] for line in board_lines(layout, Pen(unicode=False))[1:-1])
    assert len(re.findall(r"\d", body)) == levels > 3


def test_duel_is_labelled_as_reconstructed() -> None:
    """DUEL."""
    for language, label in (("en", "reconstructed"), ("de", "rekonstruiert"), ("nl", "gereconstrueerd")):
        for position in moments("duel", 2):
            assert label in text(position, colour=False, language=language)


def test_names_cannot_control_the_terminal() -> None:
    position = genial.new("classic", seats=2, seed=7)
    shown = text(position, colour=False, names=["\x1b[2JAnna\r\n\x07", "Bert"])
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\r" not in shown
    assert "\\x1b[2JAnna\\r\\n\\x07's turn" in shown


def test_the_viewers_lowest_is_labelled_and_the_seat_to_move_marked() -> None:
    position = genial.new("classic", seats=2, seed=7)
    position = position.change(racks=(("RO",) * 6, position.racks[1]))
    position, _ = position.apply(Place("RO", ((1, -5), (2, -5))))
    shown = text(position.view({0}), colour=False, names=NAMES)
    assert shown.count("◂ lowest") == 5
    assert "▶ Anna" in shown
    assert "108 tiles left" in shown


def test_ranks_are_shown_when_the_game_is_over() -> None:
    position = moments("classic", 4)[-1]
    assert position.result
    shown = text(position, colour=False, names=NAMES)
    for name, rank in zip(NAMES, position.result.ranks, strict=True):
        assert f"{name}, {rank_words(rank)}" in shown


def test_the_losing_team_is_second_although_two_seats_are_ahead() -> None:
    """RANKING, TEAM"""
    position = moments("classic-team", 4)[-1]
    assert position.result
    assert sorted(position.result.ranks) == [1, 1, 3, 3]
    for shown in (text(position, colour=False), draw(position)):
        assert re.search(r"2nd|>2\. ", shown)
        assert not re.search(r"3rd|>3\. ", shown)


def test_open_cards_and_piles_are_shown() -> None:
    """CARDS: two open cards each with two players."""
    position = moments("cards", 2)[0]
    shown = text(position, colour=False, unicode=False, names=NAMES)
    assert f"draw pile {position.supply}, discard pile 0" in shown
    assert "^ discarded next" in shown
