"""Bot workers on other machines: fetch a job, report that they are still thinking, submit an answer.

The token is in a file on both sides, and the server knows only its hash. A worker learns what the seat it
thinks for may know: with the token one could look into racks, so only the operator gives it out.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from genial.server.http.answers import json_reply
from genial.server.http.routes import read_body
from genial.server.operate.tokens import has_token
from genial.server.processes.jobs import Jobs, Offer
from genial.server.processes.work_data import AnswerBody
from genial.server.tables.errors import Forbidden, NotFound

LONGEST_WAIT = 25.0


class AcquireBody(Struct, frozen=True, forbid_unknown_fields=True):
    """How many seconds to wait for a job."""

    wait: Annotated[float, Meta(ge=0, le=LONGEST_WAIT)] = LONGEST_WAIT


class Workers:
    """The routes under /api/worker."""

    def __init__(self, jobs: Jobs, token: bytes | None) -> None:
        self._jobs = jobs
        self._token = token

    def routes(self) -> list[Route]:
        """All worker routes; without a token they all refuse."""
        return [
            Route("/api/worker/acquire", self.acquire, methods=["POST"]),
            Route("/api/worker/jobs/{number}/heartbeat", self.heartbeat, methods=["POST"]),
            Route("/api/worker/jobs/{number}", self.submit, methods=["POST"]),
        ]

    def _check(self, request: Request) -> None:
        if not has_token(request, self._token):
            raise Forbidden("worker-only")

    async def acquire(self, request: Request) -> Response:
        """The next job; 204 if none came in time."""
        self._check(request)
        body = await read_body(request, AcquireBody)
        offer = await self._acquired(request, body.wait)
        if offer is None:
            return Response(status_code=204)
        number, job = offer
        return json_reply(request, {"id": number, **job})

    async def _acquired(self, request: Request, wait: float) -> Offer | None:
        """The next job, unless the caller disconnects first."""
        acquiring = asyncio.create_task(self._jobs.acquire(wait))
        gone = asyncio.create_task(_disconnected(request))
        try:
            await asyncio.wait({acquiring, gone}, return_when=asyncio.FIRST_COMPLETED)
            if acquiring.done():
                return acquiring.result()
            acquiring.cancel()
            await asyncio.wait({acquiring})
            if not acquiring.cancelled() and (offer := acquiring.result()) is not None:
                await self._jobs.release(offer[0])
            return None
        finally:
            gone.cancel()
            acquiring.cancel()

    async def heartbeat(self, request: Request) -> Response:
        """The worker is still thinking. `wanted` says whether it should go on."""
        self._check(request)
        wanted = await self._jobs.heartbeat(str(request.path_params["number"]))
        return json_reply(request, {"wanted": wanted})

    async def submit(self, request: Request) -> Response:
        """An answer. One that comes too late is refused, like one to an unknown job."""
        self._check(request)
        answer = await read_body(request, AnswerBody, empty=b"")
        if not await self._jobs.submit(str(request.path_params["number"]), answer):
            raise NotFound("job-unknown")
        return Response(status_code=204)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
