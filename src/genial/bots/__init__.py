"""Players: each sees a view and returns an action."""

from __future__ import annotations

from random import Random

from genial.bots.bot import Bot
from genial.bots.levels import LEVELS
from genial.bots.searcher import SearchBot
from genial.bots.simple import BALANCED, GREEDY, RANDOM
from genial.core.errors import SetupError
from genial.core.position import Position

__all__ = ["BOTS", "FOR_STUDY", "Bot", "bot_named", "play_out"]

FOR_STUDY: tuple[Bot, ...] = (RANDOM, GREEDY, BALANCED)
"""Not opponents for people, but measures: each does one thing and no more."""
BOTS: dict[str, Bot] = {bot.name: bot for bot in (*LEVELS, *FOR_STUDY)}
"""In the order in which they are offered."""


def bot_named(name: str) -> Bot:
    """The bot of this name. A level that looks ahead may have another budget: a part of its own, or nodes.

    >>> bot_named("greedy").name
    'greedy'
    >>> bot_named("level-6@0.5").insight.nodes == bot_named("level-6").insight.nodes // 2
    True
    >>> bot_named("level-6@2000n").insight.nodes
    2000
    """
    if name in BOTS:
        return BOTS[name]
    base, at, amount = name.partition("@")
    bot = BOTS.get(base)
    nodes = _nodes(amount, bot.insight.nodes) if at and isinstance(bot, SearchBot) else None
    if not isinstance(bot, SearchBot) or nodes is None:
        raise SetupError("bot-unknown", name=name, expected=list(BOTS))
    return bot.with_nodes(name, nodes)


def _nodes(amount: str, own: int) -> int | None:
    """A budget as it is written: `2000n`, or a part such as `0.2`; None if it is neither, or nothing."""
    if amount.endswith("n") and amount[:-1].isascii() and amount[:-1].isdigit():
        return int(amount[:-1]) or None
    try:
        part = float(amount)
    except ValueError:
        return None
    return max(round(own * part), 1) if 0 < part <= 1000 else None


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
