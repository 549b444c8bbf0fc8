"""Many games at once on the graphics card: like `genial.kernel.batch`, with all arrays on the card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from genial.kernel.gpu.card import Card
from genial.kernel.state import MOST_SEATS, RACKS, SEAT, TRACKS
from genial.kernel.streams import first_stream

if TYPE_CHECKING:
    from genial.kernel.api import Game

_THREADS = 1 << 17
"""With fewer threads than this the card spends its time waiting for memory."""


class Playouts(NamedTuple):
    """The results of playouts, for each state and seat, summed over `times` of them."""

    ranks: Any
    wins: Any
    """Shared first ranks count for everyone who shares them."""
    lowest: Any
    """The steps of the lowest marker, counted from the track's lowest step."""
    times: int


class Batch:
    """N games of one kind, stepped together on the card. Buffers are overwritten each time.

    All arrays are CuPy arrays and stay on the card; `torch.from_dlpack` and `jax.dlpack.from_dlpack` take
    them without a copy. Nothing waits for the card until a number is needed, for example by `int`. Seeds deal
    the same games as in `genial.kernel.batch`, and the same actions lead to the same states, byte for byte.
    """

    def __init__(self, game: Game, count: int, *, seed: int, card: Card | None = None) -> None:
        self.game, self.count = game, count
        self.card = card or Card(game)
        xp = self._xp = self.card.xp
        seats = game.tables.setup.seats
        self.states = xp.zeros((count, game.tables.state_size), np.uint8)
        self.actions = xp.zeros(count, np.int32)
        self.over = xp.zeros(count, np.uint8)
        """Whether a game ended with the last step; its state is then already that of the next game."""
        self.ranks = xp.zeros((count, seats), np.uint8)
        """The ranks of the games that ended with the last step."""
        self.tracks = xp.zeros((count, RACKS - TRACKS), np.uint8)
        """The tracks after the last `turn`, from before any redeal."""
        self._masks: Any = None
        self._observations: Any = None
        self.deal(seed)

    def deal(self, seed: int) -> None:
        """Start a new game everywhere."""
        self.card.launch("deal", self.count, state=self.states, seed=first_stream(seed))

    def step(self, actions: Any) -> Any:
        """Do one action in every game. Returns how many were not lawful and therefore skipped.

        Games that end are redealt; see `over` and `ranks`. Actions come from CuPy, or through DLPack.
        """
        return self.card.launch(
            "step",
            self.count,
            state=self.states,
            action=self._taken(actions),
            over=self.over,
            ranks=self.ranks,
        )

    def turn(
        self,
        actions: Any,
        *,
        viewers: Any,
        seats: Any,
        lasts: Any = None,
        masks: Any = None,
        seen: Any = None,
    ) -> Any:
        """Like `step`, and write everything a learner needs into arrays you provide; see
        `genial.kernel.batch`.

        Without `lasts` the tracks are not written either, which saves some of the card's memory.
        """
        if lasts is None:
            refused = self.step(actions)
        else:
            refused = self.card.launch(
                "turn",
                self.count,
                state=self.states,
                action=self._taken(actions),
                over=self.over,
                ranks=self.ranks,
                tracks=self.tracks,
                viewer=viewers,
                last=lasts,
            )
        seats[...] = self.seats()
        if masks is not None:
            self.masks(masks)
        if seen is not None:
            self.observe(seen)
        return refused

    def choose(self, policy: str = "random") -> Any:
        """A lawful action for every game: a random one, or a greedy one."""
        name = {"random": "choose", "greedy": "choose_best"}[policy]
        self.card.launch(name, self.count, state=self.states, action=self.actions)
        return self.actions

    def masks(self, out: Any = None) -> Any:
        """The lawful actions of every game, one bit each; in your own array if you pass one."""
        if out is None and self._masks is None:
            self._masks = self._xp.zeros((self.count, self.game.mask_bytes), np.uint8)
        masks = self._masks if out is None else out
        self.card.launch("masks", self.count, state=self.states, out=masks)
        return masks

    def observe(self, out: Any = None) -> Any:
        """What the seat to move may know in every game; in your own array if you pass one."""
        if out is None and self._observations is None:
            self._observations = self._xp.zeros((self.count, self.game.observation_bytes), np.uint8)
        seen = self._observations if out is None else out
        self.card.launch("observe", self.count, state=self.states, out=seen)
        return seen

    def seats(self) -> Any:
        """The seat to move in every game."""
        return self.states[:, SEAT]

    def standings(self) -> Any:
        """The rank of each seat in every game, judging by the current tracks."""
        out = self._xp.empty_like(self.ranks)
        self.card.launch("ranks", self.count, state=self.states, out=out)
        return out

    def play(self, games: int, policy: str = "random") -> Any:
        """Deal and play `games` games per state on the card. Returns how many tiles or cards that took."""
        return self.card.launch(f"play_{policy}", self.count, state=self.states, games=games)

    def playouts(
        self,
        times: int,
        *,
        seed: int,
        policy: str = "random",
        viewers: Iterable[int] | None = None,
        states: Any = None,
    ) -> Playouts:
        """Play every state out `times` times, each from its own stream; the states stay as they are.

        With `viewers`, what these seats may not see is redealt each time. `states` are those of the batch by
        default, or any others of the same game.
        """
        given = self.states if states is None else states
        parts = _parts(len(given), times)
        rows = len(given) * parts
        sums = self._xp.empty((rows, 3 * MOST_SEATS), np.int32)
        self.card.launch(
            f"playouts_{policy}",
            rows,
            given=given,
            parts=parts,
            state=given,  # threads play on copies; this one stays untouched
            viewers=-1 if viewers is None else sum(1 << seat for seat in set(viewers)),
            times=times // parts,
            seed=first_stream(seed),
            ranks=self._xp.empty((rows, MOST_SEATS), np.uint8),
            sums=sums,
        )
        found = sums.reshape(len(given), parts, 3, MOST_SEATS).sum(1)[:, :, : self.ranks.shape[1]]
        return Playouts(found[:, 0], found[:, 1], found[:, 2], times)

    def close(self) -> None:
        """Release the buffers."""
        del self.states, self.actions, self.over, self.ranks, self.tracks
        self._masks = self._observations = None

    def _taken(self, actions: Any) -> Any:
        if not isinstance(actions, self._xp.ndarray):
            actions = self._xp.from_dlpack(actions)
        actions = self._xp.ascontiguousarray(actions, np.int32)
        if len(actions) != self.count:
            raise ValueError(f"There are {self.count} games, but {len(actions)} actions.")
        return actions


def _parts(states: int, times: int) -> int:
    """Over how many threads to spread one state's playouts: a divisor of their number, enough to fill the
    card.

    >>> _parts(1, 1024), _parts(1 << 20, 1024), _parts(1 << 16, 6)
    (1024, 1, 2)
    """
    wanted = max(1, _THREADS // states)
    return next(parts for parts in range(min(times, wanted), 0, -1) if times % parts == 0)
