"""Which call a method and a path mean: the same with and without HTTP."""

from __future__ import annotations

import re

import pytest
from starlette.routing import Match

from genial.core.errors import GenialError
from genial.server.calls.asking import IN_PATH, Directory, every_call
from genial.server.calls.call import Operation
from genial.server.http.routes import routes_of

DIRECTORY = Directory(every_call())


def examples(operation: Operation) -> list[str]:
    """Paths that match a call, and paths that nearly do."""
    names = {"int": ["7", "123456", "1234567", "x", ""], "": ["abc", "a-b_c", "", "a/b", "é"]}
    parts = [IN_PATH.sub("{}", operation.path)]
    for kind in (kind for _, kind in IN_PATH.findall(operation.path)):
        parts = [part.replace("{}", name, 1) for part in parts for name in names[kind]]
    return [*parts, f"{parts[0]}/", f"{parts[0]}x"]


def found(method: str, path: str) -> tuple[str, object]:
    """The call and the names in its path, found without HTTP, or the code of the refusal."""
    try:
        operation, names = DIRECTORY.find(method, path)
    except GenialError as error:
        return error.code, None
    return f"{operation.method} {operation.path}", names


@pytest.mark.parametrize("operation", every_call(), ids=lambda each: f"{each.method} {each.path}")
def test_a_path_means_the_same_call_with_and_without_http(operation: Operation) -> None:
    routes = routes_of(every_call())
    for path in examples(operation):
        scope = {"type": "http", "method": operation.method, "path": path}
        matches = [(route, *route.matches(scope)) for route in routes]
        full = [(route.name, child["path_params"]) for route, match, child in matches if match is Match.FULL]
        partial = any(match is Match.PARTIAL for _, match, _ in matches)
        refused = ("method-wrong" if partial else "path-unknown", None)
        assert found(operation.method, path) == (full[0] if full else refused), path


def test_every_path_is_plain_apart_from_its_parameters() -> None:
    for operation in every_call():
        plain = IN_PATH.sub("", operation.path)
        assert re.escape(plain).replace("\\-", "-") == plain
