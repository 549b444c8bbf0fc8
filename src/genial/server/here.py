"""The app on one's own machine: one server for one file, and the browser opened on it."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import sys
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from genial.server import logs
from genial.server.lan import is_loopback, lan_address, qr_code
from genial.server.serve import Plan, serve

_PORT = 8000
_ANSWER_SECONDS = 2.0
_OTHER_ADDRESS = (
    "A browser is known by the address it uses: games that you began without --lan show at 127.0.0.1 alone.\n"
    "To go on with them, start genial without --lan."
)


def play_here(db: Path, *, lan: bool = False, port: int | None = None, browser: bool = True) -> int:
    """Serve this file until told to stop. Where that is done already, only the browser is opened."""
    db.parent.mkdir(parents=True, exist_ok=True)
    notice = db.with_suffix(".address")
    if (running := _running(notice)) is not None:
        print(f"Genial is running already, at {running}")
        if lan and is_loopback(running):
            print("That is for this machine alone. End it, then start it again with --lan.", file=sys.stderr)
            return 1
        _open(running, browser)
        return 0
    host = lan_address() if lan else "127.0.0.1"
    plan = Plan(host=host, port=_free(host, port), db=db, lan=lan)
    played = db.exists()

    def announce(url: str) -> None:
        print(f"Genial is at {url}\nCtrl-C ends it; games that run go on at the next start.", flush=True)
        if lan and played:
            print(_OTHER_ADDRESS, flush=True)
        if lan:
            print(qr_code(url, colour=sys.stdout.isatty()), flush=True)
        notice.write_text(json.dumps({"url": url, "pid": os.getpid()}), encoding="utf-8")
        _open(url, browser)

    logs.configure("text", "warning")
    with _removed_after(notice):
        asyncio.run(serve(plan, announce))
    return 0


def _free(host: str, port: int | None) -> int:
    """The port asked for, else the usual one, else any: an app on one's own machine just starts."""
    if port is not None:
        return port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, _PORT))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return 0
            raise
    return _PORT


def _running(notice: Path) -> str | None:
    """The address of a server that has this file open, if one answers."""
    try:
        url = str(json.loads(notice.read_text(encoding="utf-8"))["url"])
        with urllib.request.urlopen(f"{url}/healthz", timeout=_ANSWER_SECONDS) as answer:
            return url if answer.status == 200 else None
    except (OSError, ValueError, KeyError, TypeError, urllib.error.URLError):
        return None


def _open(url: str, browser: bool) -> None:
    if browser:
        with suppress(webbrowser.Error):
            webbrowser.open(url)


@contextmanager
def _removed_after(notice: Path) -> Iterator[None]:
    try:
        yield
    finally:
        notice.unlink(missing_ok=True)
