"""What a lesson says to a person, and what they can press."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import FloatRect, Locator, expect
from tests.browser.person import Person

from genial.server.lessons.goals import Goal
from genial.server.lessons.plan import Lesson, Step
from genial.server.lessons.words import words


@dataclass(frozen=True)
class Coach:
    """The bubble beside the board."""

    person: Person

    @property
    def bubble(self) -> Locator:
        return self.person.page.get_by_role("region", name=self.person.words("lesson"))

    @property
    def heading(self) -> Locator:
        return self.bubble.get_by_role("heading")

    def button(self, key: str) -> Locator:
        return self.person.screen.button(key)

    def asks(self, step: Step) -> None:
        """Expect the step to begin, with the focus on its heading."""
        said = words(self.person.language)
        expect(self.heading).to_have_text(said[f"{step.name}-title"])
        expect(self.heading).to_be_focused()
        expect(self.bubble).to_contain_text(re.compile(re.escape(said[step.name].partition("{")[0])))

    def praises(self, step: Step, gain: tuple[int, ...]) -> None:
        """Expect praise for the finished step, with the points it scored, and a way to see the move again."""
        said = words(self.person.language)
        expect(self.bubble).to_contain_text(said[f"{step.name}-done"].rpartition("}")[2])
        expect(self.heading).to_be_focused()
        for points in filter(None, gain):
            expect(self.heading).to_contain_text(f"+{points}")
        expect(self.button("lesson_show_again")).to_be_visible()

    def go_on(self) -> None:
        self.person.hand.press(self.button("lesson_continue"))

    def is_shown(self, lesson: Lesson) -> None:
        """Go through all steps of a lesson, having every move shown, up to its last words."""
        for step in lesson.steps:
            self.asks(step)
            if step.goal is not Goal.TELL:
                self.person.hand.press(self.button("lesson_show"))
                expect(self.button("lesson_show_again")).to_be_visible()
            self.go_on()

    @property
    def rims(self) -> Locator:
        """The outlines of the lit parts."""
        return self.person.page.locator(".spotlight .rim")

    def lit(self) -> list[FloatRect]:
        """The boxes of the lit parts."""
        expect(self.rims).not_to_have_count(0)
        return [box for rim in self.rims.all() if (box := rim.bounding_box())]
