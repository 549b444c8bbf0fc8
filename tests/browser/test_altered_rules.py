"""The client has no rules of its own: if a server plays by rules that no edition has, it shows those."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import Arrive, Download
from tests.browser.hands import middle
from tests.browser.person import Person, play
from tests.browser.record import shown_tracks
from tests.browser.server import house
from tests.browser.tables import resign, sit_together
from tests.browser.waiting import until

import genial

PLACE = 2
"""Where markers earn a bonus move here, instead of at 18. Played at random, one game in forty ends before
any marker reaches 4, and none of 3,000 before one reaches 2."""
SOUNDS_ON = """if (location.protocol !== "about:")
    localStorage.genial = JSON.stringify({ ...JSON.parse(localStorage.genial ?? "{}"), sound: true });"""
LISTEN = """() => {
    window.shown = []; // what could be read, as it changed
    const look = () => shown.push(document.querySelector("main").innerText);
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    window.tones = [];
    window.OscillatorNode = class extends OscillatorNode {
        constructor(on, options) { super(on, options); tones.push(options.frequency); }
    };
}"""
"""Keeps what the page shows, even for a moment, and the tones that it plays."""


def test_the_client_follows_another_bonus_place(
    browser: Browser, tmp_path: Path, arrive: Arrive, downloads: Download
) -> None:
    with house(tmp_path / "genial.db", "--bonus-place", str(PLACE)) as altered:
        ada, bert = arrive("Ada"), arrive("Bert")
        ada.page.add_init_script(SOUNDS_ON)
        sit_together(altered.url, [ada, bert], "classic", 2)
        until(lambda: marked_place(ada.page) == pytest.approx(PLACE, abs=0.2), "the mark stands elsewhere")
        for person in (ada, bert):
            person.page.evaluate(LISTEN)
        before = {person.name: shown_tracks(person, person.name)[0] for person in (ada, bert)}
        play([ada, bert], lambda: earned(ada) or earned(bert))
        happy = ada if earned(ada) else bert
        other = bert if happy is ada else ada
        called(happy, "table_bonus_own")
        heard = called(other, "table_bonus_of", name=happy.name)
        expect(other.page.locator("[aria-live]", has_text=heard)).to_be_attached()
        after = shown_tracks(happy, happy.name)[0]
        passed = [new for old, new in zip(before[happy.name], after, strict=True) if old < PLACE <= new]
        assert passed, "a bonus move without a marker at the place that brings it"
        assert max(after) < 18, "the printed rule might have given this one"
        # The call is higher than any other sound, and is heard only where sounds are on.
        assert max(ada.page.evaluate("tones")) > 1000
        assert not bert.page.evaluate("tones")
        moves = happy.screen.history.count()
        happy.act()  # the bonus move is really theirs
        expect(happy.screen.history).to_have_count(moves + 1)
        resign(ada)
        # The printed rules forbid this game, so the client played by this server's.
        assert genial.check(downloads(ada)).status == "breach"


def earned(person: Person) -> bool:
    """Return whether the screen tells the player of a bonus move."""
    told = person.words("now-bonus-place", count=1).partition("!")[0]
    said = f"{person.words('table_your_turn')}. {told}"
    return person.page.get_by_role("status").filter(has_text=said).is_visible()


def called(person: Person, key: str, **params: object) -> re.Pattern[str]:
    """Wait for the call, which names whoever earned one or two bonus moves, and return its pattern."""
    texts = "|".join(re.escape(person.words(key, count=count, **params)) for count in (1, 2))
    call = re.compile(rf"{re.escape(person.words('table_bonus_call'))}[\s\S]*({texts})")
    person.page.wait_for_function(
        "call => shown.some((found) => new RegExp(call).test(found))", arg=call.pattern.replace(r"\ ", " ")
    )
    return call


def marked_place(page: Page) -> float:
    """The place of the bonus mark, measured on the screen against the scale's numbers.

    Marks have no role: screen readers are told of bonus moves in words.
    """
    scale = page.locator(".axis")
    ends = [middle(figure)[1] for figure in (scale.first, scale.last)]
    figures = [int(figure) for figure in (scale.first.inner_html(), scale.last.inner_html())]
    mark = middle(page.locator(".bonus").first)[1]
    return figures[0] + (mark - ends[0]) / (ends[1] - ends[0]) * (figures[1] - figures[0])
