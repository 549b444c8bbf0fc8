"""The outer wall: cookies, origins, headers, limits, bans, and what is never revealed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection
from tests.server.harness import Denied, Player, Server, Wire, bits, eventually, lawful, play, running
from tests.server.several import PROCESSES
from websockets.exceptions import InvalidStatus

from genial.server.calls.devices import address_hash, device_of
from genial.server.calls.limiter import Buckets, Limiter, Open
from genial.server.http.security import Web
from genial.server.tables.errors import Forbidden, TooMany
from genial.server.tables.settings import Limits
from genial.server.tables.store import BanKind


def code(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["code"])


def cookie_of(answer: httpx.Response) -> dict[str, str]:
    parts = [part.strip().partition("=") for part in answer.headers["set-cookie"].split(";")]
    return {name.lower(): value for name, _, value in parts}


def test_the_cookie_has_safe_attributes(server: Server) -> None:
    async def asked() -> None:
        async with httpx.AsyncClient(base_url=server.origin) as client:
            cookie = cookie_of(await client.post("/api/hello"))
            assert device_of(cookie["genial"])
            assert len(cookie["genial"]) >= 44  # 128 bits, and as many for the seal
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

    play(asked())


def test_with_https_only_this_host_can_set_the_cookie(server: Server) -> None:
    async def asked() -> None:
        # Several processes stand behind a proxy here, which truthfully says that it has no HTTPS itself.
        scheme = "https" if PROCESSES == 1 else "http"
        host = {"host": "play.example.org", "origin": f"{scheme}://play.example.org"}
        async with httpx.AsyncClient(base_url=server.origin) as client:
            cookie = cookie_of(await client.post("/api/hello", headers=host))
            token = cookie["__host-genial"]
            assert "secure" in cookie
            assert (cookie["path"], "domain" in cookie) == ("/", False)
        for name, status in (("__Host-genial", 200), ("genial", 401)):
            async with httpx.AsyncClient(base_url=server.origin) as client:
                sent = host | {"cookie": f"{name}={token}"}
                assert (await client.get("/api/me/games", headers=sent)).status_code == status
                again = cookie_of(await client.post("/api/hello", headers=sent))["__host-genial"]
                assert (again == token) == (status == 200)
        async with httpx.AsyncClient(base_url=server.origin) as client:
            # Without HTTPS no browser keeps a cookie of this name; whoever sends it has made it up.
            sent = {"cookie": f"__Host-genial={token}"}
            assert (await client.get("/api/me/games", headers=sent)).status_code == 401

    play(asked())


def test_only_tokens_that_the_server_issued_are_accepted(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            token = ada.http.cookies["genial"]
            robot = (await ada.post("/api/bot/account", {"name": "Robo"}))["token"]
            body, seal = robot.split("~")
            renamed = f"{body.split('.')[0]}.{'QWRh'}~{seal}"
            wrong = [
                "abcdefghijklmnopqrstuv",
                token.split("~")[0],
                token[:-1] + ("A" if token[-1] != "A" else "B"),
                f"{token.split('~')[0]}~{seal}",
                body,
                renamed,
            ]
            for each in (token, robot):
                holder = Player(server, "x", token=each)
                assert await holder.get("/api/me/games") == {"tables": []}
            for each in wrong:
                stranger = Player(server, "x", token=each)
                assert (await stranger.get("/api/me/games", 401))["error"]["code"] == "not-signed-in", each
                async with httpx.AsyncClient(base_url=server.origin) as client:
                    answer = await client.get("/api/me/games", headers={"cookie": f"genial={each}"})
                    assert answer.status_code == 401
                    greeted = await client.post(
                        "/api/hello", headers={"cookie": f"genial={each}", "origin": server.origin}
                    )
                    assert cookie_of(greeted)["genial"].split("~")[0] not in (each, each.split("~")[0])

    play(asked())


def test_a_token_from_before_seals_existed_keeps_its_games(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            token = ada.http.cookies["genial"]
            body = token.split("~")[0]
            table = await ada.create("travel", "mg")
            sent = {"cookie": f"genial={body}", "origin": server.origin}
            async with httpx.AsyncClient(base_url=server.origin) as client:
                mine = (await client.get("/api/me/games", headers=sent)).json()["tables"]
                assert [each["id"] for each in mine] == [table["id"]]
                assert cookie_of(await client.post("/api/hello", headers=sent))["genial"] == token

    play(asked())


def test_new_devices_are_rate_limited(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada:
            answers = []
            for _ in range(3 * PROCESSES):
                origin = {"origin": server.origin}
                async with httpx.AsyncClient(base_url=server.origin, headers=origin) as client:
                    answers.append(await client.post("/api/hello"))
                    answers.append(await client.post("/api/bot/account", json={"name": "Robo"}))
            assert {answer.status_code for answer in answers[:3]} <= {200, 201}
            assert (answers[-1].status_code, code(answers[-1])) == (429, "rate-limit")
            assert all("set-cookie" not in answer.headers for answer in answers if answer.is_error)
            await ada.hello()  # a known device isn't a new one

    with running(tmp_path / "devices.db", devices_per_hour=4) as server:
        play(asked(server))


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
        ({}, 403),  # a cookie, without an origin
        ({"origin": "same"}, 200),
        ({"authorization": "a bot's"}, 200),
        ({"authorization": "a bot's", "origin": "http://evil.example"}, 403),
    ],
)
def test_the_origin_is_checked_where_something_changes(
    server: Server, headers: dict[str, str], status: int
) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            cookies = dict(ada.http.cookies)
            robot = await ada.post("/api/bot/account", {"name": "Robo"})
            meant = {"same": server.origin, "a bot's": f"Bearer {robot['token']}"}
            sent = {name: meant.get(value, value) for name, value in headers.items()}
            async with httpx.AsyncClient(base_url=server.origin, cookies=cookies) as client:
                answer = await client.post("/api/hello", headers=sent)
                assert answer.status_code == status
                assert "access-control-allow-origin" not in answer.headers
                assert (
                    await client.get("/api/variants", headers={"origin": "http://evil.example"})
                ).is_success

    play(asked())


BOTH = {"http", "https"}


@pytest.mark.parametrize(
    ("scheme", "forwarded", "proxied", "own"),
    [
        # Directly, or through an undeclared proxy, which may terminate HTTPS.
        ("http", None, False, BOTH),
        ("http", "http", False, BOTH),  # anybody can write that
        ("http", None, True, BOTH),
        ("http", "https, http", True, BOTH),  # not understood
        ("http", "http", True, {"http"}),
        ("https", "https", True, {"https"}),
        ("https", None, False, {"https"}),
        ("ws", None, False, BOTH),
        ("ws", "http", True, {"http"}),
        ("wss", "https", True, {"https"}),
    ],
)
def test_an_origin_must_match_the_sites_scheme_host_and_port(
    scheme: str, forwarded: str | None, proxied: bool, own: set[str]
) -> None:
    def accepted(origin: str, host: str) -> bool:
        headers = {"host": host, "origin": origin, **({"x-forwarded-proto": forwarded} if forwarded else {})}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        kind = "websocket" if scheme.startswith("ws") else "http"
        connection = HTTPConnection({"type": kind, "scheme": scheme, "headers": raw})
        try:
            Web(proxied=proxied).check_origin(connection)
        except Forbidden:
            return False
        return True

    for page in ("http", "https"):
        assert accepted(f"{page}://play.example.org", "play.example.org") == (page in own)
        assert accepted(f"{page}://play.example.org:8443", "play.example.org:8443") == (page in own)
        assert not accepted(f"{page}://play.example.org", "play.example.org:8443")
        assert not accepted(f"{page}://play.example.org:8443", "play.example.org")
        assert not accepted(f"{page}://evil.example", "play.example.org")
    assert accepted("http://play.example.org", "play.example.org:80") == ("http" in own)
    assert accepted("https://play.example.org", "play.example.org:443") == ("https" in own)
    assert not accepted("https://play.example.org", "play.example.org:80")


def test_the_origin_is_checked_on_the_socket(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("travel", "mg")
            with pytest.raises(InvalidStatus) as denied:
                await ada.connect(table["id"], origin="http://evil.example")
            assert denied.value.response.status_code == 403

    play(asked())


def test_answers_carry_security_headers_for_browsers(server: Server) -> None:
    async def asked() -> None:
        async with httpx.AsyncClient(base_url=server.origin) as client:
            for path in ("/api/variants", "/api/tables/nowhere", "/nowhere"):
                headers = (await client.get(path)).headers
                assert "default-src 'self'" in headers["content-security-policy"]
                assert "frame-ancestors 'none'" in headers["content-security-policy"]
                # Compiled code may run, text never.
                assert headers["content-security-policy"].count("unsafe") == 1
                assert "script-src 'self' 'wasm-unsafe-eval';" in headers["content-security-policy"]
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


def test_requests_and_tables_are_rate_limited(tmp_path: Path) -> None:
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
            # Another device at the same address.
            answers = [await ben.http.post("/api/tables", json=body) for _ in range(2 * PROCESSES - 1)]
            assert (answers[-1].status_code, code(answers[-1])) == (429, "rate-limit")
            assert int(answers[-1].headers["retry-after"]) > 60
            answers = [await ada.http.get("/api/variants") for _ in range(40 * PROCESSES)]
            assert {answer.status_code for answer in answers} == {200, 429}
            assert answers[-1].json()["error"]["params"]["seconds"] > 0

    with running(tmp_path / "rate.db", requests_per_minute=30, tables_per_hour=2) as server:
        play(asked(server))


async def until_refused(connect: Callable[[], Awaitable[Wire]]) -> int:
    """Open sockets until there are too many. Returns how many there was room for."""
    opened, refused = 0, None
    while refused is None:
        try:
            await connect()
            opened += 1
        except Denied as denied:
            refused = denied.status
    assert refused == 429
    return opened


def test_sockets_and_their_messages_have_limits(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada:
            table, other = await ada.create("travel", "mg"), await ada.create("travel", "mg")
            wires = [await ada.wire(table["id"]) for _ in range(2)]
            # There are limits per table and per address; each process may lag behind by its own share.
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
        async with Player(server, "Ada") as ada, Player(server, "Eve") as eve:
            table = await ada.create("travel", "mo")
            path, right = f"/api/tables/{table['id']}", {"code": table["code"], "watch": table["watch"]}
            wrong = {"code": "ZZZZZ", "watch": "ZZZZZZZZ"}
            robot = Player(server, "Robo", token=(await eve.post("/api/bot/account", {"name": "R"}))["token"])

            async def guess(n: int, code: str, watch: str) -> httpx.Response:
                """One of all the doors that a code opens."""
                match n % 6:
                    case 0:
                        return await eve.http.post("/api/join", json={"code": code})
                    case 1:
                        return await eve.http.get(path, params={"code": code})
                    case 2:
                        return await eve.http.get(path, params={"watch": watch})
                    case 3:
                        return await robot.http.post("/api/bot/join", json={"code": code})
                    case 4:
                        sat = {"code": code, "name": "Eve", "bits": bits()}
                        return await eve.http.post(f"{path}/sit", json=sat)
                    case _:
                        said = {"move_id": "m", "text": "hm"}
                        return await eve.http.post(f"{path}/chat", json=said, params={"watch": watch})

            # Right codes don't count, however many.
            assert {(await guess(n % 3, **right)).status_code for n in range(30)} == {200}
            # A caller may overdraw before a process learns what the others have counted.
            answers = [await guess(n, f"A{n:04}", f"AAAA{n:04}") for n in range(25 * PROCESSES)]
            assert [answer.status_code for answer in answers[:20]] == [404] * 20
            limited = [answer for answer in answers if answer.status_code == 429]
            assert len(limited) >= 3  # every three seconds there is one more guess
            for n in range(6):
                # Right and wrong look the same, byte for byte. Every few seconds one guess becomes free, and
                # the seconds to wait go down: then both are asked again.
                while True:
                    before = [_told_of(await guess(n, **wrong)) for _ in range(PROCESSES)]
                    told = [_told_of(await guess(n, **right)) for _ in range(PROCESSES)]
                    after = [_told_of(await guess(n, **wrong)) for _ in range(PROCESSES)]
                    if before == after and {status for status, *_ in told} == {429}:
                        break
                assert told == before
            with pytest.raises(InvalidStatus) as denied:
                await eve.connect(table["id"], watch=table["watch"])
            assert denied.value.response.status_code == 429
            # Callers who need no code aren't checked for one.
            assert (await ada.http.get(path, params={"watch": "ZZZZZZZZ"})).status_code == 200

    def _told_of(answer: httpx.Response) -> tuple[int, str, dict[str, str]]:
        told = {name: value for name, value in answer.headers.items() if name != "date"}
        return answer.status_code, answer.text, told

    with running(tmp_path / "guess.db") as server:
        play(asked(server))


def test_simultaneous_guesses_count_like_successive_ones() -> None:
    limiter = Limiter(Limits())
    with ExitStack() as under_way:
        for _ in range(20):
            under_way.enter_context(limiter.guessing("192.0.2.1"))
        with pytest.raises(TooMany), limiter.guessing("192.0.2.1"):
            pytest.fail("the code was looked at")
    with limiter.guessing("192.0.2.1"):  # all of them were right
        pass


def test_chat_from_all_devices_at_an_address_is_limited(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("travel", "mg")
            path = f"/api/tables/{table['id']}/chat"
            said: list[str] = []
            for _ in range(8 * PROCESSES):
                async with Player(server, "Eve") as eve:
                    for n in range(2):
                        body = {"move_id": f"m{n}", "text": "buy"}
                        answer = await eve.http.post(path, json=body, params={"watch": table["watch"]})
                        said.append("" if answer.is_success else code(answer))
            fair = 5 // PROCESSES * PROCESSES  # each process grants its share at once
            assert said[:fair] == [""] * fair
            assert said.count("rate-limit") >= len(said) - 5 - 2 * PROCESSES
            # They used up the spectators' allowance, not the players'.
            own = await ada.http.post(path, json={"move_id": "own", "text": "hello"})
            assert own.status_code == 200
            async with await ada.wire(table["id"]) as wire:
                replies = [await wire.ask("chat", text="hello") for _ in range(12 * PROCESSES)]
                assert replies[0]["type"] == "ack"
                assert replies[-1]["error"]["code"] == "rate-limit"

    with running(
        tmp_path / "chat.db", chat_per_minute=1000, address_chat_per_minute=10, spectator_chat_per_minute=5
    ) as server:
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


def test_a_banned_device_or_address_stays_out(tmp_path: Path) -> None:
    async def asked(server: Server) -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("travel", "mg")
            device = device_of(ada.http.cookies["genial"])
            assert device is not None
            await ban(server, "device", device.hash)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("genial.server.calls.bans._BAN_SECONDS", 0.0)
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


def test_no_token_is_revealed_logged_or_stored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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


def test_processes_that_share_a_limit_grant_no_more_than_one_would() -> None:
    told = []
    for _ in range(2):
        buckets = Buckets(60, 60, sharers=lambda: 2, clock=lambda: 0.0)
        told.append(sum(not buckets.wait("ada") for _ in range(100)))
    assert told == [30, 30]
    buckets.settle("ada", 10.0)  # what all of them together have left
    assert sum(not buckets.wait("ada") for _ in range(100)) == 5
