"""Bot workers on other machines: jobs over HTTP, nothing lost when one dies."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import urllib.error
from collections.abc import Coroutine
from email.message import Message
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import pytest
from tests.play import GAMES, walk
from tests.server.harness import PATIENCE
from tests.server.operations import serving, watching

import genial
from genial.bots import bot_named
from genial.bots.bot import Budget, Turn
from genial.bots.lending import Lending
from genial.bots.thinking import ANALYSIS
from genial.bots.worker_process import ADVISED, CHOSEN, Job
from genial.bots.workers import DIED, BotPool
from genial.core.view import View
from genial.server.operate import worker as remote
from genial.server.processes.work_data import AnswerBody, advice_data, answer_from, job_data, job_from

T = TypeVar("T")
TOKEN = "0123456789abcdef" * 4


def run(work: Coroutine[Any, Any, T]) -> T:
    async def patiently() -> T:
        return await asyncio.wait_for(work, 300)

    return asyncio.run(patiently())


def a_view() -> View:
    return genial.new("travel", seed=7).view({0})


async def busy(pool: BotPool) -> asyncio.Task[Any]:
    """Keep the pool's only worker busy for a long time."""
    task = asyncio.create_task(pool.choose("sleep", a_view(), seed="1", deadline=50, tag="busy"))
    while not pool.running:
        await asyncio.sleep(0.01)
    return task


BAD = "tests.bots.bad_bots:install"


def test_moves_are_lent_before_analysis() -> None:
    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            first = await busy(pool)
            lending = Lending(pool)
            common: dict[str, Any] = {"seed": "1", "deadline": 20}
            advice = asyncio.create_task(
                pool.advise("balanced", a_view(), tag="later", priority=ANALYSIS, **common)
            )
            move = asyncio.create_task(pool.choose("greedy", a_view(), tag="now", **common))
            await asyncio.sleep(0.05)
            number, job = await lending.acquire(1) or ("", None)
            assert job is not None
            assert job.bot == "greedy"
            action = bot_named("greedy").choose(job.view, Random(job.seed))
            assert lending.submit(number, CHOSEN, Turn(action))
            assert (await move).action == action
            number, job = await lending.acquire(1) or ("", None)
            assert job is not None
            assert job.wants_advice
            assert lending.heartbeat(number)
            assert lending.submit(number, ADVISED, bot_named("balanced").advise(job.view, Random(job.seed)))
            assert (await advice).advice is not None
            assert await lending.acquire(0.05) is None
            first.cancel()

    run(test())


def test_a_job_returns_to_the_queue_when_its_worker_falls_silent() -> None:
    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            first = await busy(pool)
            lending = Lending(pool, silence=0.1)
            move = asyncio.create_task(pool.choose("greedy", a_view(), seed="1", deadline=20, tag="now"))
            silent, _ = await lending.acquire(1) or ("", None)
            number, job = await lending.acquire(5) or ("", None)
            assert job is not None
            assert lending.returned == 1
            assert not lending.heartbeat(silent)
            action = bot_named("greedy").choose(job.view, Random(job.seed))
            assert not lending.submit(silent, CHOSEN, Turn(action))
            assert lending.submit(number, CHOSEN, Turn(action))
            assert not (await move).fallback
            deadly = asyncio.create_task(pool.choose("greedy", a_view(), seed="1", deadline=20, tag="then"))
            for _ in range(3):
                assert await lending.acquire(5) is not None
            choice = await deadly
            assert (choice.fallback, choice.problem) == (True, DIED)
            first.cancel()

    run(test())


def test_a_cancelled_job_is_no_longer_on_loan() -> None:
    async def test() -> None:
        async with BotPool(1, setup=BAD) as pool:
            first = await busy(pool)
            lending = Lending(pool)
            move = asyncio.create_task(pool.choose("greedy", a_view(), seed="1", deadline=20, tag="now"))
            number, job = await lending.acquire(1) or ("", None)
            assert job is not None
            move.cancel()
            await asyncio.sleep(0.01)
            assert not lending.heartbeat(number)
            assert len(lending) == 0
            first.cancel()

    run(test())


@pytest.mark.parametrize("game", GAMES)
def test_a_job_and_its_answer_survive_serialisation(game: tuple[str, int]) -> None:
    for position in walk(game, 3, greedily=True)[::9]:
        if position.is_over:
            continue
        view = position.view({position.seat})
        job = Job("balanced", view, "s", 4.0, Budget(50, None), True, tuple(view.actions()[:2]))
        again = job_from(httpx.Response(200, json=job_data(job)).json())
        assert again == job
        advice = bot_named("balanced").advise(view, Random(1), include=job.include)
        answer = AnswerBody(advice=advice_data(view.setup, advice))
        assert answer_from(job, answer) == (ADVISED, advice)


class Unsteady(remote.Remote):
    """A server that its balancer can't reach a few times."""

    def __init__(self, *faults: Exception) -> None:
        super().__init__("http://127.0.0.1:1", TOKEN)
        self.faults = list(faults)
        self.asked = 0

    async def _post(self, path: str, body: bytes) -> Any:
        self.asked += 1
        if self.faults:
            raise self.faults.pop(0)
        return {"wanted": False}


def answered(code: int) -> urllib.error.HTTPError:
    return urllib.error.HTTPError("http://127.0.0.1:1", code, "", Message(), None)


def test_a_worker_tolerates_a_brief_server_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_HAND_IN_SECONDS", (0.0,) * 4)

    async def test() -> None:
        for faults, asked in (
            ((), 1),
            ((answered(502), urllib.error.URLError("away"), ConnectionResetError()), 4),
            ((answered(503),) * 5, 4),  # somebody else has the job by then
            ((answered(404),), 1),  # too late
        ):
            server = Unsteady(*faults)
            await remote._hand_in(server, "x", AnswerBody())
            assert server.asked == asked
        assert await remote._wanted(Unsteady(answered(502)), "x")
        assert not await remote._wanted(Unsteady(), "x")
        with pytest.raises(urllib.error.HTTPError):
            await remote._wanted(Unsteady(answered(403)), "x")

    run(test())


def test_a_worker_logs_which_server_is_unreachable_and_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(remote, "_PATIENCE", (0.0, 0.0))
    refused = urllib.error.URLError(ConnectionRefusedError())
    server = Unsteady(refused, urllib.error.URLError("no host"), answered(404), answered(403))

    async def test() -> None:
        async with BotPool(1) as pool:
            with pytest.raises(PermissionError, match=r"http://127\.0\.0\.1:1 refuses this token"):
                await remote._one(server, pool)

    with caplog.at_level("WARNING", "genial.worker"):
        run(test())
    fields = ("server", "error", "status")
    told = [tuple(getattr(each, name, None) for name in fields) for each in caplog.records]
    assert told == [
        ("http://127.0.0.1:1", "ConnectionRefusedError", None),
        ("http://127.0.0.1:1", "URLError", None),
        ("http://127.0.0.1:1", None, 404),
    ]


@pytest.mark.slow
def test_real_workers_think_for_a_real_server(tmp_path: Path) -> None:
    """One is killed in the middle; the game goes on all the same."""
    token = tmp_path / "token"
    token.write_text(TOKEN)
    wrong = tmp_path / "wrong"
    wrong.write_text(TOKEN[::-1])

    async def worker(url: str, file: Path) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "genial", "worker", url, "--token-file", str(file), "--processes", "1"),
            stderr=asyncio.subprocess.PIPE,
        )

    async def test() -> None:
        quick = ("--limit", "bot_pause=0.01", "--limit", "bot_ending=0.01")
        arguments = ("--worker-token-file", str(token), *quick)
        with serving(tmp_path / "genial.db", *arguments) as server:
            refused = await worker(server.url, wrong)
            _, told = await refused.communicate()
            assert refused.returncode == 2
            assert b"refuses this token" in told
            workers = [await worker(server.url, token) for _ in range(2)]
            async with httpx.AsyncClient(
                base_url=server.url, headers={"Origin": server.url}, timeout=PATIENCE
            ) as client:
                await client.post("/api/hello")
                for path in ("acquire", "jobs/x/heartbeat", "jobs/x"):
                    assert (await client.post(f"/api/worker/{path}")).status_code == 403
                tables = [await set_up(client) for _ in range(4)]
                with watching(client, *tables):
                    await asyncio.sleep(2)
                    os.kill(workers[0].pid, signal.SIGKILL)
                    for table in tables:
                        while (await client.get(f"/api/tables/{table}")).json()["status"] != "over":
                            await asyncio.sleep(0.1)
            for process in workers:
                if process.returncode is None:
                    process.terminate()
                await process.wait()

    run(test())


async def set_up(client: httpx.AsyncClient) -> str:
    body = {
        "settings": {"variant": "travel", "seats": 2},
        "places": [{"kind": "bot", "bot": "balanced"}] * 2,
        "name": "Ada",
        "bits": "5eed" * 8,
    }
    answer = await client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])
