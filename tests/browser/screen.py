"""The table's screen, found by roles and names as a person finds it. Only this module knows the names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect
from tests.browser.words import Words

NOW = """() => {
    const tilesAndEnds = [...document.querySelectorAll("main button[aria-keyshortcuts]")]
        .filter((button) => /^[0-9es]$/.test(button.getAttribute("aria-keyshortcuts")));
    // The newest first; before there are any, the list says so in a line of its own.
    const moves = [...document.querySelectorAll("main ol li")];
    const offered = tilesAndEnds.map((button) => button.ariaLabel ?? button.textContent);
    return JSON.stringify([moves.length, moves[0]?.textContent, offered]);
}"""


@dataclass(frozen=True, slots=True)
class Screen:
    """A table as one page shows it."""

    page: Page
    words: Words

    def button(self, key: str, **params: object) -> Locator:
        """A button by the message on it."""
        return self.page.get_by_role("button", name=self.words(key, **params), exact=True)

    def either(self, *keys: str) -> Locator:
        """The button with any of these messages on it, found by one search rather than one for each."""
        names = "|".join(re.escape(self.words(key)) for key in keys)
        return self.page.get_by_role("button", name=re.compile(f"^({names})$"))

    # The turn

    @property
    def turn(self) -> Locator:
        """A button that only the player whose turn it is has."""
        return self.either("table_place", "table_play", "table_end_turn")

    @property
    def end(self) -> Locator:
        """Ends the turn."""
        return self.button("table_end_turn")

    @property
    def swap(self) -> Locator:
        return self.either("table_swap", "table_swap_cards")

    @property
    def place(self) -> Locator:
        """Makes the chosen move, with a tile or a card."""
        return self.either("table_place", "table_play")

    @property
    def take_back(self) -> Locator:
        return self.button("table_take_back")

    @property
    def curtain(self) -> Locator:
        """Pass-and-play: shows the tiles of the player whose turn it is."""
        either = (self.words.pattern(key).pattern for key in ("table_reveal", "table_reveal_cards"))
        return self.page.get_by_role("button", name=re.compile("|".join(either)))

    @property
    def over(self) -> Locator:
        """The result, which shows as soon as the game is over."""
        return self.page.get_by_role("table", name=self.words("end_figures"))

    def now(self) -> str:
        """What every deed changes: the player's tiles, the prompt, the number of moves."""
        return str(self.page.evaluate(NOW))

    def at_rest(self) -> Locator:
        """The whole table, once a button that has just appeared can be pressed."""
        if self.end.count():
            expect(self.end).to_be_enabled()
        return self.page.get_by_role("main")

    def menu(self) -> None:
        """Open the table's menu: settings, rules, and the ways out."""
        opener = self.page.locator("summary", has_text=self.words("menu_table"))
        if not opener.locator("..").evaluate("(menu) => menu.open"):
            opener.click()

    def more(self) -> None:
        """Open what is seldom needed during a turn, which on a phone is in the menu."""
        more = self.page.get_by_label(self.words("table_more"))
        if more.is_visible():
            more.click()
        else:
            self.menu()

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
    def space(self) -> Locator:
        """The controls that turn the board in space, which are there only in that view."""
        return self.page.get_by_role("group", name=self.words("three_board"))

    @property
    def permitted(self) -> Locator:
        """The cells on which the chosen tile may be laid."""
        return self.page.get_by_role("gridcell", name=self.words("table_permitted"))

    @property
    def orders(self) -> Locator:
        """Cards: the buttons that choose which symbol is scored first."""
        return self.page.get_by_role("group", name=self.words("table_orders")).get_by_role("button")

    # What the screen says

    def track(self, name: str) -> Locator:
        """Where the markers of a side stand, colour by colour."""
        return self.page.get_by_role("list", name=self.words("table_track_of", name=name), exact=True)

    @property
    def history(self) -> Locator:
        """The moves, the newest first, even in a sheet that is closed."""
        moves = self.page.get_by_role("list", name=self.words("table_moves"), include_hidden=True)
        return moves.get_by_role("listitem", include_hidden=True)

    @property
    def lost(self) -> Locator:
        """The message that the connection is lost."""
        return self.page.get_by_role("status").filter(has_text=self.words("line_lost"))

    @property
    def alert(self) -> Locator:
        return self.page.get_by_role("alert")
