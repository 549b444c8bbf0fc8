"""The browser client as it is served."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from tests.server.harness import Player, Server, code, play

from genial.core.errors import GenialError
from genial.server.http.answers import on_genial_error, on_http_error
from genial.server.http.openapi import document
from genial.server.http.security import Wall
from genial.server.http.static import Client, built
from genial.server.http.typescript import typescript
from genial.server.tables.settings import Limits

ROOT = Path(__file__).parents[3]
FILES = {
    "index.html": b'<!doctype html><script type="module" src="/assets/index-1a2b.js"></script>',
    "icon.svg": b"<svg/>",
    "manifest.webmanifest": b"{}",
    "assets/index-1a2b.js": b"play();" * 500,
}


def get(
    path: str,
    found: dict[str, bytes] = FILES,
    beside: Callable[[], dict[str, bytes]] = dict,
    **headers: str,
) -> httpx.Response:
    app = Starlette(
        routes=Client(found, beside).routes(),
        middleware=[Middleware(Wall, limits=Limits())],
        exception_handlers={GenialError: on_genial_error, HTTPException: on_http_error},
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://genial.test") as client:
            return await client.get(path, headers=named)

    return asyncio.run(asked())


@pytest.mark.parametrize("path", ["/", "/table/abc", "/join/QXZRT", "/new/classic"])
def test_every_client_address_serves_the_page(path: str) -> None:
    page = get(path)
    assert page.content == FILES["index.html"]
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["content-security-policy"].startswith("default-src 'self';")


def test_the_page_finds_its_files_from_every_address() -> None:
    built_page = b'<script type="module" src="./assets/index-1a2b.js"></script>'
    for path in ("/", "/table/abc", "/index.html"):
        assert b'src="/assets/index-1a2b.js"' in get(path, FILES | {"index.html": built_page}).content


def test_files_named_by_their_content_are_cached_for_ever() -> None:
    script = get("/assets/index-1a2b.js", accept_encoding="gzip")
    assert script.content == FILES["assets/index-1a2b.js"]
    assert script.headers["content-encoding"] == "gzip"
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert get("/assets/index-1a2b.js", accept_encoding="identity").content == script.content


def test_the_in_page_engine_is_built_only_when_requested() -> None:
    asked: list[str] = []

    def beside() -> dict[str, bytes]:
        asked.append("now")
        return {"engine/engine.json": b"{}", "engine/python-1a2b3c4d.bin": b"machine", "answers.json": b"{}"}

    assert get("/", beside=beside).status_code == 200
    assert get("/assets/gone.js", beside=beside).status_code == 404
    assert not asked
    machine = get("/engine/python-1a2b3c4d.bin", beside=beside)
    assert machine.content == b"machine"
    assert machine.headers["content-type"] == "application/octet-stream"
    assert "immutable" in machine.headers["cache-control"]
    # The list of files changes with every version.
    for path in ("/engine/engine.json", "/answers.json"):
        assert get(path, beside=beside).headers["cache-control"] == "no-cache"
    assert get("/engine/gone.bin", beside=beside).status_code == 404


def test_an_unchanged_file_is_not_sent_again() -> None:
    tag = get("/icon.svg").headers["etag"]
    again = get("/icon.svg", if_none_match=tag)
    assert again.status_code == 304
    assert not again.content


@pytest.mark.parametrize(
    "path",
    ["/assets/gone.js", "/favicon.ico", "/assets/../../secret.py", "/%2e%2e/x.py", "/api/nothing", "/api"],
)
def test_a_missing_file_is_not_answered_with_the_page(path: str) -> None:
    assert get(path).status_code == 404


def test_without_a_built_client_a_plain_page_says_how_to_get_one() -> None:
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


def test_the_clients_types_match_the_servers() -> None:
    kept = (ROOT / "web" / "src" / "lib" / "api.ts").read_text(encoding="utf-8")
    assert kept == typescript(document()), "run `make web`"


def test_the_clients_lock_names_no_host() -> None:
    lock = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    assert "://" not in lock


def test_a_qr_code_leads_only_to_this_server(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            made = await ada.http.get("/api/qr", params={"path": "/join/QXZRT"})
            assert made.headers["content-type"] == "image/svg+xml"
            assert made.text.startswith("<svg")
            other = await ada.http.get("/api/qr", params={"path": "/join/ABCDE"})
            assert other.text != made.text
            for path in ("https://example.org", "join", "", "/" + "x" * 300):
                refused = await ada.http.get("/api/qr", params={"path": path})
                assert refused.status_code == 400

    play(asked())


@pytest.mark.parametrize(
    "host", ["", "[", "a" * 4000, "a b", "[::1", "evil.example/path", "a@b", "caf\xe9", "x:99999999", "\xff"]
)
def test_a_strange_host_header_breaks_nothing(server: Server, host: str) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            headers = {"host": host.encode("latin-1")}
            for path in ("/api/qr?path=/join/QXZRT", "/api/variants", "/api/phrases"):
                answer = await ada.http.get(path, headers=headers)  # type: ignore[arg-type]
                assert answer.status_code < 500, answer.text
                if "qr" in path:
                    assert code(answer.json()) == "host-unreadable"

    play(asked())


def test_strange_characters_in_paths_and_codes_find_nothing(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            for path in ("/api/tables/a%00b", "/api/analyses/%1b", "/api/tables/a%0ab/games/0/record"):
                assert code(await ada.get(path, 404)) == "path-unknown"
            for wrong in ("\x00", "ÄÖÜ", "AB\x00CD"):
                assert code(await ada.post("/api/join", {"code": wrong}, 404)) == "code-unknown"
            assert (await ada.get("/api/me/results", variant="\x00"))["results"] == []

    play(asked())
