"""Which bots listen to which process: said in the database, and read there when it has changed."""

from __future__ import annotations

from collections.abc import Callable

from genial.server.store import together
from genial.server.store.driver import Fetch


class Listeners:
    """The bots that listen here, for the others to know, and those that listen to others.

    `tell` is called when the others should look; it must not wait.
    """

    def __init__(self, process: str, lease: float, fetch: Fetch, tell: Callable[[], None]) -> None:
        self.elsewhere: dict[str, str] = {}
        """Devices and names, as was last seen."""
        self._process = process
        self._lease = lease
        self._fetch = fetch
        self._tell = tell
        self._to_say: dict[str, str | None] = {}
        self._changed = True

    def here(self, device: str, name: str | None) -> None:
        """A bot listens to this process by a name, or no longer."""
        self._to_say[device] = name

    def look_soon(self) -> None:
        """Something has changed elsewhere."""
        self._changed = True

    async def exchange(self) -> None:
        """Say who listens here, and see who listens elsewhere."""
        while self._to_say:
            device, name = next(iter(self._to_say.items()))
            if name is None:
                await self._fetch(together.DEAFEN, device, self._process)
            else:
                await self._fetch(together.LISTEN, device, self._process, name)
            if self._to_say.get(device) == name:
                del self._to_say[device]
            self._tell()
        if self._changed:
            self._changed = False
            self.elsewhere = dict(await self._fetch(together.LISTENERS, self._process, self._lease))
