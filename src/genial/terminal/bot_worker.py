"""Where the terminal's bots think: in a process, as a server's do, which is killed at a deadline."""

from __future__ import annotations

from random import Random

from genial.bots.driver import DEADLINE, stand_in
from genial.bots.thinking import Choice
from genial.bots.workers import NO_WORKER, BotPool
from genial.core.view import View


class BotWorker:
    """A pool of one worker, which starts when a bot is first asked. It belongs to one event loop.

    `setup` names a function that the worker calls at its start (`BotPool`).
    """

    def __init__(self, *, seconds: float = DEADLINE, setup: str | None = None) -> None:
        self._seconds = seconds
        self._setup = setup
        self._pool: BotPool | None = None

    async def choice_of(self, bot: str, view: View, seed: str) -> Choice:
        """What a bot of the house does; where it hangs or fails, what is done in its place."""
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
