"""People who only want to play, and what an attack on others does to them.

Players at tables of two make a hundred moves a second together, a person plays against each of three bots,
and somebody checks every few milliseconds, each time through a new connection, whether the server is up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from time import perf_counter

from benchmarks.load_clients import HOST, Door, Socket, Tables
from benchmarks.loads import TICK, part
from benchmarks.players import Game, Player
from tools.attack.scene import Servers, bystander

RATE = 100
"""Moves per second, of all tables together."""
TABLES = 120
"""Enough that none of their games ends before the attack on the others has."""
PER_ADDRESS = 5
LEVELS = ("level-1", "level-2", "level-3")
_THINK_SECONDS = 0.2
_PROBE_SECONDS = 0.05
_PROBE_PATIENCE = 30.0
_ALIVE = b" 200 "


@dataclass(frozen=True, slots=True)
class Figures:
    """What bystanders observed for a while."""

    moves: float
    """Per second."""
    p50: float
    p99: float
    longest: float
    """Milliseconds from a deed until its doer knows that it is stored."""
    bots: float
    """The seconds of a bot's slowest answer."""
    gap: float
    """The longest time in seconds without an answer to the check that the server is up."""
    trouble: str
    """What went wrong, if anything: lost sockets, refused deeds."""


class Movers:
    """Tables of two people, who move as soon as both have seen the last move and it is their turn."""

    def __init__(self, speak: type[Player]) -> None:
        self._ready: deque[Game] = deque()
        self.games = [Game(speak, self._ready.append) for _ in range(TABLES)]

    async def sit(self, servers: Servers) -> None:
        """Take the seats; if there are several processes, the two players of a table use different ones."""
        for start in range(0, TABLES, PER_ADDRESS):
            source = bystander(start // PER_ADDRESS)
            with closing(Tables(servers.door(source))) as tables:
                for number in range(start, start + PER_ADDRESS):
                    doors = (servers.door(source, number), servers.door(source, number + 1))
                    await self.games[number].sit(doors, tables)

    async def play(self) -> None:
        """Make moves at the given rate, until cancelled."""
        begun, sent = perf_counter(), 0
        while True:
            due = int((perf_counter() - begun) * RATE)
            while sent < due and self._ready:
                self._ready.popleft().move()
                sent += 1
            sent = max(sent, due - RATE)  # after a stall nobody moves faster than before
            await asyncio.sleep(TICK)

    def take_acks(self) -> list[float]:
        """The times since the last call; anyone still waiting has waited until now."""
        now = perf_counter()
        found = [ack for game in self.games for ack in game.acks]
        found += [now - player.sent for game in self.games for player in game.players if player.waiting]
        for game in self.games:
            game.acks.clear()
        return found

    @property
    def made(self) -> int:
        return sum(game.moves for game in self.games)


class AgainstBot:
    """One person playing against a bot."""

    def __init__(self, speak: type[Player]) -> None:
        self.game = Game(speak, self._ready, people=1)
        self._answers: list[float] = []
        self._turn_is_ours = False

    def _ready(self, game: Game) -> None:
        if game.moves:
            self._answers.append(perf_counter() - game.sent)
        self._turn_is_ours = True
        asyncio.get_running_loop().call_later(_THINK_SECONDS, self._move)

    def _move(self) -> None:
        self._turn_is_ours = False
        self.game.move()

    def take_longest(self) -> float:
        """The slowest answer since the last call; one that has not arrived has taken until now."""
        game, found = self.game, self._answers
        if game.moves and not self._turn_is_ours and not game.is_over:
            found.append(perf_counter() - game.sent)
        self._answers = []
        return max(found, default=0.0)


class Probe:
    """Checks again and again whether the server is up."""

    def __init__(self, doors: tuple[Door, ...]) -> None:
        self._doors = doors
        self._last = [perf_counter()] * len(doors)
        self._gap = 0.0

    async def run(self) -> None:
        """Check all processes, until cancelled."""
        await asyncio.gather(*(self._ask(number) for number in range(len(self._doors))))

    async def _ask(self, number: int) -> None:
        door = self._doors[number]
        while True:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_PROBE_PATIENCE):
                    if await lives(door):
                        self._answered(number)
            await asyncio.sleep(_PROBE_SECONDS)

    def _answered(self, number: int) -> None:
        now = perf_counter()
        self._gap = max(self._gap, now - self._last[number])
        self._last[number] = now

    def take_gap(self) -> float:
        """The longest gap since the last call."""
        found = max(self._gap, perf_counter() - min(self._last))
        self._gap = 0.0
        return found


async def lives(door: Door) -> bool:
    """Return whether a server says it is up, using a new connection."""
    reader, writer = await asyncio.open_connection(HOST, door.port, local_addr=door.local)
    try:
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        return _ALIVE in await reader.readline()
    finally:
        writer.close()


class Bystanders:
    """All bystanders, playing."""

    def __init__(self, speak: type[Player], servers: Servers) -> None:
        self._servers = servers
        self._movers = Movers(speak)
        self._people = [AgainstBot(speak) for _ in LEVELS]
        self._probe = Probe(servers.doors(bystander(200)))
        self._begun, self._made = perf_counter(), 0
        self.most_mib = 0.0
        """The most memory that the servers used."""

    async def sit(self) -> None:
        """Sit down at the tables."""
        await self._movers.sit(self._servers)
        for number, (person, level) in enumerate(zip(self._people, LEVELS, strict=True)):
            door = self._servers.door(bystander(100 + number), number)
            with closing(Tables(door)) as tables:
                await person.game.sit((door,), tables, tables.against(level))

    async def play(self) -> None:
        """Play until cancelled."""
        async with asyncio.TaskGroup() as group:
            for work in (self._movers.play(), self._probe.run(), self._look()):
                group.create_task(work)

    async def _look(self) -> None:
        while True:
            self.most_mib = max(self.most_mib, self._servers.mib)
            await asyncio.sleep(_PROBE_SECONDS)

    def take(self) -> Figures:
        """What they observed since the last call."""
        now, made, acks = perf_counter(), self._movers.made, self._movers.take_acks()
        figures = Figures(
            moves=(made - self._made) / (now - self._begun),
            p50=part(acks, 0.5),
            p99=part(acks, 0.99),
            longest=part(acks, 1.0),
            bots=max(person.take_longest() for person in self._people),
            gap=self._probe.take_gap(),
            trouble=self._trouble(),
        )
        self._begun, self._made = now, made
        return figures

    def _trouble(self) -> str:
        games = [*self._movers.games, *(person.game for person in self._people)]
        lost = sum(_is_lost(player.socket) for game in games for player in game.players)
        problems = [problem for game in games for problem in game.problems]
        told = [f"{lost} sockets lost"] if lost else []
        return ", ".join([*told, *(f"refused: {problem:.200}" for problem in problems[:1])])

    def close(self) -> None:
        for game in (*self._movers.games, *(person.game for person in self._people)):
            game.close()


def _is_lost(socket: Socket | None) -> bool:
    return socket is None or socket.lost


@asynccontextmanager
async def at_play(speak: type[Player], servers: Servers) -> AsyncIterator[Bystanders]:
    """Bystanders who play for as long as they are needed."""
    found = Bystanders(speak, servers)
    async with AsyncExitStack() as stack:
        stack.callback(found.close)
        await found.sit()
        playing = asyncio.create_task(found.play())
        stack.push_async_callback(asyncio.wait, {playing})
        stack.callback(playing.cancel)
        yield found
