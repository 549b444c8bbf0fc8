"""The turns of the house's bots: who is thought for, who waits, and when a turn ends.

A bot's turn ends a fixed time after its last placement was told. What it then does it has decided with the
placement, at a cost that does not depend on what it decides (`genial.bots.driver`); where nothing is decided,
because the table has come from another process or a person has just left, it refills. So neither the end of
a turn nor anybody's waiting shows whether a swap was open.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, NamedTuple

from genial.bots.thinking import MOVE, WATCHED, Choice, Thinkers
from genial.core.actions import Action, Refill
from genial.core.errors import GenialError
from genial.core.situation import Phase
from genial.server.tables import decisions
from genial.server.tables.entries import Body
from genial.server.tables.news import Waiting
from genial.server.tables.table import Game, Table

if TYPE_CHECKING:
    from genial.server.tables.hub import Hub, Live

log = logging.getLogger("genial.server")

RETRY_SECONDS = 1.0
_TELL_SECONDS = 1.0
"""A thought that has not begun after so long is told of as waiting, and then as often."""
_STORE_SECONDS = 0.05
"""So long before a turn's end is told it is written to the store, which takes its own time."""


class _Decided(NamedTuple):
    """How a bot ends the turn whose last placement is this entry."""

    seq: int
    action: Action | None


class BotTurns:
    """Plays for the bots of all tables of a hub."""

    def __init__(self, hub: Hub, pool: Thinkers) -> None:
        self._hub = hub
        self._pool = pool
        self._limits = hub.limits

    def is_awaited(self, live: Live) -> bool:
        """Whether anybody waits for a table's bots: a person who plays, or somebody who watches bots alone.

        A bot that plays by HTTP is a person here. A turn that a bot has begun it also ends.
        """
        table, there = live.table, self._hub.peers.elsewhere(live.table.id)
        watched = bool(live.listeners or there.devices or there.watching)
        return bool(table.people) or watched or (table.game is not None and _is_ending(table.game))

    async def play(self, live: Live) -> None:
        """Move a table's bots as long as it is their turn and anybody waits for them."""
        decided = _Decided(0, None)
        while (name := live.table.bot_to_move()) and self.is_awaited(live):
            game = live.table.game
            assert game is not None
            try:
                if not await self._hub.peers.claim(live.table.id):
                    return  # another process thinks for this bot, and if it dies, its games are taken over
                if _is_ending(game):
                    await self._end(live, name, game, decided.action if decided.seq == game.seq else None)
                else:
                    decided = await self._move(live, name, game)
            except GenialError as error:  # a busy store, say: it tries again, or its table would stand still
                log.warning("a bot waits", extra={"error": error.code})
                await asyncio.sleep(RETRY_SECONDS)

    async def _move(self, live: Live, name: str, game: Game) -> _Decided:
        """Think, and do what came of it; gives how the turn is to end."""
        choice, _ = await asyncio.gather(
            self._thought(live, name, game), asyncio.sleep(self._limits.bot_pause)
        )
        seq = await self._hub.bot_acts(live, _deed(name, game, choice.action, choice.fallback))
        return _Decided(seq or 0, choice.then)

    async def _end(self, live: Live, name: str, game: Game, decided: Action | None) -> None:
        """End the turn when its time has come, however little time was left to decide, or to write it."""
        told_at = live.moved + self._limits.bot_ending
        await until(told_at - _STORE_SECONDS)
        is_lawful = decided is not None and decided in game.position.actions()
        action = decided if is_lawful and decided is not None else Refill()
        await self._hub.bot_acts(live, _deed(name, game, action, False), told_at)

    # Thinking, and waiting for it

    async def _thought(self, live: Live, name: str, game: Game) -> Choice:
        tag = f"{live.table.id}:{game.seq}"
        telling = asyncio.create_task(self._tell_waiting(live, game, tag))
        try:
            return await self._pool.choose(
                name,
                game.position.view({game.position.seat}),
                seed=tag,
                deadline=self._limits.bot_seconds,
                tag=tag,
                priority=MOVE if live.table.people else WATCHED,
                caller=self._caller(live),
            )
        finally:
            telling.cancel()

    def _caller(self, live: Live) -> str:
        """Who is thought for: of the addresses at a table the one that has least under way.

        So nobody is slowed down by who else sits there. People who play come before those who look on. Where
        nobody listens here, it is whoever did something last, and after a start of the server the host.
        """
        playing = {listener.address for listener in live.listeners if listener.viewer.own}
        there = playing or {listener.address for listener in live.listeners}
        addresses = sorted(filter(None, there)) or [live.address or live.table.host]
        return min(addresses, key=self._pool.under_way)

    async def _tell_waiting(self, live: Live, game: Game, tag: str) -> None:
        """Tell a table's people where its bot stands in the line, for as long as it has to wait."""
        assert game.mover is not None
        told: int | None = None
        while True:
            await asyncio.sleep(_TELL_SECONDS)
            ahead = self._pool.ahead(tag)
            if ahead is not None and ahead != told:
                self._tell(live, Waiting(game.mover, game.seq, ahead + 1))
            elif ahead is None:
                if told is not None:
                    self._tell(live, Waiting(game.mover, game.seq, 0))
                return
            told = ahead

    def _tell(self, live: Live, waiting: Waiting) -> None:
        self._hub.tell_waiting(live, waiting)
        self._hub.peers.waits(live.table.id, waiting.place, waiting.seq, waiting.line)


def _is_ending(game: Game) -> bool:
    return game.position.phase is Phase.END_TURN and not game.position.is_over


def _deed(name: str, game: Game, action: Action, fallback: bool) -> decisions.Decide:
    """A bot's action, unless its position has passed, and with it the bot's thought."""
    seq, place = game.seq, game.mover

    def decide(table: Table) -> list[Body]:
        if table.game is None or table.game.seq != seq or table.bot_to_move() != name or place is None:
            return []
        return decisions.act(table, place, action, bot=name, fallback=fallback)

    return decide


async def until(moment: float) -> None:
    """Wait for a moment by the loop's clock."""
    delay = moment - asyncio.get_running_loop().time()
    if delay > 0:
        await asyncio.sleep(delay)
