"""The API's document, OpenAPI 3.1, and the client's TypeScript types, from the structs in use.

`python -m genial.server.http.openapi` prints the document, with `--typescript` the types.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from typing import Any

import msgspec

from genial import __version__
from genial.server.calls import conversation
from genial.server.calls.asking import IN_PATH, every_call
from genial.server.calls.call import Call, Calls, Operation
from genial.server.calls.protocol import ClientMessage, ErrorAnswer, ServerMessage
from genial.server.calls.streams import StreamEvent
from genial.server.http.typescript import typescript

_REFS = "#/components/schemas/{name}"


def operations() -> list[Operation]:
    """Every call of the API, including the one for its document."""
    return every_call() + _CALLS.operations


_CALLS = Calls("")


@_CALLS.get("/api/openapi.json")
async def _document(call: Call) -> dict[str, Any]:
    """This document."""
    return document()


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document.

    >>> document()["openapi"]
    '3.1.0'
    """
    schemas = _Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations():
        path = IN_PATH.sub(r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _described(operation, schemas)
    spoken = {
        "path": IN_PATH.sub(r"{\1}", conversation.PATH),
        "subprotocol": conversation.CONVERSATION,
        "parameters": _parameters(conversation.PATH, conversation.SocketQuery, schemas),
        "client": schemas.of(ClientMessage),
        "server": schemas.of(ServerMessage),
        "close": {
            "1008": "too many bad messages",
            "1009": "a message too long",
            "1012": "the server restarts",
            "1013": "read too slowly; come again",
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Genial",
            "version": __version__,
            "description": "Live tables of the Einfach Genial family. Every error is a code with parameters.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.named,
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "genial",
                    "description": "Over HTTPS its name is __Host-genial.",
                },
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{"cookie": []}, {"bearer": []}, {}],
        "x-websocket": spoken,
    }


class _Schemas:
    """The schemas of all types in the document."""

    def __init__(self) -> None:
        types = [ClientMessage, ServerMessage, StreamEvent, ErrorAnswer, conversation.SocketQuery]
        for operation in operations():
            types += [kind for kind in (operation.answer, operation.body, operation.query) if kind]
        schemas, self.named = msgspec.json.schema_components(types, ref_template=_REFS)
        self._schemas = dict(zip(map(str, types), schemas, strict=True))

    def of(self, wanted: Any) -> dict[str, Any]:
        """The schema of one of these types."""
        return self._schemas[str(wanted)]

    def fields(self, struct: type[msgspec.Struct]) -> tuple[dict[str, Any], list[str]]:
        """The fields of a struct, and the required ones."""
        schema = self.named[struct.__name__]
        return schema["properties"], schema.get("required", [])


def _described(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    answer = {operation.content_type: {"schema": schemas.of(operation.answer)}}
    error = {"application/json": {"schema": schemas.of(ErrorAnswer)}}
    described: dict[str, Any] = {
        "operationId": _operation_id(operation),
        "summary": operation.summary,
        "tags": [operation.tag] if operation.tag else [],
        "parameters": _parameters(operation.path, operation.query, schemas),
        "responses": {
            str(operation.status): {"description": operation.summary, "content": answer},
            "default": {"description": "What was wrong.", "content": error},
        },
    }
    if operation.body is not None:
        body = {"application/json": {"schema": schemas.of(operation.body)}}
        described["requestBody"] = {"required": bool(schemas.fields(operation.body)[1]), "content": body}
    return described


def _operation_id(operation: Operation) -> str:
    words = re.findall(r"[a-z]+", IN_PATH.sub("", operation.path.removeprefix("/api")))
    singular = "one" if operation.path.endswith("}") else ""
    return "-".join(filter(None, [operation.method.lower(), *words, singular]))


def _parameters(path: str, query: type[msgspec.Struct], schemas: _Schemas) -> list[dict[str, Any]]:
    in_path = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 0} if kind == "int" else {"type": "string"},
        }
        for name, kind in IN_PATH.findall(path)
    ]
    fields, required = schemas.fields(query)
    return in_path + [
        {"name": name, "in": "query", "required": name in required, "schema": _in_address(schema)}
        for name, schema in fields.items()
    ]


def _in_address(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a query parameter: it can't be null, only left out."""
    kept = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
    options = [option for option in schema.get("anyOf", []) if option != {"type": "null"}]
    return {**kept, **options[0]} if len(options) == 1 else schema


def main() -> None:
    """Print the document or the types."""
    if "--typescript" in sys.argv[1:]:
        sys.stdout.write(typescript(document()))
    else:
        json.dump(document(), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
