"""The compiled contenders: the kernel, plain C for the same playout, and similar OpenSpiel games in C++."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.engine import Engine
from genial.kernel.entries import RANDOM
from genial.kernel.state import State

Player = Callable[[int], int]
RANDOM_GAMES, GREEDY_GAMES, ROLLOUTS = 2000, 200, 500
"""How many games per call, so that the call itself does not matter."""


def kernel_player(variant: str, seats: int, policy: int, games: int, engine: Engine | None = None) -> Player:
    """The kernel, dealing and playing inside compiled code; with its library, or with another engine."""
    game = Game.of(variant, seats)
    state, used = game.new(seed=1), engine or game.engine

    def play(seed: int) -> int:
        set_seed(state, seed)
        return int(used.play_many(game.tables.rules, game.fresh, state, policy, games))

    return play


def numba_engine() -> Engine | None:
    """The same source, compiled for this machine by numba; None if there is no numba."""
    try:
        from genial.kernel.source import called
    except ImportError:
        return None
    return called.load()


def set_seed(state: State, seed: int) -> None:
    """Restart the random stream of a state."""
    state[at.RNG : at.RNG + 8] = seed.to_bytes(8, "little")


def c_player(greedily: bool, games: int, *flags: str) -> Player | None:
    """benchmarks/playout.c, compiled now; None if there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="genial-bench-"))
    source = Path(__file__).parent / "playout.c"
    library = folder / "playout.so"
    subprocess.run([compiler, "-O2", *flags, "-shared", "-fPIC", "-o", library, source], check=True)
    play_many = ctypes.CDLL(str(library)).play_many
    play_many.restype = ctypes.c_int64
    play_many.argtypes = [ctypes.c_uint64, ctypes.c_int64, ctypes.c_int, ctypes.POINTER(ctypes.c_int64)]
    markers = ctypes.c_int64()
    return lambda seed: int(play_many(seed, games, int(greedily), ctypes.byref(markers)))


def check_same_games() -> None:
    """Check that random play in C and in the kernel gives the same games, so that the work is equal."""
    mine, theirs = kernel_player("classic", 2, RANDOM, RANDOM_GAMES), c_player(False, RANDOM_GAMES)
    for seed in range(3 if theirs else 0):
        assert theirs is not None
        assert mine(seed) == theirs(seed), "the C version plays other games than the kernel"


def open_spiel_player(name: str) -> Player:
    """Random games inside OpenSpiel's C++: one visit of its tree search, evaluated by many random games."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
    start = game.new_initial_state()

    def play(seed: int) -> int:
        bot.step(start)
        return 0

    return play
