"""`genial worker`: lends this machine's cores to the bots of servers elsewhere.

Each lane asks a server for a job, thinks in a separate process that can be killed, and submits the answer. A
server that doesn't answer is asked again, less and less often. Nothing is kept here, so nothing is lost.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from genial.bots.warm import compiling_elsewhere
from genial.bots.worker_process import Job
from genial.bots.workers import BotPool
from genial.core.notation import move_text
from genial.server.processes.work_data import AnswerBody, advice_data, encoded, job_from

log = logging.getLogger("genial.worker")

_WAIT_SECONDS = 20.0
_HEARTBEAT_SECONDS = 2.0
_HAND_IN_SECONDS = (0.0, 0.5, 1.0, 2.0)
_PATIENCE = (0.5, 15.0)
_REFUSED = (401, 403)


class Remote:
    """A server that hands out jobs."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    async def acquire(self) -> dict[str, Any] | None:
        """The next job, or None if none came."""
        job: dict[str, Any] | None = await self._post("acquire", json.dumps({"wait": _WAIT_SECONDS}).encode())
        return job

    async def still_wanted(self, number: str) -> bool:
        """Report that the job is being thought about. Returns whether its answer is still wanted."""
        told = await self._post(f"jobs/{number}/heartbeat", b"")
        return bool(told and told["wanted"])

    async def submit(self, number: str, answer: AnswerBody) -> None:
        """Submit an answer."""
        await self._post(f"jobs/{number}", encoded(answer))

    async def _post(self, path: str, body: bytes) -> Any:
        request = urllib.request.Request(f"{self.url}/api/worker/{path}", body, self._headers, method="POST")

        def read() -> bytes:
            with urllib.request.urlopen(request, timeout=_WAIT_SECONDS + 10) as answer:
                return bytes(answer.read())

        text = await asyncio.to_thread(read)
        return json.loads(text) if text else None


async def work(urls: Sequence[str], token: str, thoughts: int) -> None:
    """Think for these servers until cancelled."""
    remotes = [Remote(url, token) for url in urls]

    async def think(first: int) -> None:
        for turn in itertools.count(first):
            await _one(remotes[turn % len(remotes)], pool)

    async with compiling_elsewhere(), BotPool(thoughts) as pool, asyncio.TaskGroup() as group:
        for number in range(thoughts):
            group.create_task(think(number))


async def _one(remote: Remote, pool: BotPool) -> None:
    """Do one job, waiting for it as long as necessary."""
    wait, longest = _PATIENCE
    while True:
        try:
            data = await remote.acquire()
            if data is not None:
                await _do(remote, pool, str(data["id"]), job_from(data))
                return
            wait = _PATIENCE[0]
            continue
        except urllib.error.HTTPError as error:
            if error.code in _REFUSED:
                raise PermissionError(
                    f"{remote.url} refuses this token. Use the one in the server's --worker-token-file."
                ) from None
            told: dict[str, object] = {"status": error.code}
        except (OSError, ValueError) as error:
            # urllib wraps the network's own error, which is the one that a host can do something about.
            reason = getattr(error, "reason", None)
            told = {"error": type(reason if isinstance(reason, OSError) else error).__name__}
        log.warning("asks again", extra={"server": remote.url, **told})
        await asyncio.sleep(wait)
        wait = min(2 * wait, longest)


async def _do(remote: Remote, pool: BotPool, number: str, job: Job) -> None:
    thinking = asyncio.create_task(_think(pool, number, job))
    try:
        while not (await asyncio.wait({thinking}, timeout=_HEARTBEAT_SECONDS))[0]:
            if not await _wanted(remote, number):
                return
        await _hand_in(remote, number, thinking.result())
    finally:
        thinking.cancel()


async def _wanted(remote: Remote, number: str) -> bool:
    """Whether to go on. Yes while nobody answers: another process may answer the next time."""
    try:
        return await remote.still_wanted(number)
    except (OSError, ValueError) as error:
        if isinstance(error, urllib.error.HTTPError) and error.code in _REFUSED:
            raise
        return True


async def _hand_in(remote: Remote, number: str, answer: AnswerBody) -> None:
    """Submit an answer, trying a few times if nobody is there; after that, somebody else has the job."""
    for wait in _HAND_IN_SECONDS:
        await asyncio.sleep(wait)
        try:
            await remote.submit(number, answer)
            return
        except OSError as error:
            if isinstance(error, urllib.error.HTTPError) and error.code < 500:
                return  # too late: nobody wants it any longer


async def _think(pool: BotPool, number: str, job: Job) -> AnswerBody:
    common: dict[str, Any] = {"seed": job.seed, "deadline": job.deadline, "tag": number, "budget": job.budget}
    if job.wants_advice:
        opinion = await pool.advise(job.bot, job.view, include=job.include, **common)
        if opinion.advice is None:
            return AnswerBody(problem=opinion.problem)
        return AnswerBody(advice=advice_data(job.view.setup, opinion.advice))
    choice = await pool.choose(job.bot, job.view, **common)
    if choice.fallback:
        return AnswerBody(problem=choice.problem)
    setup, then = job.view.setup, choice.then
    return AnswerBody(move_text(setup, choice.action), None if then is None else move_text(setup, then))
