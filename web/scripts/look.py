"""Write the client's colours: the six from genial.drawing.palette, everything else from tokens.json.

`.venv/bin/python web/scripts/look.py` writes src/lib/look/palette.json and colours.css; with --check it fails
if they are not up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from genial.core.colours import COLOURS
from genial.drawing.palette import PALETTES, STANDARD, Palette

_LOOK = Path(__file__).parents[1] / "src" / "lib" / "look"
_HEAD = "/* Generated from genial.drawing.palette and tokens.json by web/scripts/look.py. Do not edit. */\n"

Tokens = dict[str, str]


def palette_json() -> str:
    """The six colours of every palette, as data."""
    found = {
        "colours": "".join(COLOURS),
        "palettes": {name: palette.symbols for name, palette in PALETTES.items()},
    }
    return json.dumps(found, indent=2) + "\n"


def tokens() -> dict[str, dict[str, Tokens]]:
    """Everything but the six colours, by palette (most share the standard one) and theme."""
    found: dict[str, dict[str, Tokens]] = json.loads((_LOOK / "tokens.json").read_text())
    return found


def colours_css() -> str:
    """All colours as custom properties, chosen by data-theme and data-palette on the root element.

    Without data-theme the system's preference decides, and without data-palette the contrast is high if the
    system asks for that.
    """
    found = tokens()
    parts = [_HEAD, _rule(":root", _symbols(STANDARD)), *_themes(found["standard"], "")]
    for name, palette in PALETTES.items():
        if palette is STANDARD:
            continue
        chosen = f'[data-palette="{name}"]'
        parts.append(_rule(f":root{chosen}", _symbols(palette)))
        if name in found:
            parts += _themes(found[name], chosen)
    contrast = "high-contrast"
    more = _rule(":root:not([data-palette])", _symbols(PALETTES[contrast])) + "".join(
        _themes(found[contrast], ":not([data-palette])")
    )
    parts.append(_media("(prefers-contrast: more)", more))
    return "".join(parts)


def _themes(themes: dict[str, Tokens], chosen: str) -> list[str]:
    light, dark = _theme(themes["light"], "light"), _theme(themes["dark"], "dark")
    return [
        _rule(f":root{chosen}", light),
        _rule(f':root{chosen}[data-theme="dark"]', dark),
        _media("(prefers-color-scheme: dark)", _rule(f':root{chosen}:not([data-theme="light"])', dark)),
    ]


def _symbols(palette: Palette) -> list[str]:
    return [f"--symbol-{n}: {value}" for n, value in enumerate(palette.symbols)]


def _theme(theme: Tokens, scheme: str) -> list[str]:
    return [f"color-scheme: {scheme}", *(f"--{name}: {value}" for name, value in theme.items())]


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
