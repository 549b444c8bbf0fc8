"""Players without rules who tell the server what people's browsers tell it, frame by frame.

`Updated` is the conversation of this checkout's client, `Resyncing` that of commit 4ecf47b. Which of them a
server speaks shows in its first message. Both are checked against recorded sessions of the real client
(`conversation.py`). They read as little of a message as possible: most of it is left undecoded.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from http import HTTPStatus
from time import perf_counter
from typing import Any
from urllib.parse import quote

import msgspec
from benchmarks.conversation import Line, Part, Recording, differences, line_of
from benchmarks.load_clients import Calls, Door, Socket, Tables
from msgspec import Struct

EXPLAIN = "GET /api/tables/{table}/explain"
_RESYNC = b'{"type":"resync"}'
_PATIENCE = 20.0

# The few fields of a whole state that a player without rules needs


class TileIn(Struct):
    tile: str


class LegalIn(Struct):
    phase: str
    tiles: list[TileIn]
    pairs: list[int] = []
    places: list[int] = []
    """What 4ecf47b calls the pairs."""


class GameIn(Struct):
    seq: int
    mover: int | None


class TableIn(Struct):
    game: GameIn
    legal: LegalIn


class StateIn(Struct):
    """For any message with a whole state in it."""

    state: TableIn


_state = msgspec.json.Decoder(StateIn)


class Sizes:
    """How many messages of each type were sent to somebody in each role, and their bytes."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._bytes: defaultdict[tuple[str, str], int] = defaultdict(int)

    def add(self, role: str, kind: str, size: int) -> None:
        self._counts[role, kind] += 1
        self._bytes[role, kind] += size

    def mean(self, role: str, kind: str) -> int:
        count = self._counts[role, kind]
        return round(self._bytes[role, kind] / count) if count else 0

    @classmethod
    def joined(cls, several: Iterable[Sizes]) -> Sizes:
        """All of them together."""
        whole = cls()
        for one in several:
            for key, count in one._counts.items():
                whole._counts[key] += count
                whole._bytes[key] += one._bytes[key]
        return whole

    @property
    def total(self) -> int:
        """All bytes."""
        return sum(self._bytes.values())

    def clear(self) -> None:
        """Start counting."""
        self._counts.clear()
        self._bytes.clear()


class Player(ABC):
    """One socket at a table: of a player, or of a spectator, whose place is None."""

    opening = b""
    """What the client sends as soon as its socket is open."""
    more = ""
    """What it says in an act besides what is needed."""

    def __init__(self, game: Game, place: int | None) -> None:
        self.game = game
        self.place = place
        self.socket: Socket | None = None
        self.calls: Calls | None = None
        self.seq = 0
        """The last entry it has heard of."""
        self.waiting = ""
        """The id of the deed in progress."""
        self.sent = 0.0
        self.ends = False
        """Whether that deed ends a turn."""
        self.fenced = False
        """A pong has arrived: everything that was sent before the ping is here."""
        self.notes: list[Line] | None = None
        """Where what is said is noted, if anywhere."""

    @property
    def at_rest(self) -> bool:
        """True if nothing is on its way that this player knows of."""
        return not self.waiting

    async def come(self, door: Door, table: str, cookie: str, watch: str = "") -> None:
        query = f"watch={watch}&language=en" if watch else "language=en"
        if self.opening and self.notes is not None:
            self.notes.append(line_of(">", self.opening))
        path = f"/api/tables/{table}/socket?{query}"
        self.socket = await door.connect(path, self.hear, cookie, self.opening)
        if self.game.previews and not watch:
            self.calls = await door.calls(cookie)

    def say(self, message: bytes) -> None:
        if self.notes is not None:
            self.notes.append(line_of(">", message))
        assert self.socket is not None
        self.socket.send(message)

    def hear(self, data: bytes) -> None:
        if self.notes is not None:
            self.notes.append(line_of("<", data))
            self.game.changed.set()
        if data.startswith((b'{"type":"pres', b'{"type":"pong')):
            self.fenced |= data.startswith(b'{"type":"pong')
        elif data.startswith(b'{"type":"error"'):
            self.game.problems.append(data.decode())
        else:
            self.take(data)
            self.game.settle()

    @abstractmethod
    def take(self, data: bytes) -> None:
        """Handle the result of a deed, this player's or another's."""

    def do(self, seq: int, action: str) -> None:
        """Do a deed that follows the state at an entry."""
        self.waiting = secrets.token_hex(12)
        message = (
            f'{{"type":"act","seq":{seq},"place":{self.place},"action":"{action}"{self.more},'
            f'"move_id":"{self.waiting}"}}'
        )
        self.begun(action == "refill")
        self.say(message.encode())

    def begun(self, ends: bool) -> None:
        """Note that a deed is being sent now."""
        self.ends, self.sent = ends, perf_counter()
        self.game.sent = self.sent

    def count(self, kind: str, data: bytes) -> None:
        role = "spectator" if self.place is None else "mover" if self.waiting else "opponent"
        self.game.sizes.add(role, kind, len(data))

    def shows(self, data: bytes) -> None:
        """Handle the arrival of a whole state."""
        if self.place is None:
            self.game.on_watched(perf_counter())
        elif b'"legal":{' in data:
            if not self.waiting:
                state = _state.decode(data).state
                self.game.may(self, state.game.seq, state.legal)
        elif b'"status":"running"' not in data:
            self.game.is_over = True


class Resyncing(Player):
    """Like the client of 4ecf47b (`follow.ts`, `table.svelte.ts`): entries tell that something happened.

    The whole state is requested with every deed, and after each entry that is the last of its batch, unless
    it is on its way; a deed is done when it is acknowledged and a state has arrived after that.
    """

    opening = _RESYNC
    more = ',"then":null'
    _entry = re.compile(rb'\{"type":"entry","entry":\{"seq":(\d+)')
    _seq = re.compile(rb'"seq":(\d+)')

    def __init__(self, game: Game, place: int | None) -> None:
        super().__init__(game, place)
        self._asked = True
        self._stored = False

    @property
    def at_rest(self) -> bool:
        return not self.waiting and not self._asked

    def do(self, seq: int, action: str) -> None:
        super().do(seq, action)
        self._stored = False
        self._resync()

    def _resync(self) -> None:
        self._asked = True
        self.say(_RESYNC)

    def take(self, data: bytes) -> None:
        if entry := self._entry.match(data):
            self.count("entry", data)
            if (seq := int(entry[1])) > self.seq:
                self.seq = seq
                if not self._asked and not data.endswith(b'"now":null}'):
                    self._resync()
        elif data.startswith(b'{"type":"state"'):
            self.count("state", data)
            found = self._seq.search(data)
            assert found is not None
            behind = int(found[1]) < self.seq
            self.seq = max(self.seq, int(found[1]))
            self._asked = False
            if behind:
                self._resync()
            if self._stored and self.waiting:
                self.waiting = ""
                self.game.done(self, perf_counter())
            self.shows(data)
        elif data.startswith(b'{"type":"ack"'):
            self.count("ack", data)
            self._stored = True
            self.game.acknowledged(self, perf_counter())


class Updated(Player):
    """Like this checkout's client: after each batch one message with its entries and the whole state.

    It also says which deed it answers. Chat alone comes without the state, which is requested if some of it
    is missing.
    """

    _entries = re.compile(rb'"entries":\[\{"seq":(\d+)')
    _later = re.compile(rb'"state":\{"id":"[^"]*","seq":(\d+)')
    _head = 160
    """How many bytes contain the type, what is done, and the first entry's number."""

    def take(self, data: bytes) -> None:
        if data.find(b'"type":"update"', 0, self._head) >= 0:
            self.count("update", data)
            first, state = self._entries.search(data, 0, self._head), self._later.search(data)
            if state is not None:
                self.seq = int(state[1])
            elif first is not None and int(first[1]) > self.seq + 1:
                self.say(_RESYNC)
            if self.waiting and data.find(self.waiting.encode(), 0, self._head) >= 0:
                self._done()
            if state is not None:
                self.shows(data)
        elif data.startswith(b'{"type":"ack"'):
            self.count("ack", data)
            self._done()

    def _done(self) -> None:
        self.waiting = ""
        now = perf_counter()
        self.game.acknowledged(self, now)
        self.game.done(self, now)


class Game:
    """Two players at one table, or one and a bot: they do the first thing that is lawful.

    A move is a placement, preceded by its preview if there are previews, and the end of the turn: two deeds,
    as a browser sends them. A bonus move belongs to the move that earned it. People are slow, so nobody does
    anything before both have the state after the last deed.
    """

    def __init__(
        self,
        speak: type[Player],
        on_ready: Callable[[Any], None],
        *,
        people: int = 2,
        previews: bool = False,
    ) -> None:
        self.acks: list[float] = []
        """Seconds from each deed until its doer knows that it is stored."""
        self.shown: list[float] = []
        """And until the doer has the state after it."""
        self.moves = 0
        self.sent = 0.0
        self.is_over = False
        self.previews = previews
        self.on_ready = on_ready
        self.on_watched: Callable[[float], None] = lambda _: None
        """Called when a spectator has a whole state."""
        self.sizes = Sizes()
        self.problems: list[str] = []
        self.changed = asyncio.Event()
        self.players = [speak(self, place) for place in range(people)]
        """The next deed waits for these."""
        self.spectators: list[Player] = []
        """It does not wait for these."""
        self._table, self._watch = "", ""
        self._pairs: list[str] = []
        self._seq = -1
        self._next: tuple[Player, str] | None = None
        self._offered = True
        self._mover: Player | None = None
        """Who is making a move at the moment."""

    async def sit(self, doors: Sequence[Door], tables: Tables, table: tuple[str, str] | None = None) -> Game:
        """Seat each player, through a door each, at a table; a new one if none is given."""
        self._table, self._watch = table or tables.create()
        self._pairs = tables.pairs
        for place, (player, door) in enumerate(zip(self.players, doors, strict=True)):
            await player.come(door, self._table, tables.device(place).cookie)
        return self

    async def watched(self, door: Door, spectator: Player, cookie: str = "") -> Player:
        """Add a spectator."""
        self.spectators.append(spectator)
        await spectator.come(door, self._table, cookie, self._watch)
        return spectator

    def may(self, player: Player, seq: int, legal: LegalIn) -> None:
        """Somebody has to move."""
        if seq <= self._seq:
            return  # the same state again
        self._seq = seq
        pairs = legal.pairs or legal.places
        action = f"{legal.tiles[0].tile}@{self._pairs[pairs[0]]}" if legal.tiles else "refill"
        self._next, self._offered = (player, action), False

    def settle(self) -> None:
        """Continue once everybody has seen the last deed."""
        if self._offered or not all(one.seq >= self._seq and one.at_rest for one in self.players):
            return
        assert self._next is not None
        self._offered = True
        if self._mover is self._next[0]:
            self.step()
        else:
            self.on_ready(self)

    def move(self) -> None:
        """Make a whole move."""
        assert self._next is not None
        self._mover = self._next[0]
        self.step()

    def step(self) -> None:
        """Do the next deed."""
        assert self._next is not None
        player, action = self._next
        if player.calls is None or action == "refill":
            player.do(self._seq, action)
            return
        path = self._preview(player, action)
        player.calls.ask(path, lambda status, size: self._explained(status, size, player, action))

    def _preview(self, player: Player, action: str) -> str:
        return f"/api/tables/{self._table}/explain?move={quote(action, safe='')}&place={player.place}"

    def _explained(self, status: int, size: int, player: Player, action: str) -> None:
        self.sizes.add("mover", "explain", size)
        if status != HTTPStatus.OK:
            self.problems.append(f"a preview was refused: {status}")
        if player.notes is not None:
            player.notes.append(Line(f"{EXPLAIN} {status}", size))
        player.do(self._seq, action)

    def acknowledged(self, player: Player, now: float) -> None:
        self.acks.append(now - player.sent)

    def done(self, player: Player, now: float) -> None:
        """A deed is done, and its doer sees the result; by then others may have gone on."""
        self.shown.append(now - player.sent)
        if player.ends:
            self.moves += 1
            if self._mover is player:
                self._mover = None

    def close(self) -> None:
        for player in (*self.players, *self.spectators):
            for connection in (player.socket, player.calls):
                if connection is not None:
                    connection.close()


async def spoken_by(door: Door) -> type[Player]:
    """The conversation of a server, judging by its first message."""
    first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def take(data: bytes) -> None:
        if not first.done() and not data.startswith(b'{"type":"presence"'):
            first.set_result(data)

    with closing(Tables(door)) as tables:
        path = f"/api/tables/{tables.create()[0]}/socket?language=en"
        socket = await door.connect(path, take, tables.ada.cookie)
    async with asyncio.timeout(_PATIENCE):
        said = await first
    socket.close()
    return Resyncing if said.startswith(b'{"type":"state"') else Updated


# The same conversation, line by line


async def unlike(recording: Recording, door: Door, speak: type[Player]) -> list[str]:
    """Where the load's conversation with a server differs from the recorded one; ideally nowhere."""
    opening, turns = await session(door, speak, len(recording.turns))
    return differences(recording, opening, turns)


async def session(door: Door, speak: type[Player], turns: int) -> tuple[Part, list[Part]]:
    """Two players and a spectator join one after another and play, as in a recording."""
    ready: list[Game] = []
    game = Game(speak, ready.append, previews=True)
    watcher = speak(game, None)
    for player in (*game.players, watcher):
        player.notes = []
    with closing(Tables(door)) as tables:
        await game.sit((door, door), tables)
        await game.watched(door, watcher, tables.cleo.cookie)
        game.players += game.spectators
        game.spectators.clear()
    await _quiet(game)
    opening, played = _taken(game, 0), []
    for turn in range(turns):
        ready.pop().move()
        await _until(game, lambda turn=turn: game.moves > turn and bool(ready))  # type: ignore[misc]
        await _quiet(game)
        played.append(_taken(game, turn % 2))
    game.close()
    await asyncio.sleep(0)  # the sockets close
    return opening, played


async def _quiet(game: Game) -> None:
    """Wait until everybody has heard everything."""
    players = game.players
    await _until(game, lambda: all(one.seq == players[0].seq > 0 and one.at_rest for one in players))
    for player in players:
        player.fenced = False
        player.say(b'{"type":"ping","n":0}')
    await _until(game, lambda: all(player.fenced for player in players))


async def _until(game: Game, holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(_PATIENCE):
        while not holds():
            if game.problems:
                raise RuntimeError(game.problems[0])
            game.changed.clear()
            await game.changed.wait()


def _taken(game: Game, mover: int) -> Part:
    roles = {"mover": mover, "opponent": 1 - mover, "spectator": 2}
    part = {role: game.players[number].notes or [] for role, number in roles.items()}
    for player in game.players:
        player.notes = []
    return part
