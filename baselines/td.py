"""TD(lambda) on the position after the move, with a small network in NumPy.

    python baselines/td.py classic --minutes 10 --out td-classic

It learns how good a position is for the player who has just placed a tile, before drawing: so chance plays no
part in it. To move, it looks at the positions after each of the likelier moves and chooses the best. It plays
128 games against itself at a time. When one ends, each position learns from those that came after:

    return(t) = (1 - lambda) x value(t + 1) + lambda x return(t + 1),    and at the end the result

For solo and for two seats, on boards where tiles aren't stacked. Two things are given, not learned: only the
16 moves that score most for the lower colours are considered, and it swaps whenever it may.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from ladder import Run, options
from numpy.typing import NDArray

import genial
from genial import envs

GAMES, CANDIDATES, LAMBDA, HIDDEN, BATCH, PACE = 128, 16, 0.7, 64, 64, 1e-3
Floats = NDArray[np.float32]
Array = NDArray[Any]


class Board:
    """Where everything is in an observation of a variant, and what can be read from it."""

    def __init__(self, variant: str, seats: int) -> None:
        about, setup = envs.schema(variant, seats), genial.setup(genial.title_of(variant), seats)
        self.at = {field["name"]: field["offset"] for field in about["properties"]["observation"]["fields"]}
        self.most, self.is_solo = setup.title.track.highest_step, setup.title.is_solo
        self.refill, self.swap = (about["properties"]["action"][name] for name in ("refill", "swap"))
        self.pairs = np.array(about["pairs"])
        kinds = np.array([["ROYGBP".index(letter) for letter in kind] for kind in about["kinds"]])
        self.ways = np.stack([kinds, kinds[:, ::-1]], 1).reshape(-1, 2)  # each kind as it is, then turned
        one_of = kinds[:, :, None] == np.arange(6)
        self.shows, self.doubles = one_of.any(1), one_of.all(1)
        # The further behind a colour is, the more its next point is worth.
        self.worth = -np.exp(-np.minimum(np.arange(256), self.most) / 5)
        cells = {tuple(cell): n for n, cell in enumerate(about["cells"])}
        # From each space the next one in each direction; the last one is off the board.
        self.steps = np.array(
            [[cells.get((q + a, r + b), len(cells)) for a, b in about["directions"]] for q, r in cells]
            + [[len(cells)] * 6]
        )

    def points(self, symbols: Array) -> Array:
        """What a colour scores on a space of a game: matching symbols in a row, in all six directions."""
        symbols = np.ascontiguousarray(np.pad(symbols, ((0, 0), (0, 1)), constant_values=6).T)
        where = self.steps[:-1]
        first = symbols[where]
        row, goes_on = np.zeros(first.shape, np.uint8), first < 6
        while goes_on.any():
            row += goes_on
            where = self.steps[where, np.arange(6)]
            goes_on &= symbols[where] == first
        return np.stack([(row * (first == colour)).sum(1, dtype=np.uint8) for colour in range(6)])

    def after(self, seen: Array, masks: Array) -> tuple[Array, Array, Array]:
        """The likelier placements: game, number, and the observation before anything is drawn."""
        masks[:, self.refill :] = 0
        game, number = masks.view(bool).nonzero()
        way, pair = np.divmod(number, len(self.pairs))
        spaces, colours = self.pairs[pair], self.ways[way]
        scored = self.points(seen[:, self.at["symbols"] :])[colours, spaces, game[:, None]]
        before = seen[game[:, None], self.at["markers"] + colours]
        worth = (self.worth[before + scored] - self.worth[before]).sum(1)
        order = np.lexsort((-worth, game))  # still by game, the best first in each
        best = order[np.arange(len(game)) - np.searchsorted(game, np.arange(len(seen)))[game] < CANDIDATES]
        game, number, spaces, colours, scored = (x[best] for x in (game, number, spaces, colours, scored))
        after, rows, markers = seen[game], np.arange(len(best)), self.at["markers"] + np.arange(6)
        for half in (0, 1):
            after[rows, self.at["symbols"] + spaces[:, half]] = colours[:, half]
            after[rows, self.at["markers"] + colours[:, half]] += scored[:, half]
        after[:, markers] = np.minimum(after[:, markers], self.most)
        reached = (after[:, markers] == self.most) & (seen[game][:, markers] < self.most)
        after[:, self.at["bonus"]] += 0 if self.is_solo else reached.sum(1).astype(np.uint8)
        after[rows, self.at["rack"] + way[best] // 2] -= 1
        return game, number, after

    def features(self, after: Array) -> Floats:
        """Ten numbers for each colour, those of the lowest first, and four for the table."""
        at, symbols = self.at, after[:, self.at["symbols"] :]
        own, other = (
            after[:, at["markers"] :][:, :6] / self.most,
            after[:, at["markers"] :][:, 6:12] / self.most,
        )
        rack, unseen = after[:, at["rack"] :][:, :21], after[:, at["unseen"] :][:, :21]
        free = np.ascontiguousarray(np.pad(symbols == 6, ((0, 0), (0, 1))).T)
        playable = free[:-1] & free[self.steps[:-1]].any(1)
        scored = self.points(symbols) * playable
        enough = [(scored >= least).sum(1).T / 12 for least in (2, 4, 6)]
        held = [rack @ self.shows / 6, rack @ self.doubles / 3, unseen @ self.shows / 30]
        of_colours = [own, 3 * (own - own.min(1, keepdims=True)), other, *held, scored.max(1).T / 8, *enough]
        colours = np.stack(of_colours, -1)
        order = own.argsort(1, kind="stable")
        colours = np.take_along_axis(colours, order[..., None], 1).reshape(len(after), -1)
        table = [playable.sum(0) / 50, free.sum(0) / 91, after[:, at["bonus"]], other.min(1)]
        return np.concatenate([colours, np.stack(table, -1)], 1).astype(np.float32)


class Value:
    """A network with one hidden layer, trained with Adam; its output is between -1 and 1."""

    def __init__(self, inputs: int, rng: np.random.Generator) -> None:
        shapes = [(inputs, HIDDEN), (HIDDEN,), (HIDDEN, 1), (1,)]
        self.parts = [(rng.normal(size=s) * (s[0] ** -0.5 if len(s) > 1 else 0)).astype("f4") for s in shapes]
        self.steps, self.means = 0, [(np.zeros_like(part), np.zeros_like(part)) for part in self.parts]

    def of(self, features: Floats) -> Floats:
        one, bias, two, offset = self.parts
        return np.tanh(np.maximum(features @ one + bias, 0) @ two + offset)[:, 0]

    def learn(self, features: Floats, targets: Floats) -> float:
        """Take one step towards the targets. Returns the mean squared error before it."""
        one, bias, two, offset = self.parts
        hidden = np.maximum(features @ one + bias, 0)
        value = np.tanh(hidden @ two + offset)
        error = value - targets[:, None]
        above = error * (1 - value**2) / len(targets)
        below = above @ two.T * (hidden > 0)
        self.steps += 1
        slopes = (features.T @ below, below.sum(0), hidden.T @ above, above.sum(0))
        for part, slope, (mean, square) in zip(self.parts, slopes, self.means, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            part -= PACE * mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
        return float((error**2).mean())


class Player:
    """A board, a value, and how to move with them."""

    def __init__(self, variant: str, seats: int, rng: np.random.Generator) -> None:
        self.board = Board(variant, seats)
        seen, _ = envs.vector(variant, seats, count=1).reset(seed=0)
        self.value = Value(self.board.features(seen).shape[1], rng)

    def moves(self, seen: Array, masks: Array) -> tuple[Array, Array, Floats, Floats]:
        """An action for each game; for games that place a tile, features and value of the result."""
        board, masks = self.board, masks.copy()
        actions = np.where(masks[:, board.swap] == 1, board.swap, board.refill)
        game, number, after = board.after(seen, masks)
        if not len(game):
            return actions, game, np.zeros((0, 1), "f4"), np.zeros(0, "f4")
        features = board.features(after)
        values = self.value.of(features)
        placing, first = np.unique(game, return_index=True)
        order = np.lexsort((-values, game))[first]  # the best of each game
        actions[placing] = number[order]
        return actions, placing, features[order], values[order]

    def policy(self, seen: Array, masks: Array) -> Array:
        return self.moves(seen, masks)[0]


def returns(values: Floats, result: float) -> Floats:
    """What each position of a game should have been worth: the lambda-returns."""
    found = np.full(len(values), result, np.float32)
    for n in range(len(values) - 2, -1, -1):
        found[n] = (1 - LAMBDA) * values[n + 1] + LAMBDA * found[n + 1]
    return found


def main() -> None:
    asked = options(__doc__, "td", minutes=10).parse_args()
    rng, seats = np.random.default_rng(asked.seed), genial.title_of(asked.variant).seats[0]
    player, run = Player(asked.variant, seats, rng), Run("TD(lambda)", asked)
    run.step(0, player.policy)
    games = envs.vector(asked.variant, seats, count=GAMES, reward="rank")
    seen, info = games.reset(seed=asked.seed)
    past: dict[tuple[int, int], list[tuple[Floats, float]]] = defaultdict(list)
    learned, totals, played, loss = [], np.zeros(GAMES), 0, 0.0
    while run.goes_on():
        seat = info["seat"]
        actions, placing, features, values = player.moves(seen, info["action_mask"])
        for n, game in enumerate(placing):
            past[game, seat[game]].append((features[n], values[n]))
        seen, rewards, over, _, info = games.step(actions)
        totals += rewards if seats == 1 else 0
        for game in np.flatnonzero(over):
            played += 1
            for one in range(seats):
                chain = past.pop((game, one), [])
                # In solo games a lowest colour of 36 is worth 1, and 0 is worth -1; so are a win and a loss.
                result = totals[game] / 18 - 1 if seats == 1 else rewards[game, one]
                targets = returns(np.array([value for _, value in chain], "f4"), result)
                learned += [(feature, target) for (feature, _), target in zip(chain, targets, strict=True)]
            totals[game] = 0
        if len(learned) >= 16 * BATCH:
            for part in np.array_split(rng.permutation(len(learned)), len(learned) // BATCH):
                rows = [learned[n] for n in part]
                loss += 0.01 * (player.value.learn(*map(np.array, zip(*rows, strict=True))) - loss)
            learned.clear()
        run.step(played, player.policy, f", error {loss:.3f}")
    names = ("one", "bias", "two", "offset")
    np.savez(asked.out.with_suffix(".npz"), **dict(zip(names, player.value.parts, strict=True)))


if __name__ == "__main__":
    main()
