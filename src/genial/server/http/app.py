"""The web application: every route, behind one set of checks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute

from genial.core.errors import GenialError
from genial.server.calls.call import Services
from genial.server.calls.capabilities import SERVER
from genial.server.calls.tokens import Tokens
from genial.server.http.answers import on_crash, on_genial_error, on_gone, on_http_error
from genial.server.http.openapi import operations
from genial.server.http.routes import routes_of
from genial.server.http.security import Wall, Web
from genial.server.http.socket import SOCKET
from genial.server.processes.follower import Follower
from genial.server.processes.process import Processes
from genial.server.processes.reading_process import ReadingProcess
from genial.server.tables.hub import Hub


def build_app(
    hub: Hub, tokens: Tokens, *, web: Web | None = None, routes: Sequence[BaseRoute] = ()
) -> Starlette:
    """The application of one server. `routes` are additional ones, behind the same wall."""
    limits = hub.limits
    reading = ReadingProcess()
    services = Services.of(hub, tokens, reading, SERVER)
    presence = services.presence
    follower = (
        Follower(hub, presence, services.limiter, services.bots, services.bans, hub.peers)
        if isinstance(hub.peers, Processes)
        else None
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        presence.watch_all()
        if follower:
            follower.start()
        yield
        if follower:
            await follower.stop()
        presence.stop()
        await services.analyses.stop()
        await reading.close()

    app = Starlette(
        routes=[*routes_of(operations()), SOCKET, *routes],
        middleware=[Middleware(Wall, limits=limits)],
        exception_handlers={
            GenialError: on_genial_error,
            ClientDisconnect: on_gone,
            HTTPException: on_http_error,
            Exception: on_crash,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.services, app.state.web = services, web or Web()
    return app
