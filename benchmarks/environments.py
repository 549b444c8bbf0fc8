"""Our environments for research next to others: steps per second of each, with random lawful actions.

The player looks at the mask, or at the list of lawful actions, and takes one of them; both count. Games
stepped one by one are timed in the process's CPU time, many games on all cores in wall-clock time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter, process_time
from types import ModuleType
from typing import Any

from core import cycle, momaland_player

from genial import envs

Figure = dict[str, Any]
Players = dict[str, Callable[[int], int]]
AEC, MOMALAND = "genial classic", "MOMAland ingenious"
OURS_IN_SPIEL, DOMINOES = "genial_classic", "OpenSpiel block dominoes, in Python"
MANY = 1024
"""How many games at once: the default of a vector environment."""
MIXED = 300
"""After this many steps, games that started together are at all kinds of stages."""


def cycles(left_out: list[str]) -> Players:
    """Agent environment cycles, with observations: one game per call, and the steps it took; ours first."""
    players: Players = {AEC: cycle(envs.aec("classic", seats=2))}
    try:
        players["PettingZoo connect_four"] = cycle(_connect_four())
    except ImportError as error:
        left_out.append(f"PettingZoo's connect_four is left out ({error}).")
    try:
        players[MOMALAND] = momaland_player()
    except ImportError:
        left_out.append("MOMAland is not installed here: `make bench` installs it.")
    return players


def _connect_four() -> Any:
    """PettingZoo's; it draws with pygame, which is not needed here and so need not be installed."""
    missing = "pygame" not in sys.modules
    if missing:
        sys.modules["pygame"] = ModuleType("pygame")
    try:
        from pettingzoo.classic import connect_four_v3

        return connect_four_v3.env()
    finally:
        if missing:
            del sys.modules["pygame"]


def spiels(left_out: list[str]) -> Players:
    """OpenSpiel games called from Python: one game per call, and how many actions it took, with chance."""
    try:
        import pyspiel
        from open_spiel.python.games import block_dominoes  # noqa: F401 - registers itself

        from genial.envs import openspiel  # noqa: F401
    except ImportError:
        left_out.append("OpenSpiel is not installed here: `make bench` installs it.")
        return {}
    games = {
        OURS_IN_SPIEL: "genial_classic(players=2)",
        "OpenSpiel havannah, 91 cells, in C++": "havannah(board_size=6)",
        DOMINOES: "python_block_dominoes",
    }
    return {name: _spiel(pyspiel.load_game(game)) for name, game in games.items()}


def _spiel(game: Any) -> Callable[[int], int]:
    def play(seed: int) -> int:
        rng, steps, state = Random(seed), 0, game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[rng.randrange(len(actions))])
            steps += 1
        return steps

    return play


def vectors(rounds: int, progress: Callable[[], None]) -> list[Figure]:
    """Many games at once: millions of steps per second, and the targets."""
    told: dict[str, dict[str, Any]] = {
        "without observations and masks": {"masks": None, "observations": False},
        "with observations, masks as bits": {"masks": "bits"},
        "with observations, masks with a byte an action": {"masks": "bytes"},
    }
    asked = {"without observations and masks": ">= 10", "with observations, masks as bits": ">= 2.5"}
    found = []
    for cores, threads in {"all cores": None, "one core": 1}.items():
        for name, options in told.items():
            rates = [_vector(threads, options) for _ in range(rounds + 1)][1:]
            found.append(
                {
                    "name": f"{cores}, {name}",
                    "unit": "M steps/s",
                    "wanted": asked.get(name, "") if threads is None else "",
                    "median": median(rates),
                    "lowest": min(rates),
                    "highest": max(rates),
                }
            )
            progress()
    return found


def _vector(threads: int | None, options: dict[str, Any], steps: int = 150) -> float:
    """How fast it steps; choosing the actions is not counted."""
    many = envs.vector("classic", 2, MANY, copy=False, threads=threads, **options)
    many.reset(seed=1)
    clock = perf_counter if threads is None else process_time
    spent = 0.0
    for n in range(MIXED + steps):
        actions = many.random_actions()
        begun = clock()
        many.step(actions)
        spent += clock() - begun if n >= MIXED else 0.0
    many.close()
    return steps * MANY / spent / 1e6
