"""Turns with cards: one is played to its player's row, the oldest leaves it, then the hand is refilled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from genial.core.actions import Action, Place, Play
from genial.core.errors import Breach, IllegalAction
from genial.core.events import Opened, Placed, Played, Reshuffled
from genial.core.open_cards import OpenCards
from genial.core.situation import Situation, markers_of
from genial.core.tiles import NORMAL, SYMBOLS, Tile, arranged
from genial.core.title import CardPlan, Setup
from genial.core.turn_steps import drawn, ending, placements_done, replaced, scored, unfit

if TYPE_CHECKING:
    from genial.core.position import Position


class CardTurns:
    """`Turns` of the card game."""

    def actions(self, situation: Situation) -> Sequence[Action]:
        rack = situation.racks[situation.seat]
        return tuple(Play(spelled) for tile in dict.fromkeys(rack) for spelled in (tile, tile[::-1]))

    def check(self, situation: Situation, action: Place | Play) -> None:
        if not isinstance(action, Play):
            raise IllegalAction("play-expected")

    def points(self, situation: Situation, action: Place | Play) -> tuple[int, int]:
        rows, (first, second) = _rows(situation), SYMBOLS[action.tile]
        return rows.matches(first), rows.matches(second)

    def event(self, situation: Situation, action: Place | Play, gain: tuple[int, ...]) -> Played:
        return Played(situation.seat, action.tile, gain)

    def swap_hindrance(self, situation: Situation) -> str | None:
        return None

    def open_next(self, position: Position) -> int | None:
        rows = _rows(position).rows
        shortest = min(rows, key=len)
        return rows.index(shortest) if len(shortest) < open_count(position.setup) else None

    def put_away(self, position: Position, tiles: tuple[Tile, ...]) -> Position:
        racks = replaced(position.racks, position.seat, ())
        # CARD-SWAP: the hand is discarded before the draw
        return position.change(racks=racks, discard=position.discard + arranged(tiles))

    def turn_ends(self, position: Position) -> Position:
        return _discard_oldest(position)  # CARD-TURN-END

    def claimed(self, position: Position, event: Placed | Played) -> Play:
        if not isinstance(event, Played):
            raise unfit(position, event)
        return Play(event.tile)

    def judge_placing(self, position: Position, event: Placed | Played, lawful: Placed | Played) -> None:
        pass  # Cards have no levels.

    def judge_open_card(self, position: Position, event: Opened) -> None:
        most = open_count(position.setup)
        if len(_rows(position).rows[event.seat]) >= most:
            raise Breach("open-count", ruling=position.setup.title.cites.tiles, expected=most)

    def judge_reshuffle(self, position: Position, event: Reshuffled) -> None:
        if position.bag:
            ruling = position.setup.title.cites.turn
            raise Breach("reshuffle-early", ruling=ruling, count=len(position.bag))


def opened(position: Position, event: Opened) -> Position:
    """The position after a card was dealt face up; `fold` decides whether more follow."""
    table = _rows(position).add(event.seat, NORMAL[event.tile])
    return position.change(table=table, bag=drawn(position.bag, (event.tile,)))


def played(position: Position, event: Played) -> Position:
    """The position after a card was played."""
    after = scored(position, event, _rows(position).add(event.seat, NORMAL[event.tile]))
    if after.setup.title.track.is_complete(markers_of(after, event.seat)):  # CARD-END
        return ending(after, after.setup.title.end.complete)
    # CARD-BONUS: the oldest card goes before the next is played
    return _discard_oldest(after) if after.bonus else placements_done(after)


def open_count(setup: Setup) -> int:
    """How many cards lie open in front of each seat when a turn begins."""
    assert isinstance(setup.title.plan, CardPlan)
    return setup.title.plan.open_cards[setup.seats]


def _discard_oldest(position: Position) -> Position:
    table, oldest = _rows(position).drop_oldest(position.seat)
    return position.change(table=table, discard=(*position.discard, oldest))


def _rows(situation: Situation) -> OpenCards:
    assert isinstance(situation.table, OpenCards)
    return situation.table
