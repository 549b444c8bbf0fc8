"""A tab of an earlier version is open while its server is updated: it says so, and nothing is lost.

Server and client come from a commit in the history that spoke another version of the conversation. The
client is built here.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from benchmarks.checkout import NO_TOOLS, ROOT, build_client
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import Arrive
from tests.browser.person import play
from tests.browser.server import Single
from tests.browser.test_connection import moves
from tests.browser.waiting import until

pytestmark = pytest.mark.slow

EARLIER = "4ecf47b"
SERVE = (sys.executable, "-m", "genial", "serve", "--bot-workers", "1")
ACTS = 6


@pytest.fixture
def earlier(browser: Browser, tmp_path: Path) -> Path:
    """The earlier version, with its client."""
    archive = ["git", "-C", str(ROOT), "archive", EARLIER, "src", "web", "docs"]
    found = subprocess.run(archive, capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"the history here does not reach back to {EARLIER}")
    folder = tmp_path / "earlier"
    with tarfile.open(fileobj=BytesIO(found.stdout)) as files:
        files.extractall(folder, filter="data")
    if not build_client(folder):
        pytest.skip(NO_TOOLS)
    return folder


class Calls:
    """Calls made by a page's device, but not by the page."""

    def __init__(self, page: Page, url: str) -> None:
        self._request, self._url = page.context.request, url

    def get(self, path: str) -> Any:
        return self._request.get(self._url + path).json()

    def post(self, path: str, body: object) -> Any:
        answer = self._request.post(self._url + path, data=body, headers={"origin": self._url})
        assert answer.ok, answer.text()
        return answer.json()


def next_act(calls: Calls, table: str) -> dict[str, Any]:
    """The first lawful act, once it is our turn."""
    until(lambda: calls.get(table)["legal"] is not None, "the bot does not move")
    state = calls.get(table)
    action = "refill" if state["legal"]["phase"] == "end-turn" else state["legal"]["cards"][0]["tile"]
    return {"seq": state["seq"], "move_id": secrets.token_hex(8), "place": 0, "action": action}


def test_an_outdated_tab_asks_to_be_reloaded_and_loses_nothing(
    earlier: Path, tmp_path: Path, arrive: Arrive
) -> None:
    ada = arrive("Ada", faults=True)
    store = tmp_path / "genial.db"
    before = Single(store, ["env", f"PYTHONPATH={earlier / 'src'}", *SERVE])
    after = Single(store, SERVE, port=before.port)
    try:
        before.start()
        ada.page.goto(before.url)
        expect(ada.page.get_by_role("heading", level=1)).to_be_visible()  # by now the server knows the device
        calls = Calls(ada.page, before.url)
        settings = {"variant": "cards", "seats": 2, "first": 0}
        places = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        asked = {"settings": settings, "places": places, "name": "Ada", "bits": "ad" * 16}
        id = calls.post("/api/tables", asked)["id"]
        table = f"/api/tables/{id}"
        ada.page.goto(f"{before.url}/table/{id}")
        expect(ada.page.get_by_role("main")).to_contain_text("Ada")
        acknowledged = []
        for _ in range(ACTS):
            act = next_act(calls, table)
            acknowledged.append((act, calls.post(f"{table}/act", act)))
        before.kill()
        words = json.loads((earlier / "web" / "messages" / "en.json").read_text(encoding="utf-8"))
        expect(ada.page.get_by_text(words["line_lost"])).to_be_visible()

        after.start()
        expect(ada.page.get_by_role("heading", level=1, name=ada.words("page-outdated"))).to_be_visible()

        ada.page.reload()
        play([ada], moves(ada, 2 * ACTS))
        # Sent again, each act is acknowledged with the entry it made before, and not done twice.
        for act, done in acknowledged:
            assert calls.post(f"{table}/act", act) == done
    finally:
        for server in (before, after):
            server.end()
