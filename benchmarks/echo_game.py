"""The traffic of a game on the bare echo: as many messages of the same mean lengths, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from benchmarks.load_clients import Process
from benchmarks.players import Game, Player, Sizes

DEED, ASK = b"d" * 100, b"r" * 17


class EchoPlayer(Player):
    """The first player does everything; the others hear of it, and request the state as the real ones do."""

    asks = False
    _asked = False

    @property
    def at_rest(self) -> bool:
        return not self.waiting and not self._asked

    def take(self, data: bytes) -> None:
        now = perf_counter()
        self.count(data[:1].decode(), data)
        if data.startswith(b"a"):
            self.game.acknowledged(self, now)
            return
        if data.startswith(b"t"):
            self.seq += 1
            if self.asks:
                if not self.waiting:
                    self._ask()
                return
        self._asked = False
        if self.waiting:
            self.waiting = ""
            if not self.asks:
                self.game.acknowledged(self, now)
            self.game.done(self, now)
        elif self.place is None:
            self.game.on_watched(now)

    def _ask(self) -> None:
        self._asked = True
        self.say(ASK)

    def do(self, seq: int, action: str) -> None:
        self.waiting = "it"
        self.begun(action == "refill")
        self.say(DEED)
        if self.asks:
            self._ask()


class EchoGame(Game):
    """Two players and any spectators, whose messages have the mean sizes counted at a real table."""

    def __init__(
        self,
        sizes: Sizes,
        on_ready: Callable[[Any], None],
        *,
        previews: bool = False,
    ) -> None:
        super().__init__(EchoPlayer, on_ready, previews=previews)
        self._lengths = sizes
        self._group = ""
        self._seq, self._next = 0, (self.players[0], "place")

    async def sit_at(self, server: Process, group: str) -> EchoGame:
        self._group = group
        for player, role in zip(self.players, ("mover", "opponent"), strict=True):
            await self._come(player, server, role)
        if self.previews:
            self.players[0].calls = await server.door.calls()
        self.on_ready(self)
        return self

    async def echo_watched(self, server: Process) -> Player:
        """Add a spectator."""
        self.spectators.append(EchoPlayer(self, None))
        return await self._come(self.spectators[-1], server, "spectator")

    async def _come(self, player: Player, server: Process, role: str) -> Player:
        mean = self._lengths.mean
        state = mean(role, "state")
        told, ack = mean(role, "entry" if state else "update"), mean(role, "ack")
        assert isinstance(player, EchoPlayer)
        player.asks = state > 0
        path = f"/echo/{self._group}?told={told}&ack={ack if state else 0}&state={state}"
        player.socket = await server.door.connect(path, player.hear)
        return player

    def _preview(self, player: Player, action: str) -> str:
        return f"/bytes?size={self._lengths.mean('mover', 'explain')}"

    def done(self, player: Player, now: float) -> None:
        super().done(player, now)
        self._seq += 1
        self._next, self._offered = (player, "place" if player.ends else "refill"), False
