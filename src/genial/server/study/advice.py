"""What bots think, for people: hints in a running game, and opinions on every move of a finished one.

The bot workers do the thinking, after the moves that tables are waiting for. An opinion is based on a view: a
bot that looks back at a finished game knows no more than the player did.
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
"""One person is waiting for it. Values that people read need more work than the choice of a move."""
_FOR_A_MOVE = Budget(nodes=4800, seconds=0.6)
"""For each move of an analysis: no longer than a table can reasonably wait for a worker."""
_ANALYSIS_SECONDS = 60.0
"""Seconds for a move of an analysis, for which nobody is waiting: a worker may have to compile first."""
_MOST_SHOWN = 5
_MAY_GIVE_AWAY = {
    "share": (0.01, 0.04, 0.1),
    "lowest": (0.2, 0.7, 1.5),
    "points": (0.0, 2.0, 5.0),
    "worth": (0.01, 0.3, 0.8),
}
"""How much a move may give away, in the unit of the advice, and still count as best, fine, or a slip."""

Verdict = Literal["best", "fine", "slip", "mistake"]


class Threat(Struct, frozen=True):
    """What the next opponent is expected to do after a move."""

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
    """The expected lead at the end of the player's lowest marker over the best opponent's."""
    threat: Threat | None
    reason: Reason | None
    """What it changes besides its points."""


class Hint(Struct, frozen=True):
    """The moves that the adviser would consider now, best first."""

    bot: str
    unit: str
    """`share` of the win, or `lowest` marker in solo."""
    seq: int
    """The position it is about."""
    thoughts: list[Thought]
    shares: list[float]
    """Each seat's expected share of the win."""


class Judged(Struct, frozen=True):
    """A move that was made, compared with the best one."""

    ply: int
    """The frame that the move leads to; for ending a turn without a swap, the frame of that turn."""
    seat: int
    move: str
    value: float
    best: Thought
    given_away: float
    verdict: Verdict
    shares: list[float]
    """Each seat's expected share of the win before the move."""
    threat: Threat | None
    """What the next opponent was expected to do after the move; for the better move, see `best`."""


class Analysis(Struct, frozen=True):
    """Opinions on all moves of a game, as far as they are ready."""

    id: str
    bot: str
    unit: str | None
    """None until there is a first opinion."""
    state: Literal["running", "done"]
    done: int
    of: int
    moves: list[Judged]
    """Moves that nothing could be said about are left out."""


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
    """What the adviser would consider for the seat to move, from that seat's view; `caller` is who asks."""
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
    # The first is the adviser's choice; the others, which it examined less, are sorted by value.
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
    """Every choice in a game; the end of a turn doesn't count if a refill was the only option."""
    ply = 0
    for before, after in pairwise(replay(record)):
        assert after.log is not None
        event = after.log[1]
        action = action_of(event)
        if action is None:
            ends_turn = before.phase is Phase.END_TURN and event.type in ("draw", "reshuffle")
            # A reshuffle splits a draw in two, so what follows it isn't a separate choice.
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
    """What the adviser thinks of a choice, from the view of the player who had it; at the lowest priority."""
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
    """How much a move gave away; None if the adviser said nothing about it, or in an unknown unit."""
    made = next((each for each in advice.candidates if each.action == decision.action), None)
    limits = _MAY_GIVE_AWAY.get(advice.unit)
    if made is None or limits is None:
        return None
    # The first is the adviser's choice; a later one may only seem better because it was examined less.
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
