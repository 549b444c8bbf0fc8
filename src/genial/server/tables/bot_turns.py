"""The house bots' turns: which bots think, which wait, and when their turns end.

A bot's turn ends a fixed time after the players were told of its last placement. How it ends was decided
together with the placement, at a cost that doesn't depend on the decision (`genial.bots.driver`). Where
nothing was decided, because the table came from another process or a person has just left, the bot refills.
So neither the end of a turn nor the wait for it shows whether a swap was possible.
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
"""A bot that hasn't begun to think after this long is reported as waiting, and again at this interval."""
_STORE_SECONDS = 0.05
"""How long before telling the end of a turn it is written to the store, to allow for the write."""


class _Decided(NamedTuple):
    """How a bot ends the turn whose last placement is entry `seq`."""

    seq: int
    action: Action | None


class BotTurns:
    """Plays for the bots at all of a hub's tables."""

    def __init__(self, hub: Hub, pool: Thinkers) -> None:
        self._hub = hub
        self._pool = pool
        self._limits = hub.limits

    def is_awaited(self, live: Live) -> bool:
        """True if anybody is waiting for a table's bots: a player, or somebody watching bots play.

        A bot that plays over HTTP counts as a person. A bot always finishes a turn that it has begun.
        """
        table, there = live.table, self._hub.peers.elsewhere(live.table.id)
        watched = bool(live.listeners or there.devices or there.watching)
        return bool(table.people) or watched or (table.game is not None and _is_ending(table.game))

    async def play(self, live: Live) -> None:
        """Move a table's bots for as long as it is their turn and anybody is waiting for them."""
        decided = _Decided(0, None)
        while (name := live.table.bot_to_move()) and self.is_awaited(live):
            game = live.table.game
            assert game is not None
            try:
                if not await self._hub.peers.claim(live.table.id):
                    return  # another process plays this bot; if that process dies, its games are taken over
                if _is_ending(game):
                    await self._end(live, name, game, decided.action if decided.seq == game.seq else None)
                else:
                    decided = await self._move(live, name, game)
            except GenialError as error:  # for example a busy store: retry, or the table would be stuck
                log.warning("a bot waits", extra={"error": error.code})
                await asyncio.sleep(RETRY_SECONDS)

    async def _move(self, live: Live, name: str, game: Game) -> _Decided:
        """Think, and play the choice. Returns how the turn is to end."""
        choice, _ = await asyncio.gather(
            self._thought(live, name, game), asyncio.sleep(self._limits.bot_pause)
        )
        seq = await self._hub.bot_acts(live, _deed(name, game, choice.action, choice.fallback))
        return _Decided(seq or 0, choice.then)

    async def _end(self, live: Live, name: str, game: Game, decided: Action | None) -> None:
        """End the turn exactly when its time has come, however long deciding or storing took."""
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
        """The address to charge for the thinking: the one at the table with the fewest thoughts under way.

        So nobody is slowed down by others at their table. Players come before spectators. If nobody is
        listening here, it is the address that last did something, or after a restart the host.
        """
        playing = {listener.address for listener in live.listeners if listener.viewer.own}
        there = playing or {listener.address for listener in live.listeners}
        addresses = sorted(filter(None, there)) or [live.address or live.table.host]
        return min(addresses, key=self._pool.under_way)

    async def _tell_waiting(self, live: Live, game: Game, tag: str) -> None:
        """Tell a table's people the bot's position in the queue, for as long as it has to wait."""
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
    """A bot's action, dropped if the game has moved on since the bot thought about it."""
    seq, place = game.seq, game.mover

    def decide(table: Table) -> list[Body]:
        if table.game is None or table.game.seq != seq or table.bot_to_move() != name or place is None:
            return []
        return decisions.act(table, place, action, bot=name, fallback=fallback)

    return decide


async def until(moment: float) -> None:
    """Wait until a moment on the loop's clock."""
    delay = moment - asyncio.get_running_loop().time()
    if delay > 0:
        await asyncio.sleep(delay)
