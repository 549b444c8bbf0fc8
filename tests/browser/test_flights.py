"""Animations over the table: tiles come from whoever lays them, and points fly to the markers they move."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import Arrive
from tests.browser.hands import middle
from tests.browser.moments import Moments, start
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun, sit_together

NEAR = 6
"""Pixels: symbols are not equally wide on all sides."""


def hold_still(person: Person) -> None:
    """Freeze every animation at its start, until `finish` takes it to its end."""
    person.page.emulate_media(reduced_motion="no-preference")
    browser = person.page.context.new_cdp_session(person.page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 0})


def finish(person: Person) -> None:
    """Take every animation to its end."""
    person.page.evaluate(
        "document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity)"
        ".forEach((one) => one.finish())"
    )


def lay_for_points(person: Person) -> None:
    """Lay the first tile where it scores."""
    tracks = person.page.get_by_role("region", name=person.words("table_tracks"))
    told = tracks.get_by_role("listitem")
    person.page.keyboard.press("1")
    for _ in range(person.screen.permitted.count()):
        person.page.keyboard.press("PageDown")
        if any("+" in text for text in told.all_inner_texts()):
            person.page.keyboard.press("Enter")
            expect(person.screen.end).to_be_enabled()
            return
    raise AssertionError("no place brings points")


def coming(person: Person) -> Locator:
    """The symbols of a tile that has set out."""
    set_out(person, ".over g:has(> .face)")
    return person.page.locator(".over g:has(> .face) > .symbol")


def set_out(person: Person, selector: str) -> None:
    """Wait until all of these are in flight: their ways are measured when they have been drawn."""
    person.page.wait_for_function(
        """(selector) => {
            const flying = document.getAnimations().map((one) => one.effect.target);
            const found = [...document.querySelectorAll(selector)];
            return found.length > 0 && found.every((one) => flying.some((target) => target.contains(one)));
        }""",
        arg=selector,
    )


def points_end_at_markers(person: Person, seat: int) -> None:
    """Expect every number to end its flight at the marker of its colour."""
    figures = person.page.locator(".over rect.one")
    set_out(person, ".over rect.one")
    finish(person)
    for figure in figures.all():
        colour = figure.evaluate("(one) => [...one.classList].find((name) => /^c\\d$/.test(name)).slice(1)")
        marker = person.page.locator(f"[data-track-of~='{seat}'][data-colour='{colour}']")
        assert middle(figure) == pytest.approx(middle(marker), abs=NEAR)


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("variant", ["classic", "duel"])
def test_your_own_points_fly_to_your_markers(
    seeded: House, arrive: Arrive, variant: str, phone: bool
) -> None:
    ada = arrive("Ada", phone=phone)
    hold_still(ada)
    tables = Moments(ada, seeded.url)
    table = tables.table(variant, "mr")
    tables.play(table, start)
    ada.page.goto(f"{seeded.url}/table/{table}")
    begun(ada)
    lay_for_points(ada)
    points_end_at_markers(ada, 0)


@pytest.mark.parametrize("phone", [False, True])
def test_an_opponents_tile_comes_from_their_face(server: House, arrive: Arrive, phone: bool) -> None:
    ada, bert = arrive("Ada", phone=phone), arrive("Bert")
    hold_still(ada)
    sit_together(server.url, [ada, bert], "classic", 2, first=1)
    lay_for_points(bert)
    seat = 0  # seats are counted from the player who begins
    tile = coming(ada)
    expect(tile).to_have_count(2)
    (ax, ay), (bx, by) = (middle(symbol) for symbol in tile.all())
    face = ada.page.locator(f"[data-face-of='{seat}']").first
    assert ((ax + bx) / 2, (ay + by) / 2) == pytest.approx(middle(face), abs=NEAR)
    points_end_at_markers(ada, seat)


def test_laying_a_tile_does_not_restyle_the_whole_page(seeded: House, arrive: Arrive) -> None:
    """Every tile makes somebody less of a newcomer, which changes nothing about the look of the page."""
    ada = arrive("Ada")
    tables = Moments(ada, seeded.url)
    table = tables.table("classic", "mr")
    tables.play(table, start)
    ada.page.goto(f"{seeded.url}/table/{table}")
    begun(ada)
    ada.page.evaluate(
        """() => {
            window.restyled = [];
            new MutationObserver((found) => window.restyled.push(...found.map((one) => one.attributeName)))
                .observe(document.documentElement, { attributes: true });
        }"""
    )
    laid = "JSON.parse(localStorage.genial ?? '{}').laid ?? 0"
    before = ada.page.evaluate(laid)
    lay_for_points(ada)
    assert ada.page.evaluate(laid) == before + 1
    assert ada.page.evaluate("window.restyled") == []
