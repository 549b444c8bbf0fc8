"""The browser client: what `make web` built into the package, or a page that says how to get it."""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import genial
from genial.server.tables.errors import NotFound

INDEX = "index.html"
ENGINE, ANSWERS = "engine/", "answers.json"
"""For pages that run tables themselves: the files of the engine, and answers for before it runs."""
_HASHED = ("assets/", ENGINE)
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_FOR_PROGRAMS = '</api/openapi.json>; rel="service-desc"'
"""Tells programs that load the page where the API's document is."""
_GZIP_FROM = 1024
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
_TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

_UNBUILT = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Genial</title>
<meta name="viewport" content="width=device-width"></head>
<body>
<h1>Genial {genial.__version__}</h1>
<p>This is a table server for the Einfach Genial (Ingenious) family of tile games.</p>
<p>The browser client is not built here: <code>make web</code> builds it; then start the server again.</p>
<p>Unofficial: not connected with the publishers or the author of the games.</p>
<p>Programs find what it can do in <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the client, ready to send."""

    body: bytes
    zipped: bytes | None
    """Compressed, if that is worthwhile."""
    kind: str
    tag: str
    caching: str

    def reply(self, request: Request) -> Response:
        """The file, or 304 if it hasn't changed."""
        headers = {"cache-control": self.caching, "etag": self.tag, "vary": "accept-encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.zipped, 200, headers, self.kind)
        return Response(self.body, 200, headers, self.kind)


class _Page(PathConvertor):
    """Any path outside the API, which answers for its own paths, wrong methods included."""

    regex = "(?!api(?:/|$)).*"


register_url_convertor("page", _Page())


class Client:
    """The client's files by path.

    `beside` makes more files, for pages that run tables themselves. Few callers want them, so they are made
    on the first request.
    """

    def __init__(self, bodies: Mapping[str, bytes], beside: Callable[[], Mapping[str, bytes]] = dict) -> None:
        self._beside, self._making = beside, asyncio.Lock()
        self._is_complete = False
        self._files = {path: _file(path, body) for path, body in bodies.items()}
        # Every address serves this page, so its links must start at the root.
        self._index = _file(INDEX, bodies.get(INDEX, _UNBUILT.encode()).replace(b'="./', b'="/'))
        if INDEX in self._files:
            self._files[INDEX] = self._index

    def routes(self) -> list[Route]:
        """The client's files, and its page for every other path; must come after all other routes."""
        return [Route("/{path:page}", self._page, methods=["GET"])]

    async def _page(self, request: Request) -> Response:
        path = str(request.path_params["path"])
        if path == ANSWERS or path.startswith(ENGINE):
            await self._complete()
        if path in self._files:
            return self._files[path].reply(request)
        # The client routes by the address; but a path that looks like a file is a missing file.
        if path and (not self._files or "." in path.rpartition("/")[2]):
            raise NotFound("path-unknown")
        page = self._index.reply(request)
        page.headers["link"] = _FOR_PROGRAMS
        return page

    async def _complete(self) -> None:
        async with self._making:
            if not self._is_complete:
                made = await asyncio.to_thread(self._beside)
                self._files |= {path: _file(path, body) for path, body in made.items()}
                self._is_complete = True


def built() -> dict[str, bytes]:
    """The client that was built into the package; empty if it wasn't."""
    return dict(_walk(files("genial.server") / "client", ""))


def is_hashed(path: str) -> bool:
    """True if a file is named after a hash of its content, and so never changes. Lists of such files do."""
    return path.startswith(_HASHED) and not path.endswith(".json")


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()


def _file(path: str, body: bytes) -> File:
    suffix = path[path.rfind(".") :]
    kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    is_text = kind.startswith(_TEXTS)
    return File(
        body=body,
        zipped=gzip.compress(body, mtime=0) if is_text and len(body) >= _GZIP_FROM else None,
        kind=kind,
        tag=f'"{sha256(body).hexdigest()[:24]}"',
        caching=_FOR_EVER if is_hashed(path) else _ASK_AGAIN,
    )
