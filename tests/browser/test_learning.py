"""Lessons: played with the same hands as a game, judged by the engine, and told in the reader's language.

The subject of a step is lit, and a right move stays in sight until the learner goes on.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, expect
from tests.browser.coach import Coach
from tests.browser.conftest import Arrive
from tests.browser.hands import Keys, middle
from tests.browser.person import Person
from tests.browser.server import House
from tests.browser.waiting import until

from genial.server.lessons import LESSONS, attend
from genial.server.lessons.goals import Goal
from genial.server.lessons.words import words

RIM = 8
HEARD = "(one) => `${one.getAttribute('aria-label')} ${one.textContent}`.replace(/\\s+/g, ' ')"
PHONES = {"upright": (390, 844), "small": (360, 740), "across": (844, 390), "a low window": (1200, 540)}


def begin(person: Person, server: House, variant: str) -> Coach:
    person.page.goto(f"{server.url}/learn/{variant}")
    return Coach(person)


def do(person: Person, move: str) -> None:
    """Make a move of the lesson, by keys alone."""
    page = person.page
    if move == "swap":
        page.keyboard.press("s")
        return
    tile, _, cells = move.partition("@")
    first, second = cells.split(",")
    letters = [person.words(f"colour-{'ROYGBP'.index(letter)}") for letter in tile]
    labels = person.screen.tiles.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    held = next(n for n, label in enumerate(labels) if re.search("|".join(both(letters)), label))
    turned = not re.search(both(letters)[0], labels[held])
    start, other = (second, first) if turned else (first, second)
    page.keyboard.press(str(held + 1))
    focused = page.locator(":focus")
    for _ in range(120):
        if (focused.get_attribute("aria-label") or "").startswith(f"{start},"):
            break
        page.keyboard.press("PageDown")
    aimed = page.get_by_role("gridcell", name=re.compile(f"^{other},"))
    for _ in range(6):
        if aimed.get_attribute("aria-selected") == "true":
            break
        page.keyboard.press("r")
    page.keyboard.press("Enter")


def both(letters: list[str]) -> list[str]:
    """Two colours in either order, as a tile is named."""
    return [f"{one}.*{two}" for one, two in (letters, letters[::-1])]


def test_a_whole_lesson_can_be_done_by_keyboard_alone(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada", language="de", hand=Keys())
    coach = begin(ada, server, "classic")
    done: list[str] = []
    for step in LESSONS["classic"].steps:
        coach.asks(step)
        here = attend("classic", done)
        if here.target.move:
            do(ada, here.target.move.text)
            coach.praises(step, here.target.move.gain)
            done.append(here.target.move.text)
        if step.name == "classic-points":
            ada.page.reload()
            coach.praises(step, here.target.move.gain if here.target.move else ())
        coach.go_on()
        done.append("next")
    expect(coach.heading).to_have_text(ada.words("lesson_finished", title=ada.words("title-classic")))
    expect(coach.heading).to_be_focused()
    ada.hand.press(coach.button("lesson_play"))
    expect(ada.screen.tiles).to_have_count(6)
    expect(ada.page).to_have_url(re.compile("/table/"))


def test_what_is_lit_up_is_also_described_in_words(server: House, arrive: Arrive) -> None:
    coach = begin(arrive("Ada"), server, "classic")
    coach.asks(LESSONS["classic"].steps[0])
    told = re.compile(r"only the lowest one counts.*Lit up: your scoreboard\.$")
    expect(coach.heading).to_have_accessible_description(told)
    coach.go_on()
    told = re.compile(r"Lit up: the board around g3 and h2 and .*purple")
    expect(coach.heading).to_have_accessible_description(told)


def test_the_highlight_also_works_on_the_3d_board(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada", prefs={"space": {"flat": True, "deep": True}})
    coach = begin(ada, server, "classic")
    expect(ada.screen.space).to_be_visible()
    coach.go_on()
    coach.asks(LESSONS["classic"].steps[1])
    board = middle(ada.screen.board)
    until(lambda: any(middle(rim) == pytest.approx(board, abs=RIM) for rim in coach.rims.all()), "it is dark")


def test_a_right_move_and_its_points_stay_until_the_learner_continues(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    coach = begin(ada, server, "classic")
    first, points, later = LESSONS["classic"].steps[:3]
    coach.asks(first)
    coach.go_on()
    coach.asks(points)
    ada.hand.press(coach.button("lesson_show"))
    coach.praises(points, (6,))
    laid = ada.page.get_by_role("gridcell", name=re.compile("^g3, purple, .*h2"))
    expect(laid).to_have_count(1)
    # Its lines are drawn, each with its points.
    expect(ada.page.locator(".spotlight .made")).to_have_text(re.compile(r"^\s*(\d\s*){3,}$"))
    track = ada.screen.track("Guest")
    until(lambda: "purple 12" in str(track.evaluate(HEARD)), "the points are not on the score board")
    ada.hand.press(coach.button("lesson_show_again"))
    coach.praises(points, (6,))
    expect(laid).to_have_count(1)
    coach.go_on()
    coach.asks(later)
    ada.hand.press(coach.button("lesson_back"))
    coach.asks(points)


def test_a_lawful_move_that_was_not_asked_for_is_explained_and_not_made(
    server: House, arrive: Arrive
) -> None:
    ada = arrive("Ada")
    coach = begin(ada, server, "duel")
    goal, points = LESSONS["duel"].steps[:2]
    coach.asks(goal)
    coach.go_on()
    coach.asks(points)
    ada.hand.lay(ada.screen, ada.rng)
    expect(coach.bubble.get_by_role("status")).to_contain_text("That's allowed, but you can do better")
    expect(ada.screen.tiles).to_have_count(6)
    expect(coach.heading).to_have_text(words("en")[f"{points.name}-title"])


def test_every_lesson_can_be_watched_to_the_end(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    for variant, lesson in LESSONS.items():
        coach = begin(ada, server, variant)
        coach.is_shown(lesson)
        expect(coach.heading).to_have_text(ada.words("lesson_finished", title=ada.words(f"title-{variant}")))
    ada.page.goto(f"{server.url}/learn")
    expect(ada.page.get_by_text(ada.words("learn_known"))).to_have_count(len(LESSONS))


@pytest.mark.parametrize("variant", ["classic-team", "3d-solo", "cards"])
def test_a_lesson_ends_in_a_first_game_of_its_title(server: House, arrive: Arrive, variant: str) -> None:
    ada = arrive("Ada")
    coach = begin(ada, server, variant)
    coach.is_shown(LESSONS[variant])
    ada.hand.press(coach.button("lesson_play"))
    expect(ada.page.get_by_role("heading", level=1)).to_contain_text(ada.words(f"title-{variant}"))
    until(lambda: ada.screen.tiles.count() > 0, "no game began")


@pytest.mark.parametrize("size", PHONES.values(), ids=PHONES)
def test_on_a_phone_nothing_covers_what_is_lit_up(
    server: House, arrive: Arrive, size: tuple[int, int]
) -> None:
    ada = arrive("Ada", phone=True)
    width, height = size
    ada.page.set_viewport_size({"width": width, "height": height})
    coach = begin(ada, server, "classic")
    for step in LESSONS["classic"].steps:
        coach.asks(step)
        seen(coach, size)
        if step.goal is not Goal.TELL:
            pressable(coach.button("lesson_show"))
            ada.hand.press(coach.button("lesson_try"))
            expect(coach.bubble).to_be_hidden()
            pressable(coach.button("lesson_show"))
            apart(coach.button("lesson_show"), ada.screen.board)
            pressable(ada.screen.tiles.first)
            ada.hand.press(coach.button("lesson_show"))
            expect(coach.button("lesson_show_again")).to_be_visible()
            seen(coach, size)
            pressable(coach.button("lesson_show_again"))
        pressable(coach.button("lesson_continue"))
        coach.go_on()
    pressable(coach.button("lesson_play"))


def seen(coach: Coach, size: tuple[int, int]) -> None:
    """Wait until the lit parts are on the screen and the bubble doesn't cover them."""
    width, height = size
    until(lambda: not hidden(coach, width, height), f"in the way: {hidden(coach, width, height)}")


def hidden(coach: Coach, width: int, height: int) -> list[object]:
    bubble = coach.bubble.bounding_box()
    assert bubble is not None
    off = [box for box in [bubble, *coach.lit()] if not inside(box, width, height)]
    return [*off, *((bubble, box) for box in coach.lit() if overlap(bubble, box))]


def inside(box: FloatRect, width: int, height: int) -> bool:
    """True if all of the box is on the screen, give or take the width of a rim."""
    left, top, right, bottom = box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
    return min(left, top) > -RIM and right < width + RIM and bottom < height + RIM


def overlap(one: FloatRect, two: FloatRect) -> bool:
    across = min(one["x"] + one["width"], two["x"] + two["width"]) - max(one["x"], two["x"])
    down = min(one["y"] + one["height"], two["y"] + two["height"]) - max(one["y"], two["y"])
    return across > 1 and down > 1


def apart(one: Locator, two: Locator) -> None:
    boxes = one.bounding_box(), two.bounding_box()
    assert boxes[0]
    assert boxes[1]
    assert not overlap(boxes[0], boxes[1])


def pressable(button: Locator) -> None:
    """Wait until a press on its middle reaches the button, and nothing that covers it."""
    expect(button).to_be_visible()
    x, y = middle(button)
    hit = "(one, [x, y]) => one.contains(document.elementFromPoint(x, y))"
    until(lambda: bool(button.evaluate(hit, [x, y])), f"something lies over {button}")
