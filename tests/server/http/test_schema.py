"""The server does what the API's document says.

schemathesis sends what the document allows and what it doesn't, with the cookie of a device that has tables
in every state.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)
from tests.play import GAMES, last_moves
from tests.server.harness import Player, Server, bits, play, play_on, running

from genial.server.http.openapi import document

pytestmark = pytest.mark.slow

EXAMPLES = 15
"""Random requests for each call, in addition to those at the edges of its schema."""

EXCLUDED = [
    # A well-formed request may come at the wrong time: the rules of the game aren't part of a schema.
    positive_data_acceptance,
    # Credentials are optional in the document: without them you are a stranger, who may ask as well.
    ignored_auth,
    # Two routes share a path, and Starlette lists only the methods of the first.
    allow_header_conformance,
]

Tables = tuple[dict[str, str], list[str], str]


def _plain(schema: Any) -> Any:
    """The document with tuples written as lists of a fixed length.

    schemathesis 4.32 rewrites `prefixItems` in answers for older drafts, and then refuses the result.
    """
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _plain(part) for name, part in schema.items()}
    if "prefixItems" in found:
        kinds = found.pop("prefixItems")
        assert all(kind == kinds[0] for kind in kinds), "a tuple of several types is not spelled as a list"
        found["items"] = kinds[0]
    return found


schema = schemathesis.openapi.from_dict(_plain(document()))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A separate server: otherwise the lobby would fill with strange tables."""
    with running(tmp_path_factory.mktemp("schema") / "genial.db", records_per_minute=100_000) as found:
        yield found


@pytest.fixture(scope="module")
def nearly_over() -> dict[str, Any]:
    """A request to play on from the last move of a game."""
    settings = {"variant": "classic-solo", "seats": 1}
    rest = last_moves(("classic-solo", 1), 1)
    return {"name": "Ada", "bits": bits(), "settings": settings, "places": [{"kind": "me"}], **rest}


@pytest.fixture
def tables(served: Server, nearly_over: dict[str, Any]) -> Tables:
    """A device's headers; its tables, waiting, running and over; and the code of the waiting one."""

    async def prepared() -> Tables:
        async with Player(served, "Ada") as ada:
            waits = await ada.create("classic", "mo", public=True)
            runs = await ada.create("classic", "mm", first=0, practice=True)
            mine = await ada.create("cards", "mr", first=0)
            over = await ada.post("/api/records/continue", nearly_over)
            board = await ada.get("/api/boards/classic-solo/1")
            async with await ada.wire(over["id"]) as wire:
                await wire.hear()
                await play_on(wire, {0}, board, Random(1))
            ids = [table["id"] for table in (waits, runs, mine, over)]
            return ada.headers() | {"origin": served.origin}, ids, waits["code"]

    return play(prepared())


@pytest.mark.thorough
@schema.exclude(path="/api/bot/stream").parametrize()
@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
def test_every_call_conforms_to_the_document(
    case: schemathesis.Case[Any], served: Server, tables: Tables
) -> None:
    headers, ids, code = tables
    _at_a_table(case, ids, code)
    excluded = [*EXCLUDED, *([negative_data_rejection] if _says_null(case) else [])]
    case.call_and_validate(base_url=served.origin, headers=headers, excluded_checks=excluded, timeout=20)


def _at_a_table(case: schemathesis.Case[Any], ids: list[str], code: str) -> None:
    """Put existing ids and codes into most cases: made-up ones are all unknown."""
    lot = zlib.crc32(repr((case.path_parameters, case.body, case.query)).encode())
    path = case.path_parameters or {}
    good = case.meta is not None and case.meta.generation.mode.is_positive
    if "table" in path and lot % 4:
        path["table"] = ids[lot // 4 % len(ids)]
    if "game" in path and lot % 3:
        path["game"] = 0
    if "seats" in path and lot % 2:
        path["variant"], path["seats"] = GAMES[lot // 2 % len(GAMES)]
    elif "variant" in path and good and lot % 2:
        path["variant"], _ = GAMES[lot // 2 % len(GAMES)]
    if path.get("code") is not None and lot % 2:
        path["code"] = "de"
    if good and isinstance(case.body, dict):
        _body_at_a_table(case.body, code, lot)


def _body_at_a_table(body: dict[str, Any], code: str, lot: int) -> None:
    if isinstance(body.get("code"), str) and lot % 3:
        body["code"] = code
    if isinstance(table := body.get("settings"), dict) and lot % 5:
        table["variant"], table["seats"] = GAMES[lot // 5 % len(GAMES)]
        chosen = body["places"] * 4
        body["places"] = chosen[: table["seats"]]


def _says_null(case: schemathesis.Case[Any]) -> bool:
    """A query parameter can't be null; the server takes the word as a parameter that is left out."""
    return "null" in json.dumps(case.query or {})


def test_the_document_is_served(served: Server) -> None:
    answer = httpx.get(f"{served.origin}/api/openapi.json")
    assert answer.status_code == 200
    assert answer.json() == json.loads(json.dumps(document()))


def test_the_bot_stream_is_only_for_bots(served: Server, tables: Tables) -> None:
    """It doesn't end by itself, so it is left out above."""
    answer = httpx.get(f"{served.origin}/api/bot/stream", headers=tables[0])
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "bot-only"
