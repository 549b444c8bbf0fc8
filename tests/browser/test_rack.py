"""The rack on the screen: recesses that never move, and tiles in the order that their owner likes."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.hands import Finger, middle
from tests.browser.moments import Moments
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.tables import begun


def seated(person: Person, url: str, moment: moments.Moment = moments.start) -> None:
    tables = Moments(person, url)
    table = tables.table("classic", "mr")
    tables.play(table, moment)
    person.page.goto(f"{url}/table/{table}")
    begun(person)
    expect(person.screen.tiles.first).to_be_visible()


def lying(person: Person) -> dict[str, str]:
    """The tiles by the keys of their recesses."""
    found: dict[str, str] = person.screen.tiles.evaluate_all(
        "all => Object.fromEntries("
        "all.map((one) => [one.getAttribute('aria-keyshortcuts'), one.ariaLabel.split(',')[0]]))"
    )
    return found


def test_a_tile_leaves_its_recess_empty_and_a_drawn_one_fills_it(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    seated(ada, seeded.url)
    before = lying(ada)
    places = [middle(tile) for tile in ada.screen.tiles.all()]
    ada.page.keyboard.press("3")
    ada.page.keyboard.press("PageDown")
    ada.page.keyboard.press("Enter")
    expect(ada.screen.end).to_be_visible()
    others = {key: tile for key, tile in before.items() if key != "3"}
    assert lying(ada) == others
    assert [middle(tile) for tile in ada.screen.tiles.all()] == places[:2] + places[3:]
    ada.hand.press(ada.screen.end)
    expect(ada.screen.tiles).to_have_count(6)
    after = lying(ada)
    assert {key: tile for key, tile in after.items() if key != "3"} == others


def test_the_rack_can_be_reordered_by_drag_or_button_and_stays_so(seeded: House, arrive: Arrive) -> None:
    ada, mouse = (ada := arrive("Ada")), ada.page.mouse
    seated(ada, seeded.url)
    before = lying(ada)
    first, *_, last = [middle(tile) for tile in ada.screen.tiles.all()]
    mouse.move(*first)
    mouse.down()
    mouse.move(*last, steps=4)
    mouse.up()
    changed = before | {"1": before["6"], "6": before["1"]}
    assert lying(ada) == changed
    expect(ada.page.get_by_role("button", pressed=True).and_(ada.screen.tiles)).to_have_count(0)
    ada.page.reload()
    begun(ada)
    expect(ada.screen.tiles.first).to_be_visible()
    assert lying(ada) == changed
    ada.screen.more()
    ada.screen.button("table_sort").click()
    colours = [ada.words(f"colour-{n}") for n in range(6)]
    ranks = [sorted(colours.index(word) for word in tile.split()[:2]) for tile in lying(ada).values()]
    assert ranks == sorted(ranks)


def test_a_tile_turns_in_its_recess(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", phone=True, hand=Finger())
    seated(ada, seeded.url)
    tile = ada.screen.tiles.first
    tile.tap()
    ada.screen.button("table_turn_tile").tap()
    expect(tile.locator("span").first).to_have_attribute("style", "transform: rotate(60deg) scale(0.8);")


def test_place_says_why_it_cannot_be_pressed_yet(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada", phone=True, hand=Finger())
    seated(ada, seeded.url)
    place, said = ada.screen.place, ada.page.get_by_role("status")
    expect(place).to_be_disabled()
    idle = place.evaluate("(one) => getComputedStyle(one).backgroundColor")
    place.dispatch_event("click")
    expect(said.filter(has_text=ada.words("pick-tile"))).to_be_visible()
    ada.screen.tiles.first.tap()
    place.dispatch_event("click")
    expect(said.filter(has_text=ada.words("table_choose_space"))).to_be_visible()
    ada.page.touchscreen.tap(*middle(ada.screen.permitted.first))
    expect(place).to_be_enabled()
    expect(said.filter(has_text=ada.words("table_choose_space"))).to_have_count(0)
    expect(place).not_to_have_css("background-color", idle)


def test_the_number_of_unseen_symbols_is_shown(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    seated(ada, seeded.url, moments.middle(8))
    told = ada.page.get_by_role("region", name=ada.words("table_unseen")).get_by_role("listitem")
    expect(told).to_have_count(6)
    unseen = sum(int(text) for text in told.all_inner_texts())
    head = ada.page.locator("header").inner_text()
    bag = next(int(word) for word in head.split() if word.isdigit())
    assert unseen == 2 * (bag + 6)  # two symbols a tile: the bag, and Random's rack
