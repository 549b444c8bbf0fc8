"""Draw the app's icons in the look of the game: public/icon.svg and the PNG files.

`.venv/bin/python web/scripts/icons.py` draws them. The PNG files need Debian's chromium.
"""

from __future__ import annotations

from pathlib import Path

from genial.core.colours import NUMBER
from genial.drawing.geometry import RADIUS, SPACING, inset, number, polar, rounded, tile_outline
from genial.drawing.palette import LIGHT, STANDARD
from genial.drawing.symbols import symbol_path

_PUBLIC = Path(__file__).parents[1] / "public"
_SIZE = 128
_DIRECTION = 1
_FIRST, _SECOND = "Y", "B"
_CHROMIUM = "/usr/bin/chromium"


def icon(share: float, corner: float) -> str:
    """One tile on the light background, which takes up this share of the picture."""
    x, y = polar(60 * _DIRECTION, SPACING)
    scale = _SIZE * share / (abs(y) + 2 * RADIUS)
    body = rounded(inset(tile_outline(_DIRECTION), 0), 7)
    symbols = "".join(
        f'<path d="{symbol_path(NUMBER[letter], RADIUS, at)}" fill="{STANDARD.symbols[NUMBER[letter]]}"/>'
        for letter, at in ((_FIRST, (0.0, 0.0)), (_SECOND, (x, y)))
    )
    middle, left, up = _SIZE // 2, number(-x / 2), number(-y / 2)
    move = f"translate({middle} {middle}) scale({number(scale)}) translate({left} {up})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}">'
        f'<rect width="{_SIZE}" height="{_SIZE}" rx="{number(corner)}" fill="{LIGHT.page}"/>'
        f'<g transform="{move}"><path d="{body}" fill="{LIGHT.tile}"/>{symbols}</g></svg>\n'
    )


def main() -> None:
    """Write the icon, and the PNG files."""
    from playwright.sync_api import sync_playwright

    plain, whole = icon(0.84, 26), icon(0.6, 0)
    (_PUBLIC / "icon.svg").write_text(plain)
    pictures = {"icon-192.png": (plain, 192), "icon-512.png": (plain, 512)}
    # Systems cut these to a shape of their own, so the background goes to the edges.
    pictures |= {"icon-mask-512.png": (whole, 512), "apple-touch-icon.png": (whole, 180)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        for name, (svg, size) in pictures.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{width:{size}px;display:block}}</style>{svg}")
            page.screenshot(path=_PUBLIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
