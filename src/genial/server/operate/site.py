"""`genial site`: a folder of static files with which any web server lets people play in their browsers.

It is the client as servers send it, with what a page needs to run tables itself (`engine`). All its links are
relative, so that it works under any path.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from genial.server.http.security import CONTENT_POLICY
from genial.server.http.static import ANSWERS, INDEX, built, is_hashed
from genial.server.operate.engine import BUILT, NoEngine, engine

_FIRST = '<meta charset="utf-8" />'
_HERE = '<meta name="genial" content="here" />'
"""Tells the client that its tables are in the browser."""

_KEPT = "kept.js"
_WORKER = ("sw.js", _KEPT)
"""Not cached: these show whether there is anything new."""


class NoSite(Exception):
    """Why no site was made, as a sentence."""


def make_site(folder: Path) -> int:
    """Write the site into a folder: a new or empty one, or one with a site. Returns its size in bytes."""
    client = built()
    if INDEX not in client:
        raise NoSite("The browser client is not built. In a checkout, run: make web")
    try:
        files = {**client, **engine(client)}
    except NoEngine as missing:
        raise NoSite(str(missing)) from missing
    del files[BUILT]
    files[INDEX] = _marked(client[INDEX].decode()).encode()
    files[_KEPT] = f"self.KEPT = {json.dumps(_kept(files))};\n".encode()
    _clear(folder)
    for path, body in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(body)
    return sum(map(len, files.values()))


def _marked(page: str) -> str:
    """The page with what a server would say in headers, and a mark that there is none."""
    policy = "; ".join(rule for rule in CONTENT_POLICY.split("; ") if not rule.startswith("frame-ancestors"))
    rules = f'<meta http-equiv="content-security-policy" content="{policy}" />'
    head, first, rest = page.partition(_FIRST)
    if not first:
        raise NoSite(f"{INDEX} has no {_FIRST}, so it cannot be told that it stands alone.")
    return f"{head}{first}\n    {rules}\n    {_HERE}{rest}"


def _kept(files: Mapping[str, bytes]) -> dict[str, object]:
    """What the service worker caches (web/tools/kept.ts): everything, at once."""
    names = sorted(name for name in files if name not in _WORKER)
    version = sha256()
    for name in names:
        version.update(name.encode() + files[name])
    page = [name for name in names if not is_hashed(name)]
    return {
        "build": version.hexdigest()[:16],
        "here": True,
        "page": ["./" if name == INDEX else name for name in page],
        "files": [name for name in names if is_hashed(name)],
    }


def _clear(folder: Path) -> None:
    """Empty the folder; anything that isn't a site of ours is never deleted."""
    if folder.exists() and not folder.is_dir():
        raise NoSite(f"{folder} is a file. Name a folder.")
    there = list(folder.iterdir()) if folder.exists() else []
    if there and not ((folder / ANSWERS).is_file() and _HERE in _text(folder / INDEX)):
        raise NoSite(f"{folder} has other files in it. Name an empty folder, or one that `genial site` made.")
    for path in there:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
