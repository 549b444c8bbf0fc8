"""Playing on to the position that a test needs."""

from __future__ import annotations

import asyncio
from random import Random

from genial.bots import bot_named
from genial.bots.driver import choose
from genial.bots.thinking import Choice
from genial.core.view import View
from genial.terminal.bot_worker import BotWorker
from genial.terminal.session import Session


class Here(BotWorker):
    """Bots that think in this process: the same moves, but sooner."""

    async def choice_of(self, bot: str, view: View, seed: str) -> Choice:
        return Choice(choose(bot_named(bot), view, Random(seed)).action, seed, False, 0.0)


def act(session: Session) -> None:
    """Let the seat to move act: a bot chooses for itself, a person does the first lawful thing."""
    if session.bot_to_move:
        session.act(asyncio.run(session.bot_action(Here())))
    else:
        session.act(session.position.actions()[0])
