"""Real servers in separate processes: start, watch, stop, kill, resume, copy; the operator; the log."""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from socket import create_connection
from typing import Any, cast

import httpx
import msgspec
import pytest
from tests.server.harness import PATIENCE
from tests.server.operations import (
    HOUR,
    SPOKEN,
    Server,
    hub_on,
    kept_logging,
    new_table,
    serving,
    wait_for,
    watching,
)
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import genial
from genial.bots.workers import BotPool
from genial.cli import main
from genial.core.tiles import NORMAL
from genial.server.http.doors import Doors
from genial.server.operate.export import table_of
from genial.server.operate.health import Health
from genial.server.operate.metrics import Metrics
from genial.server.operate.tokens import warn_of_open_files
from genial.server.store import SqliteStore, open_store
from genial.server.tables.entries import Resumed
from genial.server.tables.server_time import wall_clock
from genial.server.tables.settings import Clock, Limits, TableSettings
from genial.server.tables.store import StoredEntry

QUICK = ("--limit", "bot_pause=0.005", "--limit", "bot_ending=0.005")
TOKEN = "0123456789abcdef" * 4


@contextmanager
def client_of(server: Server, **headers: str) -> Iterator[httpx.Client]:
    """A browser: it keeps its cookie, and names the page it comes from."""
    with httpx.Client(
        base_url=server.url, headers={"Origin": server.url, **headers}, timeout=PATIENCE
    ) as client:
        yield client


def set_up(client: httpx.Client, settings: dict[str, Any], places: list[dict[str, Any]]) -> dict[str, Any]:
    """A new table, as its host sees it."""
    client.post("/api/hello").raise_for_status()
    body = {"settings": settings, "places": places, "name": "Ada Lovelace", "bits": "5eed" * 8}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def bots_at(client: httpx.Client, variant: str = "cards", seats: int = 2) -> str:
    """A table where bots play each other, started at once."""
    places = [{"kind": "bot", "bot": "greedy"}] * seats
    return str(set_up(client, {"variant": variant, "seats": seats}, places)["id"])


def log_of(db: Path, table: str) -> list[StoredEntry]:
    async def read() -> list[StoredEntry]:
        store = open_store(db)
        try:
            return await store.read(table)
        finally:
            await store.close()

    return asyncio.run(read())


# Health


def test_a_server_starts_can_be_monitored_and_stops(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db") as server, client_of(server) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.get("/readyz").json() == {"status": "ready", "store": True, "bots": True}
        page = client.get("/")
        assert "Unofficial" in page.text
        assert page.headers["link"] == '</api/openapi.json>; rel="service-desc"'
        assert client.get("/api/openapi.json").json()["openapi"].startswith("3.1")
        table = bots_at(client)
        with watching(client, table):
            wait_for(lambda: len(log_of(tmp_path / "a.db", table)) > 4)
        figures = client.get("/metrics")
        assert figures.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert re.search(r'^genial_tables\{status="running"\} 1$', figures.text, re.MULTILINE)
        for name in (
            "genial_listeners",
            "genial_entries_stored_total",
            'genial_append_seconds_bucket{le="+Inf"}',
            "genial_bot_jobs_total",
            "genial_bot_restarts_total",
            "genial_bot_busy_seconds_total",
            'genial_bot_queue{kind="move"}',
            'genial_bot_wait_seconds_bucket{le="+Inf"}',
            "genial_rate_limited_total",
            "process_resident_memory_bytes",
            'genial_requests_total{status="200"}',
        ):
            assert re.search(rf"^{re.escape(name)} [\d.]+$", figures.text, re.MULTILINE), name
        for line in figures.text.splitlines():
            assert re.fullmatch(r'#.*|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.]+', line), line
        # Not for others: a proxy on this machine, or a page that points its own name here.
        assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 403
        assert client.get("/metrics", headers={"Host": "evil.example"}).status_code == 403
        assert client.get("/api/variants", headers={"Host": "evil.example"}).status_code == 403
        assert server.stop() == 0
        assert "stopped" in server.log


def test_refusals_are_logged_by_code_and_counted(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db", "--log-format", "json") as server, client_of(server) as client:
        table = set_up(client, {"variant": "cards", "seats": 2}, [{"kind": "me"}, {"kind": "open"}])["id"]
        assert client.get("/api/tables/nowhere").status_code == 404
        assert client.get("/api/variants").status_code == 200
        cookie = f"genial={client.cookies['genial']}"
        url = f"ws://{server.address}/api/tables/{table}/socket"
        with connect(
            url, additional_headers={"Cookie": cookie, "Origin": server.url}, subprotocols=SPOKEN
        ) as socket:
            for kind in ("act", "nonsense"):
                fields = {"move_id": "m", "seq": 1, "place": 0, "action": "refill"}
                socket.send(json.dumps({"type": kind, **fields}))
                while (answer := json.loads(socket.recv(timeout=PATIENCE)))["type"] != "error":
                    pass
                assert (
                    answer["error"]["code"]
                    == {"act": "table-not-running", "nonsense": "message-unreadable"}[kind]
                )
        with pytest.raises(InvalidStatus):
            connect(f"ws://{server.address}/api/tables/nowhere/socket", subprotocols=SPOKEN)
        figures = client.get("/metrics").text
        assert server.stop() == 0
    for code, times in (("table-not-running", 1), ("message-unreadable", 1), ("table-unknown", 2)):
        assert f'genial_refusals_total{{code="{code}"}} {times}' in figures
    told = [
        (line["event"], line.get("status"), line["code"])
        for line in map(json.loads, server.lines)
        if "code" in line
    ]
    assert told == [
        ("request", 404, "table-unknown"),
        ("refused", None, "table-not-running"),
        ("refused", None, "message-unreadable"),
        ("socket", 404, "table-unknown"),
    ]
    fine = [line for line in map(json.loads, server.lines) if line.get("route") == "/api/variants"]
    assert [set(line) & {"status", "code"} for line in fine] == [{"status"}]


def is_ready(client: httpx.Client) -> bool:
    answer = client.get("/readyz")
    assert answer.json()["store"] == (answer.status_code == 200)
    return answer.status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux changes another process's limits")
def test_readiness_follows_a_full_disk_and_its_recovery(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db") as server, client_of(server) as client:
        assert is_ready(client)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        wait_for(lambda: not is_ready(client))
        assert client.get("/healthz").status_code == 200
        infinite = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, infinite)
        wait_for(lambda: is_ready(client))
        assert server.stop() == 0
    assert "store probe failed code=store-failed" in server.log


@pytest.mark.parametrize("harm", ["removed", "replaced", "damaged"])
def test_readiness_fails_when_the_file_is_gone_or_damaged(tmp_path: Path, harm: str) -> None:
    db = tmp_path / "a.db"
    with serving(db) as server, client_of(server) as client:
        for _ in range(3):
            bots_at(client)
        assert is_ready(client)
        match harm:
            case "removed":
                db.unlink()
            case "replaced":
                db.rename(tmp_path / "b.db")
                db.write_bytes((tmp_path / "b.db").read_bytes())
            case "damaged":
                for path in (db, tmp_path / "a.db-wal"):
                    with path.open("r+b") as file:
                        file.write(b"\x00junk" * (path.stat().st_size // 5))
        wait_for(lambda: not is_ready(client))
        assert client.get("/healthz").status_code == 200
        server.stop()


def test_many_readiness_probes_cause_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking whether the server is ready must not keep it busy."""
    monkeypatch.setattr("genial.server.operate.health._FRESH_SECONDS", 3600.0)

    async def run() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            assert isinstance(hub.store, SqliteStore)
            health = Health(hub, cast(BotPool, hub.pool), Metrics(), Doors(Limits()), None)
            before = hub.store.writer.written
            assert all(await asyncio.gather(*(health._store_is_up() for _ in range(500))))
            assert hub.store.writer.written == before + 1
            assert await health._store_is_up()
            assert hub.store.writer.written == before + 1

    asyncio.run(run())


def test_ctrl_c_stops_the_server_with_status_0(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db") as server:
        assert server.stop(signal.SIGINT) == 0


def test_a_port_in_use_is_named_in_the_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path / "a.db") as server, kept_logging():
        port = server.url.rpartition(":")[2]
        assert main(["serve", "--port", port, "--db", str(tmp_path / "b.db")]) == 2
        assert port in capsys.readouterr().err


def test_a_second_server_on_a_file_is_refused_and_the_first_keeps_running(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, link = tmp_path / "a.db", tmp_path / "link.db"
    with serving(db, *QUICK) as server, client_of(server) as client, kept_logging():
        table = set_up(
            client, {"variant": "cards", "seats": 2}, [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        )
        path_to = f"/api/tables/{table['id']}"
        wait_for(lambda: client.get(path_to).json()["game"]["mover"] == 0)  # until then the bot writes
        link.symlink_to(db)
        for path in (db, link):
            assert main(["serve", "--port", "0", "--db", str(path)]) == 2
            told = capsys.readouterr().err
            assert str(server.process.pid) in told
            assert server.url in told
        # What only reads or only adds works next to it; what changes the file doesn't.
        assert main(["backup", str(tmp_path / "copy.db"), "--db", str(db)]) == 0
        assert main(["export", str(tmp_path / "out"), "--db", str(db)]) == 0
        assert main(["migrate", str(db), str(tmp_path / "moved.db")]) == 0
        capsys.readouterr()
        assert main(["migrate", "--db", str(db)]) == 2
        assert server.url in capsys.readouterr().err
        assert main(["migrate", str(tmp_path / "copy.db"), str(db)]) == 2
        assert server.url in capsys.readouterr().err
        assert client.get(path_to).status_code == 200
        server.process.kill()
        server.process.wait()
        assert main(["migrate", "--db", str(db)]) == 0
    with serving(db) as again:
        assert again.stop() == 0
    assert not list(tmp_path.glob("*.lock"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
def test_on_the_lan_a_qr_code_is_shown_and_cookies_work_without_https(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db", "--lan", "--host", "127.0.0.2") as server, client_of(server) as client:
        assert server.url.startswith("http://127.0.0.2:")
        assert server.process.stdout is not None
        code = [server.process.stdout.readline().rstrip("\n") for _ in range(15)]
        assert all(len(line) == len(code[0]) and set(line) <= set(" █▀▄") for line in code[:14])
        cookie = client.post("/api/hello").headers["set-cookie"]
        assert "Secure" not in cookie
        assert "HttpOnly" in cookie
        assert client.get("/api/variants", headers={"Host": "evil.example"}).status_code == 403


def test_a_trusted_proxy_passes_on_the_callers_address(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    arguments = ("--trusted-proxy", "127.0.0.1", "--operator-token-file", str(tmp_path / "token"))
    with (
        serving(tmp_path / "a.db", *arguments) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        bearer, ban = {"Authorization": f"Bearer {TOKEN}"}, {"kind": "address", "key": "203.0.113.7"}
        assert client.post("/api/operator/ban", headers=bearer, json=ban).status_code == 200
        through = {"Host": "play.example.org", "X-Forwarded-Proto": "https"}
        for address, status in (("203.0.113.7", 403), ("203.0.113.8", 200)):
            answer = client.post("/api/hello", headers={**through, "X-Forwarded-For": address})
            assert answer.status_code == status
        assert answer.headers["set-cookie"].endswith("; Secure")
        assert server.stop() == 0
        assert "address=203.0.113.0/24" in server.log


# Stopping and resuming


def kinds_of(db: Path, table: str) -> list[str]:
    return [entry.kind for entry in log_of(db, table)]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_games_go_on_after_a_restart(tmp_path: Path, number: signal.Signals) -> None:
    db = tmp_path / "a.db"
    with serving(db, "--limit", "bot_pause=0.05") as server, client_of(server) as client:
        tables = [bots_at(client, variant) for variant in ("cards", "travel")]
        with watching(client, *tables):
            wait_for(lambda: all(len(log_of(db, table)) > 8 for table in tables))
            assert server.stop(number) == (0 if number is signal.SIGTERM else -9)
        cookies = client.cookies
    before = {table: log_of(db, table) for table in tables}
    with serving(db, *QUICK) as server, client_of(server) as client:
        client.cookies = cookies
        with watching(client, *tables):
            wait_for(lambda: all("revealed" in kinds_of(db, table) for table in tables))
        assert server.stop() == 0
    for table in tables:
        after = log_of(db, table)
        assert after[: len(before[table])] == before[table]
        assert [entry.seq for entry in after] == list(range(1, len(after) + 1))
    assert main(["export", str(tmp_path / "out"), "--db", str(db)]) == 0
    for path in (tmp_path / "out").iterdir():
        assert genial.check(path.read_bytes()).status == "lawful"


def test_clocks_do_not_charge_for_server_downtime(tmp_path: Path) -> None:
    """A game with a minute for all moves, left an hour ago: the minute is still there."""
    db = tmp_path / "a.db"

    async def left() -> str:
        async with hub_on(db, clock=lambda: wall_clock() - HOUR) as hub:
            return str((await new_table(hub, TableSettings("cards", 2, clock=Clock(total=60)))).id)

    async def now() -> tuple[bool, int, Resumed]:
        store = open_store(db)
        table, last = await table_of(store, game), (await store.read(game))[-1]
        await store.close()
        assert table is not None
        deadline = table.clock.deadline()
        assert deadline is not None
        body = msgspec.json.decode(last.data, type=Resumed)
        return table.is_running, deadline - last.time, body

    game = asyncio.run(left())
    with serving(db) as server:
        assert server.stop() == 0
    running, milliseconds, resumed = asyncio.run(now())
    assert running
    assert milliseconds == 60_000 - resumed.charged
    assert resumed.charged < 1000


def test_shutting_down_closes_sockets_with_1012_and_ends_streams(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db") as server, client_of(server) as client:
        table = set_up(client, {"variant": "cards", "seats": 2}, [{"kind": "me"}, {"kind": "open"}])["id"]
        cookie = f"genial={client.cookies['genial']}"
        bot = client.post("/api/bot/account", json={"name": "Schnapp"}).json()["token"]
        url = f"ws://{server.address}/api/tables/{table}/socket"
        with (
            connect(
                url, additional_headers={"Cookie": cookie, "Origin": server.url}, subprotocols=SPOKEN
            ) as socket,
            httpx.stream(
                "GET",
                f"{server.url}/api/bot/stream",
                headers={"Authorization": f"Bearer {bot}"},
                timeout=PATIENCE,
            ) as stream,
        ):
            assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "update"
            lines = stream.iter_lines()
            assert json.loads(next(lines))["type"] == "hello"
            server.process.send_signal(signal.SIGTERM)
            assert closing_code(socket) == 1012
            with suppress(httpx.RemoteProtocolError):  # cut off, as an endless stream has to be
                assert list(lines) == []
        # Far less than the time that requests in progress would be given.
        assert server.process.wait(5) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_second_signal_cuts_off_requests_in_progress(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path / "a.db") as server, client_of(server) as client:
        client.post("/api/hello").raise_for_status()
        host, _, port = server.address.rpartition(":")
        with create_connection((host, int(port))) as slow:
            head = [
                "POST /api/tables HTTP/1.1",
                f"Host: {server.address}",
                f"Origin: {server.url}",
                f"Cookie: genial={client.cookies['genial']}",
                "Content-Type: application/json",
                "Content-Length: 2",
            ]
            slow.sendall(("\r\n".join(head) + "\r\n\r\n{").encode())  # and never the rest
            assert client.get("/healthz").status_code == 200
            server.process.send_signal(number)
            wait_for(lambda: is_closed(host, int(port)))
            assert server.stop(number) == 0
        assert "requests cut off" in server.log
        assert "stopped" in server.log
        assert "uvicorn" not in server.log
        assert "Traceback" not in server.log


def test_two_signals_in_quick_succession_cause_no_error(tmp_path: Path) -> None:
    """`timeout` signals a process and then its group."""
    with serving(tmp_path / "a.db") as server:
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.05)  # or the two would be one
        assert server.stop() == 0
        assert re.search(r"info +stopped\n$", server.log), server.log
        assert "error" not in server.log
        assert "warning" not in server.log


def is_closed(host: str, port: int) -> bool:
    """True if nobody listens there any longer."""
    try:
        create_connection((host, port)).close()
    except ConnectionRefusedError:
        return True
    return False


def closing_code(socket: ClientConnection) -> int | None:
    """Read to the end. Returns the code that the server closed with."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


# Backup


@pytest.mark.slow
def test_a_backup_of_a_running_server_holds_a_prefix_of_every_log(tmp_path: Path) -> None:
    db, copy = tmp_path / "a.db", tmp_path / "copy.db"
    with serving(db, "--limit", "bot_pause=0.05") as server, client_of(server) as client:
        tables = [bots_at(client, "classic", 4) for _ in range(3)]
        with watching(client, *tables):
            wait_for(lambda: all(len(log_of(db, table)) > 10 for table in tables))
            assert main(["backup", str(copy), "--db", str(db)]) == 0
            in_copy = {table: log_of(copy, table) for table in tables}
            wait_for(lambda: all(len(log_of(db, table)) > len(in_copy[table]) for table in tables))
        cookies = client.cookies
        assert server.stop() == 0
    for table in tables:
        assert len(in_copy[table]) > 10
        assert log_of(db, table)[: len(in_copy[table])] == in_copy[table]
    with serving(copy, *QUICK) as server, client_of(server) as client:
        client.cookies = cookies
        with watching(client, *tables):
            wait_for(lambda: "revealed" in kinds_of(copy, tables[0]))


# The operator


@pytest.mark.slow
def test_only_the_operator_may_use_the_operators_calls(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    arguments = ("--operator-token-file", str(tmp_path / "token"))
    with serving(tmp_path / "a.db", *arguments) as server, client_of(server) as ada:
        table = set_up(ada, {"variant": "classic", "seats": 2}, [{"kind": "me"}, {"kind": "me"}])["id"]
        base, device = "/api/operator", ada.cookies["genial"]
        calls = [
            ("GET", f"{base}/tables"),
            ("GET", f"{base}/tables/{table}"),
            ("POST", f"{base}/tables/{table}/close"),
            ("GET", f"{base}/tables/{table}/games/0/record"),
            ("GET", f"{base}/bans"),
            ("POST", f"{base}/ban"),
            ("POST", f"{base}/unban"),
        ]
        for header in ({}, {"Authorization": f"Bearer {device}"}, {"Authorization": "Bearer"}, {"X": TOKEN}):
            for method, path in calls:
                answer = ada.request(method, path, headers=header)
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "operator-only"), path
        with httpx.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE
        ) as operator:
            _operate(operator, ada, table)
        assert server.stop() == 0
        assert TOKEN not in server.log
        assert "operator took a record" in server.log


def _put_out_an_address(operator: httpx.Client, ada: httpx.Client, table: str) -> None:
    """A ban of an address ends its open socket at once, and lets no other in."""
    url = f"ws://{ada.base_url.netloc.decode()}/api/tables/{table}/socket"
    headers = {"Cookie": f"genial={ada.cookies['genial']}", "Origin": str(ada.base_url).rstrip("/")}
    request = {"kind": "address", "key": "127.0.0.1"}
    with connect(url, additional_headers=headers, subprotocols=SPOKEN) as socket:
        socket.recv(timeout=PATIENCE)
        operator.post("/api/operator/ban", json=request).raise_for_status()
        with pytest.raises(ConnectionClosed):
            deque(socket, maxlen=0)
    assert ada.get(f"/api/tables/{table}").status_code == 403
    operator.post("/api/operator/unban", json=request).raise_for_status()
    wait_for(lambda: ada.get(f"/api/tables/{table}").status_code == 200)


def _operate(operator: httpx.Client, ada: httpx.Client, table: str) -> None:
    base = "/api/operator"
    listed = operator.get(f"{base}/tables", params={"status": "running"})
    assert [row["table"] for row in listed.json()["tables"]] == [table]
    shown = operator.get(f"{base}/tables/{table}")
    for answer in (listed, shown):
        assert not tiles_in(answer.text)
    record = operator.get(f"{base}/tables/{table}/games/0/record").text
    assert genial.check(record).status == "lawful so far"
    assert operator.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 200

    key = shown.json()["places"][0]["device"]
    banned = operator.post(f"{base}/ban", json={"kind": "device", "key": key, "hours": 1})
    assert banned.json()["until"] > wall_clock()
    wait_for(lambda: ada.get(f"/api/tables/{table}").status_code == 403)
    assert operator.post(f"{base}/unban", json={"kind": "device", "key": key}).status_code == 200
    wait_for(lambda: ada.get(f"/api/tables/{table}").status_code == 200)
    _put_out_an_address(operator, ada, table)
    wait_for(lambda: ada.get(f"/api/tables/{table}").status_code == 200)
    assert operator.post(f"{base}/ban", json={"kind": "address", "key": "203.0.113.7"}).status_code == 200
    assert [ban["kind"] for ban in operator.get(f"{base}/bans").json()["bans"]] == ["address"]
    for wrong in ({"kind": "device", "key": "no hash"}, {"kind": "town", "key": "x"}, {}, {"more": 1}):
        assert operator.post(f"{base}/ban", json=wrong).status_code in (400, 409, 422)

    closed = operator.post(f"{base}/tables/{table}/close")
    assert closed.json()["status"] == "closed"
    assert operator.post(f"{base}/tables/{table}/close").status_code == 404
    assert operator.get(f"{base}/tables/nowhere").status_code == 404


def test_without_a_token_there_is_no_operator(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db") as server, client_of(server) as client:
        for header in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer None"}):
            assert client.get("/api/operator/tables", headers=header).status_code == 403


# The log


def tiles_in(text: str) -> list[str]:
    """Everything in a text that looks like a tile."""
    return [pair for pair in re.findall(r"\b[ROYGBP]{2}\b", text) if pair in NORMAL]


@pytest.mark.skipif(os.name != "posix", reason="others are told apart by the file's mode")
def test_a_token_file_that_others_can_read_causes_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    for mode, warned in ((0o600, False), (0o400, False), (0o640, True), (0o604, True)):
        token.chmod(mode)
        caplog.clear()
        warn_of_open_files(None, token)
        assert (f"chmod 600 {token}" in caplog.text) is warned
    with serving(tmp_path / "a.db", "--operator-token-file", str(token), *QUICK) as server:
        assert server.stop() == 0
    assert f"chmod 600 {token}" in server.log
    caplog.clear()
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))  # systemd's way of protecting it
    warn_of_open_files(token)
    assert not caplog.text


def test_the_log_holds_nothing_confidential(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    arguments = (
        "--log-format",
        "json",
        "--log-level",
        "debug",
        "--operator-token-file",
        str(tmp_path / "token"),
        "--limit",
        "requests_per_minute=100000",
    )
    said = "meet me at noon"
    with serving(tmp_path / "a.db", *arguments, *QUICK) as server:
        with client_of(server) as ada, client_of(server) as ben:
            secrets = _play_with_everything(server, ada, ben, said)
        assert server.stop() == 0
    secrets |= {TOKEN, said, "Ada", "Lovelace", "Ben", "Jerry", "5eed5eed", "127.0.0.1"}
    lines = server.log.splitlines()
    assert len(lines) > 50
    for line in lines:
        told = json.loads(line)
        assert "Traceback" not in line
        told.pop("time")
        text = json.dumps(told)
        assert not tiles_in(text), line
        for secret in secrets:
            assert secret not in text, line
    assert sum('"/api/tables/{table}/act", "status": 200' in line for line in lines) >= 30
    assert any('"event": "socket"' in line for line in lines)


def _play_with_everything(server: Server, ada: httpx.Client, ben: httpx.Client, said: str) -> set[str]:
    """Two people and a bot play; much goes wrong. Returns what must not be in the log."""
    choices = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "balanced"}]
    made = set_up(ada, {"variant": "classic", "seats": 3, "name": "Jerry's"}, choices)
    table, code, watch = made["id"], made["code"], made["watch"]
    ben.post("/api/hello").raise_for_status()
    body = {"code": code, "name": "Ben & Jerry", "bits": "feed" * 8}
    assert ben.post("/api/join", json=body).status_code == 200
    numbers, rng = count(), Random(1)
    for _ in range(30):
        wait_for(lambda: any(_act(client, table, f"move-{next(numbers)}", rng) for client in (ada, ben)))
    ada.post(f"/api/tables/{table}/chat", json={"move_id": "c1", "text": said}).raise_for_status()
    cookie = f"genial={ben.cookies['genial']}"
    url = f"ws://{server.address}/api/tables/{table}/socket?watch={watch}"
    with connect(
        url, additional_headers={"Cookie": cookie, "Origin": server.url}, subprotocols=SPOKEN
    ) as socket:
        socket.send(f'{{"type": "act", "token": "{cookie}", "rack": ["RB", "GP"]}}')
        socket.send("no JSON, but RB and " + code)
        while json.loads(socket.recv(timeout=PATIENCE))["type"] != "error":
            pass
    for path in (
        f"/join/{code}",
        f"/api/tables/{table}?code={code}&rack=RB",
        f"/api/tables/{code}",
        f"/{cookie}",
    ):
        assert ben.get(path).status_code < 500
    for body in ({"move_id": "RB"}, {"seq": 1, "move_id": "x", "place": 0, "action": "RB@a1,a2"}):
        assert 400 <= ada.post(f"/api/tables/{table}/act", json=body).status_code < 500
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert ada.get(f"/api/operator/tables/{table}/games/0/record", headers=bearer).status_code == 200
    return {table, code, watch, ada.cookies["genial"], ben.cookies["genial"]}


def _act(client: httpx.Client, table: str, move_id: str, rng: Random) -> bool:
    """A placement, or the end of the turn, if it is this client's turn."""
    state = client.get(f"/api/tables/{table}").json()
    legal = state["legal"]
    if legal is None:
        return False
    action = "refill"
    if legal["pairs"]:
        board = client.get("/api/boards/classic/3").json()
        first, second = board["pairs"][rng.choice(legal["pairs"])]
        tile = rng.choice(legal["tiles"])["tile"]
        action = f"{tile}@{board['names'][first]},{board['names'][second]}"
    body = {"seq": state["game"]["seq"], "move_id": move_id, "place": state["viewer"][0], "action": action}
    answer = client.post(f"/api/tables/{table}/act", json=body)
    assert answer.status_code == 200, answer.text
    return True
