"""The app on your own machine: one server for one file, opened in the browser."""

from __future__ import annotations

import asyncio
import errno
import sys
import time
import urllib.request
import webbrowser
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from genial.core.errors import SetupError
from genial.core.printable import printable
from genial.server.http.callers import is_loopback
from genial.server.operate import logs
from genial.server.operate.lan import lan_address, qr_code
from genial.server.operate.serve import Plan, listen, serve
from genial.server.tables.store_errors import StoreHeld

_PORT = 8000
_START_SECONDS = 15.0
"""How long a server that holds the file may take to answer."""
_ANSWER_SECONDS = 2.0
_LOOK_SECONDS = 0.2
_OTHER_ADDRESS = (
    "Your browser sees a different address now: games that you began without --lan show at 127.0.0.1 only.\n"
    "To carry on with them, start genial without --lan."
)


def play_here(db: Path, *, lan: bool = False, port: int | None = None, browser: bool = True) -> int:
    """Serve this file until stopped. If a server already does, only open the browser."""
    db.parent.mkdir(parents=True, exist_ok=True)
    host = lan_address() if lan else "127.0.0.1"
    plan = Plan(host=host, port=_free(host, port), db=db, lan=lan)
    played = db.exists()

    def announce(url: str) -> None:
        print(
            f"Genial is at {url}\nPress Ctrl-C to stop. Your games will be there next time.",
            flush=True,
        )
        if lan and played:
            print(_OTHER_ADDRESS, flush=True)
        if lan:
            print(qr_code(url, colour=sys.stdout.isatty()), flush=True)
        _open(url, browser)

    logs.configure("text", "warning")
    try:
        asyncio.run(serve(plan, announce))
    except StoreHeld as held:
        if not _answers(held.by):
            raise
        return _open_running(held.by, lan=lan, browser=browser)
    return 0


def _open_running(url: str, *, lan: bool, browser: bool) -> int:
    print(printable(f"Genial is already running at {url}"))
    if lan and is_loopback(urlsplit(url).hostname or ""):
        print("That one is for this machine only. Stop it, then start it again with --lan.", file=sys.stderr)
        return 1
    _open(url, browser)
    return 0


def _free(host: str, port: int | None) -> int:
    """The requested port, else the usual one, else any: an app on your own machine just starts."""
    if port is not None:
        return port
    try:
        listen(host, _PORT).close()
    except SetupError as error:
        if getattr(error.__cause__, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            return 0
        raise
    return _PORT


def _answers(url: str) -> bool:
    """True if a server is there; one that has just been started may take a moment."""
    if not url.startswith("http://"):
        return False  # a command holds the file
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=_ANSWER_SECONDS) as answer:
                return bool(answer.status == 200)
        except (OSError, ValueError):
            time.sleep(_LOOK_SECONDS)
    return False


def _open(url: str, browser: bool) -> None:
    if browser:
        with suppress(webbrowser.Error):
            webbrowser.open(url)
