"""What the operator of a server may do: close tables, keep people out, take out unfinished games.

The operator's token stands in a file and is known here by its hash alone. Lists show no racks; the one call
that shows them is the export of a record, and the log tells of it.
"""

from __future__ import annotations

import hmac
import logging
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from genial.core.errors import SetupError
from genial.core.record import dump
from genial.server import decisions
from genial.server.auth import address_hash, address_of
from genial.server.entries import Chatted
from genial.server.errors import Forbidden, NotFound, Refused
from genial.server.hub import Hub, Live
from genial.server.logs import table_mark
from genial.server.store.interface import Status, TableRow

log = logging.getLogger("genial.server")

SHORTEST = 32
"""Characters of a token, the operator's or the bot workers'; 128 bits in hexadecimal."""
_HOUR = 3_600_000
_STATUSES: tuple[Status, ...] = ("open", "running", "over", "closed")


class BanRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to keep out, or to let in again."""

    kind: Literal["device", "address"]
    key: Annotated[str, Meta(min_length=1, max_length=64)]
    """A device as a table's page shows it, or an address."""
    hours: Annotated[int, Meta(ge=1, le=24 * 3660)] | None = None
    """For ever, if left out."""


def token_hash(token: str) -> bytes:
    """All that the server keeps of a token."""
    return sha256(f"genial-operator/1|{token}".encode()).digest()


def token_in(path: Path) -> str:
    """The token in a file; SetupError if it is too short to be one."""
    token = path.read_text(encoding="utf-8").strip()
    if len(token) < SHORTEST:
        raise SetupError("token-short", path=str(path), got=len(token), expected=SHORTEST)
    return token


def read_token(path: Path) -> bytes:
    """The hash of the token in a file."""
    return token_hash(token_in(path))


def is_operator(request: Request, expected: bytes | None) -> bool:
    """Whether a request carries the operator's token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    given = token_hash(token.strip() if scheme.lower() == "bearer" else "")
    return hmac.compare_digest(given, expected or b"") and expected is not None


class Operator:
    """The routes under /api/operator."""

    def __init__(self, hub: Hub, token: bytes | None) -> None:
        self._hub = hub
        self._token = token

    def routes(self) -> list[Route]:
        """All of them; without a token every one refuses."""
        base = "/api/operator"
        return [
            Route(f"{base}/tables", self.tables, methods=["GET"]),
            Route(f"{base}/tables/{{table}}", self.table, methods=["GET"]),
            Route(f"{base}/tables/{{table}}/close", self.close, methods=["POST"]),
            Route(f"{base}/tables/{{table}}/games/{{number:int}}/record", self.record, methods=["GET"]),
            Route(f"{base}/bans", self.bans, methods=["GET"]),
            Route(f"{base}/ban", self.ban, methods=["POST"]),
            Route(f"{base}/unban", self.unban, methods=["POST"]),
        ]

    def _check(self, request: Request) -> None:
        request.app.state.services.limiter.requests.check(address_of(request))
        if not is_operator(request, self._token):
            raise Forbidden("operator-only")

    async def tables(self, request: Request) -> Response:
        """Tables, the newest first; `status` chooses, `after` is the `next` of the page before."""
        self._check(request)
        wanted = request.query_params.get("status")
        status = next((status for status in _STATUSES if status == wanted), None)
        rows = await self._hub.store.tables(status=status, limit=100, before=_cursor(request))
        following = f"{rows[-1].created}:{rows[-1].game}" if len(rows) == 100 else None
        return _json({"tables": [self._row(row) for row in rows], "next": following})

    def _row(self, row: TableRow) -> dict[str, Any]:
        live = self._hub.tables.get(row.game)
        return {
            "table": row.game,
            "name": row.name,
            "variant": row.variant,
            "seats": row.seats,
            "status": row.status,
            "public": row.public,
            "created": row.created,
            "updated": row.updated,
            "open_places": row.open_places,
            "listeners": len(live.subscribers) if live else 0,
        }

    async def table(self, request: Request) -> Response:
        """Who sits at a table and what was said there; no tile of it."""
        self._check(request)
        live = await self._live(request)
        table = live.table
        places = [
            {"kind": h.kind, "name": h.name, "bot": h.bot, "away": h.away, "device": h.device}
            for h in table.holders
        ]
        chat = [
            {"time": entry.time, "place": said.place, "name": said.name, "text": said.text or said.phrase}
            for entry in table.chat
            if isinstance(said := entry.body, Chatted)
        ]
        games = [{"number": game.number, "over": game.result is not None} for game in table.games]
        told = {
            "table": table.id,
            "status": table.status,
            "host": table.host,
            "listeners": len(live.subscribers),
        }
        return _json({**told, "places": places, "games": games, "chat": chat})

    async def close(self, request: Request) -> Response:
        """Close a table. The secret of a game that is cut off comes out (DEAL)."""
        self._check(request)
        live = await self._live(request)
        await self._hub.do(live.table.id, lambda table: decisions.close(table, "operator"))
        log.warning("operator closed a table", extra={"table": table_mark(live.table.id)})
        return _json({"table": live.table.id, "status": live.table.status})

    async def record(self, request: Request) -> Response:
        """The record of any game, of an unfinished one too: it holds every rack."""
        self._check(request)
        live = await self._live(request)
        number = request.path_params["number"]
        game = next((game for game in live.table.games if game.number == number), None)
        if game is None:
            raise NotFound("table-unknown")
        log.warning("operator took a record", extra={"table": table_mark(live.table.id)})
        return Response(dump(game.record()), media_type="application/json")

    async def bans(self, request: Request) -> Response:
        """Everybody who is kept out, by hash."""
        self._check(request)
        bans = await self._hub.store.bans()
        return _json({"bans": [{"kind": b.kind, "key": b.key_hash.hex(), "until": b.until} for b in bans]})

    async def ban(self, request: Request) -> Response:
        """Keep a device or an address out."""
        self._check(request)
        wanted = await _body(request)
        until = None if wanted.hours is None else self._hub.clock() + wanted.hours * _HOUR
        await self._hub.store.ban(wanted.kind, _key(wanted), until)
        if wanted.kind == "device":
            self._hub.put_out(wanted.key)
            self._hub.peers.put_out(wanted.key)
        log.warning("operator banned", extra={"kind": wanted.kind})
        return _json({"kind": wanted.kind, "key": _key(wanted).hex(), "until": until})

    async def unban(self, request: Request) -> Response:
        """Let a device or an address in again."""
        self._check(request)
        wanted = await _body(request)
        await self._hub.store.unban(wanted.kind, _key(wanted))
        log.warning("operator lifted a ban", extra={"kind": wanted.kind})
        return _json({"kind": wanted.kind, "key": _key(wanted).hex()})

    async def _live(self, request: Request) -> Live:
        return await self._hub.fresh(str(request.path_params["table"]))


def _cursor(request: Request) -> tuple[int, str] | None:
    created, _, game = request.query_params.get("after", "").partition(":")
    return (int(created), game) if created.isdecimal() and len(created) < 19 else None


def _key(wanted: BanRequest) -> bytes:
    if wanted.kind == "address":
        return address_hash(wanted.key)
    try:
        return bytes.fromhex(wanted.key)
    except ValueError:
        raise Refused("message-unreadable", problem="key") from None


async def _body(request: Request) -> BanRequest:
    try:
        return msgspec.json.decode(await request.body(), type=BanRequest)
    except msgspec.MsgspecError as error:
        raise Refused("message-unreadable", problem=str(error)) from None


def _json(data: object) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")
