"""Who is at which table through which process: said in the database, and seen there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from genial.server.peers import NOWHERE, Elsewhere
from genial.server.store import together
from genial.server.store.driver import Fetch
from genial.server.store.pending import Pending


@dataclass(slots=True)
class _Present:
    devices: tuple[str, ...] = ()
    watching: int = 0


class Whereabouts:
    """What this process says of its own tables, and what it has seen of the others'.

    `moved` is called when somebody has come or gone elsewhere, `tell` with tables that the others should look
    at. Neither may wait.
    """

    def __init__(
        self,
        process: str,
        lease: float,
        fetch: Fetch,
        *,
        moved: Callable[[str], None],
        tell: Callable[[list[str]], None],
    ) -> None:
        self._process = process
        self._lease = lease
        self._fetch = fetch
        self._moved = moved
        self._tell = tell
        self._present: dict[str, _Present] = {}
        self._elsewhere: dict[str, dict[str, Elsewhere]] = {}
        """By table and process."""
        self._to_say = Pending()
        self._to_see = Pending()

    def here(self, game: str, devices: Iterable[str], watching: int) -> None:
        now = _Present(tuple(sorted(devices)), watching)
        if self._present.get(game, _Present()) == now:
            return
        self._to_say.add([game])
        self._to_see.add([game])
        if now == _Present():
            self._present.pop(game, None)
        else:
            self._present[game] = now

    def elsewhere(self, game: str) -> Elsewhere:
        found = self._elsewhere.get(game)
        if not found:
            return NOWHERE
        devices = frozenset(device for each in found.values() for device in each.devices)
        return Elsewhere(devices, sum(each.watching for each in found.values()))

    async def look(self, game: str) -> Elsewhere:
        await self._see([game])
        return self.elsewhere(game)

    def heard(self, game: str, *, follows: bool) -> None:
        """Somebody came or went elsewhere; whether the table is in our memory."""
        if follows:
            self._to_see.add([game])
        else:
            self._elsewhere.pop(game, None)

    def forget(self, gone: Collection[str]) -> None:
        """These processes have ended."""
        for game, found in list(self._elsewhere.items()):
            if [process for process in gone if found.pop(process, None) is not None]:
                self._moved(game)

    def say_again(self) -> None:
        """The others took this process for dead, and forgot who is here."""
        self._to_say.add(self._present)

    async def exchange(self) -> None:
        """Say who is here, and see who is elsewhere."""
        await self._to_say.settle(self._say)
        await self._to_see.settle(self._see)

    async def _say(self, games: list[str]) -> None:
        gone = [game for game in games if game not in self._present]
        if gone:
            await self._fetch(together.ABSENT, gone, self._process)
        for game in games:
            if (now := self._present.get(game)) is not None:
                await self._fetch(together.PRESENT, game, self._process, list(now.devices), now.watching)
        self._tell(games)

    async def _see(self, games: list[str]) -> None:
        found: dict[str, dict[str, Elsewhere]] = {game: {} for game in games}
        for game, process, devices, watching in await self._fetch(
            together.LOOK, games, self._process, self._lease
        ):
            found[game][process] = Elsewhere(frozenset(devices), watching)
        for game, there in found.items():
            if self._elsewhere.get(game, {}) == there:
                continue
            if there:
                self._elsewhere[game] = there
            else:
                self._elsewhere.pop(game, None)
            self._moved(game)
