"""A bare echo on the server's own stack: no rules, no store, no views. What is above it is our own cost.

Sockets of one group hear of each other: whoever says something gets a short answer, and everybody in the
group, the speaker too, two messages of the length that the socket asked for, as a move with its refill does.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

ACK = '{"type":"ack","move_id":"0123456789abcdef","seq":1234}'
MESSAGES = 2
"""A move and the refill that ends it are two entries, told to everybody."""
_groups: defaultdict[str, dict[WebSocket, str]] = defaultdict(dict)


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    group = _groups[websocket.path_params["group"]]
    group[websocket] = '{"type":"entry"'.ljust(int(websocket.query_params["size"]))
    try:
        while True:
            await websocket.receive_text()
            await websocket.send_text(ACK)
            for _ in range(MESSAGES):
                for peer, message in list(group.items()):
                    await peer.send_text(message)
    except WebSocketDisconnect:
        pass
    finally:
        group.pop(websocket, None)


async def health(request: Request) -> Response:
    return PlainTextResponse("ok")


app = Starlette(routes=[WebSocketRoute("/echo/{group}", echo), Route("/healthz", health)])

if __name__ == "__main__":
    uvicorn.run(
        app,
        port=int(sys.argv[1]),
        ws="websockets-sansio",
        ws_max_size=8 * 1024,
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
    )
