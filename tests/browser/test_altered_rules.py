"""No rule in the client: with a server whose rules nobody has printed, it shows and plays those."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect
from tests.browser.conftest import Arrive, Download
from tests.browser.hands import middle
from tests.browser.person import Person, play
from tests.browser.record import shown_tracks
from tests.browser.server import house
from tests.browser.tables import sit_together

import genial

PLACE = 4
"""Where markers earn a bonus move here; printed tracks have it at 18."""


def test_the_client_follows_another_bonus_place(
    browser: Browser, tmp_path: Path, arrive: Arrive, downloads: Download
) -> None:
    with house(tmp_path / "genial.db", "--bonus-place", str(PLACE)) as altered:
        ada, bert = arrive("Ada"), arrive("Bert")
        sit_together(altered.url, [ada, bert], "classic", 2)
        assert marked_place(ada.screen.track("Ada")) == pytest.approx(PLACE, abs=0.2)
        before = {person.name: shown_tracks(person, person.name)[0] for person in (ada, bert)}
        play([ada, bert], lambda: earned(ada) or earned(bert))
        happy = ada if earned(ada) else bert
        after = shown_tracks(happy, happy.name)[0]
        passed = [new for old, new in zip(before[happy.name], after, strict=True) if old < PLACE <= new]
        assert passed, "a bonus move without a marker at the place that brings it"
        assert max(after) < 18, "the printed rule might have given this one"
        moves = happy.screen.history.count()
        happy.act()  # and it is really theirs
        expect(happy.screen.history).to_have_count(moves + 1)
        play([ada, bert])
        # The same game is against the printed rules: the client played by this server's.
        assert genial.check(downloads(ada)).status == "breach"


def earned(person: Person) -> bool:
    """The sentence tells of a bonus move."""
    said = person.words("now-bonus-place", count=1).partition("!")[0]
    return person.page.get_by_role("status").filter(has_text=said).is_visible()


def marked_place(track: Locator) -> float:
    """The place of the bonus mark, measured on the screen against the figures of the scale.

    Marks have no role: what hears the screen is told of bonus moves in words.
    """
    scale = track.locator(".axis")
    ends = [middle(figure)[0] for figure in (scale.first, scale.last)]
    figures = [int(figure) for figure in (scale.first.inner_html(), scale.last.inner_html())]
    mark = middle(track.locator(".bonus").first)[0]
    return figures[0] + (mark - ends[0]) / (ends[1] - ends[0]) * (figures[1] - figures[0])
