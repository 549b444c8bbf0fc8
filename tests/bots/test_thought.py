"""A thought gives the same result wherever its searches run, and survives a search that fails."""

from __future__ import annotations

import asyncio
from array import array
from dataclasses import replace
from random import Random

import pytest

import genial
from genial.bots import bot_named
from genial.bots.bot import Bot, Budget
from genial.bots.driver import opinion, turn, whole_turn
from genial.bots.levels import LEVELS
from genial.bots.search import Question, Rows
from genial.bots.searcher import SearchBot
from genial.bots.thought import elsewhere
from genial.core.position import Position

GAMES = [("classic", 2), ("classic-team", 4), ("classic-solo", 1), ("3d", 3), ("cards", 3), ("duel", 2)]
NODES = 200


def with_few_nodes(bot: Bot) -> Bot:
    """The same bot, counting only nodes, however slow this machine is."""
    if not isinstance(bot, SearchBot):
        return bot
    return replace(bot, insight=replace(bot.insight, nodes=NODES, seconds=600.0))


async def far_away(question: Question) -> Rows:
    """Run a search on copies, as another worker would, a moment later."""
    await asyncio.sleep(0)
    copied = replace(
        question,
        rules=array("H", question.rules.tobytes()),
        settings=array("d", question.settings.tobytes()),
        worth=array("H", question.worth.tobytes()),
        weights=array("f", question.weights.tobytes()),
        worlds=bytearray(bytes(question.worlds)),
        wanted=array("i", question.wanted.tobytes()),
    )
    return array("d", copied.run().tobytes())


def positions(variant: str, seats: int, number: int) -> list[Position]:
    position, rng, found = genial.new(variant, seats=seats, seed=11), Random(2), []
    for _ in range(number):
        for _ in range(3):
            actions = position.actions()
            position, _ = position.apply(actions[rng.randrange(len(actions))])
        found.append(position)
    return found


@pytest.mark.parametrize("bot", LEVELS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def test_every_level_plays_the_same_turn_here_and_elsewhere(game: tuple[str, int], bot: Bot) -> None:
    few = with_few_nodes(bot)
    for position in positions(*game, number=4):
        view = position.view({position.seat})
        here = whole_turn(few, view, Random(7))
        assert asyncio.run(elsewhere(turn(few, view, Random(7)), far_away)) == here


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def test_an_opinion_is_the_same_here_and_elsewhere(game: tuple[str, int]) -> None:
    bot, budget = bot_named("level-6"), Budget(nodes=NODES)
    (position,) = positions(*game, number=1)
    view, asked = position.view({position.seat}), position.actions()[:1]
    here = bot.advise(view, Random(7), budget, asked)
    assert asyncio.run(elsewhere(opinion(bot, view, Random(7), budget, asked), far_away)) == here


def test_a_failed_search_for_the_ending_leaves_the_choice() -> None:
    """As when a bot raises: the choice stands."""
    view, searches = genial.new("classic", seats=2, seed=7).view({0}), list[Question]()

    async def first_only(question: Question) -> Rows:
        searches.append(question)
        if len(searches) > 1:
            raise OSError("the worker is gone")
        return question.run()

    bot = with_few_nodes(bot_named("master-1"))  # searches the ends of its turns as well
    found = asyncio.run(elsewhere(turn(bot, view, Random(7)), first_only))
    assert found == replace(whole_turn(bot, view, Random(7)), then=None)
    assert len(searches) == 2


def test_a_failed_search_is_the_bots_failure() -> None:
    view = genial.new("classic", seats=2, seed=7).view({0})

    async def gone(question: Question) -> Rows:
        raise OSError("the worker is gone")

    with pytest.raises(OSError, match="gone"):
        asyncio.run(elsewhere(turn(bot_named("level-4"), view, Random(7)), gone))
