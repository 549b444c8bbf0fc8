"""`make clip`: a short moving picture of one move in the browser, for the README.

python -m tools.clip [FILE]

Everything on the page moves slowly while the pictures are taken, so that there are enough of them; played
back they have the right pace. Chromium writes each as WebP; here they are combined into one file.
"""

from __future__ import annotations

import base64
import json
import struct
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic

from playwright.sync_api import CDPSession, Page, sync_playwright
from tests.browser.conftest import KEPT, launch, listen
from tests.browser.hands import Mouse
from tests.browser.person import Person
from tests.browser.scenes import SCENES
from tests.browser.server import house
from tools.chromium import CHROMIUM, NO_BROWSER

FILE = Path(__file__).parents[1] / "docs" / "pictures" / "move.webp"
WIDTH, HEIGHT = 1040, 720
SCALE = 0.5
QUALITY = 15
STEP_MS = 60
SLOWER = 8
BEFORE, AIMED, AFTER = 6, 14, 32
"""How many pictures before the tile is picked up, while it is aimed, and after it was placed."""
LAST_MS = 1500
REST_MS = 2500
"""How long until everything has come to rest."""
FIRST_HALF = "tile => { const at = tile.getScreenCTM(); return [at.e, at.f]; }"
MOST_BYTES = 400_000


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, as WebP, and how long it is shown."""

    picture: bytes
    milliseconds: int


def chunks(webp: bytes) -> Iterable[tuple[bytes, bytes]]:
    """The chunks of a WebP file."""
    at = 12
    while at < len(webp):
        name, size = struct.unpack_from("<4sI", webp, at)
        yield name, webp[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def chunk(name: bytes, data: bytes) -> bytes:
    """One chunk of a WebP file; chunks start at even offsets."""
    return struct.pack("<4sI", name, len(data)) + data + b"\0" * (len(data) % 2)


def three(number: int) -> bytes:
    """A number in three bytes."""
    return struct.pack("<I", number)[:3]


def moving(frames: list[Frame], width: int, height: int) -> bytes:
    """Pictures as one animated file that loops."""
    size = three(width - 1) + three(height - 1)
    parts = [chunk(b"VP8X", bytes([0b10, 0, 0, 0]) + size), chunk(b"ANIM", struct.pack("<IH", 0, 0))]
    for frame in frames:
        image = b"".join(
            chunk(name, data) for name, data in chunks(frame.picture) if name in (b"VP8 ", b"VP8L", b"ALPH")
        )
        head = three(0) + three(0) + size + three(frame.milliseconds) + bytes([0b10])
        parts.append(chunk(b"ANMF", head + image))
    body = b"WEBP" + b"".join(parts)
    return struct.pack("<4sI", b"RIFF", len(body)) + body


class Camera:
    """Takes pictures of a page on which everything moves slowly."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Animation.enable")
        self._session.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
        self.frames: list[Frame] = []

    def take(self, count: int) -> None:
        """Take `count` pictures, one after another; identical ones become one that is shown longer."""
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": SCALE}
        options = {"format": "webp", "quality": QUALITY, "clip": clip}
        begun = monotonic()
        for n in range(1, count + 1):
            self._page.wait_for_timeout(max(1.0, 1000 * (begun - monotonic()) + n * STEP_MS * SLOWER))
            picture = base64.b64decode(self._session.send("Page.captureScreenshot", options)["data"])
            if self.frames and self.frames[-1].picture == picture:
                last = self.frames.pop()
                self.frames.append(Frame(picture, last.milliseconds + STEP_MS))
            else:
                self.frames.append(Frame(picture, STEP_MS))


def film(page: Page, url: str) -> list[Frame]:
    """A turn in the middle of a game: a tile is picked up, aimed where it scores, and placed."""
    person = Person(page, "Ada", Mouse(), Random(5))
    listen(person)
    next(scene for scene in SCENES if scene.name == "table-aimed").reach(person, url)
    tile = page.locator(".rack [aria-pressed=true]").get_attribute("aria-keyshortcuts") or "1"
    x, y = page.locator("[data-ghost]").evaluate(FIRST_HALF)
    page.keyboard.press("Escape")
    page.mouse.move(x, HEIGHT - 4)
    page.wait_for_timeout(REST_MS)
    camera = Camera(page)
    camera.take(BEFORE)
    page.locator(f".rack [aria-keyshortcuts='{tile}']").click()
    page.mouse.move(x, y)
    camera.take(AIMED)
    page.mouse.click(x, y)
    camera.take(AFTER)
    last = camera.frames.pop()
    return [*camera.frames, Frame(last.picture, LAST_MS)]


def main() -> int:
    if CHROMIUM is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder) / "genial.db", "--seeded") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, locale="en")
        context.add_init_script(f"localStorage.genial ??= '{json.dumps(KEPT)}'")
        frames = film(context.new_page(), server.url)
        browser.close()
    found = moving(frames, round(WIDTH * SCALE), round(HEIGHT * SCALE))
    assert len(found) < MOST_BYTES, f"{target.name} has {len(found)} bytes"
    target.write_bytes(found)
    print(f"{target.name}: {len(frames)} pictures, {len(found)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
