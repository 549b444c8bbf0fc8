"""Every ruling has a test that bears its name."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

RULINGS = [
    *("COLOURS", "AXES"),
    *("BOARD", "PRINTED", "TILES", "FIRST-TILE", "FREE-PLACEMENT", "BONUS", "BOARD-FULL", "ALL-MAX", "SWAP"),
    *("RANKING", "DOUBLE-TRACK", "TEAM", "SOLO"),
    *("DEAL", "LEAVING", "FIRST-SEAT"),
    *("TRAVEL", "TRAVEL-TILES"),
    *("3D-BOARD", "3D-START", "3D-TILES", "3D-SUPPORT", "3D-OPENING", "3D-SCORING"),
    *("3D-BONUS", "3D-SWAP", "3D-END", "3D-SOLO"),
    *("CARDS", "CARD-SCORING", "REGIONS", "CARD-BONUS", "CARD-END", "CARD-TURN-END", "CARD-SWAP"),
    *("SERIES", "DUEL"),
]
"""The names in rulings.md, in its order."""


def prefix(ruling: str) -> str:
    """How the names of a ruling's tests start."""
    return f"test_{ruling.lower().replace('-', '_')}_"


@cache
def rulings_with_a_test() -> frozenset[str]:
    """The rulings that have a test; a test counts for the longest name that fits."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                fitting = [ruling for ruling in RULINGS if node.name.startswith(prefix(ruling))]
                found.update(sorted(fitting, key=len)[-1:])
    return frozenset(found)


@pytest.mark.parametrize("ruling", RULINGS)
def test_the_ruling_has_a_test(ruling: str) -> None:
    assert ruling in rulings_with_a_test()


def test_no_ruling_is_listed_twice() -> None:
    assert len(RULINGS) == len(set(RULINGS)) == 39
