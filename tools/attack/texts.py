"""Characters that disrupt a page, a terminal or a database, and host names that are not valid."""

from __future__ import annotations

import asyncio
import base64
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from typing import Any

import msgspec
from benchmarks.load_clients import HOST, Door, Http
from tools.attack.result import Attack, Outcome
from tools.attack.scene import (
    ATTACKER,
    ME,
    OPEN,
    OPERATOR,
    SETTLE_SECONDS,
    Scene,
    bits,
    bystander,
    device,
    error_code,
)

WICKED = "A\u202eB\x1b[31m\x00\n\u2066\u3164\u200bC"
"""Reversed text, a terminal escape, NUL, a line break, an isolate, a blank, a zero-width space."""
HOSTS = ("a" * 4000, "a b", "[::1", "\xff", "", "x:99999999", "a/../b")
_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"


def bot_tokens(door: Door, name: str) -> Iterator[str]:
    """Tokens of bots with this name: one made by the caller, and one issued by the server."""
    part = base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
    yield f"{secrets.token_urlsafe(16)}.{part}"
    with closing(Http(door)) as author:
        status, account = author.request("POST", "/api/bot/account", msgspec.json.encode({"name": name}))
        if status == HTTPStatus.CREATED:
            yield account["token"]


def disturbing(text: str) -> bool:
    """True if a text contains anything that must not be shown."""
    return any(unicodedata.category(c) in ("Cc", "Cf", "Cs") or c in _FILLERS for c in text)


def _texts(data: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Every text in an answer, and its key."""
    if isinstance(data, str):
        yield where, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _texts(value, str(key))
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value, where)


async def names(scene: Scene) -> Outcome:
    """Such characters in everything that others see: names, titles, chat, bots."""
    with scene.serving() as servers, closing(device(servers.door(ATTACKER))) as host:
        settings: dict[str, Any] = {"variant": "classic", "seats": 3, "name": WICKED}
        places = [{**ME, "name": WICKED}, OPEN, OPEN]
        body: dict[str, Any] = {"settings": settings, "places": places, "name": WICKED, "bits": bits()}
        refused = []
        status, table = host.request("POST", "/api/tables", msgspec.json.encode(body))
        if status != HTTPStatus.CREATED:  # then create one with an invalid title, so that there is one
            refused.append("title")
            body["settings"] = {**settings, "name": "T"}
            table = host.post("/api/tables", body)
        path = f"/api/tables/{table['id']}"
        said = msgspec.json.encode({"move_id": "1", "text": WICKED})
        status, answer = host.request("POST", f"{path}/chat", said)
        refused += [] if status == HTTPStatus.OK else [f"chat {error_code(answer)}"]
        joining = msgspec.json.encode({"code": table["code"], "bits": bits()})
        for token in bot_tokens(servers.door(ATTACKER), WICKED):
            bearer = {"Authorization": f"Bearer {token}"}
            with closing(Http(servers.door(ATTACKER))) as bot:
                status, answer = bot.request("POST", "/api/bot/join", joining, bearer)
                refused += [] if status == HTTPStatus.OK else [f"bot {error_code(answer)}"]
        view = host.get(path)
    passed = sorted({where for where, text in _texts(view) if disturbing(text)})
    shown = f"pass in {', '.join(passed)}" if passed else "none pass"
    return Outcome(f"{shown}; refused: {', '.join(refused) or 'nothing'}", not passed)


REQUESTS = 560
MOST_PASSED = 360
"""300 a minute, plus what is released meanwhile and what one process does not know about another yet."""


async def nul_in_a_bot(scene: Scene) -> Outcome:
    """A listening bot with NUL in its name, which PostgreSQL cannot store; then requests beyond the limit."""
    with scene.serving() as servers:
        door = servers.door(ATTACKER)
        streams = [await _listening(door, token) for token in bot_tokens(door, "a\0b")]
        await asyncio.sleep(SETTLE_SECONDS)
        callers = [Http(door) for door in servers.doors(bystander(7))]
        passed = 0
        for number in range(REQUESTS):
            status, _ = callers[number % len(callers)].request("GET", "/api/phrases")
            passed += status == HTTPStatus.OK
            await asyncio.sleep(0.005)
        for caller in callers:
            caller.close()
        for stream in streams:
            stream.close()
    return Outcome(f"{passed} of {REQUESTS} requests pass", passed <= MOST_PASSED)


async def _listening(door: Door, token: str) -> asyncio.StreamWriter:
    """Open the stream of a bot with this token, and leave it open."""
    _, writer = await asyncio.open_connection(HOST, door.port, local_addr=door.local)
    head = f"GET /api/bot/stream HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(head.encode())
    return writer


FILES = {
    "surrogate": rb'{"format": "\ud800", "variant": "classic", "seats": 2}',
    "escape": rb'{"format": "\u001b[31m\u0007\u202e\u0000", "variant": "classic", "seats": 2}',
    "key": rb'{"\u001b]0;x\u0007": 1, "\u001b]0;x\u0007": 2}',
}
_LAWFUL_STATUSES = (1, 2)


async def check_controls(scene: Scene) -> Outcome:
    """What a record says about itself, in the referee's words."""
    bad = []
    for name, content in FILES.items():
        file = scene.folder / f"{name}.genial.json"
        file.write_bytes(content)
        ran = await asyncio.to_thread(scene.command, "check", str(file))
        raw = disturbing(ran.said.decode(errors="replace").replace("\n", ""))
        if b"Traceback" in ran.said:
            bad.append(f"{name}: traceback")
        elif ran.status not in _LAWFUL_STATUSES or raw:
            bad.append(f"{name}: {'controls reach the terminal' if raw else f'status {ran.status}'}")
    return Outcome(", ".join(bad) or "escaped", not bad)


async def qr_host(scene: Scene) -> Outcome:
    """QR codes for a server that is addressed by a strange name."""
    with scene.serving("--trusted-proxy", OPERATOR) as servers:
        failed = []
        for host in HOSTS:
            with closing(Http(servers.door(ATTACKER))) as caller:
                status, _ = caller.request("GET", "/api/qr?path=/", headers={"Host": host})
                failed += [status] if status >= HTTPStatus.INTERNAL_SERVER_ERROR else []
    return Outcome(f"{len(failed)} of {len(HOSTS)} fail with {failed[0] if failed else 500}", not failed)


ATTACKS = [
    Attack("names", "bidi, ESC, NUL and blanks in names, titles, words and bots", "none pass", names),
    Attack(
        "check-controls",
        "`genial check` of lone surrogates and terminal escapes",
        "escaped; no traceback",
        check_controls,
        stores=("sqlite",),
    ),
    Attack("qr-host", f"`/api/qr` by {len(HOSTS)} strange names of the host", "no 500", qr_host),
    Attack(
        "nul-bot",
        "a bot with NUL in its name listens at one of two processes",
        f"{MOST_PASSED} of {REQUESTS} requests pass at most",
        nul_in_a_bot,
        stores=("postgres",),
    ),
]
