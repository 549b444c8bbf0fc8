"""The two kinds of turns: tiles are placed on a board, or cards are played to open rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from genial.core.actions import Action, Place, Play
from genial.core.board_turns import BoardTurns
from genial.core.card_turns import CardTurns
from genial.core.events import Opened, Placed, Played, Reshuffled
from genial.core.layout import Layout
from genial.core.open_cards import OpenCards
from genial.core.situation import Situation
from genial.core.tiles import Tile

if TYPE_CHECKING:
    from genial.core.position import Position


class Turns(Protocol):
    """What the rules need from one kind of turn."""

    # Possible actions

    def actions(self, situation: Situation) -> Sequence[Action]:
        """Every way to place or play, in a fixed order."""

    def check(self, situation: Situation, action: Place | Play) -> None:
        """Raise IllegalAction unless a tile that the mover holds may go there."""

    def points(self, situation: Situation, action: Place | Play) -> tuple[int, int]:
        """What the two symbols of a lawful action score."""

    def event(self, situation: Situation, action: Place | Play, gain: tuple[int, ...]) -> Placed | Played:
        """The event that a lawful action causes."""

    def swap_hindrance(self, situation: Situation) -> str | None:
        """The code of a reason against swapping that only this kind of turn has."""

    # Consequences

    def open_next(self, position: Position) -> int | None:
        """The seat that gets the next open card once all racks are dealt; None if the game can begin."""

    def put_away(self, position: Position, tiles: tuple[Tile, ...]) -> Position:
        """Put the mover's swapped tiles where they go before the draw."""

    def turn_ends(self, position: Position) -> Position:
        """The position after the mover has ended the turn, before the draw."""

    # Judging events: each raises Breach if the event may not happen, or belongs to the other kind of turn

    def claimed(self, position: Position, event: Placed | Played) -> Place | Play:
        """The action that an event claims."""

    def judge_placing(self, position: Position, event: Placed | Played, lawful: Placed | Played) -> None:
        """Compare an event with the lawful one for the same action, except for the points."""

    def judge_open_card(self, position: Position, event: Opened) -> None:
        """Judge a card being dealt face up."""

    def judge_reshuffle(self, position: Position, event: Reshuffled) -> None:
        """Judge the discard pile becoming the supply."""


_TURNS: dict[type[Layout | OpenCards], Turns] = {Layout: BoardTurns(), OpenCards: CardTurns()}


def turns_of(situation: Situation) -> Turns:
    """The kind of turn played here."""
    return _TURNS[type(situation.table)]
