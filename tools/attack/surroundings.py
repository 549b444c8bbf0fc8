"""Trouble around a server: a second one on its file, a jumping clock, a full disk, damage, an open token."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from benchmarks.load_clients import GENIAL, Http
from tools.attack.result import Attack, Outcome
from tools.attack.scene import (
    BEARER,
    ME,
    OPEN,
    OPERATOR,
    OPERATOR_TOKEN,
    Scene,
    Servers,
    World,
    bits,
    bystander,
    device,
    join,
    new_table,
    operator_options,
)

HOUR, DAY = 3600, 24 * 3600
SWEEP_SECONDS = 65.0
"""Once a minute a server looks for what has expired."""
FILE_BYTES = 600_000
_START_SECONDS = 10.0
_MOST_WRITES = 1000
_TABLES = 3
_JUNK = b"\x00junk"
_FAILED_RUNNING = 5


async def second_server(scene: Scene) -> Outcome:
    """Somebody starts another server on the same file."""
    with scene.serving() as servers, closing(device(servers.door(bystander(0)))) as host:
        command = [*GENIAL, "serve", "--port", "0", "--db", servers.db, "--bot-workers", "1"]
        environment = {"PYTHONPATH": str(scene.source / "src"), "PATH": "/usr/bin:/bin"}
        second = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        try:
            said = await asyncio.to_thread(_first_words, second)
        finally:
            second.kill()
            second.communicate()
        new_table(host, ME, OPEN)  # the first one keeps working
    started = "Genial is at" in said
    words = said.replace(str(servers.db), "the file").partition(" (")[0]  # its path is nobody's business
    return Outcome("starts" if started else f"ends: {words}", not started and bool(said))


def _first_words(process: subprocess.Popen[bytes]) -> str:
    """Its address, or what it says when it ends."""
    assert process.stdout is not None
    assert process.stderr is not None
    if line := process.stdout.readline():
        return line.decode().strip()
    return process.stderr.read().decode().strip()


async def clock_jump(scene: Scene) -> Outcome:
    """The wall clock jumps ahead by an hour, and then by 400 days."""
    clock = scene.folder / f"clock-{scene.store}"
    clock.write_text("0")
    begun = perf_counter()
    with scene.serving(world=World(clock=clock)) as servers:
        door = servers.door(bystander(0))
        with closing(device(door)) as host, closing(device(door)) as guest:
            timed = new_table(host, ME, OPEN, clock={"total": 600})
            plain = new_table(host, ME, OPEN)
            for table in (timed, plain):
                join(guest, table["code"])
            socket = await door.connect(f"/api/tables/{timed['id']}/socket", lambda _: None, host.cookie)
            await asyncio.sleep(1.0)
            clock.write_text(str(HOUR))
            await asyncio.sleep(2.0)
            hour = await _status(host, timed)
            clock.write_text(str(400 * DAY))
            await asyncio.sleep(max(2.0, begun + SWEEP_SECONDS - perf_counter()))
            days = await _status(host, plain)
            socket.close()
    shown = f"after an hour the game is {hour}, after 400 days {days}"
    return Outcome(shown, (hour, days) == ("running", "running"))


async def _status(host: Http, table: Any) -> str:
    """The state of a table, after somebody has said something there."""
    path = f"/api/tables/{table['id']}"
    host.request("POST", f"{path}/chat", msgspec.json.encode({"move_id": bits(), "text": "Still here?"}))
    await asyncio.sleep(1.0)
    status, view = host.request("GET", path)
    return str(view["status"]) if status == HTTPStatus.OK else f"gone ({status})"


async def disk_full(scene: Scene) -> Outcome:
    """The file cannot grow any further: nothing can be stored, however little, and the probe must say so."""
    with scene.serving(*operator_options(scene), world=World(file_bytes=FILE_BYTES)) as servers:
        ready, _ = await _probed(servers.door(OPERATOR))
        tables = await asyncio.to_thread(_fill, servers, _create_table)
        bans = await asyncio.to_thread(_fill, servers, _ban_somebody)
        await asyncio.sleep(1.5)  # the last probe is remembered for a second
        full, _ = await _probed(servers.door(OPERATOR))
    shown = f"/readyz {ready}; when tables are refused ({tables}) and bans too ({bans}) {full}"
    refused = min(tables, bans) >= HTTPStatus.INTERNAL_SERVER_ERROR
    return Outcome(shown, refused and (ready, full) == (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE))


async def damaged_file(scene: Scene) -> Outcome:
    """Something overwrites the file and its log while a server is running."""
    with scene.serving() as servers:
        for number in range(_TABLES):
            with closing(Http(servers.door(bystander(number)))) as host:
                _create_table(host)
        ready, _ = await _probed(servers.door(OPERATOR))
        for path in (Path(servers.db), Path(f"{servers.db}-wal")):
            with path.open("r+b") as file:
                file.write(_JUNK * (path.stat().st_size // len(_JUNK)))
        await asyncio.sleep(1.5)  # the last probe is remembered for a second
        damaged, _ = await _probed(servers.door(OPERATOR))
    shown = f"/readyz {ready}; when it is damaged {damaged}"
    return Outcome(shown, (ready, damaged) == (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE))


async def open_token(scene: Scene) -> Outcome:
    """The operator's token is in a file that everybody on the machine can read."""
    file = scene.folder / "open.token"
    file.write_text(OPERATOR_TOKEN)
    file.chmod(0o644)
    with scene.serving("--operator-token-file", str(file)) as servers:
        log = servers.processes[0].log.read_text(encoding="utf-8")
    warned = str(file) in log
    return Outcome("a warning names the file" if warned else "nothing is said", warned)


def _fill(servers: Servers, write: Callable[[Http], int]) -> int:
    """Write from many addresses until it fails several times in a row. Returns the last status."""
    failed, status = 0, 0
    for number in range(_MOST_WRITES):
        with closing(Http(servers.door(bystander(number % 200)))) as caller:
            status = write(caller)
        failed = failed + 1 if status >= HTTPStatus.INTERNAL_SERVER_ERROR else 0
        if failed == _FAILED_RUNNING:
            break
    return status


def _create_table(host: Http) -> int:
    host.hello()
    wanted = {"settings": {"variant": "classic", "seats": 2}, "places": [ME, OPEN], "name": "Ada"}
    return host.request("POST", "/api/tables", msgspec.json.encode({**wanted, "bits": bits()}))[0]


def _ban_somebody(operator: Http) -> int:
    """The least that can be stored."""
    body = msgspec.json.encode({"kind": "device", "key": bits()})
    return operator.request("POST", "/api/operator/ban", body, BEARER)[0]


async def _probed(door: Any) -> tuple[int, Any]:
    with closing(Http(door)) as asking:
        return await asyncio.to_thread(asking.request, "GET", "/readyz")


ATTACKS = [
    Attack(
        "second-server",
        "another server on the same file",
        "ends and says why",
        second_server,
        stores=("sqlite",),
    ),
    Attack("clock-jump", "the wall clock goes an hour ahead, then 400 days", "both games go on", clock_jump),
    Attack(
        "disk-full",
        "the file can grow no more",
        "/readyz says 503",
        disk_full,
        stores=("sqlite",),
    ),
    Attack(
        "damaged-file",
        "something writes over the file under a running server",
        "/readyz says 503",
        damaged_file,
        stores=("sqlite",),
    ),
    Attack(
        "open-token",
        "the operator's token lies in a file that others can read",
        "a warning at the start",
        open_token,
        stores=("sqlite",),
    ),
]
