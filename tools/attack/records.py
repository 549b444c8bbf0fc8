"""Texts that take long to read: records with many keys, deeply nested ones, strings that never end."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from http import HTTPStatus
from itertools import cycle
from time import perf_counter

from benchmarks.load_clients import Http
from tools.attack.result import Attack, Outcome
from tools.attack.scene import Scene, device
from tools.attack.siege import Aim, siege

RECORD_BYTES = 256 * 1024
FILE_BYTES = 64 * 1024
REPLAY = "/api/records/replay"
_PAUSE = 0.5
_SLOW_SECONDS = 1.0
"""How much longer a crafted file may take to refuse than any other."""


def of_many_keys(size: int) -> bytes:
    """A record in which only the last of very many keys occurs twice."""
    keys = (size - 40) // len('"12345":0,')
    pairs = [f'"{number:05}":0' for number in [*range(keys), keys - 1]]
    return ('{"record":{' + ",".join(pairs) + "}}").encode()


def deep(size: int) -> bytes:
    """Brackets within brackets."""
    half = (size - 40) // 2
    return b'{"record":' + b"[" * half + b"]" * half + b"}"


def unclosed(size: int) -> bytes:
    """A string full of quotation marks, each of which might start another string, without an end."""
    return b'{"record":"' + rb"\"" * ((size - 40) // 2)


async def _send(aim: Aim, bodies: list[bytes]) -> Outcome:
    """Send as many as the limits allow, one after another."""
    until, sent, refused = perf_counter() + aim.seconds, 0, 0
    sender = device(aim.door(0))
    for number, body in enumerate(cycle(bodies)):
        if perf_counter() > until:
            break
        sent += 1
        with suppress(OSError), closing(Http(aim.door(number), patience=aim.seconds)) as calling:
            calling.cookie = sender.cookie
            status, _ = calling.request("POST", REPLAY, body)
            refused += status == HTTPStatus.TOO_MANY_REQUESTS
            if status == HTTPStatus.TOO_MANY_REQUESTS:
                await asyncio.sleep(_PAUSE)
    return Outcome(f"{sent} sent, {refused} of them too many", True)


async def many_keys(aim: Aim) -> Outcome:
    return await _send(aim, [of_many_keys(RECORD_BYTES)])


async def deep_or_unclosed(aim: Aim) -> Outcome:
    return await _send(aim, [deep(RECORD_BYTES), unclosed(RECORD_BYTES)])


async def backtracking(scene: Scene) -> Outcome:
    """The referee on the command line reads a file that makes a pattern backtrack."""
    plain, crafted = scene.folder / "plain.json", scene.folder / "crafted.json"
    plain.write_bytes(b'"' + b"x" * FILE_BYTES)
    crafted.write_bytes(unclosed(FILE_BYTES))
    usual = await asyncio.to_thread(scene.command, "check", str(plain))
    ran = await asyncio.to_thread(scene.command, "check", str(crafted))
    ended = "" if ran.status is not None else "more than "
    met = ran.status is not None and ran.seconds < usual.seconds + _SLOW_SECONDS
    return Outcome(f"{ended}{ran.seconds:.1f} s, any other file {usual.seconds:.1f} s", met)


ATTACKS = [
    siege("records-many-keys", "256 KB records with a key twice, as fast as the limit allows", many_keys),
    siege("records-deep", "256 KB of brackets, or of a string without an end, likewise", deep_or_unclosed),
    Attack(
        "check-backtracking",
        "`genial check` of 64 KB of quotation marks",
        f"< {_SLOW_SECONDS:.0f} s longer than of any other file",
        backtracking,
        stores=("sqlite",),
    ),
]
