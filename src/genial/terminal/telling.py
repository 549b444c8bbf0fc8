"""The game in words: events, racks, tracks, points. Used by both ways of playing in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from genial.core.actions import Place, Play
from genial.core.cellnames import cell_name
from genial.core.colours import COLOURS
from genial.core.editions import name_of
from genial.core.errors import GenialError
from genial.core.events import Drew, Ended, Event, Placed, Played, Reshuffled, Swapped
from genial.core.explain import Half, explain
from genial.core.guidance import Guidance
from genial.core.hexes import Cell
from genial.core.messages import listed, render
from genial.core.open_cards import OpenCards
from genial.core.sides import Sides
from genial.core.situation import markers_of, weakest
from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.core.title import BoardPlan, CardPlan
from genial.core.tracks import PegTrack, Score
from genial.core.view import View
from genial.terminal.session import Session
from genial.terminal.words import say


def lowest_that_matter(view: View, seat: int) -> set[int]:
    """A seat's lowest colours; empty while all six are level, since then every tile shows one."""
    low = set(weakest(view, seat))
    return low if len(low) < len(COLOURS) else set()


class Teller:
    """Describes a session's game in its language.

    >>> import genial
    >>> session = Session(genial.new("classic", seats=2, seed=7), [None, "balanced"])
    >>> teller = Teller(session)
    >>> teller.tile("RB"), teller.gain((2, 0, 0, 0, 1, 0))
    ('RB (red and blue)', '3 points: red 2 and blue 1')
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._language = session.language
        self._names = session.names

    def say(self, key: str, **params: object) -> str:
        """One of the terminal's texts."""
        return say(key, self._language, **params)

    # Things

    def colour(self, colour: int) -> str:
        return render(f"colour-{colour}", {}, self._language)

    def colours(self, colours: Sequence[int]) -> str:
        return self.listed([self.colour(colour) for colour in colours])

    def listed(self, things: Sequence[str]) -> str:
        """A list as people say it: red, green and blue."""
        return listed(things, self._language)

    def title(self) -> str:
        return name_of(self._session.setup.title.variant, self._language)

    def cell(self, cell: Cell) -> str:
        board = self._session.setup.board
        return cell_name(board, cell) if board is not None and cell in board.number else str(cell)

    def symbols(self, tile: Tile) -> str:
        """The two colours of a tile, in the order written."""
        first, second = SYMBOLS[tile]
        if first == second:
            return self.say("double", colour=self.colour(first))
        return self.say("two-colours", first=self.colour(first), second=self.colour(second))

    def tile(self, tile: Tile) -> str:
        return f"{tile} ({self.symbols(tile)})"

    def supply(self, view: View) -> str:
        """What is left to draw, and from where."""
        plan = view.setup.title.plan
        stacks = isinstance(plan, BoardPlan) and plan.stacking
        key = "pile" if isinstance(plan, CardPlan) else "supply" if stacks else "bag"
        return self.say(key, count=view.supply)

    def points(self, count: int) -> str:
        return render("points", {"count": count}, self._language)

    def gain(self, gain: Sequence[int]) -> str:
        """How far the markers move, in total and by colour."""
        moved = [f"{self.colour(n)} {points}" for n, points in enumerate(gain) if points]
        return f"{self.points(sum(gain))}: {self.listed(moved)}" if moved else self.say("no-points")

    def outcome(self, score: Score) -> str:
        """What a move would score, including bonus moves."""
        bonus = f"; {self.say('brings-bonus', count=score.bonus)}" if score.bonus else ""
        return self.gain(score.gain) + bonus

    # Errors and guidance

    def problem(self, error: GenialError | Guidance) -> str:
        """An error of the engine in words, with its ruling."""
        text = error.text(self._language)
        return f"{text} [{error.ruling}]" if error.ruling else text

    # Events

    def events(self, events: Sequence[Event], first: int = 0) -> list[str]:
        """What happened from this event number on, one sentence each."""
        return [text for n in range(first, len(events)) if (text := self.event(events, n))]

    def event(self, events: Sequence[Event], number: int) -> str | None:
        """One event of a game in words."""
        event = events[number]
        match event:
            case Placed(seat, tile, (one, other), level, gain):
                key = "event-place-level" if level else "event-place"
                cells = {"first": self.cell(one), "second": self.cell(other), "level": level}
                text = self.say(
                    key, name=self._names[seat], tile=self.tile(tile), **cells, gain=_capital(self.gain(gain))
                )
                return self._bonus(events, number) + text
            case Played(seat, tile, gain):
                text = self.say(
                    "event-play", name=self._names[seat], tile=self.tile(tile), gain=_capital(self.gain(gain))
                )
                return self._bonus(events, number) + text
            case Swapped(seat, tiles):
                return self.say("event-swap", name=self._names[seat], tiles=self.listed(tiles))
            case Drew(seat, tiles):
                if HIDDEN in tiles:
                    return self.say("event-draw-hidden", name=self._names[seat])
                drawn = self.listed([self.tile(tile) for tile in tiles])
                return self.say("event-draw", name=self._names[seat], tiles=drawn)
            case Reshuffled():
                return self.say("event-reshuffle")
            case Ended(reason):
                return render(f"reason-{reason}", {}, self._language)
        return None

    def _bonus(self, events: Sequence[Event], number: int) -> str:
        event, before = events[number], events[number - 1]
        again = isinstance(before, Placed | Played) and isinstance(event, Placed | Played)
        again = again and event.seat == before.seat  # type: ignore[union-attr]
        return f"{self.say('bonus-move')} " if again else ""

    # What a move scores

    def preview(self, view: View, action: Place | Play) -> list[str]:
        """The points of a lawful move, line by line as they are counted."""
        found = explain(view, action)
        lines = [line for half in found.halves for line in self._half(view, half)]
        lines.append(self.say("preview-sum", gain=self.gain(found.gain)))
        if found.bonus:
            lines.append(_capital(self.say("brings-bonus", count=found.bonus)) + ".")
        return lines

    def _half(self, view: View, half: Half) -> list[str]:
        where = f" {self.cell(half.cell)}" if half.cell is not None else ""
        lines = [f"{_capital(self.colour(half.colour))}{where}: {self.points(half.points)}."]
        for ray in half.rays:
            cells = ", ".join(map(self.cell, ray.cells))
            lines.append(f"  {self.say(f'direction-{ray.direction}')}: {len(ray.cells)} ({cells})")
        if half.matches and isinstance(view.table, OpenCards):
            for seat, place in half.matches:
                lines.append(f"  {self._names[seat]}: {self.tile(view.table.rows[seat][place])}")
        if half.moved != half.points:
            lines.append("  " + self.say("preview-moved", count=half.moved))
        return lines

    # Tracks

    def sides(self) -> list[int]:
        """One seat for each track to be shown; where pegs are shared, just the first."""
        sides, seats = self._session.setup.title.sides, self._session.setup.seats
        return list(range(sides.track_count(seats)))

    def side(self, seat: int) -> str:
        """The name of the side whose track this seat moves."""
        return self._session.side_name(seat)

    def tracks(self, view: View) -> list[str]:
        """All tracks in words, one sentence per side."""
        if view.setup.title.sides is Sides.SHARED:
            return [self._pegs(view)]
        lines = []
        for seat in self.sides():
            markers, low = markers_of(view, seat), weakest(view, seat)
            places = self.listed([f"{self.colour(n)} {place}" for n, place in enumerate(markers)])
            lines.append(self.say("track", name=self.side(seat), places=places, lowest=self._lowest(low)))
        return lines

    def _lowest(self, colours: Sequence[int]) -> str:
        return self.say("all-six") if len(colours) == len(COLOURS) else self.colours(colours)

    def _pegs(self, view: View) -> str:
        track = view.setup.title.track
        assert isinstance(track, PegTrack)
        told = []
        for colour, place in enumerate(view.tracks[0]):
            seat = 0 if place > 0 else 1
            own = self._names[seat] == self.say("you")
            if abs(place) == track.reach:
                key = "peg-won-own" if own else "peg-won"
            elif place:
                key = "peg-own" if own else "peg"
            else:
                key = "peg-middle"
            told.append(self.say(key, colour=self.colour(colour), places=abs(place), name=self._names[seat]))
        return self.say("pegs", pegs=self.listed(told))

    # Racks

    def rack(self, view: View, seat: int) -> list[str]:
        """A rack or hand, numbered, with marks on tiles that show a lowest colour."""
        low = lowest_that_matter(view, seat)
        lines = []
        for number, tile in enumerate(view.racks[seat], start=1):
            mark = f", {self.say('has-lowest')}" if low & set(SYMBOLS[tile]) else ""
            lines.append(f"{number}: {self.tile(tile)}{mark}")
        return lines

    def open_cards(self, view: View) -> list[str]:
        """The rows of open cards, the oldest first."""
        assert isinstance(view.table, OpenCards)
        return [
            f"{self._names[seat]}: {', '.join(map(self.tile, row))}. {self.say('goes-next', tile=row[0])}"
            for seat, row in enumerate(view.table.rows)
        ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
