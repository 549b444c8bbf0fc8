"""Why a move is good, in facts that everybody at the table can see; a client turns them into a sentence."""

from __future__ import annotations

from operator import attrgetter

from msgspec import Struct

from genial.core.actions import Action, Place, Play
from genial.core.bits import members
from genial.core.explain import explain
from genial.core.layout import Layout
from genial.core.position import Position
from genial.core.sides import Sides
from genial.core.situation import markers_of, weakest
from genial.core.tiles import SYMBOLS

_WORTH_SAYING = 2
"""A space where a colour could score less than this isn't worth mentioning."""


class Rival(Struct, frozen=True):
    """The opponent whose lowest marker is highest."""

    seat: int
    lowest: int


class Block(Struct, frozen=True):
    """The move covers a space where one of an opponent's weakest colours could have scored its most."""

    seat: int
    colour: int
    points: int
    """What one symbol of this colour could score there."""


class Reason(Struct, frozen=True):
    """What a move changes besides its points."""

    before: int
    """The mover's lowest marker before the move; `after` is the one after it."""
    after: int
    weakest: list[int]
    """The lowest colours after the move."""
    lifted: list[int]
    """The colours that were lowest and have been raised."""
    full: list[int]
    """The colours that earn a bonus move."""
    rival: Rival | None
    """None in solo."""
    block: Block | None


def reason(position: Position, action: Action) -> Reason | None:
    """What speaks for a placement or card; None for anything else, or if no lowest colour counts (DUEL)."""
    title, seat = position.setup.title, position.seat
    if not isinstance(action, Place | Play) or title.sides is Sides.SHARED:
        return None
    side = title.sides.side_of
    others = [other for other in range(position.setup.seats) if side(other) != side(seat)]
    rivals = (Rival(other, min(markers_of(position, other))) for other in others)
    before, after = markers_of(position, seat), explain(position, action).markers
    return Reason(
        before=min(before),
        after=min(after),
        weakest=[colour for colour, step in enumerate(after) if step == min(after)],
        lifted=[colour for colour, step in enumerate(after) if before[colour] == min(before) < step],
        full=[
            colour for colour in range(len(after)) if title.track.bonus_moves(before[colour], after[colour])
        ],
        rival=max(rivals, key=attrgetter("lowest"), default=None),
        block=_block(position, action, others) if isinstance(action, Place) else None,
    )


def _block(position: Position, action: Place, others: list[int]) -> Block | None:
    """The most valuable such space; a colour on the tile itself was scored, not blocked."""
    layout = position.table
    assert isinstance(layout, Layout)
    board, offers = layout.board, layout.points_table()
    free = {
        cell for n in members(layout.open_pairs) for cell in (board.pairs[n].first, board.pairs[n].second)
    }
    covered = [board.number[cell] for cell in action.cells]
    found = [
        Block(other, colour, points)
        for other in others
        for colour in weakest(position, other)
        if colour not in SYMBOLS[action.tile]
        and (points := max(offers[colour][cell] for cell in covered)) >= _WORTH_SAYING
        and points == max(offers[colour][cell] for cell in free)
    ]
    return max(found, key=attrgetter("points"), default=None)
