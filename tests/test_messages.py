"""The words of the engine, bots, arena and server are complete in three languages, and all are used."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import genial
from genial.arena import messages as arena
from genial.bots import messages as bots
from genial.bots.levels import LEVELS
from genial.core import messages as engine
from genial.core.actions import Place
from genial.core.errors import GenialError, IllegalAction
from genial.core.messages import LANGUAGES, Message, listed, render, system_language
from genial.server import messages as server

SOURCE = Path(genial.__file__).parent
WEB = SOURCE.parents[1] / "web" / "src"
PACKAGES = {"engine": engine.WORDS, "bots": bots.WORDS, "arena": arena.WORDS, "server": server.WORDS}
_SPECS = {"", "and", "or", *engine.CODES}
_FAMILIES = {
    *("bot-", "colour-", "ending-", "kind-", "list-", "now-"),
    *("reason-", "shape-", "summary-", "typed-", "verdict-", "wanted-"),
}
"""Prefixes of codes that are put together at run time, such as `colour-3`."""


def _texts(message: Message) -> tuple[str, ...]:
    return message if isinstance(message, tuple) else (message,)


def _parameters(message: Message) -> set[str]:
    return {name for text in _texts(message) for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("package", PACKAGES)
def test_languages_have_the_same_messages_with_the_same_parameters(package: str, language: str) -> None:
    english, other = PACKAGES[package].own("en"), PACKAGES[package].own(language)
    assert list(other) == list(english)
    for code, message in english.items():
        assert _parameters(other[code]) == _parameters(message), code
        assert isinstance(other[code], tuple) == isinstance(message, tuple), code
        for text in _texts(other[code]):
            assert {spec or "" for *_, spec, _ in string.Formatter().parse(text)} <= _SPECS, code


def test_no_code_is_in_two_packages() -> None:
    codes = [code for words in PACKAGES.values() for code in words.own("en")]
    assert len(codes) == len(set(codes))


def test_translations_differ_from_the_english() -> None:
    german, dutch = server.WORDS.messages("de"), server.WORDS.messages("nl")
    names = {f"bot-{bot.name}" for bot in LEVELS}  # Juno is Juno everywhere
    english = server.WORDS.messages("en")
    same = [code for code in english.keys() - names if english[code] in (german[code], dutch[code])]
    assert len(same) < 15, same


# What the program can say, read from its code


@cache
def _trees() -> dict[str, ast.Module]:
    """The modules of the package by name, without the catalogues of words."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        if "words" not in parts and not (parts[-2] == "messages" and parts[-1] in LANGUAGES):
            name = ".".join(parts).removesuffix(".__init__")
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def _error_classes(module: str, tree: ast.Module) -> dict[str, type[GenialError]]:
    """Our errors that a module knows, including those it imports within a function."""
    found: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("genial"):
            imported = import_module(node.module or "")
            found |= {name.asname or name.name: getattr(imported, name.name, None) for name in node.names}
        elif isinstance(node, ast.ClassDef):
            found[node.name] = getattr(import_module(module), node.name, None)
    return {
        name: kind for name, kind in found.items() if isinstance(kind, type) and issubclass(kind, GenialError)
    }


def _raised() -> Iterator[tuple[str, type[GenialError], str, set[str] | None]]:
    """Every error that is created with a literal code: its module, class, code and parameters."""
    for module, tree in _trees().items():
        if not any(isinstance(node, ast.Call) for node in ast.walk(tree)) or module.endswith("__main__"):
            continue
        classes = _error_classes(module, tree)
        calls = [(node, None) for node in ast.walk(tree) if isinstance(node, ast.Call)]
        inside = [
            (node, kind.name)
            for kind in ast.walk(tree)
            if isinstance(kind, ast.ClassDef) and kind.name in classes
            for node in ast.walk(kind)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        ]
        for node, owner in [*calls, *inside]:
            name = owner if owner and _is_super(node) else getattr(node.func, "id", None)
            if name not in classes or not node.args:
                continue
            given = {keyword.arg for keyword in node.keywords}
            params = None if None in given else {each for each in given if each}
            for code in _constants(node.args[0]):
                yield f"{module}:{node.lineno}", classes[name], code, params


def _is_super(node: ast.Call) -> bool:
    function = node.func
    return isinstance(function, ast.Attribute) and "super()" in ast.unparse(function)


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)


def test_every_error_has_its_packages_message_and_all_its_parameters() -> None:
    raised = list(_raised())
    assert len(raised) > 250
    for where, kind, code, params in raised:
        messages = kind.words.messages("en")
        assert code in messages, (where, kind.__name__, code)
        if params is not None:
            assert _parameters(messages[code]) <= params, (where, code)


def test_no_message_is_unused() -> None:
    said, begun = set(), set()
    for tree in _trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                begun.add(str(node.values[0].value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
    for path in (*WEB.rglob("*.ts"), *WEB.rglob("*.svelte")):
        text = path.read_text(encoding="utf-8")
        said |= set(re.findall(r'"([a-z0-9-]+)"', text))
        begun |= set(re.findall(r"`([a-z-]+)\$\{", text))
    begun |= {f"{kind}-" for kind in engine.CODES}
    assert begun >= _FAMILIES
    for words in PACKAGES.values():
        for code in words.own("en"):
            assert code in said or any(code.startswith(start) for start in _FAMILIES), code


# What people read


def test_every_colour_has_a_name() -> None:
    for language in LANGUAGES:
        assert len({render(f"colour-{n}", {}, language) for n in range(6)}) == 6


def test_an_error_says_what_was_wrong_and_names_the_ruling() -> None:
    position = genial.new("classic", seats=2, seed=7)
    with pytest.raises(IllegalAction) as caught:
        position.apply(Place("OB", ((0, 0), (0, 2))))
    assert caught.value.ruling == "FREE-PLACEMENT"
    assert "f6 and h6" in str(caught.value)
    assert "FREE-PLACEMENT" in str(caught.value)


def test_quoted_input_is_cut_short() -> None:
    with pytest.raises(GenialError) as caught:
        genial.new("x" * 10_000, seats=2, seed=1)
    assert len(str(caught.value)) < 400


def test_singular_and_plural_are_worded_differently() -> None:
    bonus = {"points": 1, "count": 2}
    assert render("move-bonus", bonus) == "That scores 1 point and earns 2 bonus moves."
    assert (
        render("move-bonus", {"points": 3, "count": 1}, "de") == "Damit holst du 3 Punkte und einen Bonuszug."
    )
    assert server.WORDS.render("rate-limit", {"seconds": 1}, "nl").endswith("over 1 seconde nog eens.")
    assert server.WORDS.render("rate-limit", {"seconds": 2}, "nl").endswith("over 2 seconden nog eens.")


def test_lists_end_in_and_or_or() -> None:
    assert render("now-swap", {"colours": [0, 2, 4]}, "de").endswith("(Rot, Gelb und Blau).")
    assert render("variant-missing", {"expected": ["classic", "3d"]}).endswith("Choose classic or 3d.")
    assert listed([], "nl") == ""
    assert render("tracks-wrong", {"got": [[1, 2], [3, 4]], "expected": []}).startswith(
        "The scoreboards show [1, 2], [3, 4] instead"
    )


def test_a_bonus_move_is_called_out() -> None:
    for language, call in {"en": "Genial!", "de": "Genial!", "nl": "Geniaal!"}.items():
        for kind in ("place", "play"):
            for count in (1, 2):
                assert render(f"now-bonus-{kind}", {"count": count}, language).startswith(call)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "nl"}, "nl"),
        ({"LANG": "fr_FR"}, "en"),
        ({}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "nl_BE"}, "nl"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE"}, "en"),
    ],
)
def test_the_language_follows_the_environment(environment: dict[str, str], language: str) -> None:
    assert system_language(environment) == language
