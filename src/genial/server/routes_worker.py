"""Bot workers on other machines: acquire a job, say that one still thinks, submit an answer.

The token stands in a file on both sides, and is known here by its hash alone. A worker learns what the seat
that it thinks for may know: whoever has the token could look into racks, so it is the operator's to give.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from genial.server.errors import Forbidden, NotFound
from genial.server.jobs import Jobs, Offer
from genial.server.operator import is_operator
from genial.server.replies import unreadable
from genial.server.workdata import AnswerBody

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
        """All of them; without a token every one refuses."""
        base = "/api/worker"
        return [
            Route(f"{base}/acquire", self.acquire, methods=["POST"]),
            Route(f"{base}/jobs/{{number}}/heartbeat", self.heartbeat, methods=["POST"]),
            Route(f"{base}/jobs/{{number}}", self.submit, methods=["POST"]),
        ]

    def _check(self, request: Request) -> None:
        if not is_operator(request, self._token):
            raise Forbidden("worker-only")

    async def acquire(self, request: Request) -> Response:
        """The next job; 204 if none came in time."""
        self._check(request)
        try:
            body = msgspec.json.decode(await request.body() or b"{}", type=AcquireBody)
        except msgspec.MsgspecError as error:
            raise unreadable(error) from None
        found = await self._acquired(request, body.wait)
        if found is None:
            return Response(status_code=204)
        number, job = found
        return _json({"id": number, **job})

    async def _acquired(self, request: Request, wait: float) -> Offer | None:
        """The next job, unless whoever asks is gone before there is one."""
        acquiring = asyncio.create_task(self._jobs.acquire(wait))
        gone = asyncio.create_task(_disconnected(request))
        try:
            await asyncio.wait({acquiring, gone}, return_when=asyncio.FIRST_COMPLETED)
            if acquiring.done():
                return acquiring.result()
            acquiring.cancel()
            await asyncio.wait({acquiring})
            if not acquiring.cancelled() and (found := acquiring.result()) is not None:
                await self._jobs.release(found[0])
            return None
        finally:
            gone.cancel()
            acquiring.cancel()

    async def heartbeat(self, request: Request) -> Response:
        """The worker still thinks. `wanted` says whether it should."""
        self._check(request)
        return _json({"wanted": await self._jobs.heartbeat(str(request.path_params["number"]))})

    async def submit(self, request: Request) -> Response:
        """An answer. One that comes too late is told so, as one to a job that never was."""
        self._check(request)
        try:
            answer = msgspec.json.decode(await request.body(), type=AnswerBody)
        except msgspec.MsgspecError as error:
            raise unreadable(error) from None
        if not await self._jobs.submit(str(request.path_params["number"]), answer):
            raise NotFound("job-unknown")
        return Response(status_code=204)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _json(data: object) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")
