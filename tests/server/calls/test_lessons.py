"""Lessons: every step can be completed, but not by any move, and says so in all languages."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest
from tests.editions import registered
from tests.server.harness import Player, Server, play

from genial.core.about import About
from genial.core.errors import GenialError
from genial.core.messages import LANGUAGES
from genial.core.notation import move_text, parse_move
from genial.core.titles import TITLES, about_of
from genial.server.lessons import LEARNER, LESSONS, NEXT, attend, lesson_for, sample
from genial.server.lessons.goals import Goal, answers
from genial.server.lessons.words import PRAISES, words

ALWAYS = (Goal.PLACE, Goal.END)
"""Goals that any allowed move may meet at that moment."""


def attended(variant: str, steps: int) -> list[str]:
    """The moves of somebody who follows every example, and continues."""
    moves: list[str] = []
    for _ in range(steps):
        moves = [*moves, *done_in(variant, moves), NEXT]
    return moves


def done_in(variant: str, moves: list[str]) -> list[str]:
    """What a learner does in the step that these moves lead to."""
    move = attend(variant, moves).target.move
    return [move.text] if move else []


def test_every_printed_title_has_a_lesson_in_the_same_order() -> None:
    assert list(LESSONS) == [name for name, title in TITLES.items() if not about_of(title).ours]
    assert all(about_of(TITLES[variant]).game for variant in LESSONS)


def test_an_edition_without_a_lesson_uses_its_relatives_or_none() -> None:
    relative, stranger = (replace(TITLES["travel"], variant=name) for name in ("relative", "stranger"))
    with registered(relative, About(like=TITLES["travel"])), registered(stranger):
        assert lesson_for(relative) is LESSONS["travel"]
        assert lesson_for(stranger) is None
        assert sample(stranger).turn > 0


@pytest.mark.parametrize("variant", LESSONS)
def test_examples_lead_through_a_whole_lesson(variant: str) -> None:
    steps = LESSONS[variant].steps
    moves = attended(variant, len(steps))
    end = attend(variant, moves)
    assert (end.step, end.at_hand, end.asks) == (len(steps), None, False)
    assert attend(variant, [*moves, "refill"]) == attend(variant, [*moves, NEXT]) == end


@pytest.mark.parametrize("variant", LESSONS)
def test_a_step_shows_the_finished_move_until_the_learner_continues(variant: str) -> None:
    for number, step in enumerate(LESSONS[variant].steps):
        moves = attended(variant, number)
        here = attend(variant, moves)
        if step.goal is Goal.TELL:
            assert not here.asks
            continue
        assert attend(variant, [*moves, NEXT]) == here, "what is asked for cannot be left out"
        done = attend(variant, [*moves, *done_in(variant, moves)])
        assert (done.step, done.asks, done.made) == (number, False, here.target.move)
        assert done.position.events != here.position.events
        later = attend(variant, [*done.moves, NEXT])
        assert (later.step, later.made) == (number + 1, None)


def test_the_first_lesson_is_short_and_begins_with_the_goal() -> None:
    steps = LESSONS["classic"].steps
    assert 5 <= len(steps) <= 7
    assert steps[0].goal is Goal.TELL
    assert len(attend("classic", []).colours) == 1, "one colour is lowest, and not all at nothing"


@pytest.mark.parametrize("variant", LESSONS)
def test_a_lawful_move_that_was_not_asked_for_changes_nothing(variant: str) -> None:
    for number, step in enumerate(LESSONS[variant].steps):
        moves = attended(variant, number)
        here = attend(variant, moves)
        if step.goal is Goal.TELL:
            continue
        assert here.position.seat == LEARNER
        good = list(answers(step.goal, here.position, here.target.most))
        others = [action for action in here.position.actions() if action not in good]
        assert good
        assert bool(others) or step.goal in ALWAYS, step.name
        if others:
            after = attend(variant, [*moves, move_text(here.position.setup, others[0])])
            assert (after.step, after.missed, after.moves) == (number, True, tuple(moves))
            assert after.position == here.position


def test_an_unlawful_move_is_refused_by_the_engine() -> None:
    with pytest.raises(GenialError) as refused:
        attend("classic", [*attended("classic", 2), "OO@f5,f6"])
    assert refused.value.code == "opening-untouched"
    with pytest.raises(GenialError) as refused:
        attend("classic", [NEXT, "refill"])
    assert refused.value.code == "refill-not-now"


def test_the_game_in_the_lesson_is_decided_by_the_second_lowest_marker() -> None:
    end = attend("classic", attended("classic", len(LESSONS["classic"].steps)))
    assert end.position.result is not None
    mine, theirs = (sorted(markers) for markers in end.position.result.tracks)
    assert mine[0] == theirs[0]
    assert mine[1] != theirs[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_texts_in_every_language(language: str) -> None:
    steps = [step for lesson in LESSONS.values() for step in lesson.steps]
    doing = [step for step in steps if step.goal is not Goal.TELL]
    needed = {"you", "opponent", "partner", "praise-bonus", *(f"praise-{n}" for n in range(PRAISES))}
    needed |= {f"hint-{step.goal.value}" for step in doing} | {"hint-place"}
    needed |= {name for step in steps for name in (step.name, f"{step.name}-title")}
    needed |= {f"{step.name}-done" for step in doing}
    assert set(words(language)) == needed
    assert list(words(language)) == list(words("en"))
    for key, text in words(language).items():
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert fields == {name for _, name, _, _ in string.Formatter().parse(words("en")[key]) if name}


def test_lessons_over_http(server: Server) -> None:
    async def held() -> None:
        async with Player(server, "Ada") as ada:
            found = (await ada.get("/api/lessons"))["lessons"]
            assert [lesson["variant"] for lesson in found] == list(LESSONS)
            begun = await ada.post("/api/lessons/classic", {"moves": []}, language="de")
            assert (begun["step"], begun["done"], begun["hint"], begun["move"]) == (0, True, None, None)
            assert begun["title"] == words("de")["classic-goal-title"]
            assert begun["lit"] == ["tracks"]
            assert begun["table"]["legal"] is None
            table = begun["table"]
            assert table["places"][0]["yours"]
            assert table["game"]["view"]["racks"][1] == ["??"] * 6
            asked = await ada.post("/api/lessons/classic", {"moves": [NEXT]})
            assert (asked["step"], asked["done"], "6 points" in asked["text"]) == (1, False, True)
            tried = {"moves": [NEXT], "move": asked["move"]}
            gain = (await ada.post("/api/lessons/classic/explain", tried))["gain"]
            moves = [NEXT, asked["move"]]
            after = await ada.post("/api/lessons/classic", {"moves": moves})
            assert (after["step"], after["done"], after["moves"], after["gain"]) == (1, True, moves, gain)
            assert (after["title"], after["lit"]) == (words("en")["praise-1"], ["spot", "gained"])
            assert after["table"]["legal"] is None
            before, now = (found["table"]["game"]["view"]["tracks"][0] for found in (asked, after))
            assert now == [at + more for at, more in zip(before, gain, strict=True)]
            missed = await ada.post("/api/lessons/cards", {"moves": [NEXT, "GB"]})
            assert (missed["step"], missed["moves"], missed["done"]) == (1, [NEXT], False)
            assert "4 points" in missed["hint"]
            unknown = await ada.post("/api/lessons/chess", {"moves": []}, 404)
            assert unknown["error"]["code"] == "path-unknown"
            refused = await ada.post("/api/lessons/classic", {"moves": [NEXT, "swap"]}, expect=422)
            assert refused["error"]["code"] == "swap-not-now"

    play(held())


def test_a_lesson_shows_the_learner_no_hidden_tile() -> None:
    for variant, lesson in LESSONS.items():
        for number in range(len(lesson.steps) + 1):
            position = attend(variant, attended(variant, number)).position
            if position.is_over:
                continue
            hidden = [tile for rack in position.view({LEARNER}).racks[1:] for tile in rack]
            assert set(hidden) <= {"??"}
            here = attend(variant, attended(variant, number))
            if here.asks and here.target.move:
                assert parse_move(position.setup, here.target.move.text) in position.actions()
