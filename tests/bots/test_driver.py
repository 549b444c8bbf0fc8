"""How bots are asked: in time, by one driver, and for a whole turn at a cost that reveals nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import genial
from genial.bots import bot_named
from genial.bots.bot import Advice, Budget
from genial.bots.driver import choose, stand_in, whole_turn
from genial.bots.searcher import SearchBot
from genial.bots.thought import Thought, at_once
from genial.core.actions import Refill, Swap
from genial.core.moves import may_swap
from genial.core.position import Position
from genial.core.situation import Phase

SOURCE = Path(genial.__file__).parent
GAMES = [("classic", 2), ("classic-team", 4), ("3d", 2), ("cards", 4)]


def turns(variant: str, seats: int, games: int = 6) -> Iterator[tuple[Position, Position]]:
    """Positions before and after a placement in games between bots."""
    scout = bot_named("level-2")
    for seed in range(games):
        position, rng = genial.new(variant, seats=seats, seed=seed), Random(seed)
        while not position.is_over:
            after, _ = position.apply(scout.choose(position.view({position.seat}), rng))
            if position.phase is Phase.PLACE:
                yield position, after
            position = after


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
@pytest.mark.parametrize("name", ["level-1", "level-2", "balanced"])
def test_a_whole_turn_matches_the_bots_choices_one_by_one(name: str, game: tuple[str, int]) -> None:
    variant, seats = game
    bot, ended = bot_named(name), set[str]()
    for position, _ in turns(variant, seats, 2):
        view = position.view({position.seat})
        turn = whole_turn(bot, view, Random(7))
        assert turn.action == bot.choose(view, Random(7))
        after, _ = position.apply(turn.action)
        if after.is_over or after.phase is not Phase.END_TURN or after.seat != position.seat:
            assert turn.then is None  # the turn goes on, or has passed on by itself
        else:
            # Decided from what the bot could see before, but right for what it sees then.
            assert turn.then == bot.choose(after.view({after.seat}), Random(7))
            ended.add(type(turn.then).__name__)
    assert "Refill" in ended
    assert name == "level-1" or variant == "cards" or "Swap" in ended


@pytest.mark.parametrize(("searches", "nodes"), [(False, 0), (True, 40)])
def test_the_end_of_a_turn_costs_the_same_with_or_without_an_open_swap(
    searches: bool, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a swap is possible is a secret that others must not read from how long the workers are busy."""
    level, spent = bot_named("level-4"), dict[bool, set[int]]()
    advising, counts = SearchBot.advising, list[int]()

    def counted(self: SearchBot, *asked: Any) -> Thought[Advice]:
        advice = yield from advising(self, *asked)
        counts.append(advice.nodes)
        return advice

    monkeypatch.setattr(SearchBot, "advising", counted)
    assert isinstance(level, SearchBot)
    # However slow this machine is.
    bot = replace(level, insight=replace(level.insight, seconds=600.0, searches_ends=searches))
    for _, after in turns("classic", 2, 3):
        if not after.is_over and after.phase is Phase.END_TURN:
            counts.clear()
            ending = at_once(bot.ending_within(after.view({after.seat}), Random(3), 600.0))
            assert not isinstance(ending, Swap) or may_swap(after)
            assert nodes or isinstance(ending, Swap) == may_swap(after)
            spent.setdefault(may_swap(after), set()).add(sum(counts))
    assert spent[False] == spent[True] == {nodes}


def test_levels_that_look_ahead_take_an_open_swap_without_a_search() -> None:
    """In the arena too, where nobody watches the clock: a level plays the same everywhere."""
    bot, endings = bot_named("level-6@64n"), set[str]()
    for _, after in turns("classic", 2, 3):
        if not after.is_over and after.phase is Phase.END_TURN:
            chosen = choose(bot, after.view({after.seat}), Random(3))
            assert (chosen.action, chosen.nodes) == (Swap() if may_swap(after) else Refill(), None)
            endings.add(type(chosen.action).__name__)
    assert endings == {"Refill", "Swap"}


class Clock:
    """A clock that is one second later each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("nodes", [None, 1 << 40])
def test_a_search_keeps_its_deadline_and_gives_the_best_so_far(
    nodes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("genial.bots.search.perf_counter", clock)
    view = genial.new("classic", seats=2, seed=7).view({0})
    bot = bot_named("level-5@1000")  # its own cap is 300 seconds
    chosen = choose(bot, view, Random(1), Budget(nodes) if nodes else None, deadline=60.0)
    assert chosen.action in view.actions()
    assert chosen.nodes
    assert 30 < clock.now <= 60


def test_the_stand_in_always_plays_something_lawful(variant: str, seats: int) -> None:
    for position, _ in turns(variant, seats, 1):
        assert stand_in(position.view({position.seat}), Random(1)).action in position.actions()


def test_only_the_driver_and_bots_call_bots() -> None:
    """Only the driver and the bots themselves call a bot's methods; a pool of workers is not a bot."""
    asked = {"choose", "choose_within", "choosing_within", "end_within", "ending_within"}
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(value, name)) if name in asked and not _is_pool(value):
                    found.add(path.relative_to(SOURCE).as_posix())
    bots = {"bots/simple.py", "bots/one_ply.py", "bots/searcher.py", "bots/external.py"}
    arrays = {"envs/many.py", "kernel/source/batch.py"}  # games on arrays, which have no bots
    assert found - bots - arrays == {"bots/driver.py"}


def _is_pool(value: ast.expr) -> bool:
    return "pool" in ast.unparse(value)
