"""COLOURS and AXES: the letters, shapes and coordinates that everything else is written in."""

from __future__ import annotations

import pytest
from tests.core.rulings.helpers import (
    LETTERS,
    PRINTED,
    Cell,
    arrange,
    cells_of,
    gain_of,
    lawful_cells,
    place,
    six,
)

import genial
from genial.core.cellnames import rows
from genial.core.colours import COLOURS, SHAPES
from genial.core.errors import NotationError
from genial.core.messages import LANGUAGES, WORDS
from genial.core.tiles import normal
from genial.drawing.geometry import centre
from genial.drawing.symbols import symbol_path


def test_colours_stand_in_one_order() -> None:
    """Red, orange, yellow, green, blue, purple."""
    assert COLOURS == "ROYGBP"


def test_colours_are_six_and_no_other_letter_is_a_colour() -> None:
    with pytest.raises(NotationError) as refused:
        normal("RW")
    assert refused.value.ruling == "COLOURS"


def test_colours_each_have_a_shape_of_their_own() -> None:
    """Star with twelve points, hexagon, sun, disc, star with six points, ring."""
    expected = {"R": "star-12", "O": "hexagon", "Y": "sun", "G": "disc", "B": "star-6", "P": "ring"}
    assert dict(zip(COLOURS, SHAPES, strict=True)) == expected


def test_colours_are_never_the_only_cue_in_drawings() -> None:
    """The six outlines differ, whatever they are filled with."""
    assert len({symbol_path(colour) for colour in range(6)}) == 6


@pytest.mark.parametrize("language", LANGUAGES)
def test_colours_are_never_the_only_cue_in_words(language: str) -> None:
    """Every language has a word for each colour and another one for each shape."""
    words = {WORDS.messages(language)[f"{kind}-{n}"] for kind in ("colour", "shape") for n in range(6)}
    assert len(words) == 12


@pytest.mark.parametrize("letter", LETTERS)
def test_colours_order_is_the_order_of_gains_and_tracks(letter: str) -> None:
    """A point next to a colour's printed symbol moves the marker at that colour's number."""
    (q, r), other = PRINTED[letter], "O" if letter == "R" else "R"
    first, second = (q * 4 // 5, r * 4 // 5), (q * 3 // 5, r * 3 // 5)
    gained = six(**{letter: 1})
    position = arrange("classic", rack=f"{letter}{other} GP GP")
    assert gain_of(position, place(letter + other, first, second)) == gained


def test_axes_neighbours_of_a_cell() -> None:
    """A tile with one half in the centre may have its other half on exactly these six cells."""
    position = arrange("classic", rack="RO GP")
    beside = {cell for pair in lawful_cells(position) if (0, 0) in pair for cell in pair - {(0, 0)}}
    assert beside == {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}


@pytest.mark.parametrize(("game", "players"), [("classic", 2), ("classic", 3), ("classic", 4), ("3d", 2)])
def test_axes_centre_is_the_middle_of_every_board(game: str, players: int) -> None:
    board = genial.new(game, seats=players, seed=1).setup.board
    assert board is not None
    assert (0, 0) in board.number
    assert {(-q, -r) for q, r in board.cells} == set(board.cells)


def test_axes_rows_run_from_left_to_right() -> None:
    """A row has one r, from the top down; q increases along it."""
    board = genial.new("classic", seats=2, seed=1).setup.board
    assert board is not None
    assert [list(row) for row in rows(board)] == cells_of(5)


@pytest.mark.parametrize("cell", [(1, 0), (0, 2), (-3, 4), (5, -5), (-5, 0)])
def test_axes_on_screen(cell: Cell) -> None:
    """x is q + r/2 and y is r, each in its own unit: the cells are pointy-topped."""
    (unit_x, zero), (half_x, unit_y) = centre((1, 0)), centre((0, 1))
    assert zero == 0
    assert half_x == pytest.approx(unit_x / 2)
    assert unit_y == pytest.approx(unit_x * 3**0.5 / 2)
    assert centre(cell) == pytest.approx(((cell[0] + cell[1] / 2) * unit_x, cell[1] * unit_y))
