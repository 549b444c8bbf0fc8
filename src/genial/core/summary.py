"""A short summary of a title's rules, generated from its parts: for help pages, and as the rules page of an
edition without its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from genial.core.editions import name_of
from genial.core.messages import render
from genial.core.sides import Sides
from genial.core.title import BoardPlan, CardPlan, Title
from genial.core.titles import about_of
from genial.core.tracks import GatedTrack, PegTrack, RaceTrack

Topic = Literal["score", "lowest", "swap", "bonus"]
"""What people who open the rules during a game most often look for."""


def rules_in_short(title: Title, language: str = "en") -> list[str]:
    """Sentences, one paragraph each: what is on the table, a turn, the scoreboard, the end.

    >>> from genial.core.titles import title_of
    >>> rules_in_short(title_of("travel"))[0].split(". ")[:2]
    ['For 2 players', 'The board has 91 spaces']
    """
    teller = _Teller(title, language)
    parts = (teller.origin, teller.table, teller.turn, teller.track, teller.end_of_turn, teller.end)
    return [" ".join(told) for part in parts if (told := list(part()))]


def rules_at_a_glance(title: Title, language: str = "en") -> list[tuple[Topic, str]]:
    """The same sentences on one screen: how to score, what wins, when to swap, when to move again.

    >>> from genial.core.titles import title_of
    >>> [topic for topic, _ in rules_at_a_glance(title_of("classic"))]
    ['score', 'lowest', 'swap', 'bonus']
    >>> [topic for topic, _ in rules_at_a_glance(title_of("classic-solo"))]
    ['score', 'lowest']
    """
    teller = _Teller(title, language)
    topics: dict[Topic, Iterator[str]] = {
        "score": teller.scoring(),
        "lowest": teller.winning(),
        "swap": teller.swapping(),
        "bonus": teller.bonus(),
    }
    return [(topic, " ".join(told)) for topic, part in topics.items() if (told := list(part))]


class _Teller:
    def __init__(self, title: Title, language: str) -> None:
        self._title, self._language = title, language
        self._kind = "tiles" if isinstance(title.plan, BoardPlan) else "cards"

    def _say(self, code: str, **params: object) -> str:
        return render(f"summary-{code}", params, self._language)

    def origin(self) -> Iterator[str]:
        about = about_of(self._title)
        if about.ours:
            yield self._say("ours")
        if self._title.reconstructed:
            yield self._say("reconstructed")
        if about.like is not None:
            yield self._say("like", title=name_of(about.like.variant, self._language))

    def table(self) -> Iterator[str]:
        title, plan = self._title, self._title.plan
        low, high = title.seats[0], title.seats[-1]
        yield self._say("players", count=high) if low == high else self._say("range", low=low, high=high)
        if isinstance(plan, BoardPlan):
            yield self._by_seats(lambda seats: self._say("board", count=len(plan.board(seats).cells)))
        yield self._by_seats(self._set)
        if title.sides is Sides.TEAMS:
            yield self._say("teams")

    def turn(self) -> Iterator[str]:
        title, plan = self._title, self._title.plan
        if isinstance(plan, CardPlan):
            yield self._by_seats(lambda seats: self._say("face-up", count=plan.open_cards[seats]))
            yield self._say("play", count=title.rack)
            return
        yield self._placing()
        if plan.stacking:
            yield self._say("stacking")
        start = "stones" if plan.printed is None else "printed"
        yield self._say(f"{plan.opening.value}-{start}")
        yield self._points(plan)

    def scoring(self) -> Iterator[str]:
        plan = self._title.plan
        if isinstance(plan, CardPlan):
            yield self._say("play", count=self._title.rack)
        else:
            yield self._placing()
            yield self._points(plan)

    def _placing(self) -> str:
        return self._say("one-tile") if self._title.is_solo else self._say("place", count=self._title.rack)

    def _points(self, plan: BoardPlan) -> str:
        return self._say("scoring-above" if plan.stacking else "scoring")

    def track(self) -> Iterator[str]:
        track = self._title.track
        high = track.highest_step
        if isinstance(track, PegTrack):
            yield self._pegs(track)
        elif isinstance(track, GatedTrack):
            yield self._say("gated", high=high, lines=track.region_ends[1:])
        elif isinstance(track, RaceTrack) and track.boards > 1:
            yield self._say("double", high=high, lines=track.line_steps)
        else:
            yield self._say("track", high=high)
        if not track.bonus_steps:
            yield self._say("no-bonus")
        elif not isinstance(track, PegTrack):
            yield from self.bonus()

    def bonus(self) -> Iterator[str]:
        track = self._title.track
        if isinstance(track, PegTrack):
            yield self._pegs(track)
        elif track.bonus_steps:
            yield self._say("bonus", steps=track.bonus_steps)

    def _pegs(self, track: PegTrack) -> str:
        return self._say("pegs", count=track.highest_step)

    def end_of_turn(self) -> Iterator[str]:
        if self._title.is_solo:
            return
        yield self._say(f"draw-{self._kind}", count=self._title.rack)
        yield from self.swapping()

    def swapping(self) -> Iterator[str]:
        if self._title.swaps and not self._title.is_solo:
            yield self._say(f"swap-{self._kind}")

    def end(self) -> Iterator[str]:
        title, track = self._title, self._title.track
        if title.end.last_round_below:
            yield self._say("last-round", count=title.end.last_round_below)
        if title.end.stuck is not None:
            yield self._say(title.end.stuck)
        if isinstance(track, GatedTrack):
            yield self._say("goal", goal=track.goal)
        elif isinstance(track, PegTrack):
            yield self._say("all-won")
        else:
            yield self._say("all-max", high=track.highest_step)
        yield from self.winning()

    def winning(self) -> Iterator[str]:
        title = self._title
        best = "best" if title.is_solo else "winner-shared" if title.sides is Sides.SHARED else "winner"
        yield self._say(best)

    def _set(self, seats: int) -> str:
        tiles = self._title.tiles[seats]
        code = f"{self._kind}-pairs" if not tiles.doubles else self._kind
        return self._say(code, count=len(tiles.tiles()), pairs=tiles.pairs, doubles=tiles.doubles)

    def _by_seats(self, told: Callable[[int], str]) -> str:
        """A sentence once, or once per seat count if it differs between them."""
        seats = self._title.seats
        if len({told(count) for count in seats}) == 1:
            return told(seats[0])
        return " ".join(self._say("with", count=count, told=told(count)) for count in seats)
