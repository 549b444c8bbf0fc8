"""The web application: every route, behind one wall."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from genial.core.errors import GenialError
from genial.server.analyses import Analyses
from genial.server.calls import Services
from genial.server.follow import Follower
from genial.server.hub import Hub
from genial.server.limiter import Limiter
from genial.server.openapi import operations
from genial.server.presence import Presence
from genial.server.replies import on_crash, on_genial_error, on_http_error
from genial.server.room import Room
from genial.server.security import Bans, Wall, Web
from genial.server.settings import Limits
from genial.server.store.processes import Processes
from genial.server.streams import BotStreams
from genial.server.ws import socket_route


def build_app(
    hub: Hub, *, web: Web | None = None, limits: Limits | None = None, routes: Sequence[BaseRoute] = ()
) -> Starlette:
    """The application of one server. `routes` are further ones, behind the same wall."""
    bounds = limits or hub.limits
    presence = Presence(hub, bounds.away_seconds)
    services = Services(
        hub=hub,
        limits=bounds,
        web=web or Web(),
        limiter=Limiter(bounds),
        room=Room(hub, bounds.tables_open),
        bans=Bans(hub),
        presence=presence,
        bots=BotStreams(hub, presence),
        analyses=Analyses(hub, bounds),
    )

    follower = (
        Follower(hub, presence, services.limiter, services.bots, hub.peers)
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

    app = Starlette(
        routes=[*(operation.route(services) for operation in operations()), socket_route(services), *routes],
        middleware=[Middleware(Wall, body_bytes=bounds.body_bytes, record_bytes=bounds.record_bytes)],
        exception_handlers={
            GenialError: on_genial_error,
            HTTPException: on_http_error,
            Exception: on_crash,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.services = services
    return app
