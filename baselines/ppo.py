"""Masked PPO in PyTorch: alone, or two seats against itself.

    pip install torch
    python baselines/ppo.py classic-solo --minutes 20 --out ppo-solo        (--device cuda on a card)

There are 10,082 actions, but only a few hundred are lawful at a time. So the policy doesn't have an output
for each: it gives a number to every lawful move, from what the move does to each colour, and the
probabilities are their softmax. Whatever belongs to colours is in the order of the mover's scoreboard, lowest
colour first; so all six learn from each other. With two seats, the moves of each seat form a separate chain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from ladder import Run, options
from torch import Tensor, nn

import genial
from genial import envs

STEPS, PARTS, EPOCHS, CLIP, GAE, ENTROPY, PACE, HIDDEN = 32, 8, 3, 0.2, 0.95, 0.003, 2e-3, 48
KNOWN, TABLE = 20, 35
"""How many numbers are known about a move and about a position."""


class Seen(NamedTuple):
    """What the network sees of many games: positions, and all lawful moves of all of them in one list."""

    table: Tensor
    game: Tensor
    """The game in which each move is lawful."""
    number: Tensor
    known: Tensor

    @staticmethod
    def joined(parts: list[Seen]) -> Seen:
        """Combine several, each of the same number of games, into one."""
        count = len(parts[0].table)
        parts = [part._replace(game=part.game + n * count) for n, part in enumerate(parts)]
        return Seen(*(torch.cat(together) for together in zip(*parts, strict=True)))


class Eyes:
    """Reads observations and masks of a variant."""

    def __init__(self, variant: str, seats: int, device: str) -> None:
        about, title = envs.schema(variant, seats), genial.title_of(variant)
        self.at = {field["name"]: field["offset"] for field in about["properties"]["observation"]["fields"]}
        self.most = title.track.highest_step
        self.refill = about["properties"]["action"]["refill"]
        cells = {tuple(cell): n for n, cell in enumerate(about["cells"])}
        beside = [[cells.get((q + a, r + b), len(cells)) for a, b in about["directions"]] for q, r in cells]
        kinds = torch.tensor([["ROYGBP".index(letter) for letter in kind] for kind in about["kinds"]])
        self.beside = torch.tensor([*beside, [len(cells)] * 6], device=device)  # the last is off the board
        self.pairs = torch.tensor(about["pairs"], device=device)
        self.ways = torch.stack([kinds, kinds.flip(1)], 1).reshape(-1, 2).to(device)
        self.shows = (kinds[:, :, None] == torch.arange(6)).any(1).float().to(device)

    def points(self, symbols: Tensor) -> Tensor:
        """By space, game and colour, what it would score: matching symbols in a row, in six directions."""
        symbols = nn.functional.pad(symbols, (0, 1), value=6).T.contiguous()
        where, ways = self.beside[:-1], torch.arange(6, device=symbols.device)
        first = symbols[where]
        goes_on = first < 6
        row = goes_on.to(torch.uint8)
        while goes_on.any():
            where = self.beside[where, ways]
            goes_on &= symbols[where] == first
            row += goes_on
        return torch.stack([(row * (first == colour)).sum(1) for colour in range(6)], -1)

    def look(self, seen: Tensor, masks: Tensor) -> Seen:
        at, count = self.at, len(seen)
        own, other = (seen[:, at["markers"] + n : at["markers"] + n + 6].float() / self.most for n in (0, 6))
        held = seen[:, at["rack"] : at["rack"] + 21].float() @ self.shows
        unseen = seen[:, at["unseen"] : at["unseen"] + 21].float() @ self.shows
        symbols = seen[:, at["symbols"] :]
        free = nn.functional.pad((symbols == 6), (0, 1)).T
        around = free[self.beside[:-1]].sum(1)
        scored = self.points(symbols)
        best = (scored * ((around > 0) & free[:-1])[..., None]).amax(0)
        order = own.argsort(dim=1, stable=True)
        of_colours = torch.stack([own, other, held / 6, unseen / 30, best / 6], -1)
        of_colours = of_colours.gather(1, order[..., None].expand(-1, -1, 5)).reshape(count, -1)
        few = [seen[:, at[name]].float() for name in ("phase", "bonus", "last_turns", "may_swap")]
        table = torch.cat([of_colours, torch.stack([*few, free.sum(0) / 91], -1)], 1)
        game, number = masks.bool().nonzero(as_tuple=True)
        places = number < self.refill
        way, pair = number.clamp(max=self.refill - 1) // len(self.pairs), number % len(self.pairs)
        rank, ranked = order.argsort(1), scored.gather(2, order.expand(len(scored), -1, -1)).float() / 4
        known = torch.zeros((len(game), KNOWN), device=seen.device)
        for half in (0, 1):
            space, colour = self.pairs[pair, half], self.ways[way, half]
            mine = rank[game, colour][:, None] == torch.arange(6, device=seen.device)
            here = ranked[space, game]
            known[:, :6] += here * mine  # what it scores
            known[:, 6:12] += here  # what nobody scores there any longer
            known[:, 12:18] += around[space, game][:, None] / 6 * mine  # what it leaves open next to it
        known *= places[:, None]
        known[:, 18], known[:, 19] = number == self.refill, number == self.refill + 1
        return Seen(table, game, number, known)


class Network(nn.Module):
    """A number for every lawful move, and what the position is worth to the mover."""

    def __init__(self) -> None:
        super().__init__()
        self.known, self.table = nn.Linear(KNOWN, HIDDEN), nn.Linear(TABLE, HIDDEN)
        self.move = nn.Sequential(nn.ReLU(), nn.Linear(HIDDEN, 1))
        self.value = nn.Sequential(
            nn.Linear(TABLE, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)
        )

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """The log probability of each move among those of its game, and the values."""
        worth = self.move(self.known(seen.known) + self.table(seen.table)[seen.game])[:, 0]
        nothing = worth.new_zeros(len(seen.table))
        highest = nothing.scatter_reduce(0, seen.game, worth.detach(), "amax", include_self=False)
        total = nothing.index_add(0, seen.game, (worth - highest[seen.game]).exp())
        return worth - (highest + total.log())[seen.game], self.value(seen.table)[:, 0]


def chosen(seen: Seen, worth: Tensor) -> Tensor:
    """The index in the list of the highest number in each game."""
    highest = worth.new_zeros(len(seen.table)).scatter_reduce(0, seen.game, worth, "amax", include_self=False)
    found = (worth == highest[seen.game]).nonzero()[:, 0]
    first = torch.searchsorted(seen.game[found], torch.arange(len(seen.table), device=worth.device))
    return found[first]


def advantages(
    values: Tensor, seats: Tensor, rewards: Tensor, over: Tensor, last: Tensor, mover: Tensor
) -> Tensor:
    """How much better each step went than expected (GAE), along the chain of the seat that acted.

    By step and game: values, seats that acted, rewards of all seats, ends; then values and movers at the end.
    """
    steps, rows = len(values), torch.arange(values.shape[1], device=values.device)
    # What comes next for each seat. With two, what is good for the mover is bad for the other.
    is_mover = torch.arange(rewards.shape[2], device=rows.device) == mover[:, None]
    following = torch.where(is_mover, last[:, None], -last[:, None])
    ahead, earned, found = torch.zeros_like(following), torch.zeros_like(following), torch.zeros_like(values)
    for t in range(steps - 1, -1, -1):
        goes_on = (~over[t])[:, None]
        following, ahead = following * goes_on, ahead * goes_on
        earned = earned * goes_on + rewards[t]
        seat = seats[t]
        surprise = earned[rows, seat] + following[rows, seat] - values[t]
        found[t] = ahead[rows, seat] = surprise + GAE * ahead[rows, seat]
        following[rows, seat], earned[rows, seat] = values[t], 0.0
    return found


def main() -> None:
    ask = options(__doc__, "ppo", minutes=20)
    ask.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    ask.add_argument("--count", type=int, default=128, help="games at once")
    asked = ask.parse_args()
    torch.manual_seed(asked.seed)
    rng, device = np.random.default_rng(asked.seed), asked.device
    seats = genial.title_of(asked.variant).seats[0]
    eyes, network = Eyes(asked.variant, seats, device), Network().to(device)
    adam = torch.optim.Adam(network.parameters(), PACE)

    def here(array: Any) -> Tensor:
        return torch.from_dlpack(array) if device == "cuda" else torch.from_numpy(array)

    @torch.no_grad()
    def policy(observations: Any, masks: Any) -> Any:
        seen = eyes.look(*(torch.from_numpy(array).to(device) for array in (observations, masks)))
        return seen.number[chosen(seen, network(seen)[0])].cpu().numpy()

    def learn(looks: list[Seen], taken: Tensor, before: Tensor, gained: Tensor, targets: Tensor) -> None:
        """Learn from all steps several times, some of them at a time."""
        for part in np.array_split(rng.permutation(np.tile(np.arange(STEPS), EPOCHS)), PARTS * EPOCHS):
            seen, gain = Seen.joined([looks[t] for t in part]), gained[part].flatten()
            lengths = np.cumsum([0] + [len(looks[t].game) for t in part])[:-1]
            rows = torch.cat([taken[t] + int(begin) for t, begin in zip(part, lengths, strict=True)])
            chances, values = network(seen)
            ratio = (chances[rows] - before[part].flatten()).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-6)
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            value_loss = (values - targets[part].flatten()).square().mean()
            entropy = -(chances.exp() * chances).sum() / len(gain)
            adam.zero_grad()
            (policy_loss + 0.5 * value_loss - ENTROPY * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()

    games = envs.vector(asked.variant, seats, asked.count, device, reward="score", final_obs=False)
    observations, info = games.reset(seed=asked.seed)
    run, played = Run("PPO", asked), 0
    run.step(0, policy)
    while run.goes_on():
        looks, kept = [], []
        with torch.no_grad():
            for _ in range(STEPS):
                seen = eyes.look(here(observations), here(info["action_mask"]))
                seat, (chances, values) = here(info["seat"]).long(), network(seen)
                # With Gumbel noise, the highest is a draw from these probabilities.
                rows = chosen(seen, chances - torch.empty_like(chances).exponential_().log())
                observations, rewards, over, _, info = games.step(seen.number[rows])
                looks.append(seen)
                paid = here(rewards).clone().reshape(len(seat), -1) / 6
                kept.append((values, seat, paid, here(over).clone(), rows, chances[rows]))
            last = network(eyes.look(here(observations), here(info["action_mask"])))[1]
            values, seat, paid, over, rows, before = (torch.stack(part) for part in zip(*kept, strict=True))
            gained = advantages(values, seat, paid, over, last, here(info["seat"]).long())
        learn(looks, rows, before, gained, gained + values)
        played += int(over.sum())
        run.step(played, policy)
    torch.save(network.state_dict(), asked.out.with_suffix(".pt"))


if __name__ == "__main__":
    main()
