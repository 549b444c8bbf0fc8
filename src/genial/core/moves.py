"""What may be done now and what it would score: the same for a position and for a view of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.errors import IllegalAction, NotationError
from genial.core.events import Placed, Played, Swapped
from genial.core.situation import Phase, Situation, markers_of, weakest
from genial.core.tiles import HIDDEN, SYMBOLS, normal
from genial.core.tracks import Score, score
from genial.core.turns import turns_of

_WAITS_FOR = {
    Phase.DEAL: "not-dealt",
    Phase.DRAW: "not-dealt",
    Phase.END_TURN: "not-now",
    Phase.ENDING: "game-over",
    Phase.OVER: "game-over",
}
"""Why nothing can be placed or played in a phase."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action would score for the mover."""

    halves: tuple[tuple[int, int], tuple[int, int]]
    """Colour and points of each symbol, in the order scored, before caps and gates."""
    score: Score


def actions(situation: Situation) -> Sequence[Action]:
    """Everything the seat to move may do, in a fixed order."""
    if situation.phase is Phase.PLACE:
        return turns_of(situation).actions(situation)
    if situation.phase is Phase.END_TURN:
        return (Refill(), Swap()) if may_swap(situation) else (Refill(),)
    return ()


def may_swap(situation: Situation) -> bool:
    """True if the mover may swap: no tile left shows a colour that shares the lowest step (SWAP)."""
    hidden = HIDDEN in situation.racks[situation.seat]  # then only the mover knows
    return situation.phase is Phase.END_TURN and not hidden and swap_hindrance(situation) is None


def swap_hindrance(situation: Situation) -> str | None:
    """The code of the reason why the rack may not be swapped, or None if it may."""
    title, rack = situation.setup.title, situation.racks[situation.seat]
    if not title.swaps:
        return "swap-never"
    if not rack:
        return "swap-empty"
    if hindrance := turns_of(situation).swap_hindrance(situation):
        return hindrance
    lowest = weakest(situation, situation.seat)
    if any(colour in SYMBOLS[tile] for tile in rack for colour in lowest):
        return "swap-has-lowest"
    return None


def points(situation: Situation, action: Place | Play) -> tuple[tuple[int, int], tuple[int, int]]:
    """Colour and points of each symbol of a lawful placement or card, in the order scored."""
    (first, second), (one, two) = SYMBOLS[action.tile], turns_of(situation).points(situation, action)
    return (first, one), (second, two)


def outcome(situation: Situation, action: Place | Play) -> Outcome:
    """What a lawful placement or card would score for the mover."""
    halves = points(situation, action)
    return Outcome(halves, score(situation.setup.title.track, markers_of(situation, situation.seat), halves))


def event_of(situation: Situation, action: Place | Play | Swap) -> Placed | Played | Swapped:
    """The event that an action causes; raises IllegalAction if the action is not lawful."""
    if isinstance(action, Swap):
        check_swap(situation)
        return Swapped(situation.seat, situation.racks[situation.seat])
    if not isinstance(action, Place | Play):
        raise IllegalAction("action-unknown", action=type(action).__name__)
    check_tile(situation, action.tile)
    turns = turns_of(situation)
    turns.check(situation, action)
    return turns.event(situation, action, outcome(situation, action).score.gain)


def check_tile(situation: Situation, tile: object) -> None:
    """Raise unless a tile may be placed or played now and this one is on the mover's rack."""
    if situation.phase is not Phase.PLACE:
        raise IllegalAction(_WAITS_FOR[situation.phase], ruling=situation.setup.title.cites.turn)
    try:
        kind = normal(tile)
    except NotationError as error:
        raise error.of_kind(IllegalAction) from None
    rack = situation.racks[situation.seat]
    if kind not in rack:
        raise IllegalAction(
            "tile-not-held", ruling=situation.setup.title.cites.tiles, tile=tile, held=list(rack)
        )


def check_swap(situation: Situation) -> None:
    """Raise unless the mover may swap now."""
    if situation.phase is not Phase.END_TURN:
        raise IllegalAction("swap-not-now", ruling=situation.setup.title.cites.swap)
    hindrance = swap_hindrance(situation)
    if hindrance:
        raise IllegalAction(
            hindrance,
            ruling=situation.setup.title.cites.swap,
            colours=list(weakest(situation, situation.seat)),
        )
