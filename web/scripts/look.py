"""Write the client's colours from genial.drawing.palette, their one source.

`.venv/bin/python web/scripts/look.py` writes src/lib/look/palette.json and colours.css; with --check it fails
if they are not what they should be.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from genial.core.colours import COLOURS
from genial.drawing.palette import PALETTES, STANDARD, Palette, Theme

_LOOK = Path(__file__).parents[1] / "src" / "lib" / "look"
_HEAD = "/* Generated from genial.drawing.palette by web/scripts/look.py. Do not edit. */\n"


def palette_json() -> str:
    """All palettes as data."""
    found = {
        "colours": "".join(COLOURS),
        "palettes": {
            name: {"symbols": palette.symbols, "light": asdict(palette.light), "dark": asdict(palette.dark)}
            for name, palette in PALETTES.items()
        },
    }
    return json.dumps(found, indent=2) + "\n"


def colours_css() -> str:
    """The same as custom properties, chosen by data-theme and data-palette on the root element.

    Without data-theme the system's wish counts; without data-palette more contrast is given where the
    system asks for it.
    """
    parts = [_HEAD]
    light, dark = ":root", ':root[data-theme="dark"]'
    system = ':root:not([data-theme="light"])'
    parts.append(_rule(light, _symbols(STANDARD) + _theme(STANDARD.light, "light")))
    parts.append(_rule(dark, _theme(STANDARD.dark, "dark")))
    parts.append(_media("(prefers-color-scheme: dark)", _rule(system, _theme(STANDARD.dark, "dark"))))
    for name, palette in PALETTES.items():
        if palette is STANDARD:
            continue
        chosen = f'[data-palette="{name}"]'
        parts.append(_rule(f":root{chosen}", _symbols(palette)))
        if palette.light != STANDARD.light or palette.dark != STANDARD.dark:
            parts += _themes(palette, chosen)
    contrast = PALETTES["high-contrast"]
    more = _rule(":root:not([data-palette])", _symbols(contrast)) + "".join(
        _themes(contrast, ":not([data-palette])")
    )
    parts.append(_media("(prefers-contrast: more)", more))
    return "".join(parts)


def _themes(palette: Palette, chosen: str) -> list[str]:
    light, dark = _theme(palette.light, "light"), _theme(palette.dark, "dark")
    return [
        _rule(f":root{chosen}", light),
        _rule(f':root{chosen}[data-theme="dark"]', dark),
        _media("(prefers-color-scheme: dark)", _rule(f':root{chosen}:not([data-theme="light"])', dark)),
    ]


def _symbols(palette: Palette) -> list[str]:
    return [f"--symbol-{n}: {value}" for n, value in enumerate(palette.symbols)]


def _theme(theme: Theme, scheme: str) -> list[str]:
    found = [f"color-scheme: {scheme}"]
    for name, value in asdict(theme).items():
        if isinstance(value, str):
            found.append(f"--{name.replace('_', '-')}: {value}")
        else:
            found += [f"--{name.rstrip('s')}-{n}: {one}" for n, one in enumerate(value)]
    # A tile needs a line around it only where its colour does not stand out from the page.
    found.append(f"--edge-width: {'0' if theme.edge == theme.tile else '1.2px'}")
    # Symbols on the board's own colour get a dark edge where the board is light.
    found.append(f"--board-edge: {theme.tile if theme.edge == theme.tile else 'none'}")
    return found


def _rule(selector: str, lines: list[str]) -> str:
    return f"{selector} {{\n" + "".join(f"  {line};\n" for line in lines) + "}\n"


def _media(query: str, rules: str) -> str:
    inner = "".join(f"  {line}\n" for line in rules.splitlines())
    return f"@media {query} {{\n{inner}}}\n"


def main() -> int:
    check, stale = "--check" in sys.argv[1:], []
    for name, text in (("palette.json", palette_json()), ("colours.css", colours_css())):
        path = _LOOK / name
        if not path.exists() or path.read_text() != text:
            stale.append(name)
            if not check:
                path.write_text(text)
    if stale:
        print(f"{'stale' if check else 'written'}: {', '.join(stale)}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
