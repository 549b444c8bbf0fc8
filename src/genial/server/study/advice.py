"""What bots think, for people: hints in a running game, and opinions of every move of one that is over.

Thought by the bot workers, after the moves that tables wait for. An opinion is of a view: a bot that looks
back at a finished game knows no more than the player knew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Literal, get_args

from msgspec import Struct

from genial.bots.bot import Advice, Budget, Candidate
from genial.bots.thinking import ADVICE, ANALYSIS, Thinkers
from genial.core.actions import Action, Refill
from genial.core.events import Placed, Played, Swapped
from genial.core.moves import may_swap
from genial.core.notation import move_text
from genial.core.position import Position
from genial.core.record import Record
from genial.core.referee import replay
from genial.core.situation import Phase
from genial.server.study.reasons import Reason, reason
from genial.server.study.replays import action_of
from genial.server.tables.errors import TooMany
from genial.server.tables.settings import Limits

ADVISER = "level-6"
"""The bot that gives hints and opinions."""
_FOR_A_HINT = Budget(nodes=9600, seconds=1.2)
"""One person waits for it. Values that are to be read need more than the choice of a move."""
_FOR_A_MOVE = Budget(nodes=4800, seconds=0.6)
"""For each move of an analysis: no longer than a table may well wait for a worker."""
_ANALYSIS_SECONDS = 60.0
"""Seconds for a move of an analysis, for which nobody waits: a worker may have to compile first."""
_MOST_SHOWN = 5
_MAY_GIVE_AWAY = {
    "share": (0.01, 0.04, 0.1),
    "lowest": (0.2, 0.7, 1.5),
    "points": (0.0, 2.0, 5.0),
    "worth": (0.01, 0.3, 0.8),
}
"""How much a move may give away, in the unit of the advice, to be as good as the best, fine, or a slip."""

Verdict = Literal["best", "fine", "slip", "mistake"]


class Threat(Struct, frozen=True):
    """What the next opponent can be expected to do after a move."""

    seat: int
    gain: list[float]


class Thought(Struct, frozen=True):
    """One move, and what the adviser thinks of it."""

    move: str
    value: float
    """In the unit of the advice."""
    gain: list[int]
    bonus: int
    lead: float | None
    """Expected distance of the own lowest marker to the best opponent's at the end."""
    threat: Threat | None
    reason: Reason | None
    """What it changes beside its points."""


class Hint(Struct, frozen=True):
    """What the adviser would consider now, the best first."""

    bot: str
    unit: str
    """`share` of the win, or `lowest` marker in solo."""
    seq: int
    """The position that it is about."""
    thoughts: list[Thought]
    shares: list[float]
    """Each seat's expected share of the win."""


class Judged(Struct, frozen=True):
    """A move that was made, beside the best one."""

    ply: int
    """The move is the one that leads to this frame; the end of a turn without a swap has its frame's."""
    seat: int
    move: str
    value: float
    best: Thought
    given_away: float
    verdict: Verdict
    shares: list[float]
    """Each seat's expected share of the win before the move."""
    threat: Threat | None
    """What the next opponent could be expected to do after the move; `best` tells it of the better one."""


class Analysis(Struct, frozen=True):
    """Opinions of all moves of a game, as far as they are thought."""

    id: str
    bot: str
    unit: str | None
    """None until the first opinion is there."""
    state: Literal["running", "done"]
    done: int
    of: int
    moves: list[Judged]
    """A move that nothing could be said about is left out."""


def thought(position: Position, candidate: Candidate) -> Thought:
    """A candidate as plain data."""
    return Thought(
        move=move_text(position.setup, candidate.action),
        value=round(candidate.value, 4),
        gain=list(candidate.gain),
        bonus=candidate.bonus,
        lead=None if candidate.lead is None else round(candidate.lead, 2),
        threat=_threat(candidate),
        reason=reason(position, candidate.action),
    )


def _threat(candidate: Candidate) -> Threat | None:
    fear = candidate.fear
    return Threat(fear.seat, [round(points, 2) for points in fear.gain]) if fear else None


def _shares(advice: Advice) -> list[float]:
    return [round(share, 4) for share in advice.shares]


async def hint(
    pool: Thinkers, position: Position, seq: int, tag: str, limits: Limits, *, caller: str = ""
) -> Hint:
    """What the adviser would consider for the seat to move, from its own view; `caller` is who asks."""
    opinion = await pool.advise(
        ADVISER,
        position.view({position.seat}),
        seed=tag,
        deadline=limits.bot_seconds,
        tag=f"hint:{tag}",
        budget=_FOR_A_HINT,
        priority=ADVICE,
        caller=caller,
    )
    if (advice := opinion.advice) is None:
        raise TooMany("server-busy")
    # The first is what the adviser would choose; those it looked at less come in the order of their values.
    first, *others = advice.candidates[:_MOST_SHOWN]
    ordered = [first, *sorted(others, key=attrgetter("value"), reverse=True)]
    shown = [thought(position, candidate) for candidate in ordered]
    return Hint(ADVISER, advice.unit, seq, shown, _shares(advice))


@dataclass(frozen=True, slots=True)
class Decision:
    """A moment at which somebody had a choice, and what they did."""

    ply: int
    position: Position
    action: Action


def decisions_of(record: Record) -> Iterator[Decision]:
    """Every choice of a game; a turn that could only be ended by a refill was none."""
    ply = 0
    for before, after in pairwise(replay(record)):
        assert after.log is not None
        event = after.log[1]
        action = action_of(event)
        if action is None:
            ends_turn = before.phase is Phase.END_TURN and event.type in ("draw", "reshuffle")
            # A reshuffle splits a draw, so what follows it is no choice of its own.
            fresh = before.log is None or isinstance(before.log[1], Placed | Played)
            if ends_turn and fresh and may_swap(before):
                yield Decision(ply, before, Refill())
            continue
        if not isinstance(event, Swapped) or len(before.actions()) > 1:
            yield Decision(ply + 1, before, action)
        ply += 1


async def opinion_of(
    pool: Thinkers, decision: Decision, seed: str, tag: str, limits: Limits, *, caller: str = ""
) -> Advice | None:
    """What the adviser thinks of a choice, from the view of who had it; nobody in particular waits for it."""
    position = decision.position
    opinion = await pool.advise(
        ADVISER,
        position.view({position.seat}),
        seed=seed,
        deadline=max(limits.bot_seconds, _ANALYSIS_SECONDS),
        tag=tag,
        budget=_FOR_A_MOVE,
        include=(decision.action,),
        priority=ANALYSIS,
        caller=caller,
    )
    return opinion.advice


def judged(decision: Decision, advice: Advice) -> Judged | None:
    """What a move gave away; None if the adviser said nothing of it, or in a unit that is not known here."""
    made = next((each for each in advice.candidates if each.action == decision.action), None)
    limits = _MAY_GIVE_AWAY.get(advice.unit)
    if made is None or limits is None:
        return None
    # The first is what the adviser would choose; a later one may only seem better, looked at less closely.
    best = max(advice.candidates[0], made, key=attrgetter("value"))
    given_away = best.value - made.value
    return Judged(
        ply=decision.ply,
        seat=decision.position.seat,
        move=move_text(decision.position.setup, decision.action),
        value=round(made.value, 4),
        best=thought(decision.position, best),
        given_away=round(given_away, 4),
        verdict=get_args(Verdict)[sum(given_away > limit for limit in limits)],
        shares=_shares(advice),
        threat=_threat(made),
    )
