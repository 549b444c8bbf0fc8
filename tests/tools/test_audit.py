"""`make audit` reports what it finds, and doesn't pass off as checked what it couldn't look up."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

AUDIT = Path(__file__).parents[2] / "tools" / "audit.py"
LOCK = """\
calm==1.0 \\
    --hash=sha256:00
leaky==2.1 ; python_version < '4' \\
    --hash=sha256:00
"""
WEAKNESS = {"id": "PYSEC-1", "fixed_in": ["2.2"], "withdrawn": None}
NPM_CALM: dict[str, Any] = {"vulnerabilities": {}}
NPM_LEAKY = {"vulnerabilities": {"x": {"range": "<2", "severity": "high", "via": [{"title": "Leaks"}]}}}
NPM_REFUSED = {"statusCode": 405, "message": "405 Method Not Allowed"}


class Pages(BaseHTTPRequestHandler):
    """An index that knows two packages, or none."""

    pages: dict[str, Any]

    def do_GET(self) -> None:
        told = self.pages.get(self.path)
        self.send_response(404 if told is None else 200)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/simple/"
    server.shutdown()
    thread.join()
    server.server_close()


def audit(index: str, folder: Path, npm: object) -> tuple[int, str]:
    lock = folder / "lock.txt"
    lock.write_text(LOCK, encoding="utf-8")
    npm_says = [sys.executable, "-c", f"print({json.dumps(json.dumps(npm))})"]
    done = subprocess.run(
        [sys.executable, str(AUDIT), str(lock), "--index", index, "--npm", shlex.join(npm_says)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.returncode, done.stdout


def pages(**weaknesses: list[object]) -> dict[str, Any]:
    versions = {"calm": "1.0", "leaky": "2.1"}
    return {
        f"/pypi/{name}/{versions[name]}/json": {"vulnerabilities": found}
        for name, found in weaknesses.items()
    }


@pytest.mark.parametrize(
    ("known", "npm", "status", "words"),
    [
        (pages(calm=[], leaky=[]), NPM_CALM, 0, ["Python: 2 packages looked up, 0 advisories"]),
        (pages(calm=[], leaky=[WEAKNESS]), NPM_CALM, 1, ["FOUND leaky 2.1: PYSEC-1, mended in 2.2"]),
        (pages(calm=[], leaky=[WEAKNESS | {"withdrawn": "2026"}]), NPM_CALM, 0, ["0 advisories"]),
        (pages(calm=[], leaky=[]), NPM_LEAKY, 1, ["FOUND x <2 (high): Leaks"]),
        (pages(calm=[]), NPM_CALM, 3, ["NOT CHECKED: 1 (leaky): the index answers 404"]),
        ({}, NPM_CALM, 3, ["Python: 0 packages looked up", "NOT CHECKED: 2 (calm, leaky)"]),
        (pages(calm=[], leaky=[]), NPM_REFUSED, 3, ["NOT CHECKED: 1", "the registry answers 405"]),
        (pages(calm=[], leaky=[]), "nonsense", 3, ["npm audit did not run"]),
        (pages(calm=[WEAKNESS]), NPM_REFUSED, 1, ["FOUND calm", "NOT CHECKED: 1 (leaky)"]),
    ],
)
def test_an_audit_says_what_was_found_and_what_was_not_checked(
    index: str, tmp_path: Path, known: dict[str, Any], npm: object, status: int, words: list[str]
) -> None:
    Pages.pages = known
    found, said = audit(index, tmp_path, npm)
    assert found == status, said
    assert all(each in said for each in words), said


def test_an_unreachable_index_means_nothing_was_checked(tmp_path: Path) -> None:
    status, said = audit("http://127.0.0.1:9/simple", tmp_path, NPM_CALM)
    assert status == 3
    assert "NOT CHECKED: 2" in said
