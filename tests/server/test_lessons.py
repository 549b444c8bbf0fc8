"""Lessons: every step can be done, not by everything, and says so in all languages."""

from __future__ import annotations

import string

import pytest
from tests.server.harness import Player, Server, play

from genial.core.errors import GenialError
from genial.core.messages import LANGUAGES
from genial.core.notation import move_text, parse_move
from genial.core.titles import TITLES
from genial.server.lessons import LEARNER, LESSONS, attend
from genial.server.lessons.games import GAMES
from genial.server.lessons.goals import Goal, answers
from genial.server.lessons.words import words

ALWAYS = (Goal.PLACE, Goal.REFILL, Goal.END)
"""Goals that every lawful move of their moment may meet."""


def attended(variant: str, steps: int) -> list[str]:
    """The moves of somebody who follows every example."""
    moves: list[str] = []
    for _ in range(steps):
        target = attend(variant, moves).target
        assert target is not None
        moves.append(target.example)
    return moves


def test_every_title_has_a_lesson_and_classic_is_the_first() -> None:
    assert set(LESSONS) == set(TITLES) == set(GAMES)
    assert next(iter(LESSONS)) == "classic"


@pytest.mark.parametrize("variant", LESSONS)
def test_examples_lead_through_a_whole_lesson(variant: str) -> None:
    steps = LESSONS[variant].steps
    moves = attended(variant, len(steps))
    end = attend(variant, moves)
    assert (end.step, end.target, end.at_hand) == (len(steps), None, None)
    assert attend(variant, [*moves, "refill"]) == end


@pytest.mark.parametrize("variant", LESSONS)
def test_a_lawful_move_that_is_not_asked_for_changes_nothing(variant: str) -> None:
    for number, step in enumerate(LESSONS[variant].steps):
        moves = attended(variant, number)
        here = attend(variant, moves)
        assert here.target is not None
        assert here.position.seat == LEARNER
        good = list(answers(step.goal, here.position, here.target.most))
        others = [action for action in here.position.actions() if action not in good]
        assert good
        assert bool(others) or step.goal in ALWAYS, step.name
        if others:
            after = attend(variant, [*moves, move_text(here.position.setup, others[0])])
            assert (after.step, after.missed, after.moves) == (number, True, tuple(moves))
            assert after.position == here.position


def test_what_the_rules_forbid_is_refused_by_the_engine() -> None:
    with pytest.raises(GenialError) as refused:
        attend("classic", ["OO@f5,f6"])
    assert refused.value.code == "opening-untouched"
    with pytest.raises(GenialError) as refused:
        attend("classic", ["refill"])
    assert refused.value.code == "refill-not-now"


def test_the_step_about_the_end_is_decided_by_the_second_lowest_marker() -> None:
    end = attend("classic", attended("classic", len(LESSONS["classic"].steps)))
    assert end.position.result is not None
    mine, theirs = (sorted(markers) for markers in end.position.result.tracks)
    assert mine[0] == theirs[0]
    assert mine[1] != theirs[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_words(language: str) -> None:
    steps = [step for lesson in LESSONS.values() for step in lesson.steps]
    needed = {"you", "opponent", "partner", *(f"hint-{goal.value}" for goal in Goal)}
    needed |= {name for step in steps for name in (step.name, f"{step.name}-done")}
    assert set(words(language)) == needed
    assert list(words(language)) == list(words("en"))
    for key, text in words(language).items():
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert fields == {name for _, name, _, _ in string.Formatter().parse(words("en")[key]) if name}


def test_lessons_over_http(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            found = (await ada.get("/api/lessons"))["lessons"]
            assert [lesson["variant"] for lesson in found] == list(LESSONS)
            begun = await ada.post("/api/lessons/classic", {"moves": []}, language="de")
            assert (begun["step"], begun["told"], begun["hint"]) == (0, None, None)
            assert begun["task"] == words("de")["classic-opening"]
            table = begun["table"]
            assert table["places"][0]["yours"]
            assert table["game"]["view"]["racks"][1] == ["??"] * 6
            tried = {"moves": [], "move": begun["example"]}
            gain = (await ada.post("/api/lessons/classic/explain", tried))["gain"]
            after = await ada.post("/api/lessons/classic", {"moves": [begun["example"]]})
            assert (after["step"], after["moves"]) == (1, [begun["example"]])
            assert after["table"]["game"]["view"]["tracks"][0] == gain
            missed = await ada.post("/api/lessons/cards", {"moves": ["GB"]})
            assert (missed["step"], missed["moves"]) == (0, [])
            assert "4 points" in missed["hint"]
            unknown = await ada.post("/api/lessons/chess", {"moves": []}, 404)
            assert unknown["error"]["code"] == "path-unknown"
            refused = await ada.post("/api/lessons/classic", {"moves": ["swap"]}, expect=422)
            assert refused["error"]["code"] == "swap-not-now"

    play(asked())


def test_a_lesson_shows_no_tile_that_the_learner_may_not_see() -> None:
    for variant, lesson in LESSONS.items():
        for number in range(len(lesson.steps) + 1):
            position = attend(variant, attended(variant, number)).position
            if position.is_over:
                continue
            hidden = [tile for rack in position.view({LEARNER}).racks[1:] for tile in rack]
            assert set(hidden) <= {"??"}
            example = attend(variant, attended(variant, number)).target
            assert example is None or parse_move(position.setup, example.example) in position.actions()
