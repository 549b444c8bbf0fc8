"""Unfinished moves are judged as they grow, and the sentence on what to do now fits the moment."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from tests.play import games, seeds, walk

import genial
from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.errors import IllegalAction
from genial.core.guidance import Guidance, Status, guide, what_now
from genial.core.hexes import DIRECTIONS, step
from genial.core.moves import outcome
from genial.core.position import Position
from genial.core.situation import Phase
from genial.core.tiles import NORMAL


@given(games, seeds)
def test_following_the_guidance_always_leads_to_a_lawful_move(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    for position in walk(game, seed)[::9]:
        found = guide(position)
        if position.phase is not Phase.PLACE:
            assert found.status is Status.IMPOSSIBLE
            continue
        tile = found.tiles[rng.randrange(len(found.tiles))]
        found = guide(position, tile)
        if position.setup.board is None:
            assert found.action == Play(tile)
        else:
            cell = found.cells[rng.randrange(len(found.cells))]
            found = guide(position, tile, cell)
            assert found.status is Status.INCOMPLETE
            direction = found.directions[rng.randrange(len(found.directions))]
            found = guide(position, tile, cell, direction)
            assert found.action == Place(tile, (cell, step(cell, direction)))
        assert found.status is Status.COMPLETE
        assert found.action is not None
        assert found.action in position.actions() or found.action.tile[0] == found.action.tile[1]
        assert found.params["points"] == sum(outcome(position, found.action).score.gain)
        position.apply(found.action)


@given(games, seeds)
def test_guidance_offers_exactly_the_lawful_placements(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    positions = [p for p in walk(game, seed) if p.phase is Phase.PLACE and p.setup.board]
    if not positions:
        return
    position = positions[rng.randrange(len(positions))]
    tile = position.racks[position.seat][0]
    offered = set()
    for cell in guide(position, tile).cells:
        for direction in guide(position, tile, cell).directions:
            offered.add(frozenset({cell, step(cell, direction)}))
    placements = [a for a in position.actions() if isinstance(a, Place) and NORMAL[a.tile] == tile]
    assert offered == {frozenset(action.cells) for action in placements}


def test_an_impossible_move_is_explained_with_its_ruling() -> None:
    position = genial.new("classic", seats=2, seed=7)
    expected = {
        ("RR", None, None): ("tile-not-held", "TILES"),
        ("XY", None, None): ("tile-unknown", "COLOURS"),
        ("OB", (9, 9), None): ("cell-off-board", "BOARD"),
        ("OB", (0, -5), None): ("cell-taken", "FREE-PLACEMENT"),
        ("OB", (0, 0), None): ("opening-untouched", "FIRST-TILE"),
        ("OB", (0, 0), 2): ("opening-untouched", "FIRST-TILE"),
        ("OB", (1, -5), 3): ("cell-taken", "FREE-PLACEMENT"),
        ("OB", (1, -5), 9): ("direction-unknown", None),
    }
    for half_made, (code, ruling) in expected.items():
        found = guide(position, *half_made)
        assert (found.status, found.code, found.ruling) == (Status.IMPOSSIBLE, code, ruling)
        assert found.text("de")
        assert found.text("nl")


def test_the_wording_fits_the_edition() -> None:
    """No tile, rack or bag in the card game, start stones in 3D, and no codes of phases."""
    cards, solid = genial.new("cards", seats=2, seed=7), genial.new("3d", seats=2, seed=7)
    assert guide(cards).code == "pick-card"
    assert guide(solid, solid.racks[0][0], (0, 0)).code == "opening-stone"
    with pytest.raises(IllegalAction, match="This edition is played with cards"):
        cards.apply(Place(cards.racks[0][0], ((0, 0), (0, 1))))
    with pytest.raises(IllegalAction, match="This edition is played with tiles"):
        solid.apply(Play(solid.racks[0][0]))
    ended, _ = cards.apply(Play(cards.racks[0][0]))
    assert ended.phase is Phase.END_TURN
    assert guide(ended, ended.racks[0][0]).code == "not-now"
    wrong = {
        "en": r"\b(tiles?|racks?|bag|board|spaces?)\b",
        "de": "Stein|bank|Beutel|Spielplan|Feld",
        "nl": "ste(en|nen)|bank|buidel|bord|veld",
    }
    told: list[IllegalAction | Guidance] = [guide(cards), what_now(cards), what_now(ended)]
    told += [_refused(ended, Swap()), _refused(cards, Refill()), _refused(cards, Swap())]
    told += [_refused(cards, Play("XX")), _refused(ended, Play(ended.racks[0][0]))]
    for language, pattern in wrong.items():
        for error in told:
            if error.code != "tile-unknown":
                assert not re.search(pattern, error.text(language)), (language, error.code)


def _refused(position: Position, action: Action) -> IllegalAction | Guidance:
    try:
        return what_now(position.apply(action)[0])
    except IllegalAction as error:
        return error


@given(games, seeds)
def test_what_to_do_now_is_worded_for_every_moment_and_viewer(game: tuple[str, int], seed: int) -> None:
    for position in walk(game, seed, greedily=True):
        for situation in (position, position.view({position.seat}), position.view(set())):
            for language in ("en", "de", "nl"):
                assert what_now(situation).text(language)


def test_what_to_do_now_follows_the_opening() -> None:
    classic = genial.new("classic", seats=2, seed=7)
    assert what_now(classic).code == "now-opening-printed"
    assert what_now(genial.new("3d", seats=2, seed=7)).code == "now-opening-stone"
    assert what_now(genial.new("cards", seats=2, seed=7)).code == "now-play"
    codes = [what_now(position).code for position in walk(("classic", 2), 3)]
    assert codes[0] == codes[2] == "now-opening-printed"
    assert codes[4] == "now-place"
    assert codes[-1] == "now-over"
    assert len(DIRECTIONS) == 6
