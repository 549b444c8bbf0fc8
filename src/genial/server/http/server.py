"""uvicorn's server behind our own doors."""

from __future__ import annotations

import socket
from functools import partial

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from genial.server.http.doors import Doors
from genial.server.tables.settings import Limits

GRACE_SECONDS = 10
"""How long requests in progress may take when the server shuts down."""


class _Socket(WebSocketsSansIOProtocol):
    """uvicorn's socket, which can also be shut down once its other end has closed it."""

    def shutdown(self) -> None:
        """Close it when the server ends. uvicorn's own raises here, which would cut everybody else off."""
        if self.handshake_complete and not self.close_sent and self.conn.state is not State.OPEN:
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()


class GuardedServer(uvicorn.Server):
    """Serves an application; `doors` decides who gets in, and a guard watches each connection."""

    def __init__(
        self, app: ASGIApp, limits: Limits, doors: Doors, *, trusted_proxies: tuple[str, ...] = ()
    ) -> None:
        config = uvicorn.Config(
            app,
            http=H11Protocol,  # whatever else is installed: the guard is made for this one
            ws=_Socket,
            ws_max_size=limits.frame_bytes,
            ws_ping_interval=limits.ping_seconds,
            ws_ping_timeout=limits.ping_seconds,
            ws_per_message_deflate=False,
            access_log=False,
            log_config=None,
            log_level="warning",  # more would log whole requests, tokens included
            server_header=False,
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            timeout_keep_alive=limits.idle_seconds,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)
        self._doors = doors

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        try:
            await super().serve(sockets)
        finally:
            await self._doors.stop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve on sockets that are already bound."""
        await super().startup([])
        make = partial(H11Protocol, self.config, self.server_state, self.lifespan.state)
        self._doors.open(sockets or [], make, self.config.backlog)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and wait for the existing ones."""
        await self._doors.close()
        await super().shutdown(sockets)
