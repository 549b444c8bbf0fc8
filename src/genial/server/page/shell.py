"""What the workers of a page provide, wrapped for Python: messages, arrays and promises of JavaScript.

`web/src/page/rules.worker.ts` is the other side, and calls `begin`. Nothing here makes decisions.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from genial.bots.search import Question, Rows
from genial.kernel.entries import ENTRIES, Kind
from genial.server.page.port import ClosedPort, Port
from genial.server.page.start import start
from genial.server.page.vault import Place, Row, Span

JavaScript: TypeAlias = Any
"""Any JavaScript value."""

_WITH_RULES = {entry.name for entry in ENTRIES if Kind.RULES in entry.parameters.values()}
"""The kernel entries whose first array is a variant's tables, which never change."""


async def begin(page: JavaScript) -> JavaScript:
    """Start the tables. Returns a function that takes the client's messages."""
    from pyodide.ffi import create_proxy

    logging.basicConfig(level=logging.WARNING)  # shown in the browser's console
    port = await start(PageShell(page))
    return create_proxy(_Taker(port).take)


class _Taker:
    """The port, for JavaScript messages."""

    def __init__(self, port: Port | ClosedPort) -> None:
        self._port = port

    def take(self, message: JavaScript) -> None:
        self._port.take({name: _known(value) for name, value in message.to_py().items()})


class PageShell:
    """The `Shell` that the rules worker provides."""

    def __init__(self, page: JavaScript) -> None:
        self._page = page
        self.vault = PageVault(page.vault)
        tabs = _known(page.tabs)
        self.tabs = None if tabs is None else PageLink(tabs)

    def send(self, message: dict[str, Any]) -> None:
        """Send the client a message."""
        from pyodide.ffi import jsnull

        self._page.send(_plain({name: jsnull if value is None else value for name, value in message.items()}))

    async def search(self, question: Question) -> Rows:
        """Have the other worker run a search."""
        searching = self._page.search
        number = searching.begin(_plain(_arrays(question)), question.seconds)
        try:
            found = await searching.found(number)
        except BaseException:
            searching.stop(number)
            raise
        return array("d", found.to_bytes())

    def kernel(self, name: str, arguments: Sequence[Any]) -> Any:
        """Call an entry of the kernel that runs next to Python; a variant's tables are kept there."""
        tables = str(id(arguments[0])) if name in _WITH_RULES else None
        return self._page.kernel.call(name, tables, *arguments)


class PageVault:
    """The `Vault` of `web/src/page/vault.ts`."""

    def __init__(self, vault: JavaScript) -> None:
        self._vault = vault

    async def open(self, shape: int, kinds: Sequence[str]) -> None:
        await self._vault.open(shape, _plain(kinds))

    async def get(self, places: Sequence[Place]) -> Sequence[bytes | None]:
        found = map(_known, await self._vault.get(_plain(places)))
        return [None if value is None else value.to_bytes() for value in found]

    async def read(self, span: Span, limit: int) -> Sequence[bytes]:
        return [value.to_bytes() for value in await self._vault.read(_plain(span), limit)]

    async def write(self, expected: Sequence[Row], puts: Sequence[Row], deletes: Sequence[Span]) -> bool:
        return bool(await self._vault.write(_plain(expected), _plain(puts), _plain(deletes)))

    def close(self) -> None:
        self._vault.close()


class PageLink:
    """The `Link` of `web/src/page/tabs.ts`."""

    def __init__(self, tabs: JavaScript) -> None:
        self._tabs = tabs

    def listen(self, told: Callable[[str, str], None]) -> None:
        from pyodide.ffi import create_proxy

        self._tabs.listen(create_proxy(told))

    def say(self, text: str) -> None:
        self._tabs.say(text)

    async def claim(self, name: str) -> bool:
        return bool(await self._tabs.claim(name))

    async def take(self, name: str) -> None:
        await self._tabs.take(name)

    def want(self, name: str) -> None:
        self._tabs.want(name)

    def release(self, name: str) -> None:
        self._tabs.release(name)

    async def held(self) -> Sequence[str]:
        return list(await self._tabs.held())

    def close(self) -> None:
        self._tabs.close()


def _arrays(question: Question) -> dict[str, Any]:
    """A question in the form that `web/src/lib/kernel/choice.ts` takes."""
    names = ("rules", "settings", "worth", "weights", "worlds", "wanted", "seed")
    return {name: getattr(question, name) for name in names}


def _known(value: JavaScript) -> JavaScript:
    """A value, with None for JavaScript's null as well as undefined."""
    from pyodide.ffi import jsnull

    return None if value is jsnull else value


def _plain(value: object) -> JavaScript:
    """A copy of plain values in JavaScript: objects, lists, typed arrays."""
    from js import Object
    from pyodide.ffi import to_js

    return to_js(value, dict_converter=Object.fromEntries)
