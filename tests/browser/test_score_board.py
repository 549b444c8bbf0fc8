"""The score board: everybody's time, all markers on one scale, the lowest marked once for each side."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import PHONE, Arrive
from tests.browser.hands import middle
from tests.browser.moments import Moment, Moments
from tests.browser.moments import middle as in_the_middle
from tests.browser.person import Person
from tests.browser.record import shown_tracks
from tests.browser.server import House
from tests.browser.tables import begun
from tests.browser.words import words_in


def sit(person: Person, url: str, variant: str, places: str, moment: Moment, **settings: Any) -> None:
    """Open a game at this moment."""
    tables = Moments(person, url)
    table = tables.table(variant, places, **settings)
    tables.play(table, moment)
    person.page.goto(f"{url}/table/{table}")
    begun(person)


def markers(person: Person, seat: int) -> Locator:
    """The discs of a side. Screen readers have the same in a list."""
    return person.page.locator(f".marker[data-track-of~='{seat}']")


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_the_name_of_a_guest_is_not_cut_short(seeded: House, arrive: Arrive, language: str) -> None:
    """Not even on a small desktop, beside a bot's rack, or while the bot is shown as thinking."""
    guest = arrive(words_in(language)("guest"), language=language)
    sit(guest, seeded.url, "classic", "mr", in_the_middle(2))
    board = guest.page.get_by_role("region", name=guest.words("table_tracks"))
    name = board.get_by_role("heading", name=guest.name, exact=True)
    is_whole = "(name) => name.scrollWidth <= name.clientWidth"
    assert name.evaluate(is_whole)
    board.evaluate(
        "(board, words) => { const said = document.createElement('span'); said.textContent = words;"
        " board.querySelector('.end .note').prepend(said); }",
        guest.words("table_turn_other"),
    )
    assert name.evaluate(is_whole)


@pytest.mark.parametrize("places", ["mr", "mrrr"])
def test_a_phone_shows_everybodys_time(seeded: House, arrive: Arrive, places: str) -> None:
    ada = arrive("Ada", phone=True)
    sit(ada, seeded.url, "classic", places, in_the_middle(4), clock={"total": 300})
    clocks = ada.page.get_by_role("region", name=ada.words("table_tracks")).get_by_role("timer")
    expect(clocks).to_have_count(len(places))
    for clock in clocks.all():
        expect(clock).to_be_visible()
        expect(clock).to_have_text(re.compile(r"^[45]:\d\d$"))
        box = clock.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]


def test_both_sides_share_one_scale_and_each_lowest_marker_is_marked_once(
    seeded: House, arrive: Arrive
) -> None:
    ada = arrive("Ada")
    sit(ada, seeded.url, "classic", "mr", in_the_middle(24))
    own, other = (shown_tracks(ada, name)[0] for name in ("Ada", ada.words("bot-random")))
    heights = [
        (place, middle(disc)[1])
        for seat, track in enumerate((own, other))
        for place, disc in zip(track, markers(ada, seat).all(), strict=True)
    ]
    (low, bottom), (high, top) = min(heights), max(heights)
    for place, y in heights:
        assert y == pytest.approx(bottom + (place - low) / (high - low) * (top - bottom), abs=1)
    lines = ada.page.locator(".score .line")
    expect(lines).to_have_count(2)
    drawn = sorted(middle(line.locator("svg").first)[1] for line in lines.all())
    wanted = sorted(dict(heights)[min(track)] for track in (own, other))
    # Lines that would cover each other lie side by side.
    assert drawn == pytest.approx(wanted, abs=3)


def test_an_aimed_move_shows_on_the_tracks_before_it_is_made(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    sit(ada, seeded.url, "classic", "mr", in_the_middle(16))
    ada.hand.press(ada.screen.tiles.first)
    told = ada.screen.track("Ada").get_by_role("listitem")
    for cell in [middle(cell) for cell in ada.screen.permitted.all()]:
        ada.page.mouse.move(*cell)
        gains = {n: text.split("+")[1][0] for n, text in enumerate(told.all_inner_texts()) if "+" in text}
        if gains:
            break
    else:
        raise AssertionError("no place brings points")
    shown = ada.page.get_by_role("region", name=ada.words("table_tracks")).locator(".gain")
    expect(shown).to_have_text([f"+{points}" for points in gains.values()])
    for gain, colour in zip(shown.all(), gains, strict=True):
        disc = ada.page.locator(f".marker[data-track='{colour}']")
        assert middle(gain)[0] == pytest.approx(middle(disc)[0], abs=2)
        assert middle(gain)[1] < middle(disc)[1]


@pytest.mark.parametrize("phone", [False, True])
def test_the_opponent_to_compare_with_can_be_chosen(seeded: House, arrive: Arrive, phone: bool) -> None:
    ada = arrive("Ada", phone=phone)
    sit(ada, seeded.url, "classic", "mrrr", in_the_middle(24))
    bot = ada.words("bot-random")
    for seat, name in enumerate((bot, f"{bot} 2", f"{bot} 3"), start=1):
        choice = ada.screen.button("table_track_of", name=name)
        choice.focus()
        ada.page.keyboard.press("Enter")
        expect(choice).to_have_attribute("aria-pressed", "true")
        expect(ada.page.locator("[aria-pressed=true]", has_text=bot)).to_have_count(1)
        compared = ada.page.locator(f"[data-track-of~='{seat}'][data-colour]")
        expect(compared).to_have_count(6)
    # Players who aren't compared are listed all the same.
    expect(ada.screen.track(bot)).to_have_count(1)


def test_the_duels_ropes_are_pulled_towards_the_leader(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    sit(ada, seeded.url, "duel", "mr", in_the_middle(12))
    track = shown_tracks(ada, "Ada and " + ada.words("bot-random"))[0]
    centre = middle(ada.page.locator(".rope .middle").first)[0]
    for place, disc in zip(track, markers(ada, 0).all(), strict=True):
        x = middle(disc)[0]
        assert (x < centre - 1) == (place > 0)
        assert (x > centre + 1) == (place < 0)
