"""Every screen: axe finds nothing serious in any theme, and a screen reader hears what the snapshot has.

`make snapshots` rewrites the snapshots; read the diff before you commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Arrive
from tests.browser.fits import ACROSS, cut_off, misfits
from tests.browser.person import Person
from tests.browser.scenes import SCENES, Scene
from tests.browser.server import House

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_NEW_EACH_TIME = re.compile(r"""/(table|api|replay|join)/|^http:|\b[A-Z]{5}"?$""")
"""Addresses of tables, and their codes."""
_DAY = re.compile(r"· \d{1,2} [A-Z][a-z]+\b")
"""The day on which a game was played, which is the day of the test."""
SNAPSHOTS = Path(__file__).parent / "snapshots"
COLOUR_RULES = ("color-contrast", "link-in-text-block")
"""The rules of axe that are about colours."""
NEW_COLOURS = """() => {
    const boxes = [...document.querySelectorAll("html, body, body *")].map((element) => {
        const style = getComputedStyle(element);
        return {
            element,
            at: element.getBoundingClientRect(),
            text: [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
                && [style.color, style.textShadow, style.webkitTextFillColor].join(),
            behind: [style.backgroundColor, style.backgroundImage, style.opacity].join(),
        };
    });
    const meet = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;
    window.worn ??= new Map();
    return boxes.filter(({ element, at, text }) => {
        if (!text) return false;
        const behind = boxes.filter((box) => meet(box.at, at)).map((box) => box.behind);
        const colours = [text, ...behind].join();
        const before = window.worn.get(element) ?? new Set();
        window.worn.set(element, before);
        return !before.has(colours) && before.add(colours);
    }).map(({ element }) => element);
}"""
"""The elements whose text, or whatever overlaps it, has colours that no earlier look gave it."""
PALETTES = ("protanopia", "deuteranopia", "tritanopia", "grey", "high-contrast")
LOOKS = {
    "light": None,
    "dark": None,
    **{f"{theme}, {palette}": palette for palette in PALETTES for theme in ("light", "dark")},
}
"""Theme and palette, as the settings set them."""


def lasting(told: str) -> str:
    """A snapshot without what changes each time, such as codes. What is left out matches anything.

    The name of a row is made of all its cells, so the cells are enough.
    """
    lines: list[str] = []
    for said in re.sub(r'- (\'?)row ".*?"\1:', "- row:", told).splitlines():
        line = any_day(said)
        if line.endswith('MB)"'):  # the size of the engine
            continue
        head, colon, value = line.rpartition(": ")
        if not (colon and _NEW_EACH_TIME.search(value)):
            lines.append(line)
        elif not head.endswith("- /url"):
            lines.append(head.partition(': "')[0])
    depths = [len(line) - len(line.lstrip()) for line in lines] + [0]
    childless = [line.endswith(":") and depths[n + 1] <= depths[n] for n, line in enumerate(lines)]
    return "".join(f"{line[:-1] if none else line}\n" for line, none in zip(lines, childless, strict=True))


def any_day(line: str) -> str:
    r"""A line of a snapshot that names a day, as a pattern for any day; other lines stay as they are.

    >>> print(any_day('- link "Won 3 to 2 · 16 Nov Replay":'))
    - link /Won 3 to 2 · \d+ \w+ Replay/:
    """
    if not _DAY.search(line):
        return line
    parts = re.fullmatch(r'(\s*- (?:text: |\w+ (?=")))"?(.*?)"?(:?)', line)
    assert parts, line
    before, after = (re.sub(r"[/\\.*+?()\[\]{}^$|]", r"\\\g<0>", part) for part in _DAY.split(parts[2]))
    return rf"{parts[1]}/{before}· \d+ \w+{after}/{parts[3]}"


def wear(page: Page, look: str) -> None:
    """Choose a theme and a palette, as the settings do."""
    theme, palette = look.partition(",")[0], LOOKS[look]
    page.evaluate(
        "([theme, palette]) => {"
        " document.documentElement.dataset.theme = theme;"
        " if (palette) document.documentElement.dataset.palette = palette; }",
        [theme, palette],
    )


def faults(page: Page) -> list[str]:
    """What axe calls serious or critical. It checks everything once, and after that only new colours."""
    rules: Sequence[str]
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8") + f"; ({NEW_COLOURS})(); 0")
        where, rules = "[document]", ()
    else:
        where, rules = f"({NEW_COLOURS})()", COLOUR_RULES
    found: list[Any] = page.evaluate(
        f"async (rules, where = {where}) => where.length === 0 ? [] : (await axe.run({{include: where}},"
        " {resultTypes: ['violations'],"
        " ...(rules.length && {runOnly: {type: 'rule', values: rules}})})).violations",
        rules,
    )
    return [
        f"{fault['id']} ({fault['impact']}): {fault['help']}: {node['html'][:160]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"][:3]
    ]


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_every_screen_is_accessible_and_matches_its_snapshot(
    seeded: House, arrive: Arrive, scene: Scene
) -> None:
    ada = arrive("Ada", faults=scene.faults)
    with scene.shown(ada, seeded.url):
        look_at(ada, scene)


def look_at(ada: Person, scene: Scene) -> None:
    told, kept = ada.page.locator("body"), SNAPSHOTS / f"{scene.name}.yml"
    if os.environ.get("GENIAL_WRITE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        ada.page.wait_for_load_state("networkidle")  # a comparison waits for everything by itself
        kept.write_text(lasting(told.aria_snapshot()), encoding="utf-8")
        return
    expect(told).to_match_aria_snapshot(kept.read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for look in LOOKS:
        wear(ada.page, look)
        found[look] = faults(ada.page)
    found["phone"] = misfits(ada.page)
    found["phone on its side"] = cut_off(ada.page, ACROSS)
    assert not any(found.values()), "\n".join(
        f"{look}: {fault}" for look, all in found.items() for fault in all
    )


def test_a_fault_in_one_palette_is_found_there(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(seeded.url)
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    ada.page.evaluate(
        "() => { const sheet = new CSSStyleSheet(), line = document.createElement('p');"
        " sheet.replaceSync('#planted { color: #000; background: #fff }"
        " [data-theme=light][data-palette=tritanopia] #planted { color: #ddd }');"
        " document.adoptedStyleSheets.push(sheet);"
        " line.id = line.textContent = 'planted';"
        " document.querySelector('main').append(line); }"
    )
    found = {}
    for look in LOOKS:
        wear(ada.page, look)
        found[look] = faults(ada.page)
    assert {look for look in LOOKS if found[look]} == {"light, tritanopia"}
    assert "color-contrast" in found["light, tritanopia"][0]
