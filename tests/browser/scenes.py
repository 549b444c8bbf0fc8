"""Every screen of the client in each of its states, for axe, for screen reader snapshots and for pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect
from tests.browser import moments
from tests.browser.hands import Finger, any_of, middle
from tests.browser.moments import Moment, Moments
from tests.browser.person import Person
from tests.browser.tables import at_home, begun, on_the_shelf


@dataclass(frozen=True, slots=True)
class Scene:
    """One state of one screen."""

    name: str
    reach: Callable[[Person, str], None]
    """Brings a person's browser there. The address is that of a seeded server."""
    faults: bool = False
    """Whether errors on the page are expected, such as those without a server."""

    @contextmanager
    def shown(self, person: Person, url: str) -> Iterator[None]:
        """The scene, for as long as it is looked at. Its public tables would show on others' start pages."""
        try:
            self.reach(person, url)
            yield
        finally:
            request = person.page.request
            for table in request.get(f"{url}/api/tables").json()["tables"]:
                request.post(f"{url}/api/tables/{table['id']}/close", headers={"origin": url}, data={})


def _page(path: str, heading: str, title: str = "") -> Callable[[Person, str], None]:
    """A page that has loaded once its heading shows. The page of a title has its name there."""

    def reach(person: Person, url: str) -> None:
        person.page.goto(url + path)
        said = person.words(heading, title=title and person.words(title))
        expect(person.page.get_by_role("heading", name=said, level=1)).to_be_visible()

    return reach


def _game(variant: str, places: str, moment: Moment, **settings: Any) -> Callable[[Person, str], None]:
    """A moment of a game."""

    def reach(person: Person, url: str) -> None:
        tables = Moments(person, url)
        table = tables.table(variant, places, **settings)
        tables.play(table, moment)
        person.page.goto(f"{url}/table/{table}")
        begun(person)

    return reach


def _then(
    reach: Callable[[Person, str], None], *steps: Callable[[Person], None]
) -> Callable[[Person, str], None]:
    """A screen on which something is done once it is reached."""

    def more(person: Person, url: str) -> None:
        reach(person, url)
        for step in steps:
            step(person)

    return more


def _take(person: Person) -> None:
    person.hand.press(person.screen.tiles.first)


def _aim(person: Person) -> None:
    """Point at places until one scores at least three points."""
    preview = person.page.get_by_role("group", name=person.words("table_preview"))
    enough = re.compile(r"\b([3-9]|1\d)\b")
    permitted = person.screen.permitted
    for place in [middle(cell) for cell in permitted.all()]:
        if isinstance(person.hand, Finger):
            person.page.touchscreen.tap(*place)
        else:
            person.page.mouse.move(*place)
        if enough.search(preview.inner_text()):
            return
    raise AssertionError("no place brings three points")


def _heat(person: Person) -> None:
    person.screen.more()
    person.hand.press(person.screen.button("table_heat"))


def _press(key: str) -> Callable[[Person], None]:
    return lambda person: person.hand.press(person.screen.button(key))


def _choose_order(person: Person) -> None:
    _take(person)
    any_of(person.screen.orders, person.rng).click()


def _settings(person: Person) -> None:
    person.hand.press(person.page.locator("summary", has_text=person.words("settings")))
    expect(person.page.get_by_label(person.words("theme"))).to_be_visible()


def _from_the_shelf(person: Person) -> None:
    person.hand.press(on_the_shelf(person, "travel"))
    expect(person.page.get_by_role("dialog")).to_be_visible()


def _menu(person: Person) -> None:
    person.screen.menu()
    expect(person.page.get_by_label(person.words("theme"))).to_be_visible()


def _coached(person: Person) -> None:
    """Wait for the coach: the heading of a lesson shows before its first step."""
    expect(person.page.get_by_role("region", name=person.words("lesson"))).to_be_visible()


def _returning(person: Person, url: str) -> None:
    """The start page of somebody who has games under way."""
    tables = Moments(person, url)
    tables.play(tables.table("classic", "mr"), moments.middle(4))
    tables.play(tables.table("classic-solo", "m"), moments.over)
    tables.table("cards", "mo", public=True, name="Family")
    at_home(person, url)


def _games(person: Person, url: str) -> None:
    """The list of games of somebody who has played some."""
    tables = Moments(person, url)
    tables.play(tables.table("quick", "mr"), moments.over)
    tables.table("duel", "mr")
    _page("/games", "games_all")(person, url)
    expect(
        person.page.get_by_role("region", name=person.words("games_over")).get_by_role("link")
    ).to_be_visible()


def _waiting(person: Person, url: str) -> None:
    table = Moments(person, url).table("classic", "moo")
    person.page.goto(f"{url}/table/{table}")
    expect(person.page.get_by_role("heading", name=person.words("invite"))).to_be_visible()


def _invited(person: Person, url: str) -> None:
    """Somebody follows a link to a table that is waiting for players."""
    tables = Moments(person, url)
    code = tables.look(tables.table("classic", "moo", clock={"total": 900, "increment": 10}))["code"]
    person.page.context.clear_cookies()
    person.page.goto(f"{url}/join/{code}")
    expect(person.page.get_by_role("link", name=person.words("new_here"))).to_be_visible()


def _profile(person: Person) -> None:
    """Open the profile of the chosen bot."""
    person.hand.press(person.page.get_by_role("button", name=person.words.pattern("about_bot")))
    expect(person.page.get_by_role("dialog")).to_be_visible()


def _curtain(person: Person, url: str) -> None:
    table = Moments(person, url).table("travel", "mm")
    person.page.goto(f"{url}/table/{table}")
    expect(person.screen.curtain).to_be_visible()


def _watching(person: Person, url: str) -> None:
    """A game watched by somebody who only has the link."""
    tables = Moments(person, url)
    table = tables.table("classic", "mr")
    tables.play(table, moments.middle(8))
    code = tables.look(table)["watch"]
    person.page.context.clear_cookies()
    person.page.goto(f"{url}/table/{table}?watch={code}")
    begun(person)


def _replay(person: Person, url: str) -> None:
    """A replay, in the middle of a finished game."""
    tables = Moments(person, url)
    table = tables.table("classic", "mr")
    tables.play(table, moments.over)
    _page(f"/replay/{table}/0?ply=20", "replay_title", "title-classic")(person, url)


def _analysed(person: Person, url: str) -> None:
    """The same game, after a bot has looked at every move."""
    _replay(person, url)
    person.hand.press(person.screen.button("analysis_start"))
    told = person.page.get_by_role("region", name=person.words("analysis"))
    expect(told.get_by_role("listitem")).to_have_count(2, timeout=60_000)
    expect(told.get_by_role("progressbar")).to_have_count(0, timeout=60_000)


def _lost(person: Person) -> None:
    """Lose the network."""
    person.page.context.set_offline(True)
    expect(person.screen.lost).to_be_visible()


def _refused(path: str, code: str) -> Callable[[Person, str], None]:
    """A table that lets nobody in."""

    def reach(person: Person, url: str) -> None:
        person.page.goto(url + path)
        expect(person.page.get_by_text(person.words(code))).to_be_visible()

    return reach


def _full(person: Person, url: str) -> None:
    """Somebody follows a link when all places are taken and the host has not started yet."""
    tables = Moments(person, url)
    code = tables.look(tables.table("classic", "mr", start="host"))["code"]
    person.page.context.clear_cookies()
    _refused(f"/join/{code}", "table-full")(person, url)


def _in_space(person: Person) -> None:
    person.hand.press(person.screen.button("three_switch"))
    expect(person.screen.space).to_be_visible()


def _key(key: str, dialog: str) -> Callable[[Person], None]:
    """Open a dialog by its key, on a phone too, which may have a keyboard."""

    def press(person: Person) -> None:
        person.page.keyboard.press(key)
        opened = person.page.get_by_role("dialog", name=person.words(dialog))
        expect(opened).to_be_visible()
        expect(opened.get_by_text(person.words("loading"))).to_have_count(0)

    return press


_MIDDLE = {
    "classic-2": ("classic", "mr", 12),
    "classic-3": ("classic", "mrr", 18),
    "classic-4": ("classic", "mrrr", 28),
    "classic-team": ("classic-team", "mrrr", 24),
    "classic-solo": ("classic-solo", "m", 12),
    "travel": ("travel", "mr", 12),
    "3d-2": ("3d", "mr", 14),
    "3d-4": ("3d", "mrrr", 24),
    "3d-solo": ("3d-solo", "m", 20),
    "cards-2": ("cards", "mr", 6),
    "cards-4": ("cards", "mrrr", 8),
    "duel": ("duel", "mr", 12),
}

SCENES = [
    Scene("start", at_home),
    Scene("start-settings", _then(at_home, _settings)),
    Scene("start-title", _then(at_home, _from_the_shelf)),
    Scene("start-returning", _returning),
    Scene("games", _games),
    Scene("new-bots", _page("/new/classic?mode=bots", "new_title", "title-classic")),
    Scene("new-pass", _page("/new/3d?mode=pass", "new_title", "title-3d")),
    Scene("new-link", _page("/new/duel?mode=link", "new_title", "title-duel")),
    Scene("new-profile", _then(_page("/new/classic?mode=bots", "new_title", "title-classic"), _profile)),
    Scene("waiting", _waiting),
    Scene("join", _invited),
    Scene("rules", _page("/rules/classic", "rules")),
    Scene("learn", _page("/learn", "learn")),
    Scene("licences", _page("/licences", "licences")),
    Scene("lesson-classic", _then(_page("/learn/classic", "learn_title", "title-classic"), _coached)),
    Scene("lesson-cards", _then(_page("/learn/cards", "learn_title", "title-cards"), _coached)),
    Scene("unknown", _page("/nowhere/at/all", "not_found")),
    *(
        Scene(f"table-{name}", _game(variant, places, moments.middle(turns)))
        for name, (variant, places, turns) in _MIDDLE.items()
    ),
    Scene("table-opening", _game("classic", "mr", moments.start)),
    Scene("table-aimed", _then(_game("classic", "mr", moments.middle(16)), _take, _aim)),
    Scene("table-heat", _then(_game("classic", "mrrr", moments.middle(16)), _take, _heat)),
    Scene("table-3d-aimed", _then(_game("3d", "mr", moments.middle(14)), _take, _aim)),
    Scene("table-cards-order", _then(_game("cards", "mr", moments.middle(6)), _choose_order)),
    Scene("table-end-of-turn", _game("classic", "mr", moments.end_of_turn(6))),
    Scene("table-swap", _game("classic", "mr", moments.swap)),
    Scene("table-bonus", _game("classic", "mr", moments.bonus)),
    Scene("table-resign", _then(_game("classic", "mr", moments.middle(8)), _menu, _press("table_resign"))),
    Scene("table-settings", _then(_game("classic", "mr", moments.middle(8)), _menu)),
    Scene(
        "table-keys", _then(_game("classic", "mr", moments.middle(8), hints=True), _key("?", "table_keys"))
    ),
    Scene("table-rules", _then(_game("classic", "mr", moments.middle(8)), _key("F1", "rules"))),
    Scene("table-3d-space", _then(_game("3d", "mr", moments.middle(20)), _in_space)),
    Scene("table-watching", _watching),
    Scene("table-curtain", _curtain),
    Scene("over-classic", _game("classic", "mrr", moments.over)),
    Scene("over-team", _game("classic-team", "mrrr", moments.over)),
    Scene("over-solo", _game("classic-solo", "m", moments.over)),
    Scene("over-3d", _game("3d", "mr", moments.over)),
    Scene("over-cards", _game("cards", "mr", moments.over)),
    Scene("over-duel", _game("duel", "mr", moments.over)),
    Scene("table-lost", _then(_game("classic", "mr", moments.middle(8)), _lost), faults=True),
    Scene("table-refused", _refused("/table/nothing-is-here", "table-unknown"), faults=True),
    Scene("join-full", _full),
    Scene("join-unknown", _refused("/join/ZZZZZ", "code-unknown"), faults=True),
    Scene("replay", _replay),
    Scene("replay-analysed", _analysed),
    Scene("replay-open", _page("/replay", "record_title")),
]
