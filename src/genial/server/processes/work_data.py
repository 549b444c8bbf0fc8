"""A bot's job and its answer as data, for workers on other machines. Views travel as in the bot protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from genial.bots import protocol
from genial.bots.bot import Advice, Budget, Candidate, Fear, Turn
from genial.bots.worker_process import ADVISED, CHOSEN, RAISED, Job
from genial.core.errors import GenialError
from genial.core.notation import move_text, parse_move
from genial.core.title import Setup


class CandidateData(Struct, frozen=True, omit_defaults=True):
    """A candidate move in a piece of advice."""

    move: str
    value: float
    gain: tuple[int, ...]
    bonus: int = 0
    lead: float | None = None
    nodes: int = 0
    fears: tuple[int, tuple[float, ...]] | None = None
    """A seat, and what it is expected to gain."""


class AdviceData(Struct, frozen=True):
    """A piece of advice."""

    candidates: list[CandidateData]
    unit: str
    shares: tuple[float, ...]
    nodes: int


class AnswerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A worker's answer to a job: an action, advice, or what went wrong."""

    action: str | None = None
    then: str | None = None
    """How to end the turn after the action, if that was decided."""
    advice: AdviceData | None = None
    problem: str | None = None


def job_data(job: Job) -> dict[str, Any]:
    """A job in the form sent to a worker. Contains what the seat to move may know, and nothing else."""
    view = job.view
    return {
        "bot": job.bot,
        "seed": job.seed,
        "deadline": job.deadline,
        "budget": None if job.budget is None else [job.budget.nodes, job.budget.seconds],
        "advice": job.wants_advice,
        "include": [move_text(view.setup, action) for action in job.include],
        "game": protocol.new_game(view, view.seat, 0),
        "view": protocol.state(view, 0),
    }


def job_from(data: Mapping[str, Any]) -> Job:
    """Parse a job.

    >>> import genial
    >>> job = Job("greedy", genial.new("travel", seed=7).view({0}), "s", 5.0, Budget(100, None))
    >>> job_from(job_data(job)) == job
    True
    """
    told = data["view"]
    events = [protocol.event_seen(event) for event in told["events"]]
    view = protocol.view_seen(data["game"], told["view"], events)
    budget = data["budget"]
    return Job(
        bot=str(data["bot"]),
        view=view,
        seed=str(data["seed"]),
        deadline=float(data["deadline"]),
        budget=None if budget is None else Budget(*budget),
        wants_advice=bool(data["advice"]),
        include=tuple(parse_move(view.setup, text) for text in data["include"]),
    )


def advice_data(setup: Setup, advice: Advice) -> AdviceData:
    """Advice in the form that is sent."""
    candidates = [
        CandidateData(
            move=move_text(setup, candidate.action),
            value=candidate.value,
            gain=candidate.gain,
            bonus=candidate.bonus,
            lead=candidate.lead,
            nodes=candidate.nodes,
            fears=(candidate.fear.seat, candidate.fear.gain) if candidate.fear else None,
        )
        for candidate in advice.candidates
    ]
    return AdviceData(candidates, advice.unit, advice.shares, advice.nodes)


def answer_from(job: Job, answer: AnswerBody) -> tuple[str, object]:
    """The kind of an answer, and the answer, as a worker on this machine would give it."""
    setup = job.view.setup
    try:
        if answer.advice is not None:
            return ADVISED, _advice_from(setup, answer.advice)
        if answer.action is not None:
            then = parse_move(setup, answer.then) if answer.then is not None else None
            return CHOSEN, Turn(parse_move(setup, answer.action), then)
    except GenialError as error:
        return RAISED, error.code
    return RAISED, answer.problem or "nothing"


def _advice_from(setup: Setup, data: AdviceData) -> Advice:
    candidates = tuple(
        Candidate(
            action=parse_move(setup, each.move),
            value=each.value,
            gain=each.gain,
            bonus=each.bonus,
            lead=each.lead,
            nodes=each.nodes,
            fear=Fear(*each.fears) if each.fears else None,
        )
        for each in data.candidates
    )
    return Advice(candidates, data.unit, data.shares, data.nodes)


def encoded(answer: AnswerBody) -> bytes:
    """An answer in the form that is sent."""
    return msgspec.json.encode(answer)
