"""What a page needs besides the client to run tables itself: Python, the kernel, and first answers.

Most of it comes from the build (web/tools/engine.mjs). This adds what comes from the installed package: its
own Python, the compiled kernel, and the API answers that are the same for everybody, so that the first
screens don't have to wait for Python. Files are named by a hash of their content, so browsers may keep them
for ever.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile, ZipInfo

import msgspec

from genial.bots.workers import BotPool
from genial.core.messages import LANGUAGES
from genial.core.titles import TITLES
from genial.kernel import library
from genial.server.calls.asking import Directory, every_call, read_query
from genial.server.calls.call import Call, Services
from genial.server.calls.capabilities import PAGE
from genial.server.calls.tokens import tokens_of
from genial.server.http.static import ANSWERS, ENGINE
from genial.server.page import parts
from genial.server.processes.reading_process import ReadingProcess
from genial.server.store import open_store
from genial.server.tables.hub import Hub
from genial.server.tables.settings import Limits

BUILT = f"{ENGINE}parts.json"
"""What the build made, by name; the page reads the complete list, `engine.json`, instead."""


class NoEngine(Exception):
    """Why there can't be a page without a server, as a sentence."""


def engine(client: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that go beside a built client, by path; `NoEngine` says what is missing."""
    if BUILT not in client:
        raise NoEngine("What runs Python in a page is not built. In a checkout, run: make web")
    kernel = library.FOLDER / "genial.wasm"
    if not kernel.is_file():
        raise NoEngine(f"The kernel for browsers is missing. {library.advice()}")
    listed, files = json.loads(client[BUILT]), {}
    for name, body in {"genial": python_archive(), "kernel": kernel.read_bytes()}.items():
        packed = gzip.compress(body, mtime=0)
        path = f"{name}-{sha256(packed).hexdigest()[:8]}.bin"
        listed[name] = {"path": path, "bytes": len(packed)}
        files[ENGINE + path] = packed
    listed["kernel"]["version"] = str(library.version())
    files[f"{ENGINE}engine.json"] = json.dumps(listed).encode()
    files[ANSWERS] = msgspec.json.encode(asyncio.run(answers()))
    return files


def python_archive() -> bytes:
    """The Python of this package that pages run, including trained weights: always the same bytes."""
    archive = io.BytesIO()
    with ZipFile(archive, "w") as out:
        for name, path in parts.sources():
            out.writestr(ZipInfo(f"genial/{name}"), path.read_bytes())
    return archive.getvalue()


async def answers() -> dict[str, object]:
    """The answers that are the same for everybody, by method and path, as an empty store gives them."""
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "genial.db", migrate=True)
        try:
            hub = Hub(store, BotPool(1), Limits())
            services = Services.of(hub, await tokens_of(store), ReadingProcess(), PAGE)
            return {
                f"{method} {path}": await _answer(services, method, path) for method, path in _same_for_all()
            }
        finally:
            await store.close()


def _same_for_all() -> Iterator[tuple[str, str]]:
    yield "POST", "/api/hello"
    for name in ("variants", "bots", "options", "phrases", "lessons"):
        yield "GET", f"/api/{name}"
    for language in LANGUAGES:
        yield "GET", f"/api/messages/{language}"
    for variant, title in TITLES.items():
        for seats in title.seats:
            yield "GET", f"/api/boards/{variant}/{seats}"
        for language in LANGUAGES:
            yield "GET", f"/api/rules/{variant}/{language}"


async def _answer(services: Services, method: str, path: str) -> object:
    operation, names = Directory(every_call()).find(method, path)
    return await operation.run(Call(services, path=names), None, read_query({}, operation.query))
