"""The browser client as it is served."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from tests.server.harness import Player, Server, play

from genial.core.errors import GenialError
from genial.server.openapi import document
from genial.server.replies import on_genial_error, on_http_error
from genial.server.security import Wall
from genial.server.static import Client, built
from genial.server.typescript import typescript

ROOT = Path(__file__).parents[2]
FILES = {
    "index.html": b'<!doctype html><script type="module" src="/assets/index-1a2b.js"></script>',
    "icon.svg": b"<svg/>",
    "manifest.webmanifest": b"{}",
    "assets/index-1a2b.js": b"play();" * 500,
}


def get(path: str, found: dict[str, bytes] = FILES, **headers: str) -> httpx.Response:
    app = Starlette(
        routes=Client(found).routes(),
        middleware=[Middleware(Wall, body_bytes=1000, record_bytes=1000)],
        exception_handlers={GenialError: on_genial_error, HTTPException: on_http_error},
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://genial.test") as client:
            return await client.get(path, headers=named)

    return asyncio.run(asked())


@pytest.mark.parametrize("path", ["/", "/table/abc", "/join/QXZRT", "/new/classic"])
def test_every_address_of_the_client_is_its_page(path: str) -> None:
    page = get(path)
    assert page.content == FILES["index.html"]
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["content-security-policy"].startswith("default-src 'self';")


def test_what_is_named_after_its_content_is_kept_for_ever() -> None:
    script = get("/assets/index-1a2b.js", accept_encoding="gzip")
    assert script.content == FILES["assets/index-1a2b.js"]
    assert script.headers["content-encoding"] == "gzip"
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert get("/assets/index-1a2b.js", accept_encoding="identity").content == script.content


def test_what_has_not_changed_is_not_sent_again() -> None:
    tag = get("/icon.svg").headers["etag"]
    again = get("/icon.svg", if_none_match=tag)
    assert again.status_code == 304
    assert not again.content


@pytest.mark.parametrize(
    "path",
    ["/assets/gone.js", "/favicon.ico", "/assets/../../secret.py", "/%2e%2e/x.py", "/api/nothing", "/api"],
)
def test_what_is_not_there_is_not_the_page(path: str) -> None:
    assert get(path).status_code == 404


def test_without_a_built_client_a_plain_page_tells_how_to_get_it() -> None:
    page = get("/", {})
    assert "make web" in page.text
    assert "Unofficial" in page.text
    assert get("/table/abc", {}).status_code == 404


def test_the_built_client_needs_nothing_that_its_content_policy_forbids() -> None:
    for path, body in built().items():
        if path.endswith(".html"):
            text = body.decode()
            assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
            assert not re.search(r"<style|\sstyle=|\son\w+=|\bdata:", text), path


def test_the_clients_types_are_those_of_the_server() -> None:
    kept = (ROOT / "web" / "src" / "lib" / "api.ts").read_text(encoding="utf-8")
    assert kept == typescript(document()), "run `make web`"


def test_the_clients_lock_names_no_host() -> None:
    lock = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    assert "://" not in lock


def test_a_code_for_cameras_leads_to_this_server_alone(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            code = await ada.http.get("/api/qr", params={"path": "/join/QXZRT"})
            assert code.headers["content-type"] == "image/svg+xml"
            assert code.text.startswith("<svg")
            other = await ada.http.get("/api/qr", params={"path": "/join/ABCDE"})
            assert other.text != code.text
            for path in ("https://example.org", "join", "", "/" + "x" * 300):
                refused = await ada.http.get("/api/qr", params={"path": path})
                assert refused.status_code == 400

    play(asked())
