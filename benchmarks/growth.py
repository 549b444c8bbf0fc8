"""How the kernel's cost grows with the board, the seats and the length of a game."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from compiled import set_seed

from genial.core.titles import TITLES
from genial.kernel.api import Game
from genial.kernel.entries import GREEDY, RANDOM


def growth(rounds: int, progress: Callable[[], None]) -> list[dict[str, Any]]:
    """For every variant and seat count: cells, state, tiles per game, the cost of random and greedy play."""
    found = []
    for variant, title in TITLES.items():
        for seats in title.seats:
            game = Game.of(variant, seats)
            board = game.tables.setup.board
            row: dict[str, Any] = {
                "variant": variant,
                "seats": seats,
                "cells": len(board.cells) if board else 0,
                "state_bytes": game.tables.state_size,
            }
            for name, policy, games in (("random", RANDOM, 3000), ("greedy", GREEDY, 600)):
                spent, tiles = _cost(game, policy, games, rounds)
                row[name] = {
                    "games_per_second": 1 / spent,
                    "tiles_per_game": tiles,
                    "ns_per_tile": spent / tiles * 1e9,
                }
            found.append(row)
            progress()
    return found


def _cost(game: Game, policy: int, games: int, rounds: int) -> tuple[float, float]:
    state = game.new(seed=1)
    times, tiles = [], 0
    for number in range(rounds):
        set_seed(state, number)
        begun = process_time()
        tiles += game.engine.play_many(game.tables.rules, game.fresh, state, policy, games)
        times.append((process_time() - begun) / games)
    return median(times), tiles / games / rounds
