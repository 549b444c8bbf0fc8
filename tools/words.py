"""`python -m tools.words`: find words that docs/glossary.md says to avoid.

    python -m tools.words             in every text
    python -m tools.words web         in one place: web, engine, terminal, lessons, rules or docs
    python -m tools.words web --language de

The list is the table "Words to avoid" in docs/glossary.md. Exit status: 0 if nothing was found, 1 otherwise.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
LANGUAGES = ("en", "de", "nl")

GAME = ("web", "engine", "terminal", "lessons", "rules")
"""What players read. The table calls all of these "game"."""

FILES = {
    "web": ["web/messages/*.json"],
    "engine": ["src/genial/*/messages/*.py"],
    "terminal": [f"src/genial/terminal/words/{language}.py" for language in LANGUAGES],
    "lessons": ["src/genial/server/lessons/words/*.py"],
    "rules": ["docs/rules/*/*.md"],
    "docs": ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "docs/rules/README.md"],
}
"""Where the texts of each place are. The language is the name of the file or its folder, or else English."""

_PARAMETER = re.compile(r"\{\w+(?::\w+)?\}")
_QUOTED = re.compile(r"`((?:[^`]|`\])+)`(?=,|$)")


@dataclass(frozen=True)
class Rule:
    """One line of the table."""

    language: str
    patterns: tuple[re.Pattern[str], ...]
    instead: str
    places: frozenset[str]
    exceptions: tuple[re.Pattern[str], ...]

    def found(self, text: str) -> Iterator[str]:
        """Each avoided word in a text.

        >>> rule = Rule("nl", (_pattern("rek"),), "voorraadbank", frozenset(["web"]), ())
        >>> list(rule.found("Rek van Jan; rekenen mag"))
        ['Rek']
        """
        fine = [match.span() for exception in self.exceptions for match in exception.finditer(text)]
        for pattern in self.patterns:
            for match in pattern.finditer(text):
                if not any(start <= match.start() and match.end() <= end for start, end in fine):
                    yield match.group()


@dataclass(frozen=True)
class Finding:
    """An avoided word, and where it is."""

    file: str
    where: str
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.where}: “{self.word}” – say instead: {self.instead}"


def _pattern(source: str) -> re.Pattern[str]:
    """A pattern from the table: whole words; in lower case, it also matches capitals."""
    whole = rf"(?<!\w)(?:{source})(?!\w)"
    return re.compile(whole, 0 if any(letter.isupper() for letter in source) else re.IGNORECASE)


def _patterns(cell: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(source) for source in _QUOTED.findall(cell))


@cache
def rules() -> tuple[Rule, ...]:
    """The table in docs/glossary.md."""
    section = GLOSSARY.read_text("utf-8").split("\n## Words to avoid\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    found = []
    for line in lines:
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        language, avoid, instead, where, exceptions = cells
        places: set[str] = set()
        for place in where.split(", "):
            places.update(FILES if place == "all" else GAME if place == "game" else [place])
        if language not in LANGUAGES or not places <= set(FILES) or not _patterns(avoid):
            raise ValueError(f"docs/glossary.md, words to avoid: cannot read the line {line}")
        found.append(Rule(language, _patterns(avoid), instead, frozenset(places), _patterns(exceptions)))
    return tuple(found)


def _python_texts(source: str) -> Iterator[tuple[str, str]]:
    """The values of every dictionary in a catalogue, with their keys."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                for part in ast.walk(value):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield f"{part.lineno} {ast.literal_eval(key) if key else ''}", part.value


def _json_texts(key: str, value: object) -> Iterator[tuple[str, str]]:
    """The sentences of a catalogue, plural forms included."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for part in value:
            yield from _json_texts(key, part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in ("declarations", "selectors"):
                yield from _json_texts(key or name, part)


def _markdown_texts(source: str) -> Iterator[tuple[str, str]]:
    """The lines of a page, without code, addresses, names of rulings and emphasis."""
    code = False
    for number, line in enumerate(source.splitlines(), 1):
        fence = line.startswith("```")
        if fence:
            code = not code
        if code or fence or line.startswith("    "):
            continue
        yield (
            str(number),
            re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|\b[A-Z0-9]{2,}(?:-[A-Z]+)*\b", " ", line).replace("**", ""),
        )


def texts(place: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Every text of a place in one language: file, where in the file, text."""
    for glob in FILES[place]:
        for path in sorted(ROOT.glob(glob)):
            named = path.stem if path.stem in LANGUAGES else path.parent.name
            if language != (named if named in LANGUAGES else "en") or path == GLOSSARY:
                continue
            source = path.read_text("utf-8")
            if path.suffix == ".json":
                found = _json_texts("", json.loads(source))
            elif path.suffix == ".py":
                found = _python_texts(source)
            else:
                found = _markdown_texts(source)
            for where, text in found:
                yield str(path.relative_to(ROOT)), where, _PARAMETER.sub("{}", text)


def findings(place: str, languages: tuple[str, ...] = LANGUAGES) -> list[Finding]:
    """Every avoided word in the texts of a place."""
    return [
        Finding(file, where, word, rule.instead)
        for language in languages
        for file, where, text in texts(place, language)
        for rule in rules()
        if rule.language == language and place in rule.places
        for word in rule.found(text)
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print what is found, one line per word."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.words", description="Find words that docs/glossary.md says to avoid."
    )
    parser.add_argument(
        "places", nargs="*", metavar="PLACE", help=f"{', '.join(FILES)}; all of them if none is named"
    )
    parser.add_argument("--language", choices=LANGUAGES, help="only this language")
    chosen = parser.parse_args(arguments)
    unknown = [place for place in chosen.places if place not in FILES]
    if unknown:
        parser.error(f"“{unknown[0]}” isn't a place. Name one of: {', '.join(FILES)}.")
    languages = (chosen.language,) if chosen.language else LANGUAGES
    found = [finding for place in chosen.places or FILES for finding in findings(place, languages)]
    print("\n".join(map(str, found)) if found else "No avoided words found.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
