"""The outer wall: cookies, origins, headers, limits, bans, and what is never told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.harness import Player, Server, Wire, bits, eventually, lawful, play, running
from tests.server.several import PROCESSES
from websockets.exceptions import InvalidStatus

from genial.server.auth import address_hash, device_of
from genial.server.errors import TooMany
from genial.server.limiter import Buckets, Open
from genial.server.security import Web
from genial.server.store import BanKind

AWAY_SECONDS = 0 if PROCESSES == 1 else 1
"""At once, or the least that the command takes."""


def code(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["code"])


def cookie_of(answer: httpx.Response) -> dict[str, str]:
    parts = [part.strip().partition("=") for part in answer.headers["set-cookie"].split(";")]
    return {name.lower(): value for name, _, value in parts}


def test_the_cookie_is_out_of_reach(server: Server) -> None:
    async def asked() -> None:
        async with httpx.AsyncClient(base_url=server.origin) as client:
            cookie = cookie_of(await client.post("/api/hello"))
            assert device_of(cookie["genial"])
            assert len(cookie["genial"]) >= 22  # 128 bits
            assert "httponly" in cookie
            assert cookie["samesite"] == "Lax"
            assert cookie["path"] == "/"
            assert int(cookie["max-age"]) > 300 * 24 * 3600
            assert "secure" not in cookie  # loopback
            again = await client.post("/api/hello", headers={"origin": server.origin})
            assert cookie_of(again)["genial"] == cookie["genial"]
            junk = await client.post(
                "/api/hello", headers={"cookie": "genial=short", "origin": server.origin}
            )
            assert cookie_of(junk)["genial"] not in ("short", cookie["genial"])
        async with httpx.AsyncClient(base_url=server.origin) as client:
            away = await client.post("/api/hello", headers={"host": "play.example.org"})
            assert "secure" in cookie_of(away)

    play(asked())


def test_on_the_local_network_no_https_is_needed(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with httpx.AsyncClient(base_url=server.origin) as client:
            answer = await client.post("/api/hello", headers={"host": "192.168.1.7:8000"})
            assert "secure" not in cookie_of(answer)
            refused = await client.get("/api/variants", headers={"host": "evil.example"})
            assert (refused.status_code, code(refused)) == (403, "origin-wrong")

    with running(tmp_path / "lan.db", web=Web(secure=False, hosts=("127.0.0.1", "192.168.1.7"))) as server:
        play(asked(server))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1"}, 403),  # another port
        ({"origin": "http://[::1"}, 403),
        ({"origin": "file://127.0.0.1"}, 403),
        ({}, 403),  # a cookie, and no word where it comes from
        ({"origin": "same"}, 200),
        ({"authorization": "Bearer abcdefghijklmnopqrstuv"}, 200),
        ({"authorization": "Bearer abcdefghijklmnopqrstuv", "origin": "http://evil.example"}, 403),
    ],
)
def test_the_origin_counts_where_something_changes(
    server: Server, headers: dict[str, str], status: int
) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            cookies = dict(ada.http.cookies)
            sent = {name: server.origin if value == "same" else value for name, value in headers.items()}
            async with httpx.AsyncClient(base_url=server.origin, cookies=cookies) as client:
                answer = await client.post("/api/hello", headers=sent)
                assert answer.status_code == status
                assert "access-control-allow-origin" not in answer.headers
                assert (
                    await client.get("/api/variants", headers={"origin": "http://evil.example"})
                ).is_success

    play(asked())


def test_the_origin_counts_on_the_socket(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("travel", "mg")
            with pytest.raises(InvalidStatus) as denied:
                await ada.connect(table["id"], origin="http://evil.example")
            assert denied.value.response.status_code == 403

    play(asked())


def test_headers_for_browsers(server: Server) -> None:
    async def asked() -> None:
        async with httpx.AsyncClient(base_url=server.origin) as client:
            for path in ("/api/variants", "/api/tables/nowhere", "/nowhere"):
                headers = (await client.get(path)).headers
                assert "default-src 'self'" in headers["content-security-policy"]
                assert "frame-ancestors 'none'" in headers["content-security-policy"]
                assert "unsafe" not in headers["content-security-policy"]
                assert headers["x-content-type-options"] == "nosniff"
                assert headers["referrer-policy"] == "no-referrer"
                assert (headers.get("cache-control") == "no-store") == path.startswith("/api")

    play(asked())


def test_bodies_have_a_limit(server: Server) -> None:
    async def asked() -> None:
        async def chunks() -> Any:
            for _ in range(20):
                yield b" " * 1024

        async with Player(server, "Ada") as ada:
            for content in (b" " * 16_385, chunks()):
                answer = await ada.http.post("/api/tables", content=content)
                assert (answer.status_code, code(answer)) == (413, "message-long")
            for content in (b"[" * 16_000, b'{"settings": ' + b"[" * 16_000, b"\xff", b'{"settings": 1e999}'):
                answer = await ada.http.post("/api/tables", content=content)
                assert (answer.status_code, code(answer)) == (400, "message-unreadable")

    play(asked())


def test_requests_and_tables_have_a_rate(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            await ada.create("travel", "mg")
            await ada.create("travel", "mg")
            body = {
                "settings": {"variant": "travel", "seats": 2},
                "places": [{"kind": "me"}, {"kind": "open"}],
                "name": "Ben",
                "bits": bits(),
            }
            # Another device, the same address.
            answers = [await ben.http.post("/api/tables", json=body) for _ in range(2 * PROCESSES - 1)]
            assert (answers[-1].status_code, code(answers[-1])) == (429, "rate-limit")
            assert int(answers[-1].headers["retry-after"]) > 60
            answers = [await ada.http.get("/api/variants") for _ in range(40 * PROCESSES)]
            assert {answer.status_code for answer in answers} == {200, 429}
            assert answers[-1].json()["error"]["params"]["seconds"] > 0

    with running(tmp_path / "rate.db", requests_per_minute=30, tables_per_hour=2) as server:
        play(asked(server))


async def until_refused(connect: Callable[[], Awaitable[Wire]]) -> int:
    """Open sockets until there are too many; how many there was room for."""
    opened, refused = 0, None
    while refused is None:
        try:
            await connect()
            opened += 1
        except InvalidStatus as denied:
            refused = denied.response.status_code
    assert refused == 429
    return opened


def test_sockets_and_their_messages_have_limits(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada:
            table, other = await ada.create("travel", "mg"), await ada.create("travel", "mg")
            wires = [await ada.wire(table["id"]) for _ in range(2)]
            # So many at one table, and so many from one address; each process may be late by its own.
            async with Player(server, "Cat") as cat:
                watching = await until_refused(lambda: cat.wire(table["id"], watch=table["watch"]))
            assert watching <= 2 * (PROCESSES - 1)
            elsewhere = await until_refused(lambda: ada.wire(other["id"]))
            assert 3 <= len(wires) + watching + elsewhere <= 3 * PROCESSES
            for _ in range(12):
                await wires[0].send("ping")
            refused = await wires[0].until_type("error")
            assert refused["error"]["code"] == "rate-limit"
            for _ in range(30):
                await wires[0].send("ping")
            assert await wires[0].until_closed() == 1008
            await wires[1].settled()

    with running(
        tmp_path / "sockets.db", sockets_per_address=3, sockets_per_table=2, messages_per_20s=10
    ) as server:
        play(asked(server))


def test_codes_cannot_be_guessed_at_leisure(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada:
            # Between two looks at what the others have counted a caller may overdraw.
            codes = [{"code": f"A{n:04}"} for n in range(25 * PROCESSES)]
            answers = [(await ada.http.post("/api/join", json=body)).status_code for body in codes]
            assert answers[:20] == [404] * 20
            assert answers.count(429) >= 3  # every three seconds there is one more guess

    with running(tmp_path / "guess.db") as server:
        play(asked(server))


def test_buckets_forget_the_oldest() -> None:
    buckets = Buckets(1, 60, most_keys=3)
    for key in "abcd":
        assert buckets.wait(key) == 0
    assert len(buckets) == 3
    assert buckets.wait("d") > 0
    assert buckets.wait("a") == 0
    places = Open(1)
    places.enter("x")
    with pytest.raises(TooMany):
        places.enter("x")
    places.leave("x")
    assert len(places) == 0


async def ban(server: Server, kind: BanKind, key: bytes) -> None:
    await asyncio.to_thread(server.in_store, lambda store: store.ban(kind, key, None))


def is_banned(answer: httpx.Response) -> bool:
    return answer.status_code == 403


def test_who_is_banned_stays_out(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("travel", "mg")
            device = device_of(ada.http.cookies["genial"])
            assert device is not None
            await ban(server, "device", device.hash)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("genial.server.security._BAN_SECONDS", 0.0)
                answer = await eventually(lambda: ada.http.get("/api/variants"), is_banned)
                assert code(answer) == "banned"
                with pytest.raises(InvalidStatus) as denied:
                    await ada.connect(table["id"])
                assert denied.value.response.status_code == 403
                assert (await ben.get("/api/variants"))["variants"]
                await ban(server, "address", address_hash("127.0.0.1"))
                await eventually(lambda: ben.http.get("/api/variants"), is_banned)

    with running(tmp_path / "bans.db") as server:
        play(asked(server))


def test_no_token_is_told_logged_or_stored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def asked(server: Server) -> tuple[list[str], str]:
        told = []
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            board = await ada.get("/api/boards/travel/2")
            table = await ada.create("travel", "mo", first=0)
            told.append(str(await ben.join(table["code"])))
            async with await ada.wire(table["id"]) as hers, await ben.wire(table["id"]) as his:
                await hers.hear()
                await hers.act(0, lawful(hers.now["legal"], board, Random(1)))
                await hers.act(0, "nonsense")
                await his.settled()
                told += [str(hers.heard), str(his.heard)]
            answer = await ben.http.post(
                "/api/hello", headers={"authorization": f"Bearer !{ada.http.cookies['genial']}"}
            )
            told.append(answer.text)
            await asyncio.to_thread(server.in_store, lambda store: store.backup(tmp_path / "token.db.copy"))
            return told, ada.http.cookies["genial"]

    caplog.set_level(logging.DEBUG)
    with running(tmp_path / "token.db") as server:
        told, token = play(asked(server))
    device = device_of(token)
    assert device is not None
    secrets = (token, device.id)
    assert not any(secret in text for secret in secrets for text in told)
    clients = ("websockets.client", "httpx", "httpcore")
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith(clients)]
    assert token not in "\n".join(logged)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("token.db*"))
    assert token.encode() not in stored


def test_who_is_gone_too_long_is_replaced_and_comes_back(tmp_path: Path) -> None:
    """LEAVING"""

    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("travel", "mo", first=1)
            await ben.join(table["code"])
            async with await ada.wire(table["id"]) as hers:
                await hers.hear()
                his = await ben.wire(table["id"])
                await his.hear()
                other = await ben.wire(table["id"])
                await other.hear()
                await his.connection.close()
                await hers.settled()
                await other.settled()
                await other.connection.close()
                left = await hers.until_entry("seated")
                assert (left["data"]["place"], left["data"]["away"]) == (1, True)
                await hers.until(lambda m: m["type"] == "entry" and m["now"] and m["now"]["mover"] == 0)
                async with await ben.wire(table["id"]):
                    back = await hers.until_entry("seated")
                    assert (back["data"]["place"], back["data"]["away"]) == (1, False)
            # Alone with bots nobody is waited for by people: nobody is replaced.
            alone = await ada.create("travel", "mg", first=0)
            async with await ada.wire(alone["id"]) as wire:
                await wire.hear()
            await asyncio.sleep(AWAY_SECONDS + 0.3)
            seen = await ada.get(f"/api/tables/{alone['id']}")
            assert not seen["places"][0]["away"]

            # Who is gone before the game begins is missed when it does.
            three = await ada.create("cards", "moo", first=0)
            await ben.join(three["code"])
            async with await ada.wire(three["id"]) as hers, await ben.wire(three["id"]) as his:
                await hers.hear()
                await his.hear()
                await his.connection.close()
                async with Player(server, "Cat") as cat:
                    await cat.join(three["code"])
                    await hers.until_entry("started")
                    left = await hers.until_entry("seated")
                    assert (left["data"]["place"], left["data"]["away"]) == (1, True)

    with running(tmp_path / "away.db", away_seconds=AWAY_SECONDS) as server:
        play(asked(server))
