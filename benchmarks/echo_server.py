"""A bare echo on the server's own stack: no rules, no store, no views. Anything above it is our own cost.

Sockets of one group hear of each other. When it connects, each says how long the messages are that it gets:
`told` after every deed of anybody in the group, `ack` before that after its own deed, and `state` when it
asks for one. A message that starts with `r` asks; any other is a deed. Messages of length 0 are not sent.
Whatever is sent starts with the first letter of its name.
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

_groups: defaultdict[str, dict[WebSocket, str]] = defaultdict(dict)
"""What each socket is sent."""


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    group = _groups[websocket.path_params["group"]]
    ack, told, state = (
        name[0].ljust(size) if (size := int(websocket.query_params.get(name, 0))) else ""
        for name in ("ack", "told", "state")
    )
    group[websocket] = told
    try:
        while True:
            said = await websocket.receive_text()
            if said.startswith("r"):
                await websocket.send_text(state)
                continue
            if ack:
                await websocket.send_text(ack)
            for peer, message in list(group.items()):
                await peer.send_text(message)
    except WebSocketDisconnect:
        pass
    finally:
        group.pop(websocket, None)


async def so_many(request: Request) -> Response:
    return PlainTextResponse("x" * int(request.query_params["size"]))


async def health(request: Request) -> Response:
    return PlainTextResponse("ok")


app = Starlette(
    routes=[WebSocketRoute("/echo/{group}", echo), Route("/bytes", so_many), Route("/healthz", health)]
)

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
