"""The API's document and the client's types come from the structs in use."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

from tests.server.harness import Player, Server, play

from genial.server.http.openapi import document, operations
from genial.server.http.typescript import typescript


def references(value: Any) -> set[str]:
    """Everything that a document refers to."""
    if isinstance(value, dict):
        own = {str(value["$ref"])} if "$ref" in value else set()
        return own.union(*(references(item) for item in value.values()))
    return set().union(*(references(item) for item in value)) if isinstance(value, list) else set()


def test_the_document_is_served_and_complete(server: Server) -> None:
    async def asked() -> Any:
        async with Player(server, "Ada") as ada:
            return await ada.get("/api/openapi.json")

    found = play(asked())
    assert found == json.loads(json.dumps(document()))
    assert found["openapi"] == "3.1.0"
    calls = {(method, path) for path, methods in found["paths"].items() for method in methods}
    assert len(calls) == len(operations())
    names = {f"#/components/schemas/{name}" for name in found["components"]["schemas"]}
    assert references(found) <= names
    ids = [operation["operationId"] for methods in found["paths"].values() for operation in methods.values()]
    assert len(set(ids)) == len(ids)
    kinds = [reference["$ref"].rpartition("/")[2] for reference in found["x-websocket"]["client"]["anyOf"]]
    assert kinds == ["Act", "Back", "Ask", "Answer", "Choose", "Chat", "Resync", "Ping", "WatchPlace"]
    for name in kinds:  # unknown fields are refused
        assert found["components"]["schemas"][name]["additionalProperties"] is False


def test_the_clients_types_are_generated_from_the_document() -> None:
    command = [sys.executable, "-m", "genial.server.http.openapi", "--typescript"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == typescript(document())
    assert "export interface TableView {" in printed
    assert 'type: "act";' in printed
    assert '"POST /api/tables": { body: NewTable; answer: TableView };' in printed
    declared = set(re.findall(r"^export (?:interface|type) (\w+)", printed, re.MULTILINE))
    used = set(re.findall(r"[:|(\[] ?([A-Z]\w+)\b", re.sub(r"/\*\*.*?\*/", "", printed, flags=re.DOTALL)))
    assert used - declared <= {"Record"}
