"""The pieces of the screen: the board in every size, moving the cursor, turning tiles, tracks."""

from __future__ import annotations

import pytest

import genial
from genial.core.actions import Place
from genial.core.board import hexagonal_board
from genial.core.guidance import Status
from genial.core.layout import Layout
from genial.core.tracks import RaceTrack
from genial.terminal.board_text import SCALES, Marks, Scale, board_text, cell_at
from genial.terminal.choices import best_points, choices
from genial.terminal.entry import new_session
from genial.terminal.half_made import DOWN, LEFT, RIGHT, UP, HalfMade
from genial.terminal.preview import preview_of
from genial.terminal.session import Session
from genial.terminal.tracks_text import tracks_text


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("radius", [4, 5, 7])
def test_every_cell_is_found_under_its_own_characters(scale: Scale, radius: int) -> None:
    board = hexagonal_board(radius, 3)
    for cell in board.cells:
        x, y = scale.corner(board, cell)
        assert {cell_at(board, scale, x + dx, y + scale.lines - 1) for dx in range(scale.columns)} == {cell}
        assert x >= 0
        assert x + scale.columns <= scale.width(board)


@pytest.mark.parametrize("scale", SCALES)
def test_a_board_is_as_large_as_its_scale_says(scale: Scale) -> None:
    table = genial.new("classic", seats=4, seed=7).table
    assert isinstance(table, Layout)
    lines = board_text(table, scale, Marks(cursor=(0, 0))).plain.split("\n")
    assert len(lines) == scale.height(table.board)
    assert {len(line) for line in lines} == {scale.width(table.board)}
    assert "[" in "".join(lines)


@pytest.mark.parametrize("radius", [4, 5, 6, 7])
def test_the_cursor_reaches_every_cell_and_up_undoes_down(radius: int) -> None:
    board, half_made = hexagonal_board(radius, 3), HalfMade()
    reached, todo = {(0, 0)}, [(0, 0)]
    while todo:
        start = todo.pop()
        for way in (LEFT, RIGHT, UP, DOWN):
            half_made.cell = start
            half_made.move(board, way)
            if half_made.cell not in reached:
                reached.add(half_made.cell)
                todo.append(half_made.cell)
    assert reached == set(board.cells)
    half_made.cell = (0, 0)
    for way in (DOWN, DOWN, UP, UP, LEFT, RIGHT):
        half_made.move(board, way)
    assert half_made.cell == (0, 0)


def test_turning_visits_every_direction_that_fits_and_no_other() -> None:
    view = genial.new("classic", seats=2, seed=7).view({0})
    half_made = HalfMade(cell=(1, -5))
    half_made.pick(view, 0)
    seen = []
    for _ in range(len(half_made.directions(view))):
        seen.append(half_made.direction(view))
        half_made.rotate(view)
    assert sorted(seen) == sorted(half_made.directions(view))
    half_made.rotate(view, -1)
    assert half_made.direction(view) == seen[-1]


def test_every_choice_is_lawful_and_scores_what_it_says() -> None:
    position = genial.new("3d", seats=2, seed=7)
    for _ in range(8):
        position, _ = position.apply(position.actions()[0])
    view = position.view({position.seat})
    if not view.actions() or not isinstance(view.actions()[0], Place):
        position, _ = position.apply(view.actions()[0])
        view = position.view({position.seat})
    for tile in dict.fromkeys(view.racks[view.seat]):
        found = choices(view, tile)
        assert {choice.action for choice in found} == {a for a in view.actions() if a.tile == tile}  # type: ignore[union-attr]
        for choice in found[:20]:
            assert position.apply(choice.action)[1][0].gain == choice.score.gain  # type: ignore[union-attr]
        heat = best_points(view, tile)
        assert max(heat.values()) == sum(found[0].score.gain)
        flipped = best_points(view, tile[::-1])
        assert max(flipped.values()) == max(heat.values())


def test_a_preview_shows_the_moves_cells_points_and_markers() -> None:
    session = new_session("classic", seed="7")
    view = session.view()
    best = choices(view, view.racks[0][0])[0]
    assert isinstance(best.action, Place)
    half_made = HalfMade(number=0, cell=best.action.cells[0])
    while half_made.guidance(view).action != best.action:
        half_made.rotate(view)
    preview = preview_of(view, half_made)
    assert preview.guidance is not None
    assert preview.guidance.status is Status.COMPLETE
    assert set(preview.marks.ghost) == set(best.action.cells)
    assert len(preview.marks.counted) == sum(best.score.gain)
    assert preview.markers == best.score.markers


def test_nothing_can_be_picked_from_a_hidden_rack() -> None:
    view = genial.new("classic", seats=2, seed=7).view(set())
    assert HalfMade(number=0).tile(view) is None


@pytest.mark.parametrize("width", [17, 24, 33, 60, 120])
def test_tracks_show_every_number_at_every_width(width: int) -> None:
    position = genial.new("classic", seats=4, seed=7)
    tracks = tuple(tuple(range(side, side + 6)) for side in (1, 4, 7, 12))
    session = Session(position.change(tracks=tracks), [None, "random", "random", "random"])
    lines = tracks_text(session, session.view(), width, 20).plain.split("\n")
    for colour in range(6):
        numbers = "".join(c if c.isdecimal() else " " for c in lines[1 + colour]).split()
        assert numbers == [str(markers[colour]) for markers in tracks]
    assert max(map(len, lines)) <= max(width, 17)


def test_an_empty_track_never_shows_a_filled_bar() -> None:
    session = new_session("classic", seed="7")
    assert isinstance(session.setup.title.track, RaceTrack)
    for width in range(20, 90):
        assert "█" not in tracks_text(session, session.view(), width, 20).plain


@pytest.mark.parametrize("bar", [3, 5, 9, 13, 18])
def test_a_bar_is_filled_in_proportion_up_to_its_marker(bar: int) -> None:
    tracks = ((0, 1, 8, 12, 17, 18), (18, 17, 12, 8, 1, 0))
    position = genial.new("classic", seats=2, seed=7).change(tracks=tracks)
    session = Session(position, [None, "random"])
    room, top = bar + 5, 18
    lines = tracks_text(session, session.view(), 3 + 2 * room, 20).plain.split("\n")
    for side, markers in enumerate(tracks):
        for colour, marker in enumerate(markers):
            begin = 3 + side * room + 3
            drawn = lines[1 + colour][begin : begin + bar]
            # Each character stands for the steps up to its share of the track.
            ends = [number * top // bar for number in range(bar + 1)]
            whole = sum(end <= marker for end in ends[1:])
            begun = whole < bar and marker > ends[whole]
            assert drawn[:whole] == "█" * whole
            assert drawn[whole:].startswith("▌") == begun
            assert not set(drawn[whole + begun :]) & set("█▌▒")
            assert len(drawn) == bar
            assert drawn.endswith("█" if marker == top else "▌" if begun and whole == bar - 1 else "+")


def test_a_bar_shows_what_the_unfinished_move_would_add() -> None:
    position = genial.new("classic", seats=2, seed=7)
    before, after = (3, 0, 18, 5, 5, 5), (6, 0, 18, 5, 7, 5)
    position = position.change(tracks=(before, (0,) * 6))
    session = Session(position, [None, "random"])
    lines = tracks_text(session, session.view(), 3 + 2 * 23, 20, after).plain.split("\n")
    rest = "·" * 17 + "+"
    for colour, (now, then) in enumerate(zip(before, after, strict=True)):
        drawn = lines[1 + colour][3:26]
        assert drawn[:2] == f"{then:2}"
        assert (drawn[2] == "+") == (then != now)
        assert drawn[3:21] == "█" * now + "▒" * (then - now) + rest[then:]
        assert lines[1 + colour][26 + 3 : 26 + 21] == rest
