"""Lessons: done with the same hands as a game, judged by the engine, and told in the reader's language."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.conftest import Arrive
from tests.browser.hands import Keys
from tests.browser.person import Person
from tests.browser.server import House

from genial.server.lessons import LESSONS
from genial.server.lessons.words import words


def task(person: Person, name: str) -> None:
    """The coach asks for this step."""
    said = words(person.language)[name]
    beginning = re.escape(said.partition("{")[0])
    coach = person.page.get_by_role("region", name=person.words("lesson"))
    expect(coach).to_contain_text(re.compile(beginning))


def test_the_first_steps_by_keyboard_and_a_reload(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada", language="de", hand=Keys())
    ada.page.goto(f"{server.url}/learn/classic")
    task(ada, "classic-opening")
    ada.hand.lay(ada.screen, ada.rng)
    task(ada, "classic-refill")
    ada.page.reload()
    task(ada, "classic-refill")
    ada.hand.press(ada.screen.button("table_end_turn"))
    task(ada, "classic-points")


def test_what_is_lawful_and_not_asked_for_is_explained_and_not_done(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(f"{server.url}/learn/duel")
    task(ada, "duel-points")
    ada.hand.lay(ada.screen, ada.rng)
    expect(ada.page.get_by_text("That is lawful, but there is more to be had")).to_be_visible()
    task(ada, "duel-points")


def test_every_lesson_can_be_shown_to_its_end(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    for variant, lesson in LESSONS.items():
        ada.page.goto(f"{server.url}/learn/{variant}")
        for step in lesson.steps:
            task(ada, step.name)
            ada.hand.press(ada.page.get_by_role("button", name=ada.words("lesson_show")))
        expect(ada.page.get_by_text(ada.words("lesson_done"))).to_be_visible()
    ada.page.goto(f"{server.url}/learn")
    expect(ada.page.get_by_text(ada.words("learn_known"))).to_have_count(len(LESSONS))
