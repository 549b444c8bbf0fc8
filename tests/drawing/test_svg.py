"""Pictures are well-formed, the same every time, and show a viewer nothing hidden."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from tests.play import walk

import genial
from genial.core.actions import Place, Play
from genial.core.errors import IllegalAction, NotationError
from genial.core.explain import explain
from genial.core.layout import Layout
from genial.core.moves import outcome
from genial.core.pairs import legal_pairs
from genial.core.position import Position
from genial.core.ranking import side_rank
from genial.core.situation import Phase
from genial.core.tiles import TILES
from genial.drawing.palette import PALETTES
from genial.drawing.svg import draw
from genial.drawing.words import rank_words

SVG = "{http://www.w3.org/2000/svg}"


@cache
def moments(variant: str, seats: int) -> tuple[Position, ...]:
    """The start of a game, the first end of a turn, the middle of the game, and its end."""
    positions = walk((variant, seats), 5, greedily=True)
    ending = next((p for p in positions if p.phase is Phase.END_TURN), positions[1])
    middle = [p for p in positions if p.phase is Phase.PLACE]
    return positions[0], ending, middle[len(middle) // 2], positions[-1]


def best_move(position: Position) -> Place | Play:
    """The move that scores most."""
    options = [action for action in position.actions() if isinstance(action, Place | Play)]
    return max(options, key=lambda action: sum(outcome(position, action).score.gain))


def text_of(picture: str) -> str:
    """Everything written on a picture. Its title and description, which don't show, are left out."""
    return "\n".join(each.text or "" for each in ElementTree.fromstring(picture).iter(f"{SVG}text"))


def test_every_picture_is_well_formed_and_complete(variant: str, seats: int) -> None:
    for position in moments(variant, seats):
        for situation in (position, position.view({0}), position.view(set())):
            for theme in ("light", "dark"):
                picture = draw(situation, theme=theme)
                root = ElementTree.fromstring(picture)
                assert root.tag == f"{SVG}svg"
                assert root.get("role") == "img"
                named = [element.get("id") for element in (root[0], root[1])]
                assert root.get("aria-labelledby") == " ".join(str(name) for name in named)
                assert [element.tag for element in (root[0], root[1])] == [f"{SVG}title", f"{SVG}desc"]
                defined = {element.get("id") for element in root.iter()}
                used = {str(each.get("href"))[1:] for each in root.iter(f"{SVG}use")}
                assert used
                assert used <= defined


def test_a_picture_is_small_and_the_same_every_time(variant: str, seats: int) -> None:
    for position in moments(variant, seats):
        picture = draw(position)
        assert picture == draw(position)
        assert len(picture) < 60_000
        assert not re.search(r"\d?\.\d{3}", picture)


def test_a_picture_refers_to_nothing_outside_itself() -> None:
    picture = draw(moments("3d", 2)[2], mark_legal=True)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|<script|<image|@import|url\(", picture)
    assert re.findall(r"<use href=\"([^#])", picture) == []


def test_a_viewer_sees_nothing_of_the_other_racks(variant: str, seats: int) -> None:
    """Positions that differ only in what is hidden from a seat give that seat the same picture."""
    for position in moments(variant, seats)[:3]:
        for viewer in range(seats):
            other = position.change(
                racks=tuple(
                    rack if seat == viewer else tuple(TILES[seat + 7 : seat + 7 + len(rack)])
                    for seat, rack in enumerate(position.racks)
                ),
                bag=position.bag[::-1],
            )
            assert seats == 1 or other.racks != position.racks
            assert draw(other.view({viewer})) == draw(position.view({viewer}))


def test_hidden_tiles_are_counted_and_shown_as_backs() -> None:
    position = genial.new("classic", seats=2, seed=7)
    shown, hidden = draw(position, show=["racks"]), draw(position.view({0}), show=["racks"])
    assert shown.count('href="#genial-0"') == hidden.count('href="#genial-0"') == 12
    assert hidden.count('href="#genial-') == shown.count('href="#genial-') - 12


def test_duel_is_labelled_as_reconstructed_wherever_it_is_drawn() -> None:
    """DUEL."""
    position = moments("duel", 2)[2]
    for parts in (["board"], ["racks"], ["tracks"], ["board", "racks", "tracks"]):
        for language, label in (("en", "reconstructed"), ("de", "rekonstruiert"), ("nl", "gereconstrueerd")):
            assert label in text_of(draw(position, show=parts, language=language))
    assert "reconstructed" not in draw(moments("classic", 2)[2])


def test_names_are_escaped_and_cleaned() -> None:
    position = genial.new("classic", seats=2, seed=7)
    names = ['<script>alert("1")</script>&amp;', "B\x00\x1b[31m\nC"]
    picture = draw(position, names=names, title='"</title><g onload="x">')
    ElementTree.fromstring(picture)
    assert "<script" not in picture
    assert "<g onload" not in picture
    assert "\x1b" not in picture
    assert "B\\x00\\x1b[31m\\nC" in text_of(picture)
    assert '"</title><g onload="x">' in text_of(picture)


def test_missing_names_are_filled_in() -> None:
    position = genial.new("classic", seats=3, seed=7)
    written = text_of(draw(position, names=["Anna", ""], language="nl")).splitlines()
    assert {"Anna", "Speler 2", "Speler 3"} <= set(written)


def test_the_seat_to_move_and_the_tiles_left_are_shown() -> None:
    position = genial.new("classic", seats=2, seed=7)
    assert "Anna's turn · 108 tiles left" in text_of(draw(position, names=["Anna", "Bert"]))
    assert "Anna ist dran · noch 108 Steine" in text_of(draw(position, names=["Anna", "Bert"], language="de"))


def test_the_end_is_shown_with_ranks(variant: str, seats: int) -> None:
    position = moments(variant, seats)[-1]
    assert position.result
    written = text_of(draw(position, names=["Anna", "Bert", "Clara", "Dirk"]))
    assert "Game over" in written
    if seats > 1:
        for seat, name in enumerate(("Anna", "Bert", "Clara", "Dirk")[:seats]):
            rank = side_rank(position.setup.title.sides, position.result.ranks, seat)
            assert f"{name} · {rank_words(rank)}" in written or f"{rank}. {name}" in written


def test_only_the_viewers_own_lowest_is_labelled() -> None:
    position = moments("classic", 3)[2]
    lowest = min(position.tracks[1])
    written = text_of(draw(position.view({1}))).splitlines()
    assert written.count("lowest") == position.tracks[1].count(lowest)
    assert "lowest" not in text_of(draw(position)).splitlines()


def test_a_preview_shows_the_points_of_every_ray_and_their_sum(variant: str, seats: int) -> None:
    position = moments(variant, seats)[2]
    action = best_move(position)
    explained = explain(position, action)
    counted = [ray for half in explained.halves for ray in half.rays or half.matches]
    picture = draw(position.view({position.seat}), preview=action)
    assert picture.count(' r="8" ') == len(counted)
    written = text_of(picture).splitlines()
    assert f"+{sum(half.points for half in explained.halves)}" in written
    assert {f"+{gain}" for gain in explained.gain if gain} <= set(written)


def test_a_preview_must_be_lawful() -> None:
    board, cards = genial.new("classic", seats=2, seed=7), genial.new("cards", seats=2, seed=7)
    with pytest.raises(IllegalAction):
        draw(board, preview=Place("RO", ((0, 0), (3, 0))))
    with pytest.raises(IllegalAction):
        draw(board, preview=Place("RO", ((0, 0), (1, 0))))  # FIRST-TILE
    with pytest.raises(IllegalAction):
        draw(board, preview=Play("RO"))
    with pytest.raises(IllegalAction):
        draw(cards, preview=Place("RO", ((0, 0), (1, 0))))
    with pytest.raises(NotationError):
        draw(board, preview=Place("XX", ((1, -5), (2, -5))))


def test_the_cells_that_the_opening_allows_are_marked() -> None:
    """FIRST-TILE."""
    position = genial.new("classic", seats=2, seed=7)
    layout = position.table
    assert isinstance(layout, Layout)
    pairs = [pair for n, pair in enumerate(layout.board.pairs) if legal_pairs(position) >> n & 1]
    cells = {cell for pair in pairs for cell in pair.cells}
    assert draw(position, show=["board"], mark_legal=True).count("<circle") == len(cells)
    assert "<circle" not in draw(position, show=["board"])


def test_levels_are_numbered_on_stacked_halves() -> None:
    position = moments("3d", 2)[2]
    layout = position.table
    assert isinstance(layout, Layout)
    levels = sorted(str(height - 1) for height in layout.heights if height > 1)
    assert levels
    assert sorted(text_of(draw(position, show=["board"])).split()) == levels


def test_every_tile_is_one_body_over_two_cells() -> None:
    position = moments("classic", 2)[2]
    layout = position.table
    assert isinstance(layout, Layout)
    tiles = (sum(layout.heights) - 6) // 2
    bodies = re.findall(r'<use href="#genial-[012]"', draw(position, show=["board"]))
    assert len(bodies) == tiles > 5


def test_open_cards_show_which_one_goes_next() -> None:
    """CARD-TURN-END: the oldest open card is discarded."""
    start, ending, *_ = moments("cards", 3)
    assert "discarded next" not in text_of(draw(start))
    assert text_of(draw(ending)).splitlines().count("discarded next") == 1


def test_the_description_names_tiles_by_their_cells() -> None:
    position = genial.new("classic", seats=2, seed=7)
    position = position.change(racks=(("RO",) * 6, position.racks[1]))
    position, _ = position.apply(Place("RO", ((1, -5), (2, -5))))
    root = ElementTree.fromstring(draw(position, names=["Anna", "Bert"]))
    told = root[1].text or ""
    assert "Board: red a2 – orange a3. Printed symbols:" in told
    assert "Anna: red 1, orange 0" in told


@pytest.mark.parametrize("palette", PALETTES)
def test_a_palette_replaces_the_six_colours(palette: str) -> None:
    position = moments("classic", 2)[2]
    picture = draw(position, palette=palette)
    assert all(colour in picture for colour in PALETTES[palette].symbols)
    assert draw(position, palette=PALETTES[palette]) == picture


def test_unknown_choices_are_refused() -> None:
    position = genial.new("classic", seats=2, seed=7)
    with pytest.raises(ValueError, match="sepia"):
        draw(position, theme="sepia")
    with pytest.raises(ValueError, match="neon"):
        draw(position, palette="neon")
    with pytest.raises(ValueError, match="hats"):
        draw(position, show=["hats"])
