"""Bots: players that see a view and return an action."""

from __future__ import annotations

from genial.bots.bot import Bot
from genial.bots.driver import play_out
from genial.bots.errors import WrongBot
from genial.bots.levels import FROZEN, LEVELS
from genial.bots.searcher import SearchBot
from genial.bots.simple import BALANCED, GREEDY, RANDOM
from genial.core.errors import SetupError

__all__ = ["BOTS", "FOR_STUDY", "Bot", "bot_named", "cost_of", "play_out"]

_COST = 1.0
"""For a bot that declares no cost, such as a user's program."""

FOR_STUDY: tuple[Bot, ...] = (RANDOM, GREEDY, BALANCED)
"""Benchmarks rather than opponents for people: each does one thing only."""
BOTS: dict[str, Bot] = {bot.name: bot for bot in (*LEVELS, *FOR_STUDY)}
"""All bots, in the order they are offered."""


def bot_named(name: str) -> Bot:
    """The bot with this name. A level that looks ahead can have another budget: a fraction of its own, or
    nodes.

    >>> bot_named("greedy").name
    'greedy'
    >>> bot_named("level-6@0.5").insight.nodes == bot_named("level-6").insight.nodes // 2
    True
    >>> bot_named("level-6@2000n").insight.nodes
    2000
    """
    known = {**{bot.name: bot for bot in FROZEN}, **BOTS}
    if name in known:
        return known[name]
    base, at, amount = name.partition("@")
    bot = known.get(base)
    nodes = _nodes(amount, bot.insight.nodes) if at and isinstance(bot, SearchBot) else None
    if not isinstance(bot, SearchBot) or nodes is None:
        raise WrongBot("bot-unknown", name=name, expected=list(BOTS))
    return bot.with_nodes(name, nodes)


def cost_of(name: str) -> float:
    """Roughly the most seconds a move of this bot takes on an idle core.

    >>> cost_of("level-2") < cost_of("level-4") < cost_of("level-6")
    True
    """
    try:
        cost: float = getattr(bot_named(name), "cost", _COST)
    except SetupError:  # a bot known only to the workers
        return _COST
    return cost


def _nodes(amount: str, own: int) -> int | None:
    """Parse a budget, `2000n` or a fraction such as `0.2`, into nodes; None if it is neither, or zero."""
    if amount.endswith("n") and amount[:-1].isascii() and amount[:-1].isdigit():
        return int(amount[:-1]) or None
    try:
        part = float(amount)
    except ValueError:
        return None
    return max(round(own * part), 1) if 0 < part <= 1000 else None
