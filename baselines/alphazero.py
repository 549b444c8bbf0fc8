"""AlphaZero-like learning for two seats: a network proposes, a search over many states at once corrects it.

    python baselines/alphazero.py classic --device cuda --count 512 --minutes 20 --out alphazero

The network is that of ppo.py. In each game the search takes some moves that the network finds likely, with
noise (as Gumbel AlphaZero does). For each it redeals what the mover can't know, plays on for a few steps as
the network would, and asks the network to judge the result. All these states are stepped together, on all
cores or on a card. The policy learns to make the moves with better results likelier. The value learns how
games end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from ladder import Run, options
from ppo import Eyes, Network, Seen, advantages, chosen
from torch import Tensor, nn

from genial.envs.rewards import by_rank
from genial.kernel.api import Game

STEPS, PARTS, PASSES, PACE = 32, 8, 2, 1e-3
MOVES, WORLDS, DEPTH, SHARP = 8, 2, 4, 4.0
"""How many moves are searched, in how many deals, how deep; and how much the results count."""


class Table:
    """Games that are stepped together, as PyTorch sees them."""

    def __init__(self, variant: str, count: int, device: str, seed: int) -> None:
        if device == "cuda":
            from genial.kernel.gpu.batch import Batch
        else:
            from genial.kernel.batch import Batch  # type: ignore[assignment]
        self.game, self.device = Game.of(variant, 2), device
        self.batch: Any = Batch(self.game, count, seed=seed)
        self.eyes = Eyes(variant, 2, device)
        self._bits = torch.arange(8, dtype=torch.uint8, device=device)

    def here(self, array: Any) -> Tensor:
        """An array of the batch as a separate tensor."""
        return (torch.from_dlpack(array) if self.device == "cuda" else torch.from_numpy(array)).clone()

    def look(self) -> Seen:
        """What the seats to move see, and may do."""
        masks = (self.here(self.batch.masks())[:, :, None] >> self._bits & 1).flatten(1)
        return self.eyes.look(self.here(self.batch.observe()), masks[:, : self.game.actions])

    def seats(self) -> Tensor:
        return self.here(self.batch.seats().copy()).long()

    def step(self, actions: Tensor) -> tuple[Tensor, Tensor]:
        """Do an action in every game. Returns what each seat got, and which games are over."""
        self.batch.step(actions.int().numpy() if self.device == "cpu" else actions.int())
        over = self.here(self.batch.over).bool()
        return self.here(by_rank(self.game.tables.setup, self.batch.ranks)).float() * over[:, None], over

    def states(self) -> Any:
        """All states, in main memory."""
        states = self.batch.states
        return states.get() if self.device == "cuda" else states.copy()

    def set(self, states: Any) -> None:
        """Replace the states."""
        self.batch.states[...] = self.batch.card.xp.asarray(states) if self.device == "cuda" else states


def likely(seen: Seen, worth: Tensor) -> tuple[Tensor, Tensor]:
    """For each game the moves with the highest numbers, by index in the list; and which are repeated."""
    order = worth.argsort(descending=True)
    order = order[seen.game[order].argsort(stable=True)]  # by game, the highest first in each
    counts = torch.bincount(seen.game, minlength=len(seen.table))[:, None]
    n = torch.arange(MOVES, device=worth.device)
    return order[counts.cumsum(0) - counts + n % counts], n >= counts


def search(table: Table, room: Table, network: Network, seen: Seen, picks: Tensor, rng: Any) -> Tensor:
    """For each game and picked move, what it leads to for the mover: from -1 to 1."""
    game, seats = table.game, table.seats()
    worlds = [
        game.determinize(state, [int(seat)], int(rng.integers(2**62)))
        for state, seat in zip(table.states(), seats.tolist(), strict=True)
        for _ in range(WORLDS)
    ]
    states = np.frombuffer(b"".join(worlds), np.uint8).reshape(len(picks), 1, WORLDS, -1)
    room.set(np.repeat(states, MOVES, 1).reshape(-1, states.shape[-1]))  # all moves in the same worlds
    mine = seats.repeat_interleave(MOVES * WORLDS)
    rows, found = torch.arange(len(mine), device=mine.device), torch.zeros(len(mine), device=mine.device)
    going = torch.ones_like(mine, dtype=torch.bool)
    actions = seen.number[picks].flatten().repeat_interleave(WORLDS)
    for _ in range(DEPTH):
        paid, over = room.step(actions)
        found += paid[rows, mine] * going
        going &= ~over
        ahead = room.look()
        chances, values = network(ahead)
        actions = ahead.number[chosen(ahead, chances - torch.empty_like(chances).exponential_().log())]
    values = torch.where(room.seats() == mine, values, -values).clamp(-1, 1)
    return (found + values * going).reshape(len(picks), MOVES, WORLDS).mean(-1)


def main() -> None:
    ask = options(__doc__, "alphazero", minutes=20)
    ask.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    ask.add_argument("--count", type=int, default=32, help="games at once")
    ask.set_defaults(variant="classic")
    asked = ask.parse_args()
    torch.manual_seed(asked.seed)
    rng, network = np.random.default_rng(asked.seed), Network().to(asked.device)
    table = Table(asked.variant, asked.count, asked.device, asked.seed)
    room = Table(asked.variant, asked.count * MOVES * WORLDS, asked.device, asked.seed)
    adam, run, played = torch.optim.Adam(network.parameters(), PACE), Run("AlphaZero-like", asked), 0

    @torch.no_grad()
    def policy(observations: Any, masks: Any) -> Any:
        """What the network says, without search."""
        seen = table.eyes.look(*(torch.from_numpy(array).to(asked.device) for array in (observations, masks)))
        return seen.number[chosen(seen, network(seen)[0])].cpu().numpy()

    run.step(0, policy)
    while run.goes_on():
        looks, kept = [], []
        with torch.no_grad():
            for _ in range(STEPS):
                seen, seats = table.look(), table.seats()
                chances, values = network(seen)
                noisy = chances - torch.empty_like(chances).exponential_().log()
                picks, repeated = likely(seen, noisy)
                gain = SHARP * search(table, room, network, seen, picks, rng)
                target = (chances[picks] + gain).masked_fill(repeated, -torch.inf).softmax(1)
                best = (noisy[picks] + gain).masked_fill(repeated, -torch.inf).argmax(1, keepdim=True)
                paid, over = table.step(seen.number[picks.gather(1, best)[:, 0]])
                looks.append(seen)
                kept.append((values, seats, paid, over, picks, target))
            values, seats, paid, over, picks, target = (torch.stack(x) for x in zip(*kept, strict=True))
            last = network(table.look())[1]
            returns = values + advantages(values, seats, paid, over, last, table.seats())
        for part in np.array_split(rng.permutation(np.tile(np.arange(STEPS), PASSES)), PARTS * PASSES):
            lengths = np.cumsum([0] + [len(looks[t].game) for t in part])
            rows = torch.cat([picks[t] + int(lengths[n]) for n, t in enumerate(part)])
            chances, found = network(Seen.joined([looks[t] for t in part]))
            policy_loss = -(target[part].flatten(0, 1) * chances[rows]).sum(1).mean()
            value_loss = (found - returns[part].flatten()).square().mean()
            adam.zero_grad()
            (policy_loss + value_loss).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            adam.step()
        played += int(over.sum())
        run.step(played, policy)
    torch.save(network.state_dict(), asked.out.with_suffix(".pt"))


if __name__ == "__main__":
    main()
