"""Sets up tables on the page for it: against bots, alone, on one screen, or with others by a link."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from tests.browser.moments import BITS
from tests.browser.person import Person
from tests.browser.waiting import laid_out
from tests.play import last_moves

from genial.terminal.words import bot_to_choose

QUICK_BOT = "random"
"""A device remembers the bot it last played against. Ours remembers one that doesn't think for long."""


def at(url: str, page: str) -> str:
    """The address of a page of a server's app, or of a site, which names its pages in the query.

    >>> at("http://a.example", "/new/3d?mode=bots"), at("http://b.example/genial/?", "/new/3d?mode=bots")
    ('http://a.example/new/3d?mode=bots', 'http://b.example/genial/?/new/3d&mode=bots')
    """
    return url + (page.replace("?", "&") if url.endswith("?") else page)


def at_home(person: Person, url: str) -> None:
    """Open the start page, and wait until it has loaded everything."""
    person.page.goto(url)
    expect(play_button(person)).to_be_enabled()


def play_button(person: Person) -> Locator:
    """The button that starts a game with one click."""
    return person.page.get_by_role("button", name=person.words("home_play"), exact=True)


def left_open(person: Person, variant: str) -> Locator:
    """The link back to an unfinished game of this title."""
    go_on, title = (re.escape(person.words(key)) for key in ("left_go_on", f"title-{variant}"))
    return person.page.get_by_role("link", name=re.compile(f"{go_on}.*{title}"))


def on_the_shelf(person: Person, variant: str) -> Locator:
    """A title on the shelf of the start page."""
    shelf = person.page.get_by_role("region", name=person.words("all_titles"))
    name = re.compile(rf"^{re.escape(person.words(f'title-{variant}'))}\s*\d")
    return shelf.get_by_role("button", name=name)


def new_table(
    host: Person, url: str, variant: str, seats: int, mode: str, *, people: int = 1, first: int | None = 0
) -> None:
    """Fill in the page that sets up a table, and send it.

    `people` get the first places, bots the others. `first` is the place that begins, by lot if None.
    """
    page, words = host.page, host.words
    page.goto(at(url, f"/new/{variant}?mode={mode}"))
    expect(page.get_by_role("heading", level=1, name=words(f"title-{variant}"))).to_be_visible()
    if page.get_by_role("group", name=words("seats_label")).is_visible():
        page.get_by_role("radio", name=str(seats), exact=True).check()
    if mode != "pass":
        page.get_by_label(words("your_name")).fill(host.name)
    if mode in ("bots", "link"):
        for place in range(people + 1, seats + 1):
            if seats > 2:
                page.get_by_role("button", name=words.pattern("seat_taken", place=place)).click()
            choose_bot(host, words("place_bot" if mode == "bots" else "place_who", place=place), QUICK_BOT)
    if mode != "solo" and first is not None:
        page.get_by_text(words("more_settings")).click()
        page.get_by_label(words("first_label")).select_option(label=words("first_place", place=first + 1))
    page.get_by_role("button", name=words("create" if mode == "link" else "play_now"), exact=True).click()


def choose_bot(person: Person, group: str, bot: str) -> None:
    """Choose an opponent by their face."""
    faces = person.page.get_by_role("group", name=group, exact=True)
    faces.get_by_role("radio", name=bot_to_choose(bot, person.language), exact=True).check()


def play_against_bots(host: Person, url: str, variant: str, seats: int, *, first: int | None = 0) -> None:
    """Start a game with bots at all other places."""
    new_table(host, url, variant, seats, "bots", first=first)
    begun(host)


def sit_together(url: str, people: list[Person], variant: str, seats: int, *, first: int | None = 0) -> None:
    """The first person sets up a table, the others join with its code, and bots take the places left."""
    host, *guests = people
    new_table(host, url, variant, seats, "link", people=len(people), first=first)
    code = host.page.get_by_text(host.words("join_code")).locator("..").inner_text().split()[-1]
    for guest in guests:
        guest.page.goto(f"{url}/join/{code}")
        guest.page.get_by_label(guest.words("your_name")).fill(guest.name)
        guest.page.get_by_role("button", name=guest.words("sit_down")).click()
    for person in people:
        begun(person)


def last_round(person: Person, url: str, variant: str, seats: int) -> None:
    """Open the last round of a random game, with a bot at every other place."""
    me, bot = {"kind": "me"}, {"kind": "bot", "bot": QUICK_BOT}
    body = {
        "name": person.name,
        "bits": BITS,
        "settings": {"variant": variant, "seats": seats},
        "places": [me, *[bot] * (seats - 1)],
        **last_moves((variant, seats), seats),
    }
    request = person.page.request
    request.post(f"{url}/api/hello", data={}, headers={"origin": url})
    answer = request.post(f"{url}/api/records/continue", data=body, headers={"origin": url})
    assert answer.ok, answer.text()
    person.page.goto(f"{url}/table/{answer.json()['id']}")
    begun(person)


def resign(person: Person) -> None:
    """Resign, which ends a game of two sides. Other tests play to the last tile."""
    person.screen.menu()
    person.hand.press(person.screen.button("table_resign"))
    person.hand.press(
        person.page.get_by_role("dialog").get_by_role("button", name=person.words("yes"), exact=True)
    )
    expect(person.screen.over).to_be_attached()


def begun(person: Person, patience: float | None = None) -> None:
    """Wait until the game is on the screen and laid out. `patience` is in milliseconds, the usual if None."""
    moves = person.page.get_by_role("list", name=person.words("table_moves"), include_hidden=True)
    expect(moves).to_be_attached(timeout=patience)
    laid_out(person.page)
