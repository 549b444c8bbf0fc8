"""The socket of a table: its conversation over a WebSocket."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from genial.core.errors import GenialError
from genial.server.calls.asking import read_query
from genial.server.calls.conversation import CLOSE_SECONDS, CONVERSATION, PATH, Gone, SocketQuery, begin
from genial.server.http.answers import error_reply, note_refusal
from genial.server.http.routes import admitted, call_of


async def _follow(websocket: WebSocket) -> None:
    try:
        call = call_of(websocket, await admitted(websocket))
        query = read_query(websocket.query_params, SocketQuery)
        conversation = await begin(call, query, _Line(websocket))
    except GenialError as error:
        await websocket.send_denial_response(error_reply(websocket, error))
        return
    await conversation.run()


SOCKET = WebSocketRoute(PATH, _follow)


class _Line:
    """A WebSocket as the line of a conversation."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def open(self) -> None:
        await self._websocket.accept(CONVERSATION)

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send({"type": "websocket.send", "text": text})
        except (WebSocketDisconnect, OSError, RuntimeError):
            raise Gone from None

    async def receive(self) -> str | bytes:
        try:
            message = await self._websocket.receive()
        except (WebSocketDisconnect, OSError):
            raise Gone from None
        if message["type"] == "websocket.disconnect":
            raise Gone
        return message.get("text") or message.get("bytes") or b""

    async def close(self, code: int) -> None:
        if self._websocket.application_state is WebSocketState.CONNECTED:
            # A peer that doesn't read would keep us waiting here for ever.
            with suppress(Exception):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._websocket.close(code)

    def refused(self, error: GenialError) -> None:
        note_refusal(self._websocket, error, message=True)
