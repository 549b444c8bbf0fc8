"""Editions that only tests play."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from genial.core.about import About
from genial.core.title import Title
from genial.core.titles import ABOUT, TITLES, register
from genial.own_editions import load_editions

GARDEN = Path(__file__).parent / "garden_edition.py"
"""An edition in its own file, such as anybody may write."""


@contextmanager
def registered(title: Title, about: About | None = None) -> Iterator[Title]:
    """A title that can be played inside the `with` block."""
    with _only_meanwhile():
        register(title, about)
        yield title


@contextmanager
def garden() -> Iterator[Title]:
    """The garden edition, in this process and in all processes that it starts."""
    with _only_meanwhile(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENIAL_EDITIONS", str(GARDEN))
        load_editions(os.environ["GENIAL_EDITIONS"])
        yield TITLES["garden"]


@contextmanager
def _only_meanwhile() -> Iterator[None]:
    before = set(TITLES)
    try:
        yield
    finally:
        for variant in set(TITLES) - before:
            del TITLES[variant], ABOUT[variant]
