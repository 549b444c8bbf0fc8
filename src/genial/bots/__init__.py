"""Players: each sees a view and returns an action."""

from __future__ import annotations

from random import Random

from genial.bots.bot import Bot
from genial.bots.simple import BALANCED, GREEDY, RANDOM
from genial.core.errors import SetupError
from genial.core.position import Position

__all__ = ["BOTS", "Bot", "bot_named", "play_out"]

BOTS: dict[str, Bot] = {bot.name: bot for bot in (RANDOM, GREEDY, BALANCED)}


def bot_named(name: str) -> Bot:
    """The bot of this name.

    >>> bot_named("greedy").name
    'greedy'
    """
    if name not in BOTS:
        raise SetupError("bot-unknown", name=name, expected=list(BOTS))
    return BOTS[name]


def play_out(position: Position, bots: list[Bot], rng: Random) -> Position:
    """The end of the game, one bot playing each seat.

    >>> import genial
    >>> end = play_out(genial.new("cards", seats=2, seed=7), [bot_named("greedy")] * 2, Random(1))
    >>> end.result.reason
    'goal'
    """
    while not position.is_over:
        view = position.view({position.seat})
        position, _ = position.apply(bots[position.seat].choose(view, rng))
    return position
