"""What is known about an edition, and the defaults for what its file leaves out."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.editions import registered

import genial
from genial.bots import bot_named, play_out
from genial.core.about import About
from genial.core.editions import decisive_lead, name_of, page_of, reckoned_turns, usual_turns
from genial.core.errors import SetupError
from genial.core.messages import LANGUAGES
from genial.core.sides import Sides
from genial.core.summary import rules_in_short
from genial.core.tiles import TileSet
from genial.core.title import BoardPlan, CardPlan
from genial.core.titles import TITLES, about_of, register, title_of
from genial.core.titles.classic import BOARD, CLASSIC
from genial.core.tracks import RaceTrack


@pytest.mark.parametrize("variant", TITLES)
def test_a_game_is_about_as_long_as_stated(variant: str) -> None:
    title = title_of(variant)
    for seats in title.seats[:1]:
        end = play_out(genial.new(variant, seats=seats, seed=5), [bot_named("balanced")] * seats, Random(5))
        assert end.turn / seats == pytest.approx(usual_turns(title, seats), rel=0.25)
    assert set(about_of(title).turns) <= set(title.seats)


@pytest.mark.parametrize("variant", TITLES)
def test_the_estimated_length_is_close_to_the_measured_one(variant: str) -> None:
    title = title_of(variant)
    for seats, turns in about_of(title).turns.items():
        assert reckoned_turns(title, seats) == pytest.approx(turns, rel=0.25)


def test_every_shipped_edition_has_a_name_of_its_own_in_every_language() -> None:
    for language in LANGUAGES:
        assert all(language in about_of(title).names for title in TITLES.values())
        assert len({name_of(variant, language) for variant in TITLES}) == len(TITLES)


def test_duel_is_labelled_reconstructed_in_every_language() -> None:
    """DUEL"""
    words = {"en": "reconstructed", "de": "rekonstruiert", "nl": "gereconstrueerd"}
    for language, word in words.items():
        assert word in name_of("duel", language)


def test_missing_details_have_defaults() -> None:
    with registered(replace(CLASSIC, variant="my-own")) as title:
        assert [name_of("my-own", language) for language in LANGUAGES] == ["My own"] * 3
        assert [usual_turns(title, seats) for seats in title.seats] == [17, 16, 16]
        assert page_of(title) is None
        assert (about_of(title).patience, decisive_lead(title)) == (1.0, 6.0)
    with registered(replace(CLASSIC, variant="my-own"), About(names={"en": "Mine"}, like=CLASSIC)) as title:
        assert name_of("my-own", "nl") == "Mine"
        assert page_of(title) == "classic"


@pytest.mark.parametrize("variant", TITLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_short_rules_name_the_titles_figures(variant: str, language: str) -> None:
    title = title_of(variant)
    told = " ".join(rules_in_short(title, language))
    assert "{" not in told
    for seats in title.seats:
        assert str(len(title.tiles[seats].tiles())) in told
        assert not isinstance(title.plan, BoardPlan) or str(len(title.plan.board(seats).cells)) in told
    assert all(str(step) in told for step in (title.track.highest_step, *title.track.bonus_steps))


def test_the_short_rules_say_whose_edition_it_is() -> None:
    title = replace(CLASSIC, variant="my-own")
    with registered(title, About(like=CLASSIC, ours=True)):
        assert "our own" in rules_in_short(title)[0]
        assert "Classic" in rules_in_short(title)[0]


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"variant": "My edition"}, "variant"),
        ({"variant": ""}, "variant"),
        ({"seats": ()}, "seats"),
        ({"seats": (2, 5)}, "seats"),
        ({"seats": (1, 2)}, "seats"),
        ({"sides": Sides.TEAMS}, "sides"),
        ({"rack": 7}, "rack"),
        ({"rack": 0}, "rack"),
        ({"track": RaceTrack(60)}, "track"),
        ({"tiles": {2: TileSet(1, 1)}}, "tiles"),
        ({"tiles": dict.fromkeys((2, 3, 4), TileSet(0, 1))}, "tiles"),
        ({"tiles": dict.fromkeys((2, 3, 4), TileSet(9, 9))}, "tiles"),
        ({"plan": replace(BOARD, radius={2: 5})}, "plan"),
        ({"plan": replace(BOARD, radius={2: 8, 3: 8, 4: 8})}, "radius"),
        ({"plan": replace(BOARD, ring=6)}, "ring"),
        ({"plan": CardPlan(open_cards=dict.fromkeys((2, 3, 4), 9))}, "open_cards"),
    ],
)
def test_an_edition_that_cannot_be_played_is_refused(changes: dict[str, object], part: str) -> None:
    before = dict(TITLES)
    with pytest.raises(SetupError) as refused:
        register(replace(CLASSIC, **({"variant": "unfit"} | changes)))  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.params["part"]) == ("edition-unfit", part)
    assert before == TITLES


def test_nothing_outside_the_titles_checks_for_a_variant_by_name() -> None:
    """Lessons are content: each belongs to the title that it teaches."""
    source = Path(genial.__file__).parent
    asked = []
    for path in sorted(source.rglob("*.py")):
        if not path.is_relative_to(source / "core" / "titles"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                asked += [f"{path.name}: {name}" for name in _compared(node) if name in TITLES]
    assert set(asked) <= {"start_page.py: quick"}  # that is also the name of a menu line


def _compared(node: ast.AST) -> list[object]:
    """The constants that something is compared with, or looked up by in a table."""
    found: list[ast.expr | None] = []
    if isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            found += side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
    elif isinstance(node, ast.Dict):
        found = list(node.keys)
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith"
    ):
        found = list(node.args)
    return [one.value for one in found if isinstance(one, ast.Constant)]


def test_a_name_can_be_registered_only_once() -> None:
    with pytest.raises(SetupError, match="already"):
        register(CLASSIC)


def test_variants_lists_what_is_currently_registered() -> None:
    assert tuple(TITLES) == genial.VARIANTS
    with registered(replace(CLASSIC, variant="my-own")):
        assert genial.VARIANTS[-1] == "my-own"
