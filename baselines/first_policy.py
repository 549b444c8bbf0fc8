"""A first policy, from nothing: it learns the solo game in a minute, with nothing but NumPy.

    python first_policy.py                  writes first-policy.json and first-policy.svg

It knows 18 numbers about every lawful move, and all it learns is a weight for each of them. The higher the
sum, the likelier the move. After each round of games the weights shift towards the moves of the games that
went better than the others (REINFORCE).
"""

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from genial import envs
from genial.arena.statistics import mean_estimate
from genial.arena.train.curves import Panel, Point, picture_of

VARIANT, GAMES, TEST_SEED = "classic-solo", 128, 2026
ABOUT = envs.schema(VARIANT)  # where everything is in an observation, and what the board looks like
AT = {field["name"]: field["offset"] for field in ABOUT["properties"]["observation"]["fields"]}
KINDS = np.array([["ROYGBP".index(letter) for letter in kind] for kind in ABOUT["kinds"]])
PAIRS, CELLS = np.array(ABOUT["pairs"]), {tuple(cell): n for n, cell in enumerate(ABOUT["cells"])}
STEPS = np.array([  # from each space the next one in each of the six directions; the last is off the board
    [CELLS.get((q + dq, r + dr), len(CELLS)) for dq, dr in ABOUT["directions"]] for q, r in [*CELLS, (99, 99)]
])  # fmt: skip


def points(symbols):
    """What a colour would score on a space of a game: matching symbols in a row, in all six directions."""
    symbols = np.ascontiguousarray(np.pad(symbols, ((0, 0), (0, 1)), constant_values=6).T)
    where = STEPS[:-1]
    first = symbols[where]
    row, goes_on = np.zeros(first.shape, np.uint8), first < 6
    while goes_on.any():
        row += goes_on
        where = STEPS[where, np.arange(6)]
        goes_on &= symbols[where] == first
    return np.stack([(row * (first == colour)).sum(1) for colour in range(6)])


def known_of(seen, mask):
    """For every lawful move: its game, its number, and what each colour gains, loses and has around it."""
    game, number = mask.view(bool).nonzero()
    kind, turned, pair = number // len(PAIRS) // 2, number // len(PAIRS) % 2, number % len(PAIRS)
    symbols, markers = seen[:, AT["symbols"] :], seen[:, AT["markers"] :][:, :6]
    order = markers.argsort(1, kind="stable")  # lowest colour first: that's the one that counts
    rank, scored = order.argsort(1), points(symbols)
    free = np.pad(symbols == 6, ((0, 0), (0, 1)))[:, STEPS[:-1]].sum(-1)
    known, moves = np.zeros((len(game), 3, 6)), np.arange(len(game))
    for half in (0, 1):
        space, colour = PAIRS[pair, half], KINDS[kind, half ^ turned]
        known[moves, 0, rank[game, colour]] += scored[colour, space, game]
        known[:, 1] += scored[order[game], space[:, None], game[:, None]]  # nobody scores here any longer
        known[moves, 2, rank[game, colour]] += free[game, space]
    return game, number, known.reshape(-1, 18)


def play(weights, seed, rng, count=GAMES):
    """Play `count` games: the lowest colour at the end of each, and the direction its moves point in."""
    games = envs.vector(VARIANT, count=count)
    seen, info = games.reset(seed=seed)
    lowest, slope, going = np.zeros(count), np.zeros((count, 18)), np.ones(count, bool)
    while going.any():
        game, number, known = known_of(seen, info["action_mask"])
        first, worth = np.searchsorted(game, np.arange(count)), known @ weights
        chance = np.exp(worth - np.maximum.reduceat(worth, first)[game])
        chance /= np.add.reduceat(chance, first)[game]
        drawn = np.log(chance + 1e-30) + rng.gumbel(size=len(game))  # its maximum is drawn by these chances
        chosen = np.flatnonzero(drawn == np.maximum.reduceat(drawn, first)[game])
        slope[going] += (known[chosen] - np.add.reduceat(chance[:, None] * known, first))[going]
        seen, gained, over, _, info = games.step(number[chosen])
        lowest[going] += gained[going]  # once a game is over, the next one has begun: it doesn't count
        going &= ~over
    games.close()
    return lowest, slope


def main():
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--minutes", type=float, default=1.0)
    ask.add_argument("--rounds", type=int, default=10**9, help="stop after so many, whatever the time")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--games", type=int, default=1000, help="of the test at the end")
    ask.add_argument("--out", type=Path, default=Path("first-policy"))
    asked = ask.parse_args()
    rng, weights, size, curve, end = np.random.default_rng(asked.seed), np.zeros(18), 0, [], perf_counter()
    end += 60 * asked.minutes
    while (left := end - perf_counter()) > 0 and len(curve) < asked.rounds:
        lowest, slope = play(weights, int(rng.integers(2**31)), rng)
        found = mean_estimate(lowest.tolist())
        curve.append(Point(len(curve) * GAMES, found.mean, found.low, found.high))
        step = (lowest - lowest.mean()) @ slope / GAMES
        size = 0.9 * size + 0.1 * step**2  # keeps all steps at about the same size (RMSprop)
        weights = weights + 0.15 * step / np.sqrt(size + 1e-9)
        told = f"{curve[-1].games:,} games, lowest colour {found.mean:.1f}, {left:.0f} s left"
        if sys.stderr.isatty():
            print(f"\r{told:<60}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    result = {"weights": weights.tolist(), "curve": curve}
    for who, those in {"random": np.zeros(18), "trained": weights}.items():
        found = mean_estimate(play(those, TEST_SEED, rng, asked.games)[0].tolist())
        print(f"{who:>8}: lowest colour {found.mean:.2f} (95%: {found.low:.2f} to {found.high:.2f})")
        result[who] = {"mean": found.mean, "low": found.low, "high": found.high}
    asked.out.with_suffix(".json").write_text(json.dumps(result))
    panel = Panel("Lowest colour at the end", curve, "{:.0f}".format)
    words = f"{result['trained']['mean']:.1f} on average, at random {result['random']['mean']:.1f}."
    asked.out.with_suffix(".svg").write_text(picture_of(f"Learning {VARIANT}", words, [panel], "games"))


if __name__ == "__main__":
    main()
