"""Self-play of thousands of games in lockstep: the kernel moves, the network judges all moves at once.

On a graphics card everything stays there: states, moves, features, the network and what it learns from. A
thread that walks through the network alone is no faster there than a processor core; in batches the network
runs on the units that are made for it.

All games of a batch start together and are played to their end, so short games are not favoured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from genial.arena.train.layers import Array, Network, Targets
from genial.arena.train.workshop import Heat
from genial.bots.worth import balanced_worth
from genial.kernel.api import Game
from genial.kernel.network import ENDED, FEATURE_COUNT, LEAD_PULL, LEAD_UNIT, OPEN
from genial.kernel.state import COLOURS, OVER, PHASE, SEAT
from genial.kernel.streams import first_stream
from genial.kernel.worth import UNIT, worth_table

ROWS = 1 << 21
"""How many rows of features go through the network at once."""


class Launcher(Protocol):
    """Runs a kernel in many threads, and owns the arrays it works on: `kernel.gpu.card.Card`."""

    xp: Any

    def launch(self, name: str, count: int, **values: Any) -> Any: ...


class Judged(NamedTuple):
    """What a network says about the moves of all games: games by moves."""

    liking: Array
    shares: Array
    """Games by moves by opponents."""
    leads: Array


@dataclass(slots=True)
class Noted:
    """States and their outcomes, all stored where the games were played."""

    samples: Array
    targets: Targets
    games: int

    def __len__(self) -> int:
        return len(self.samples)

    def rows(self, chosen: Array) -> tuple[Array, Targets]:
        """Some of them."""
        return self.samples[chosen], Targets(*(part[chosen] for part in self.targets))

    @staticmethod
    def joined(xp: Any, parts: Sequence[Noted]) -> Noted:
        targets = Targets(
            *(xp.concatenate(some) for some in zip(*(part.targets for part in parts), strict=True))
        )
        return Noted(
            xp.concatenate([part.samples for part in parts]), targets, sum(part.games for part in parts)
        )


class _Note(NamedTuple):
    """One step of all games: what a seat of each saw."""

    samples: Array
    """Games by opponents by features."""
    seats: Array
    valid: Array
    shares: Array | None
    leads: Array | None


class Lockstep:
    """Games of one kind in lockstep."""

    def __init__(self, game: Game, card: Launcher, games: int, room: int) -> None:
        xp = self.xp = card.xp
        self.game, self.card, self.games, self.room = game, card, games, room
        setup = game.tables.setup
        self.seats, self.solo = setup.seats, setup.title.is_solo
        self.others = np.array(opponents(game), np.int64).reshape(self.seats, -1)
        """The opponents of each seat; in solo games the seat itself, for none."""
        self.views = self.others.shape[1]
        worth = balanced_worth(setup.title)
        self.worth = xp.asarray(np.array(worth_table(worth.steps, worth.bonus, self.seats), np.uint16))
        self.states = xp.zeros((games, game.tables.state_size), np.uint8)
        paper = -(-game.engine.balanced_size(game.tables.rules) // 4) * 4  # in whole words
        self._paper = xp.zeros((games, paper), np.uint16)
        self.actions = xp.zeros((games, room), np.int32)
        self._worths = xp.zeros((games, room), np.int32)
        self._outcomes = xp.zeros((games * room, 3), np.float32)
        self._samples = xp.zeros((games * room, self.views * FEATURE_COUNT), np.uint8)
        self._seen = xp.zeros((games, self.views * FEATURE_COUNT), np.uint8)
        self.finals = xp.zeros((games, self.seats * (2 * self.seats + COLOURS)), np.float32)
        self._lines = xp.arange(games)

    def deal(self, seed: int) -> None:
        """Start a new game everywhere."""
        self.card.launch("deal", self.games, state=self.states, seed=first_stream(seed))

    def deal_alike(self, seed: int) -> None:
        """Start new games in groups that share a deal, each with as many games as there are seats."""
        deals = self.games // self.seats
        some = self.xp.zeros((deals, self.states.shape[1]), np.uint8)
        self.card.launch("deal", deals, state=some, seed=first_stream(seed))
        self.states[...] = self.xp.repeat(some, self.seats, axis=0)

    def over(self) -> Array:
        """Which games are over."""
        return self.states[:, PHASE] == OVER

    def offer(self) -> None:
        """Have every game list its moves, and try all of them."""
        self.card.launch(
            "offer",
            self.games,
            worth=self.worth,
            state=self.states,
            paper=self._paper,
            actions=self.actions,
            worths=self._worths,
            room=self.room,
        )
        self.card.launch(
            "attempt",
            self.games * self.room,
            given=self.states,
            parts=self.room,
            state=self.states,  # threads try moves on copies; this one stays untouched
            action=self.actions.reshape(-1, 1),
            samples=self._samples,
            outcome=self._outcomes,
        )

    def judge(self, network: Network) -> Judged:
        """What a network says about the moves offered."""
        xp = self.xp
        rows = self._samples.reshape(-1, FEATURE_COUNT)
        found = xp.concatenate([network.outputs(rows[low : low + ROWS]) for low in range(0, len(rows), ROWS)])
        found = found.reshape(self.games, self.room, self.views, 2)
        shares, leads = 1 / (1 + xp.exp(-found[..., 0])), np.float32(LEAD_UNIT) * found[..., 1]
        outcome = self._outcomes.reshape(self.games, self.room, 3)
        ended = outcome[..., 0] == ENDED
        share = xp.where(ended, outcome[..., 1], shares.mean(2))
        lead = xp.where(ended, outcome[..., 2], leads.mean(2))
        if self.solo:
            liking = lead
        else:
            kept = xp.clip(share, 0.001, 0.999)
            liking = xp.log(kept / (1 - kept)) + np.float32(LEAD_PULL) * lead
        return Judged(self._lawful(liking), shares, leads)

    def by_worth(self) -> Array:
        """How much balanced play likes the moves offered, in its own unit."""
        return self._lawful(self._worths.astype(np.float32) / np.float32(UNIT * 65536))

    def _lawful(self, liking: Array) -> Array:
        return self.xp.where(self.actions < 0, np.float32(-np.inf), liking)

    def advance(self, pick: Array) -> None:
        """Continue with a move in every game, by its number among those offered."""
        chosen = self.actions[self._lines, pick]
        self.card.launch("advance", self.games, state=self.states, action=chosen, finals=self.finals)

    def tried(self, pick: Array) -> tuple[Array, Array]:
        """What the movers see after the moves they pick, and which games then go on."""
        samples = self._samples.reshape(self.games, self.room, self.views, FEATURE_COUNT)
        goes_on = self._outcomes.reshape(self.games, self.room, 3)[self._lines, pick, 0] == OPEN
        return samples[self._lines, pick], goes_on

    def view(self, seats: Array) -> Array:
        """What one seat of each game sees."""
        self.card.launch("view", self.games, state=self.states, seat=seats, samples=self._seen)
        return self._seen.reshape(self.games, self.views, FEATURE_COUNT).copy()

    def gather(self, network: Network | None, heat: Heat, seed: int, trust: float, keep: float) -> Noted:
        """Play all games to their end, and note states the value may be asked about, with their outcomes.

        `trust`: how much of a target comes from what the network says about the seat's next positions, with
        decreasing weight, rather than from how the game ended. `keep`: the share of states to keep.
        """
        notes = list(self._play(network, heat, seed))
        return self._noted(notes, trust, keep, seed)

    def _play(self, network: Network | None, heat: Heat, seed: int) -> Iterator[_Note]:
        xp = self.xp
        rng = xp.random.default_rng(first_stream(seed) % (1 << 32))
        self.deal(seed)
        wild = rng.random(self.games, dtype=np.float32) < heat.wild
        warmth = xp.where(wild, 1 + 5 * rng.random(self.games, dtype=np.float32), np.float32(1))
        while not bool(self.over().all()):
            for _ in range(4):  # checking whether all are over means waiting for the card
                movers = self.states[:, SEAT].copy()
                self.offer()
                judged = self.judge(network) if network else None
                liking = judged.liking if judged else self.by_worth()
                chance = rng.random((self.games, self.room), dtype=np.float32)
                noise = -xp.log(-xp.log(xp.clip(chance, np.float32(1e-7), np.float32(1 - 1e-7))))
                # The largest is then a draw from the softmax.
                degree = np.float32(heat.of_value if judged else heat.of_worth)
                pick = (liking + degree * warmth[:, None] * noise).argmax(1)
                samples, goes_on = self.tried(pick)
                said = (judged.shares, judged.leads) if judged else (None, None)
                shares, leads = (None if part is None else part[self._lines, pick] for part in said)
                self.advance(pick)
                yield _Note(samples, movers, goes_on, shares, leads)
                viewers = (rng.random(self.games, dtype=np.float32) * self.seats).astype(np.int32)
                viewers = xp.minimum(viewers, self.seats - 1)
                looks = (rng.random(self.games, dtype=np.float32) < 0.5) & ~self.over()
                yield _Note(self.view(viewers), viewers, looks, None, None)

    def _noted(self, notes: list[_Note], trust: float, keep: float, seed: int) -> Noted:
        """Compute the targets, from the ends of the games back to their starts."""
        xp, seats = self.xp, self.seats
        rng = xp.random.default_rng(first_stream(seed + 1) % (1 << 32))
        finals = self.finals.reshape(self.games, seats, 2 * seats + COLOURS)
        share, lead = finals[:, :, :seats].copy(), finals[:, :, seats : 2 * seats].copy()
        markers = finals[:, :, 2 * seats :].astype(np.uint8)
        parts: list[tuple[Array, ...]] = []
        for note in reversed(notes):
            kept = xp.flatnonzero(note.valid & (rng.random(self.games, dtype=np.float32) < keep))
            others = xp.asarray(self.others)[note.seats]  # games by opponents
            lines = self._lines[:, None]
            mine = note.seats[:, None]
            own = xp.broadcast_to(markers[lines, mine], (self.games, self.views, COLOURS))
            both = xp.stack([own, markers[lines, others]], 2)
            parts.append(
                tuple(
                    part[kept].reshape(len(kept) * self.views, *part.shape[2:])
                    for part in (note.samples, share[lines, mine, others], lead[lines, mine, others], both)
                )
            )
            if note.shares is not None and trust:
                self._mix(share, note.shares, note, others, np.float32(trust), np.float32(1))
                self._mix(lead, note.leads, note, others, np.float32(trust), np.float32(0))
        samples, shares, leads, places = (xp.concatenate(part) for part in zip(*parts, strict=True))
        return Noted(samples, Targets(shares, leads, places), self.games)

    def _mix(
        self, targets: Array, said: Array, note: _Note, others: Array, trust: np.float32, whole: np.float32
    ) -> None:
        """Mix what a network said about a position into the targets of those before it."""
        lines, mine = self._lines[:, None], note.seats[:, None]
        before = targets[lines, mine, others]
        mixed = self.xp.where(note.valid[:, None], before + trust * (said - before), before)
        targets[lines, mine, others] = mixed
        if not self.solo:
            targets[lines, others, mine] = whole - mixed

    def contest(self, network: Network, other: Network | None, seed: int) -> Array:
        """Share and lead in games with one move of look-ahead, each deal from every seat. None: balanced."""
        xp = self.xp
        self.deal_alike(seed)
        seats = xp.arange(self.games) % self.seats
        while not bool(self.over().all()):
            for _ in range(4):
                self.offer()
                mine = self.judge(network).liking.argmax(1)
                theirs = (self.judge(other).liking if other else self.by_worth()).argmax(1)
                self.advance(xp.where(self.states[:, SEAT] == seats, mine, theirs))
        finals = self.finals.reshape(self.games, self.seats, -1)
        others = xp.asarray(self.others)[seats]
        lines, mine = self._lines[:, None], seats[:, None]
        share = finals[lines, mine, others].mean(1)
        lead = finals[lines, mine, self.seats + others].mean(1)
        return xp.stack([xp.zeros_like(share) if self.solo else share, lead], 1)


def opponents(game: Game) -> list[list[int]]:
    """The opponents of each seat, in order; in solo games the seat itself."""
    side_of, seats = game.tables.setup.title.sides.side_of, range(game.tables.setup.seats)
    return [[other for other in seats if side_of(other) != side_of(seat)] or [seat] for seat in seats]
