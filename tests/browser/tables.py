"""Setting up a table by the page for it: against bots, alone, on one screen, or with others by a link."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.person import Person

QUICK_BOT = "random"
"""A device remembers the bot it last played against; ours remembers one that does not think long."""


def new_table(
    host: Person, url: str, variant: str, seats: int, mode: str, *, people: int = 1, first: int | None = 0
) -> None:
    """The page that sets up a table, filled in and sent.

    `people` come to the first places, bots to the others. `first` is the place that begins; None: by lot.
    """
    page, words = host.page, host.words
    page.goto(f"{url}/new/{variant}?mode={mode}")
    expect(page.get_by_role("heading", level=1, name=words(f"title-{variant}"))).to_be_visible()
    if page.get_by_role("group", name=words("seats_label")).is_visible():
        page.get_by_role("radio", name=str(seats), exact=True).check()
    if mode != "pass":
        page.get_by_label(words("your_name")).fill(host.name)
    if mode in ("bots", "link"):
        for place in range(people + 1, seats + 1):
            label = words("place_bot" if mode == "bots" else "place_who", place=place)
            page.get_by_label(label).select_option(label=words(f"bot-{QUICK_BOT}"))
    if mode != "solo" and first is not None:
        page.get_by_text(words("more_settings")).click()
        page.get_by_label(words("first_label")).select_option(label=words("first_place", place=first + 1))
    page.get_by_role("button", name=words("create" if mode == "link" else "play_now"), exact=True).click()


def play_against_bots(host: Person, url: str, variant: str, seats: int, *, first: int | None = 0) -> None:
    """A table with bots at all other places."""
    new_table(host, url, variant, seats, "bots", first=first)
    begun(host)


def sit_together(url: str, people: list[Person], variant: str, seats: int, *, first: int | None = 0) -> None:
    """The first sets up a table by link, the others come by its code; bots take the places that are left."""
    host, *guests = people
    new_table(host, url, variant, seats, "link", people=len(people), first=first)
    code = host.page.get_by_text(host.words("join_code")).locator("..").inner_text().split()[-1]
    for guest in guests:
        guest.page.goto(f"{url}/join/{code}")
        guest.page.get_by_label(guest.words("your_name")).fill(guest.name)
        guest.page.get_by_role("button", name=guest.words("sit_down")).click()
    for person in people:
        begun(person)


def begun(person: Person) -> None:
    """The game is on the screen."""
    expect(person.page.get_by_role("list", name=person.words("table_moves"))).to_be_attached()
