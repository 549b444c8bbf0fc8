"""Parts of a page in a real browser, called from Python as if they were here.

Playwright has a thread and an event loop of its own, so that one browser serves the loops of many tests.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hatch_build import main as npm
from hatch_build import node_home
from playwright.async_api import BrowserContext, CDPSession, Page, async_playwright
from tools.chromium import CHROMIUM, NO_BROWSER

from genial.server.page.vault import Place, Row, Span

_T = TypeVar("_T")
_PAGE = """<!doctype html><title>Parts</title><script type="module">
import * as tabs from "./tabs.js";
import * as vault from "./vault.js";
const made = {}, kinds = {...tabs, ...vault};
const read = (_, value) => value?.bytes === undefined ? value : Uint8Array.fromBase64(value.bytes);
const written = (_, value) => value instanceof Uint8Array ? {bytes: value.toBase64()} : value;
window.make = (name, kind, values) => {
  made[name] = new kinds[kind](...values);
};
window.listen = (name) => made[name].listen((...told) => window.told(name, ...told));
window.ask = async (name, method, values) => {
  try {
    return JSON.stringify({answer: await made[name][method](...JSON.parse(values, read))}, written);
  } catch (error) {
    return JSON.stringify({failed: error.name, message: error.message});
  }
};
window.ready = true;
</script>"""


class Failed(Exception):
    """The page refused what was asked of it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class Chromium:
    """A browser with a profile; what it stores is there again for the next one with the same profile."""

    def __init__(self, address: str, profile: Path) -> None:
        self._address = address
        self._profile = profile
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self._context: BrowserContext | None = None
        self._names = count()
        self.here(self._start())

    def here(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run something in the browser's thread, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def there(self, work: Coroutine[Any, Any, _T]) -> _T:
        """The same, from another event loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    async def _start(self) -> None:
        self._playwright = await async_playwright().start()
        sandbox = [] if os.getuid() else ["--no-sandbox"]  # required for root
        self._context = await self._playwright.chromium.launch_persistent_context(
            self._profile, executable_path=CHROMIUM, args=sandbox
        )

    def tab(self, host: str = "127.0.0.1") -> Tab:
        """A new tab with our modules. Under another host name it has another origin, with its own storage."""
        return Tab(self, self.here(self._tab(host)))

    async def _tab(self, host: str) -> Page:
        assert self._context is not None
        page = await self._context.new_page()
        await page.goto(self._address.replace("127.0.0.1", host))
        await page.wait_for_function("window.ready")
        return page

    @property
    def pid(self) -> int:
        """The browser's first process."""
        ours = f"--user-data-dir={self._profile}".encode()
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with suppress(OSError):
                    words = (process / "cmdline").read_bytes().split(b"\0")
                    if ours in words and not any(word.startswith(b"--type=") for word in words):
                        return int(process.name)
        raise ProcessLookupError(self._profile)

    def name(self) -> str:
        """A unique name."""
        return f"part{next(self._names)}"

    def stop(self) -> None:
        """Close the browser, if it is still running."""
        self.here(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _stop(self) -> None:
        assert self._context is not None
        await self._context.close()
        await self._playwright.stop()


class Tab:
    """A tab, and calls to the parts in it."""

    def __init__(self, browser: Chromium, page: Page) -> None:
        self.browser = browser
        self.page = page
        self.ears: dict[str, Callable[..., object]] = {}

    def make(self, kind: str, *values: object) -> str:
        """Create an instance of one of our classes there. Returns its name."""
        name = self.browser.name()
        self.browser.here(self.page.evaluate("values => window.make(...values)", [name, kind, values]))
        return name

    def listen(self, name: str, told: Callable[..., None]) -> None:
        """Receive what it announces, in this event loop."""
        if not self.ears:
            self.browser.here(self.page.expose_function("told", self._told))
        self.ears[name] = partial(asyncio.get_running_loop().call_soon_threadsafe, told)
        self.browser.here(self.page.evaluate("name => window.listen(name)", name))

    def _told(self, name: str, *what: str) -> None:
        with suppress(RuntimeError):  # its loop has ended
            self.ears[name](*what)

    def tell(self, name: str, method: str, *values: object) -> None:
        """Call a method without waiting for it."""
        told = self.page.evaluate("values => window.ask(...values)", [name, method, json.dumps(values)])
        asyncio.run_coroutine_threadsafe(told, self.browser.loop)

    async def ask(self, name: str, method: str, *values: object) -> Any:
        """Call a method of something that was created there."""
        text = json.dumps(values, default=lambda value: {"bytes": base64.b64encode(value).decode()})
        told = await self.browser.there(
            self.page.evaluate("values => window.ask(...values)", [name, method, text])
        )
        answer = json.loads(told, object_hook=_read)
        if "failed" in answer:
            raise Failed(answer["failed"], answer["message"])
        return answer.get("answer")

    @asynccontextmanager
    async def quota(self, size: int) -> AsyncIterator[None]:
        """Limit the site's storage to this size, for a while."""
        session = await self.browser.there(self._quota(size))
        try:
            yield
        finally:
            await self.browser.there(session.detach())

    async def _quota(self, size: int) -> CDPSession:
        session = await self.page.context.new_cdp_session(self.page)
        origin = self.page.url.rstrip("/")
        await session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": size})
        return session

    async def close(self) -> None:
        """Close the tab, as a person does."""
        await self.browser.there(self.page.close())


def _read(value: dict[str, Any]) -> Any:
    return base64.b64decode(value["bytes"]) if "bytes" in value else value


class BridgedVault:
    """The vault of a tab."""

    def __init__(self, tab: Tab, scope: str) -> None:
        self._tab = tab
        self._name = tab.make("Vault", scope)
        self.patience = 5000

    async def open(self, shape: int, kinds: Sequence[str]) -> None:
        await self._tab.ask(self._name, "open", shape, kinds, self.patience)

    async def get(self, places: Sequence[Place]) -> list[bytes | None]:
        found: list[bytes | None] = await self._tab.ask(self._name, "get", places)
        return found

    async def read(self, span: Span, limit: int) -> list[bytes]:
        found: list[bytes] = await self._tab.ask(self._name, "read", span, limit)
        return found

    async def write(self, expected: Sequence[Row], puts: Sequence[Row], deletes: Sequence[Span]) -> bool:
        done: bool = await self._tab.ask(self._name, "write", expected, puts, deletes)
        return done

    def close(self) -> None:
        self._tab.tell(self._name, "close")


class BridgedLink:
    """The link of a tab to the others."""

    def __init__(self, tab: Tab, scope: str) -> None:
        self._tab = tab
        self._name = tab.make("Tabs", scope)

    def listen(self, told: Callable[[str, str], None]) -> None:
        self._tab.listen(self._name, told)

    def say(self, text: str) -> None:
        self._tab.tell(self._name, "say", text)

    async def claim(self, name: str) -> bool:
        return bool(await self._tab.ask(self._name, "claim", name))

    async def take(self, name: str) -> None:
        await self._tab.ask(self._name, "take", name)

    def want(self, name: str) -> None:
        self._tab.tell(self._name, "want", name)

    def release(self, name: str) -> None:
        self._tab.tell(self._name, "release", name)

    async def held(self) -> list[str]:
        found: list[str] = await self._tab.ask(self._name, "held")
        return found

    def close(self) -> None:
        self._tab.tell(self._name, "close")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Our modules, built and served."""
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    if node_home() is None:
        pytest.skip("no Node here: `make web` installs it")
    assert npm(["page", "--", "--outDir", str(folder)]) == 0
    (folder / "index.html").write_text(_PAGE, encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
