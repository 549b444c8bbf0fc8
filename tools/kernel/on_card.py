"""A graphics card plays what the numba source played, and what the library plays.

    python -m tools.kernel.on_card FILE                    whole games, and batches step by step
    python -m tools.kernel.on_card FILE --search FILE      games by search; FILE: of `tools.kernel.ptx`

FILE is what `tools.kernel.expectations` wrote. Needs CuPy, a card, the compiled kernel (`make kernel`) and
genial.ptx (`make kernel-gpu`); no compiler. `make agreement-gpu` does all of it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from tools.kernel.expectations import POLICIES, Case, Search, hashed, read

from genial.kernel import batch as host
from genial.kernel import settings, totals
from genial.kernel.api import Game
from genial.kernel.gpu import Batch, NoCard
from genial.kernel.gpu.card import Card, arrays
from genial.kernel.gpu.kernels import SEARCH
from genial.kernel.state import NOBODY, OVER, PHASE, RNG

CARD_POLICIES = {"at random": "random", "greedily": "greedy"}
CHECKED, CHECKED_STEPS = 64, 240


def main(arguments: Sequence[str] | None = None) -> int:
    """Have the card play; 1 if any result differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.kernel.on_card")
    parser.add_argument("file", type=Path, help="what tools.kernel.expectations wrote")
    parser.add_argument("--search", type=Path, metavar="FILE", help="the search's code: play by search")
    options = parser.parse_args(arguments)
    try:
        arrays()
        cases = read(options.file)
        problems = check_searches(cases, options.search) if options.search else check(cases)
    except NoCard as reason:
        print(reason, file=sys.stderr)
        return 1
    return int(problems > 0)


def check(cases: list[Case]) -> int:
    """Play the expected games, and batches. Returns how many results differ."""
    problems = 0
    for case in cases:
        found = [*_games(case), *_steps(case), *turns(case)]
        problems += len(found)
        played = sum(map(len, case.games.values()))
        steps = f"{CHECKED_STEPS} steps and turns of {CHECKED} games"
        print(f"{case.name}: {played} games, {steps}", *found, sep="\n  ")
    print(f"{len(cases)} variants and seat counts, played otherwise: {problems}")
    return problems


def check_searches(cases: list[Case], text: Path) -> int:
    """Play the expected games by search. Returns how many results differ."""
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")  # this many streams run at once
    begun = perf_counter()
    Card(_game(cases[0]), text, [SEARCH]).function("search")
    jobs = [(case, learned, text) for case in cases for learned in (0.0, 1.0)]
    # Searches take long and leave nearly all of the card idle, so all variants search at once.
    with ThreadPoolExecutor(len(jobs)) as pool:
        problems = [problem for found in pool.map(_searches, *zip(*jobs, strict=True)) for problem in found]
    count, took = sum(len(case.searches) for case in cases), perf_counter() - begun
    print(f"{count} games by search in {took:.0f} s, played otherwise: {len(problems)}")
    print(*problems, sep="\n")
    return len(problems)


def _game(case: Case) -> Game:
    variant, _, seats = case.name.rpartition("-")
    return Game.of(variant, int(seats))


def _games(case: Case) -> Iterator[str]:
    """Whole games; the tiles each took are the library's count, their sum is the card's own."""
    game, xp = _game(case), arrays()
    card = Card(game)
    for name, policy in POLICIES.items():
        wanted = case.games[name]
        states = np.zeros((len(wanted), game.tables.state_size), np.uint8)
        states[:, RNG : RNG + 8] = np.arange(len(wanted), dtype="<u8").view(np.uint8).reshape(-1, 8)
        on_card = xp.asarray(states)
        total = card.launch(f"play_{CARD_POLICIES[name]}", len(wanted), state=on_card, games=1)
        placements = [
            game.engine.play_many(game.tables.rules, game.fresh, state, policy, 1) for state in states
        ]
        for number, (state, count) in enumerate(zip(xp.asnumpy(on_card), placements, strict=True)):
            if hashed([state.tobytes(), count.to_bytes(8, "little")]) != wanted[number]:
                yield f"game {number} played {name}"
        if int(total[0]) != sum(placements):
            yield f"the tiles of all games played {name}"


def _steps(case: Case) -> Iterator[str]:
    """Two batches, the library's and the card's, get the same actions: lawful ones and others."""
    game = _game(case)
    here, there = host.Batch(game, CHECKED, seed=9), Batch(game, CHECKED, seed=9)
    for step in range(CHECKED_STEPS):
        chosen = here.choose()
        actions = chosen.copy()
        pairs: dict[str, Any] = {"choice": (chosen, there.choose())}
        if step % 7 == 6:
            actions[::5], actions[1::5] = -1, game.actions + 3
        illegal = here.step(actions)
        pairs["refusals"] = np.array([illegal]), there.step(there.card.xp.asarray(actions))
        over = here.over[:, None] > 0
        pairs |= {
            "states": (here.states, there.states),
            "ends": (here.over, there.over),
            "ranks": (here.ranks * over, there.ranks * there.card.xp.asarray(over)),
        }
        if step % 20 == 11:
            pairs |= {
                "masks": (here.masks(), there.masks()),
                "observations": (here.observe(), there.observe()),
            }
            standings = np.array([game.ranks(state) for state in here.states])
            pairs["standings"] = standings, there.standings()
        for name, (wanted, found) in pairs.items():
            if not np.array_equal(wanted, there.card.xp.asnumpy(found)):
                yield f"{name} in step {step}"
                return


def turns(case: Case) -> Iterator[str]:
    """The same for turns by greedy choices, with everything a learner gets."""
    game = _game(case)
    here, there = host.Batch(game, CHECKED, seed=9), Batch(game, CHECKED, seed=9)
    seated = game.tables.setup.seats
    told, on_card = (_room(xp, game) for xp in (np, there.card.xp))
    told["viewers"][...] = on_card["viewers"][...] = NOBODY
    told["viewers"][::2] = on_card["viewers"][::2] = seated - 1
    for step in range(CHECKED_STEPS):
        chosen = here.choose("greedy")
        pairs: dict[str, Any] = {"greedy choice": (chosen, there.choose("greedy"))}
        pairs["refusals"] = (
            np.array([here.turn(chosen, **told)]),
            there.turn(there.card.xp.asarray(chosen), **on_card),
        )
        pairs |= {name: (told[name], on_card[name]) for name in told}
        pairs |= {"states": (here.states, there.states), "tracks": (here.tracks, there.tracks)}
        for name, (wanted, found) in pairs.items():
            if not np.array_equal(wanted, there.card.xp.asnumpy(found)):
                yield f"{name} in turn {step}"
                return


def _room(xp: Any, game: Game) -> dict[str, Any]:
    """Arrays for everything a turn writes."""
    return {
        "viewers": xp.zeros(CHECKED, np.uint8),
        "seats": xp.zeros(CHECKED, np.uint8),
        "lasts": xp.zeros((CHECKED, game.observation_bytes), np.uint8),
        "masks": xp.zeros((CHECKED, game.mask_bytes), np.uint8),
        "seen": xp.zeros((CHECKED, game.observation_bytes), np.uint8),
    }


def _searches(case: Case, learned: float, text: Path) -> list[str]:
    """Games by search, all at once: the card searches, the library steps."""
    asked = [search for search in case.searches if search.told[settings.LEARNED] == learned]
    if not asked:
        return []
    with arrays().cuda.Stream(non_blocking=True):
        hashes = _searched(case, asked, Card(_game(case), text, [SEARCH]))
    return [
        f"{case.name}: the game by search from seed {search.seed}"
        for search, found in zip(asked, hashes, strict=True)
        if found != search.hash
    ]


def _searched(case: Case, asked: Sequence[Search], card: Card) -> list[int]:
    xp, game, told = card.xp, _game(case), asked[0].told
    rules, size = game.tables.rules, game.engine.choice_size(game.tables.rules, told)
    common = {
        "told": xp.asarray(np.array(told)),
        "worth": xp.asarray(np.array(case.worth)),
        "weights": xp.asarray(np.array(case.weights)),
    }
    states = [game.new(search.seed) for search in asked]
    parts: list[list[bytes]] = [[] for _ in asked]
    live, turn = list(range(len(asked))), 0
    while live:
        rows = xp.zeros((len(live), size // 8), np.float64)
        actions = xp.zeros(len(live), np.int32)
        card.launch(
            "search",
            len(live),
            **common,
            state=xp.asarray(np.array([np.frombuffer(states[n], np.uint8) for n in live])),
            stream=xp.asarray(np.array([asked[n].seed + turn for n in live], np.int64)),
            space=xp.zeros((len(live), size), np.uint8),
            rows=rows,
            action=actions,
        )
        for n, action, row in zip(live, actions.get(), rows.get(), strict=True):
            width = totals.WIDTH
            table = row[: len(row) // width * width].reshape(-1, width)
            parts[n].append(table[table[:, totals.NODES] > 0].tobytes())
            game.engine.step(rules, states[n], int(action))
        turn += 1
        for n in live:
            if states[n][PHASE] == OVER:
                parts[n] += [bytes(states[n]), turn.to_bytes(8, "little")]
        live = [n for n in live if states[n][PHASE] != OVER]
    return [hashed(part) for part in parts]


if __name__ == "__main__":
    sys.exit(main())
