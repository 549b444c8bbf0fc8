"""One game of a contest, from its fixture to its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Protocol, runtime_checkable

from msgspec import Struct

from genial.arena.fixtures import Fixture, Key
from genial.bots.bot import Bot, Budget
from genial.bots.child import BotFailure
from genial.bots.driver import choose
from genial.bots.searcher import SearchBot, own_nodes
from genial.core.actions import Action
from genial.core.errors import GenialError
from genial.core.events import Ended
from genial.core.new import new
from genial.core.position import Position
from genial.core.record import deal_key, dump, record_of
from genial.core.series import noted_points
from genial.core.sides import Sides

RAISED, UNLAWFUL, DEADLINE, DIED = "raised", "unlawful", "deadline", "died"
"""Reasons for a forfeit."""
FORFEIT = "forfeit"
_LONGEST = 200
_WARM_UP_SECONDS = 900.0
"""Compiling takes ten seconds on a free core, and minutes when many share one."""


class Forfeit(Struct, frozen=True):
    """Who lost a game by default, and why."""

    seat: int
    problem: str
    """A reason, possibly with details: `raised: ValueError: ...`."""


class Played(Struct, frozen=True, omit_defaults=True):
    """A game that has been played."""

    lineup: int
    deal: int
    seating: int
    players: tuple[str, ...]
    """By seat, like everything that follows."""
    ranks: tuple[int, ...]
    noted: tuple[int, ...]
    """What a series notes: the lowest marker, or the duel's colours."""
    reason: str
    ms: tuple[tuple[float, ...], ...] = ()
    """How long each move took. Only decisions count: if just one action is lawful, nobody is asked."""
    nodes: tuple[int | None, ...] = ()
    """How many nodes were looked at in the whole game, if the bot says."""
    forfeit: Forfeit | None = None

    @property
    def key(self) -> Key:
        return self.lineup, self.deal, self.seating


@runtime_checkable
class Attends(Protocol):
    """A bot that is told when a game begins and when it is over."""

    def prepare(self) -> None: ...

    def game_over(self, position: Position, seat: int) -> None: ...


Tell = Callable[[tuple[int, float] | None], None]
"""Called with the seat that starts to think and its seconds, and with None when it has moved."""


class _Lost(Exception):
    def __init__(self, seat: int, problem: str) -> None:
        self.forfeit = Forfeit(seat, " ".join(problem.split())[:_LONGEST])


def play(fixture: Fixture, bots: Sequence[Bot], tell: Tell = lambda thinking: None) -> Played:
    """Play a game to its end, or to the first forfeit.

    >>> from genial.bots import bot_named
    >>> fixture = Fixture(0, 0, 0, "cards", 2, "7-0", ("greedy", "random"), deadline=10)
    >>> played = play(fixture, [bot_named(name) for name in fixture.players])
    >>> played.reason, played.ranks
    ('goal', (1, 2))
    """
    game = _Game(fixture, bots, tell)
    forfeit = game.play()
    position = game.position
    for seat, bot in enumerate(bots):
        if isinstance(bot, Attends) and (forfeit is None or forfeit.seat != seat):
            bot.game_over(position, seat)
    if fixture.records:
        _write_record(fixture, position, forfeit)
    if forfeit:
        return forfeited(fixture, forfeit, game.ms, game.nodes)
    assert position.result is not None
    return _played(fixture, position.result, position, game)


def forfeited(
    fixture: Fixture,
    forfeit: Forfeit,
    ms: Sequence[Sequence[float]] = (),
    nodes: Sequence[int | None] = (),
) -> Played:
    """A game lost by forfeit: the player is last on all its seats, and the others share first place."""
    loser = fixture.players[forfeit.seat]
    winners = sum(player != loser for player in fixture.players)
    return Played(
        *fixture.key,
        players=fixture.players,
        ranks=tuple(1 + winners * (player == loser) for player in fixture.players),
        noted=(0,) * fixture.seats,
        reason=FORFEIT,
        ms=tuple(map(tuple, ms)),
        nodes=tuple(nodes),
        forfeit=forfeit,
    )


def warm_up(fixture: Fixture, seat: int, bot: Bot, tell: Tell) -> None:
    """Let a searching bot make one throwaway choice, so that no move pays for importing and compiling."""
    if isinstance(bot, SearchBot):
        tell((seat, _WARM_UP_SECONDS))
        view = new(fixture.variant, seats=fixture.seats, seed="warm-up").view({0})
        choose(bot, view, Random(0), deadline=_WARM_UP_SECONDS)
        tell(None)


class _Game:
    """A game in progress."""

    def __init__(self, fixture: Fixture, bots: Sequence[Bot], tell: Tell) -> None:
        self.fixture, self.bots, self.tell = fixture, bots, tell
        self.position = new(fixture.variant, seats=fixture.seats, seed=fixture.seed)
        self.ms: list[list[float]] = [[] for _ in bots]
        self.nodes: list[int | None] = [None for _ in bots]
        # Each seat has its own randomness, which does not depend on how much the others use.
        self.chance = [Random(f"{fixture.seed}|{fixture.seating}|{seat}") for seat in range(fixture.seats)]

    def play(self) -> Forfeit | None:
        """Play to the end, or to the first forfeit."""
        for seat, bot in enumerate(self.bots):
            if isinstance(bot, Attends):
                try:
                    bot.prepare()
                except BotFailure as failure:
                    return Forfeit(seat, failure.problem)
        while not self.position.is_over:
            seat, actions = self.position.seat, self.position.actions()
            try:
                action = actions[0] if len(actions) == 1 else self._choice(seat)
                self.position = self._next(seat, action)
            except _Lost as lost:
                return lost.forfeit
        return None

    def _choice(self, seat: int) -> Action:
        bot, view, limit = self.bots[seat], self.position.view({seat}), self.fixture.deadline
        budget = _budget(self.fixture, bot)
        self.tell((seat, limit))
        started = time.perf_counter()
        try:
            chosen = choose(bot, view, self.chance[seat], budget, limit)
        except BotFailure as failure:
            raise _Lost(seat, failure.problem) from None
        except Exception as error:
            raise _Lost(seat, f"{RAISED}: {type(error).__name__}: {error}") from None
        finally:
            seconds = time.perf_counter() - started
            self.ms[seat].append(round(seconds * 1000, 2))
            self.tell(None)
        if chosen.nodes is not None:
            self.nodes[seat] = (self.nodes[seat] or 0) + chosen.nodes
        if seconds > limit:
            raise _Lost(seat, f"{DEADLINE}: {seconds:.2f} s")
        return chosen.action

    def _next(self, seat: int, action: Action) -> Position:
        try:
            return self.position.apply(action)[0]
        except GenialError as error:
            raise _Lost(seat, f"{UNLAWFUL}: {error}") from None


def _budget(fixture: Fixture, bot: Bot) -> Budget | None:
    """The contest's budget, otherwise the bot's own nodes: a cap in seconds would depend on the machine."""
    if fixture.nodes is not None or fixture.seconds is not None:
        return Budget(fixture.nodes, fixture.seconds)
    return own_nodes(bot)


def _played(fixture: Fixture, end: Ended, position: Position, game: _Game) -> Played:
    return Played(
        *fixture.key,
        players=fixture.players,
        ranks=end.ranks,
        noted=tuple(noted_points(position.setup, end, seat) for seat in range(fixture.seats)),
        reason=end.reason,
        ms=tuple(map(tuple, game.ms)),
        nodes=tuple(game.nodes),
    )


def _write_record(fixture: Fixture, position: Position, forfeit: Forfeit | None) -> None:
    sides = position.setup.title.sides
    extras: dict[str, object] = {"bots": list(fixture.players)}
    if forfeit:
        extras["forfeit"] = {"seat": forfeit.seat, "problem": forfeit.problem}
        if position.setup.seats > 1 and (sides is not Sides.EACH or fixture.seats == 2):
            position, _ = position.leave(forfeit.seat, "abandoned")
    folder = Path(fixture.records or ".")
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{fixture.variant}-{fixture.seats}-{fixture.lineup}-{fixture.seed}-{fixture.seating}.genial.json"
    text = dump(record_of(position, **extras, **deal_key(position)))
    (folder / name).write_text(text, encoding="utf-8")
