"""`make screens`: a picture of every screen, light and dark, on a phone and on a desktop, into docs/screens/.

python -m tools.screens [FOLDER] [--only NAME]
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import tempfile
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.conftest import DESKTOP, KEPT, PHONE, launch, listen
from tests.browser.hands import Finger, Mouse
from tests.browser.person import Person
from tests.browser.scenes import SCENES, Scene
from tests.browser.server import house
from tools.chromium import CHROMIUM, NO_BROWSER

FOLDER = Path(__file__).parents[1] / "docs" / "screens"
SIZES = {"desktop": DESKTOP, "phone": PHONE}
SCALES = {"desktop": 0.6, "phone": 1.0}
THEMES = ("light", "dark")
QUALITY = 25
MOST_BYTES = 60_000


def photograph(page: Page, scale: float) -> bytes:
    """The visible part as WebP, which Chromium itself can write compactly."""
    assert page.viewport_size is not None
    clip = {"x": 0, "y": page.evaluate("scrollY"), **page.viewport_size, "scale": scale}
    session = page.context.new_cdp_session(page)
    found = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY, "clip": clip})
    session.detach()
    return base64.b64decode(found["data"])


def shoot(browser: Browser, url: str, scene: Scene, size: str, folder: Path) -> None:
    """One scene in both themes."""
    (width, height), phone = SIZES[size], size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale="en",
        has_touch=phone,
        is_mobile=phone,
        reduced_motion="reduce",
    )
    context.add_init_script(f"localStorage.genial ??= '{json.dumps(KEPT)}'")
    person = Person(context.new_page(), "Ada", Finger() if phone else Mouse(), Random(5))
    try:
        listen(person)
        scene.reach(person, url)
        for theme in THEMES:
            person.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            person.page.wait_for_timeout(150)  # colours fade into each other
            picture = photograph(person.page, SCALES[size])
            name = f"{scene.name}-{size}-{theme}.webp"
            assert len(picture) < MOST_BYTES, f"{name} has {len(picture)} bytes"
            (folder / name).write_bytes(picture)
    except AssertionError as error:
        error.add_note(f"the page complained: {person.problems}")
        raise
    finally:
        context.close()


def index() -> str:
    """The page that shows them all."""
    lines = [
        "# Screens",
        "",
        "Every screen of the browser client, made by `make screens` from seeded games: do not edit.",
    ]
    for scene in SCENES:
        lines += ["", f"## {scene.name}", "", "| desktop | phone |", "| --- | --- |"]
        for theme in THEMES:
            cells = [f"![{scene.name}, {size}, {theme}]({scene.name}-{size}-{theme}.webp)" for size in SIZES]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args(arguments)
    if CHROMIUM is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    chosen.folder.mkdir(parents=True, exist_ok=True)
    scenes = [scene for scene in SCENES if chosen.only in scene.name]
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder) / "genial.db", "--seeded") as seeded,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for scene in scenes:
            for size in SIZES:
                print(f"{scene.name}, {size}", flush=True)
                shoot(browser, seeded.url, scene, size, chosen.folder)
        browser.close()
    if len(scenes) == len(SCENES):
        _forget_others(chosen.folder)
        (chosen.folder / "README.md").write_text(index(), encoding="utf-8")
    pictures = [path.stat().st_size for path in chosen.folder.glob("*.webp")]
    print(f"{len(pictures)} pictures, {sum(pictures) / 1e6:.2f} MB")
    return 0


def _forget_others(folder: Path) -> None:
    """Delete pictures of scenes that no longer exist."""
    kept = {f"{scene.name}-{size}-{theme}.webp" for scene in SCENES for size in SIZES for theme in THEMES}
    for path in folder.glob("*.webp"):
        if path.name not in kept:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
