"""The port of a page: calls and conversations of the client, which runs in another thread.

Messages are plain values, as `postMessage` carries them. They contain the very text that a server would send;
requests and answers are handled as on a server (`calls.asking`, `calls.answering`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar
from urllib.parse import unquote

from genial.core.errors import GenialError
from genial.core.messages import LANGUAGES
from genial.server.calls.answering import JSON, Crashed, Told, status_of, told, told_error
from genial.server.calls.asking import Directory, every_call, names_in, read_body, read_query
from genial.server.calls.call import Call, Services
from genial.server.calls.conversation import LATER, PATH, POLICY, Gone, SocketQuery, begin
from genial.server.calls.devices import Device
from genial.server.page import export
from genial.server.tables.errors import NotFound

log = logging.getLogger("genial.server")

_T = TypeVar("_T")

Message = Mapping[str, Any]
Send = Callable[[dict[str, Any]], None]
"""Sends the client a message; never blocks."""

_DIRECTORY = Directory([*every_call(), *export.CALLS.operations])
FAILED = 1011
"""The close code, as on a WebSocket, of a conversation that failed unexpectedly."""
_ADDRESS = "here"
"""The address for limits: there is nobody else."""


class Port:
    """Takes the messages of one device's client, and answers them."""

    def __init__(self, services: Services, device: Device, send: Send) -> None:
        self._services = services
        self._device = device
        self._send = send
        self._asked: dict[object, asyncio.Task[None]] = {}
        """Calls awaiting their answer, by the client's number."""
        self._lines: dict[object, _Line] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def take(self, message: Message) -> None:
        """Handle a message of the client; never blocks."""
        number = message["id"]
        match message["type"]:
            case "call":
                self._asked[number] = self._spawn(self._answer(number, message))
            case "drop" if number in self._asked:
                self._asked.pop(number).cancel()
            case "open":
                line = self._lines[number] = _Line(self._send, number)
                self._spawn(self._follow(line, message))
            case "say" if number in self._lines:
                self._lines[number].hear(message["text"])
            case "close" if number in self._lines:
                self._lines.pop(number).hear(None)

    async def close(self) -> None:
        """Stop answering."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a conversation failed", exc_info=error)

    def _call(self, message: Message, names: Mapping[str, Any]) -> Call:
        return Call(self._services, self._device, _ADDRESS, _language(message), path=names)

    async def _answer(self, number: object, message: Message) -> None:
        doing = self._spawn(self._done(message))
        try:
            # As on a server, a change is carried through even if the client drops the call.
            answer = await (asyncio.shield(doing) if message["method"] == "POST" else doing)
        finally:
            self._asked.pop(number, None)
        self._send(_answered(number, answer))

    async def _done(self, message: Message) -> Told:
        call = self._call(message, {})
        try:
            operation, names = _DIRECTORY.find(message["method"], unquote(message["path"]))
            call = self._call(message, names)
            query = read_query(message["query"], operation.query)
            body = read_body((message["body"] or "").encode(), operation.body) if operation.body else None
            return told(await operation.run(call, body, query), operation.status)
        except GenialError as error:
            return told_error(error, call.language)
        except Exception:
            log.exception("a call failed")
            return told_error(Crashed("server-failed"), call.language)

    async def _follow(self, line: _Line, message: Message) -> None:
        try:
            names = names_in(unquote(message["path"]), PATH)
            if names is None:
                raise NotFound("path-unknown")
            query = read_query(message["query"], SocketQuery)
            conversation = await begin(self._call(message, names), query, line)
            await conversation.run()
        except GenialError as error:
            await line.close(LATER if status_of(error) in (429, 503) else POLICY)
        finally:
            self._lines.pop(line.number, None)
            await line.close(FAILED)  # does nothing if it is closed already


def _language(message: Message) -> str:
    asked = message["query"].get("language") or message.get("language")
    return asked if asked in LANGUAGES else "en"


def _answered(number: object, answer: Told) -> dict[str, Any]:
    """An answer in the client's format."""
    status, file = answer
    # JSON goes as text, which the client parses; files to save go as bytes.
    body = file.body.decode() if file.kind == JSON else file.body
    told = {"status": status, "kind": file.kind, "name": file.name, "body": body}
    return {"type": "answer", "id": number, **told}


class ClosedPort:
    """The port of a page whose tables aren't available: it answers everything with the reason."""

    def __init__(self, error: GenialError, send: Send) -> None:
        self._error = error
        self._send = send

    def take(self, message: Message) -> None:
        """Handle a message of the client; never blocks."""
        number = message["id"]
        match message["type"]:
            case "call":
                self._send(_answered(number, told_error(self._error, _language(message))))
            case "open":
                self._send({"type": "closed", "id": number, "code": LATER})


class _Line:
    """The line of a conversation: messages with its number."""

    def __init__(self, send: Send, number: object) -> None:
        self.number = number
        self._send = send
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()
        self._ended = False

    def hear(self, text: str | None) -> None:
        """The client says something, or with None ends the conversation."""
        self._ended |= text is None
        self._heard.put_nowait(text)

    async def open(self) -> None:
        self._send({"type": "opened", "id": self.number})

    async def send(self, text: str) -> None:
        if self._ended:
            raise Gone
        self._send({"type": "told", "id": self.number, "text": text})

    async def receive(self) -> str:
        text = await self._heard.get()
        if text is None:
            raise Gone
        return text

    async def close(self, code: int) -> None:
        if not self._ended:
            self._ended = True
            self._send({"type": "closed", "id": self.number, "code": code})

    def refused(self, error: GenialError) -> None:
        """Refusals aren't counted here."""
