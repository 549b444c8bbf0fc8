"""The table's screen, found by roles and names as a person finds it: the one place that knows the names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page
from tests.browser.words import Words


@dataclass(frozen=True, slots=True)
class Screen:
    """What one page shows of a table."""

    page: Page
    words: Words

    def button(self, key: str, **params: object) -> Locator:
        """A button by the message on it."""
        return self.page.get_by_role("button", name=self.words(key, **params), exact=True)

    # What is to be done

    @property
    def turn(self) -> Locator:
        """A button that only who is to move has."""
        return self.place.or_(self.end)

    @property
    def end(self) -> Locator:
        """Ends the turn."""
        return self.button("table_end_turn")

    @property
    def swap(self) -> Locator:
        return self.button("table_swap").or_(self.button("table_swap_cards"))

    @property
    def place(self) -> Locator:
        """Makes the move that is chosen: of a tile or of a card."""
        return self.button("table_place").or_(self.button("table_play"))

    @property
    def take_back(self) -> Locator:
        return self.button("table_take_back")

    @property
    def curtain(self) -> Locator:
        """Pass-and-play: shows the tiles of whoever is to move."""
        return self.page.get_by_role("button", name=self.words.pattern("table_reveal"))

    @property
    def over(self) -> Locator:
        """There as soon as the game is over."""
        return self.page.get_by_role("columnheader", name=self.words("table_markers"))

    # Tiles and places

    def rack(self, name: str) -> Locator:
        """The tiles or cards of a player, hidden ones included."""
        return self.page.get_by_role("group", name=self.words("table_rack_of", name=name), exact=True).or_(
            self.page.get_by_role("group", name=self.words("table_hand_of", name=name), exact=True)
        )

    @property
    def tiles(self) -> Locator:
        """The tiles or cards that can be chosen."""
        either = (
            f"{self.words.pattern('table_rack_of').pattern}|{self.words.pattern('table_hand_of').pattern}"
        )
        return self.page.get_by_role("group", name=re.compile(f"^({either})$")).get_by_role("button")

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid", name=self.words("table_board"))

    @property
    def permitted(self) -> Locator:
        """The cells on which the chosen tile may lie."""
        return self.page.get_by_role("gridcell", name=self.words("table_permitted"))

    @property
    def orders(self) -> Locator:
        """Cards: which symbol is scored first."""
        return self.page.get_by_role("group", name=self.words("table_orders")).get_by_role("button")

    # What is told

    def track(self, name: str) -> Locator:
        head = re.escape(self.words("table_track_of", name=name))
        return self.page.get_by_role("img", name=re.compile(f"^{head}:"))

    def folded(self, name: str) -> Locator:
        """Opens the track of somebody where it is folded away, as on a phone."""
        return self.page.get_by_role("group").locator("summary", has_text=name)

    @property
    def history(self) -> Locator:
        """The moves, the newest first."""
        return self.page.get_by_role("list", name=self.words("table_moves")).get_by_role("listitem")

    @property
    def lost(self) -> Locator:
        """The connection is gone."""
        return self.page.get_by_role("status").filter(has_text=self.words("line_lost"))

    @property
    def alert(self) -> Locator:
        return self.page.get_by_role("alert")
