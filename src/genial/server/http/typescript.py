"""TypeScript types from the schemas of an OpenAPI document."""

from __future__ import annotations

import json
from typing import Any

_HEAD = "// Made from the server's structs: genial.server.http.openapi --typescript. Do not edit.\n"
_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def typescript(document: dict[str, Any]) -> str:
    """The socket's subprotocol, all named types of a document, its two unions, and a map of the calls."""
    schemas, socket = document["components"]["schemas"], document["x-websocket"]
    parts = [_HEAD, _conversation(socket["subprotocol"])]
    parts += [_declaration(name, schema) for name, schema in sorted(schemas.items())]
    parts.append(f"export type ClientMessage = {type_text(socket['client'])};\n")
    parts.append(f"export type ServerMessage = {type_text(socket['server'])};\n")
    parts.append(_calls(document["paths"]))
    return "\n".join(parts)


def _conversation(name: str) -> str:
    comment = "/** What is spoken on a table's socket: its subprotocol. */\n"
    return f"{comment}export const CONVERSATION = {json.dumps(name)};\n"


def _declaration(name: str, schema: dict[str, Any]) -> str:
    comment = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{comment}export type {name} = {type_text(schema)};\n"
    required = schema.get("required", [])
    # The server always sends complete structs; in what it takes, fields with a default may be left out.
    fields = "".join(
        f"  {field}{'' if field in required else '?'}: {type_text(value)};\n"
        for field, value in schema["properties"].items()
    )
    return f"{comment}export interface {name} {{\n{fields}}}\n"


def type_text(schema: dict[str, Any]) -> str:
    """A schema as a type.

    >>> type_text({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})
    'number[] | null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(type_text(option) for option in schema.get("anyOf") or schema["oneOf"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_text({**schema, "type": one}) for one in kind)
    if kind == "array":
        return _array(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_text(values) if isinstance(values, dict) else 'unknown'}>"
    return _PLAIN.get(str(kind), "unknown")


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_text(item) for item in schema['prefixItems'])}]"
    items = schema.get("items")
    inner = type_text(items) if isinstance(items, dict) else "unknown"
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def _calls(paths: dict[str, Any]) -> str:
    lines = []
    for path, methods in paths.items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {})
            took = type_text(next(iter(body.values()))["schema"]) if body else "undefined"
            good = next(code for code in operation["responses"] if code != "default")
            gave = type_text(next(iter(operation["responses"][good]["content"].values()))["schema"])
            lines.append(f'  "{method.upper()} {path}": {{ body: {took}; answer: {gave} }};\n')
    return f"/** Every call of the API. */\nexport interface Calls {{\n{''.join(lines)}}}\n"
