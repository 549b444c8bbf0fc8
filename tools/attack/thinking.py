"""Bots that think for nobody: tables full of the strongest ones, from one address."""

from __future__ import annotations

import asyncio
from contextlib import closing
from http import HTTPStatus
from time import perf_counter

import msgspec
from tools.attack.result import Outcome
from tools.attack.scene import bits, device
from tools.attack.siege import Aim, siege

TABLES = 60
BOT = {"kind": "bot", "bot": "level-6"}


async def bot_tables(aim: Aim) -> Outcome:
    """Four of them at each of as many tables as the limits allow."""
    until, made = perf_counter() + aim.seconds, 0
    settings = {"variant": "classic", "seats": 4, "games": 1}
    with closing(device(aim.door(0))) as host:
        for _ in range(TABLES):
            body = {"settings": settings, "places": [BOT] * 4, "name": "Eve", "bits": bits()}
            status, _ = host.request("POST", "/api/tables", msgspec.json.encode(body))
            made += status == HTTPStatus.CREATED
    await asyncio.sleep(max(0.0, until - perf_counter()))
    return Outcome(f"{made} tables", True)


ATTACKS = [siege("bot-tables", f"{TABLES} tables of four bots of level 6, nobody at them", bot_tables)]
