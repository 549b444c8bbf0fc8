"""`make docs`: the documents and an API reference as a static site, searchable, in build/docs/site/.

The pages are those of docs/, the README, CONTRIBUTING and CHANGELOG, and one page for each module with its
docstrings. A broken link is an error. Zensical builds the site and mkdocstrings reads the docstrings
(requirements/docs.txt). None of our code is imported, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "docs"
FRONT = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages outside docs/, and their names on the site."""

Nav = Sequence["str | tuple[str, str | Nav]"]
"""Pages, each under its own title or a given one, and groups of them."""

_EDITIONS = ("classic", "travel", "3d", "cards", "duel")
_LANGUAGES = {"en": "English", "de": "Deutsch", "nl": "Nederlands"}
NAV: Nav = [
    ("Start", "index.md"),
    (
        "Playing",
        [
            "playing.md",
            "rules/README.md",
            *((name, [f"rules/{code}/{page}.md" for page in _EDITIONS]) for code, name in _LANGUAGES.items()),
        ],
    ),
    ("Bots and research", ["bots.md", "research.md", "notation.md", "benchmarks.md"]),
    ("Hosting", ["hosting.md", "site.md", "security.md", "server-benchmarks.md"]),
    (
        "Developing",
        [
            "architecture.md",
            "contributing.md",
            "glossary.md",
            "screens/README.md",
            "look/README.md",
            "changelog.md",
        ],
    ),
]
_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
_CATALOGUES = {"messages", "words"}
"""Packages that contain sentences in three languages and no interface."""


def modules() -> list[str]:
    """The modules whose docstrings the reference shows."""
    found = []
    for path in sorted((ROOT / "src" / "genial").rglob("*.py")):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        inside_catalogue = _CATALOGUES & set(parts[:-1])
        if not inside_catalogue and parts[-1] != "__main__" and not parts[-1].startswith("_"):
            found.append(".".join(parts))
    return sorted(found)


def _rewritten(text: str, page: Path, target: Path) -> str:
    """A page with its links as they are on the site; files outside docs/ that it links to are copied."""

    def moved(match: re.Match[str]) -> str:
        before, address, after = match.groups()
        if re.match(r"[a-z]+:", address):
            return match.group()
        named = Path(os.path.normpath(page.parent / address))
        if not named.is_relative_to(ROOT) or not named.exists():
            return match.group()  # the builder reports that it is broken
        inside = named.relative_to(ROOT)
        if inside.parts[0] == "docs":
            there = Path(*inside.parts[1:])
        elif str(inside) in FRONT:
            there = Path(FRONT[str(inside)])
        else:
            there = Path("files") / inside
            (BUILD / "pages" / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(named, BUILD / "pages" / there)
        return before + os.path.relpath(there, target.parent).replace(os.sep, "/") + after

    # Code is left unchanged.
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if number % 2 else _LINK.sub(moved, part) for number, part in enumerate(parts))


def _write(page: Path, target: str) -> None:
    to = BUILD / "pages" / target
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(_rewritten(page.read_text("utf-8"), page, Path(target)), "utf-8")


def fenced(source: str) -> str:
    """Python source with the examples in its docstrings marked as code, for a builder that reads Markdown."""
    lines: list[str] = []
    inside = ""  # the line that closes the fence
    for line in [*source.split("\n"), ""]:
        text = line.lstrip()
        if not inside and text.startswith(">>> "):
            indent = line[: len(line) - len(text)]
            lines.append(f"{indent}```pycon")
            inside = f"{indent}```"
        elif inside and text in ("", '"""'):
            lines.append(inside)
            inside = ""
        lines.append(line)
    return "\n".join(lines[:-1])


def _reference() -> list[object]:
    """Write a page for each module. Returns their navigation, in which packages contain their modules."""
    names = modules()
    pages = {name: f"reference/{name}.md" for name in names}
    for name, page in pages.items():
        to = BUILD / "pages" / page
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(f"---\ntitle: {name}\n---\n\n::: {name}\n", "utf-8")

    def entry(name: str) -> dict[str, object]:
        inside = [child for child in names if child.rpartition(".")[0] == name]
        label = name.rpartition(".")[2]
        if not inside:
            return {label: pages[name]}
        return {label: [pages[name], *map(entry, inside)]}

    return [pages["genial"], *(entry(name) for name in names if name.count(".") == 1)]


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _nav(entries: Nav) -> list[object]:
    return [
        entry
        if isinstance(entry, str)
        else {entry[0]: entry[1] if isinstance(entry[1], str) else _nav(entry[1])}
        for entry in entries
    ]


def prepare() -> Path:
    """Gather pages, sources and settings in build/docs/; return the settings."""
    shutil.rmtree(BUILD, ignore_errors=True)
    for page in sorted((ROOT / "docs").rglob("*")):
        inside = page.relative_to(ROOT / "docs")
        if page.suffix == ".md":
            _write(page, str(inside))
        elif page.is_file() and page.suffix in {".svg", ".webp", ".json"}:
            to = BUILD / "pages" / inside
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, to)
    for name, target in FRONT.items():
        _write(ROOT / name, target)
    for path in (ROOT / "src" / "genial").rglob("*.py"):
        to = BUILD / "source" / path.relative_to(ROOT / "src")
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(fenced(path.read_text("utf-8")), "utf-8")
    nav = [*_nav(NAV), {"API reference": _reference()}]
    settings = (ROOT / "docs" / "site.toml").read_text("utf-8")
    path = BUILD / "zensical.toml"
    path.write_text(settings.replace("[project]\n", f"[project]\nnav = {_toml(nav)}\n", 1), "utf-8")
    return path


def builder() -> str | None:
    """The program that builds the site: from the environment that `make docs` sets up, or any other."""
    return shutil.which("zensical", path=str(ROOT / ".venv-docs" / "bin")) or shutil.which("zensical")


def build(program: str, settings: Path) -> int:
    """Build the site; the exit status is 0 if there are no broken links."""
    command = [program, "build", "--strict", "--config-file", str(settings)]
    return subprocess.run(command, cwd=settings.parent, check=False).returncode


def main() -> int:
    """Build the site."""
    program = builder()
    if program is None:
        print(
            "Zensical is missing. `make docs` installs it into .venv-docs and builds the site.",
            file=sys.stderr,
        )
        return 2
    status = build(program, prepare())
    if status == 0:
        print("The site is ready. To read it: python3 -m http.server -b 127.0.0.1 -d build/docs/site")
    return status


if __name__ == "__main__":
    sys.exit(main())
