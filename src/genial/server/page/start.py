"""How a page starts: its store, its tables, and the port that its client talks to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from genial.bots.search import Question, Rows
from genial.kernel import engine
from genial.kernel.lent import Lent
from genial.server.calls.call import Services
from genial.server.calls.capabilities import PAGE, Capability
from genial.server.calls.devices import Device
from genial.server.calls.tokens import tokens_of
from genial.server.page.device import HERE
from genial.server.page.port import ClosedPort, Port
from genial.server.page.reading import PageReading
from genial.server.page.store import open_page_store
from genial.server.page.tabs import Link, Tabs, join
from genial.server.page.thinking import PageThinkers
from genial.server.page.vault import Vault
from genial.server.tables.hub import Hub
from genial.server.tables.peers import Peers
from genial.server.tables.server_time import ServerTime
from genial.server.tables.settings import Limits
from genial.server.tables.store import Store
from genial.server.tables.store_errors import StoreError

_IDLE_SECONDS = 600.0
_OFTEN = 10**9
LIMITS = Limits(
    requests_per_minute=_OFTEN,
    tables_per_hour=_OFTEN,
    tables_open=_OFTEN,
    records_per_minute=_OFTEN,
    hints_per_minute=_OFTEN,
    chat_per_minute=_OFTEN,
    address_chat_per_minute=_OFTEN,
    messages_per_20s=_OFTEN,
    send_queue_bytes=1 << 24,
)
"""Nobody needs protection from themselves; the remaining limits catch mistakes, and set the pace of bots."""


class Shell(Protocol):
    """What surrounds the Python in a page."""

    @property
    def vault(self) -> Vault: ...

    @property
    def tabs(self) -> Link | None:
        """The link to other tabs; None if the browser has no means for it."""

    def send(self, message: dict[str, Any]) -> None:
        """Send the client a message of plain values."""

    async def search(self, question: Question) -> Rows:
        """Have another worker run a search. Cancelling the wait stops the search."""

    def kernel(self, name: str, arguments: Sequence[Any]) -> Any:
        """Call an entry of the kernel, synchronously (`genial.kernel.lent`)."""


async def start(shell: Shell) -> Port | ClosedPort:
    """Open the store, resume the games in it, and serve the client.

    If the store can't be opened, every request of the client is answered with the reason.
    """
    engine.give(Lent(shell.kernel))
    try:
        store = await open_page_store(shell.vault)
    except StoreError as error:
        return ClosedPort(error, shell.send)
    peers = Peers() if shell.tabs is None else await join(shell.tabs)
    tables = await open_tables(store, peers, shell.search)
    return tables.port(HERE, shell.send)


@dataclass(slots=True)
class Tables:
    """The tables of one page."""

    services: Services
    sweeping: asyncio.Task[None]

    def port(self, device: Device, send: Callable[[dict[str, Any]], None]) -> Port:
        """The port for a device; a page has one."""
        return Port(self.services, device, send)

    async def close(self) -> None:
        """Stop, with everything acknowledged in the store."""
        self.sweeping.cancel()
        self.services.presence.stop()
        await self.services.analyses.stop()
        await self.services.hub.stop()


async def open_tables(
    store: Store,
    peers: Peers,
    search: Callable[[Question], Awaitable[Rows]],
    limits: Limits = LIMITS,
    can: frozenset[Capability] = PAGE,
) -> Tables:
    """Open the tables of a store, and resume the running games."""
    clock = ServerTime()
    # The wall clock may have been set back: continue from the latest time in the store.
    clock.not_before(await store.newest(("open", "running")) or 0)
    hub = Hub(store, PageThinkers(search), limits, clock=clock, peers=peers)
    services = Services.of(hub, await tokens_of(store), PageReading(), can)
    if isinstance(peers, Tabs):
        peers.follow(hub, services.presence)
    await hub.resume()
    services.presence.watch_all()
    return Tables(services, asyncio.create_task(_sweep(hub)))


async def _sweep(hub: Hub) -> None:
    """Drop idle tables from memory, because a tab may stay open for weeks; they stay in the store."""
    while True:
        await asyncio.sleep(_IDLE_SECONDS)
        hub.forget_idle(_IDLE_SECONDS)
