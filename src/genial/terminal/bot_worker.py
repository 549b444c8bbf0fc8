"""Where the terminal's bots think: in a process, as on a server, which is killed at a deadline."""

from __future__ import annotations

from random import Random

from genial.bots.driver import DEADLINE, stand_in
from genial.bots.thinking import Choice
from genial.bots.workers import NO_WORKER, BotPool
from genial.core.view import View


class BotWorker:
    """A pool of one worker, which starts when a bot is first needed. It belongs to one event loop.

    `setup` names a function that the worker calls when it starts (`BotPool`).
    """

    def __init__(self, *, seconds: float = DEADLINE, setup: str | None = None) -> None:
        self._seconds = seconds
        self._setup = setup
        self._pool: BotPool | None = None

    async def choice_of(self, bot: str, view: View, seed: str) -> Choice:
        """What one of our bots does; if it hangs or fails, what the fallback does instead."""
        if self._pool is None:
            pool = BotPool(1, setup=self._setup)
            try:
                await pool.start()
            except RuntimeError:
                return Choice(stand_in(view, Random(seed)).action, seed, True, 0.0, problem=NO_WORKER)
            self._pool = pool
        return await self._pool.choose(bot, view, seed=seed, deadline=self._seconds, tag=seed)

    async def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            await self._pool.close()
