"""What is wrong with a record is said in words: none of our codes appears in a sentence, in any language."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.codes import ENDINGS, KINDS, WANTED, bare
from tools.mutations import MUTATIONS

import genial
from genial.arena.simulate import Plan, play_game
from genial.core.errors import Breach, GenialError, RecordError, SetupError
from genial.core.messages import LANGUAGES
from genial.core.record import record_of
from genial.core.titles import TITLES


def _told(error: GenialError) -> Iterator[tuple[str, str]]:
    for language in LANGUAGES:
        yield language, error.text(language)


def test_false_records_are_explained_without_codes(variant: str, seats: int) -> None:
    end = record_of(play_game(Plan(variant, seats, ("greedy",) * seats, 1, "codes"), 0))
    for n, mutate in enumerate(MUTATIONS.values()):
        lie = mutate(copy.deepcopy(end), Random(n))
        if lie is None:
            continue
        verdict = genial.check(lie[0])
        for language in LANGUAGES:
            text = verdict.text(language)
            assert not bare(language, text), text


def _errors() -> Iterator[GenialError]:
    for kind in KINDS:
        yield Breach("event-unfit", type=kind, variant="classic-team")
        yield Breach("event-after-end", type=kind)
        yield Breach("deal-late", type=kind)
    for reason in ENDINGS:
        for code in ("end-early", "end-missing", "by-missing", "by-unexpected"):
            yield Breach(code, reason=reason)
        yield Breach("reason-wrong", got=reason, expected=ENDINGS[0])
    for expected in WANTED:
        yield Breach("event-key", key="gain", got='"x"', expected=expected)
        yield RecordError("record-key", key="board", expected=expected)
    for variant in TITLES:
        yield SetupError("seats-unknown", variant=variant, seats=9, expected=[2, 3])


def test_no_error_shows_a_bare_code() -> None:
    for error in _errors():
        for language, text in _told(error):
            assert not bare(language, text), text


def test_a_word_that_is_not_our_code_is_quoted_as_it_is() -> None:
    params: dict[str, Any] = {"reason": "boredom"}
    assert "“boredom”" in Breach("end-early", **params).text()
