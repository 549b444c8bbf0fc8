"""Capabilities: `hello` lists them, and calls that need a missing one are refused with an explanation."""

from __future__ import annotations

from typing import get_args

from tests.server.harness import Player, Server, play

from genial.core.messages import LANGUAGES
from genial.server.calls.asking import every_call
from genial.server.calls.capabilities import PAGE, SERVER, Capability, NotHere, listed


def test_hello_lists_the_capabilities(server: Server) -> None:
    async def asked() -> None:
        ada = Player(server, "Ada")
        told = (await ada.post("/api/hello"))["can"]
        assert told == listed(server.can)

    play(asked())


def test_pages_and_servers_share_no_capability_and_cover_them_all() -> None:
    assert not PAGE & SERVER
    assert set(get_args(Capability)) == PAGE | SERVER


def test_calls_that_a_page_cannot_serve_are_declared() -> None:
    needing = {operation.path: operation.needs for operation in every_call() if operation.needs}
    assert needing == {
        "/api/qr": "links",
        "/api/join": "links",
        "/api/tables/{table}/invite": "http-bots",
        "/api/bot/account": "http-bots",
        "/api/bot/stream": "http-bots",
        "/api/bot/join": "http-bots",
        "/api/bot/tables/{table}/act": "http-bots",
    }


def test_the_refusal_is_translated_into_every_language() -> None:
    assert len({NotHere("not-here").text(language) for language in LANGUAGES}) == len(LANGUAGES)
