"""Two server processes behind a proxy: our own balancer, and nginx as docs/hosting.md configures it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest
from tests.server.harness import GENEROUS
from tests.server.nginx import missing, nginx
from tests.server.player import Player
from tests.server.several import SERVE, Several, several
from tools.soak import Outcome, compare, seated

GAMES = 4
PATIENCE = 120.0


@pytest.fixture(scope="module")
def servers() -> Iterator[Several]:
    limits = [f"--limit={name}={value}" for name, value in GENEROUS.items()]
    with several(SERVE, "--bot-workers", "1", *limits, count=2) as found:
        yield found


@pytest.fixture(scope="module")
def behind_nginx(servers: Several, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    with nginx(tmp_path_factory.mktemp("nginx"), servers.ports) as address:
        yield address


@pytest.fixture(params=["balancer", "nginx"])
def address(request: pytest.FixtureRequest, servers: Several) -> str:
    """The address for callers."""
    if request.param == "nginx":
        return str(request.getfixturevalue("behind_nginx"))
    return servers.url.removeprefix("http://")


@pytest.mark.slow
def test_players_carry_on_when_one_server_is_killed(servers: Several, address: str) -> None:
    async def played() -> tuple[list[Player], Outcome]:
        players = await seated([address], GAMES, Random(2))
        until = asyncio.get_running_loop().time() + PATIENCE
        playing = [asyncio.create_task(player.play(until=until)) for player in players]
        while not all(player.acknowledged or player.over for player in players):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(servers.kill, 0)
        await asyncio.gather(*playing)
        outcome = Outcome(games=GAMES)
        await compare(servers.database, players, outcome)
        return players, outcome

    try:
        players, outcome = asyncio.run(played())
    finally:
        servers.start()
    assert outcome.problems == []
    assert outcome.moves > 10 * GAMES
    assert any(player.reconnects for player in players), "nobody sat at the server that was killed"


def test_callers_are_identified_by_their_own_address(address: str) -> None:
    async def guessed(caller: str, times: int) -> int:
        """The status of the last of this many wrong codes, or of the first that was refused."""

        transport = httpx.AsyncHTTPTransport(local_address=caller)
        claims = {"origin": f"http://{address}", "x-forwarded-for": "203.0.113.7"}
        async with httpx.AsyncClient(
            transport=transport, base_url=f"http://{address}", headers=claims
        ) as client:
            await client.post("/api/hello")
            for n in range(times):
                status = (await client.post("/api/join", json={"code": f"A{n:04}"})).status_code
                if status != 404:
                    break
            return status

    # On a slow machine, some guesses become free again in the meantime.
    assert asyncio.run(guessed("127.0.0.8", 200)) == 429
    assert asyncio.run(guessed("127.0.0.9", 1)) == 404


def test_nginx_does_not_wait_for_a_machine_that_is_gone(servers: Several, tmp_path: Path) -> None:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    # With its queue full, the port no longer answers, like an address where nobody is.
    with socket.create_server(("127.0.0.1", 0), backlog=0) as gone:
        port = gone.getsockname()[1]
        with (
            socket.create_connection(("127.0.0.1", port)),
            nginx(tmp_path, [port, servers.ports[0]]) as address,
        ):
            answers = [httpx.get(f"http://{address}/api/variants", timeout=20) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 4


def test_nginx_does_not_expose_the_operators_paths(behind_nginx: str) -> None:
    for path in ("/metrics", "/api/operator/tables"):
        answer = httpx.get(f"http://{behind_nginx}{path}", timeout=20)
        assert (answer.status_code, answer.headers["server"][:5]) == (404, "nginx")
    assert httpx.get(f"http://{behind_nginx}/api/variants", timeout=20).status_code == 200


def test_nginx_passes_on_a_stream_line_by_line(behind_nginx: str) -> None:
    with httpx.Client(base_url=f"http://{behind_nginx}", timeout=20) as client:
        client.post("/api/hello")
        token = client.post(
            "/api/bot/account", json={"name": "Robo"}, headers={"origin": f"http://{behind_nginx}"}
        ).json()["token"]
        client.cookies.clear()
        with client.stream("GET", "/api/bot/stream", headers={"authorization": f"Bearer {token}"}) as answer:
            assert json.loads(next(answer.iter_lines()))["type"] == "hello"
