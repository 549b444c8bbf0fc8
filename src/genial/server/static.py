"""The browser client: what `make web` built into the package, or a page that says how to get it."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import genial
from genial.server.errors import NotFound

INDEX = "index.html"
_HASHED = "assets/"
"""The build names these after what is in them, so they never change."""
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
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
    """One file of the client, ready to be sent."""

    body: bytes
    zipped: bytes | None
    """Compressed, where that is worth it."""
    kind: str
    tag: str
    caching: str

    def reply(self, request: Request) -> Response:
        """The file, or that it has not changed."""
        headers = {"cache-control": self.caching, "etag": self.tag, "vary": "accept-encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.zipped, 200, headers, self.kind)
        return Response(self.body, 200, headers, self.kind)


class _Page(Convertor[str]):
    """Any path but the API's: its paths keep their own answers, also to the wrong method."""

    regex = "(?!api(?:/|$)).*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page", _Page())


class Client:
    """The client's files by their paths."""

    def __init__(self, found: Mapping[str, bytes]) -> None:
        self._files = {path: _file(path, body) for path, body in found.items()}
        self._index = self._files.get(INDEX) or _file(INDEX, _UNBUILT.encode())

    def routes(self) -> list[Route]:
        """The client's files, and its page for every other path; to come after all other routes."""
        return [Route("/{path:page}", self._page, methods=["GET"])]

    async def _page(self, request: Request) -> Response:
        path = str(request.path_params["path"])
        if path in self._files:
            return self._files[path].reply(request)
        # The client finds its own way from the address; what looks like a file is one, and missing.
        if path and (not self._files or "." in path.rpartition("/")[2]):
            raise NotFound("path-unknown")
        return self._index.reply(request)


def built() -> dict[str, bytes]:
    """The client as it was built into the package; empty where it was not."""
    return dict(_walk(files("genial.server") / "client", ""))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()


def _file(path: str, body: bytes) -> File:
    dot = path[path.rfind(".") :]
    kind = _TYPES.get(dot) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    is_text = kind.startswith(_TEXTS)
    return File(
        body=body,
        zipped=gzip.compress(body, mtime=0) if is_text and len(body) >= _GZIP_FROM else None,
        kind=kind,
        tag=f'"{sha256(body).hexdigest()[:24]}"',
        caching=_FOR_EVER if path.startswith(_HASHED) else _ASK_AGAIN,
    )
