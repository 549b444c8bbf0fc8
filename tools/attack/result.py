"""What an attack is, its outcome, and the table of all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import msgspec
from benchmarks.sheet import Sheet

if TYPE_CHECKING:
    from tools.attack.scene import Scene

Store = Literal["sqlite", "postgres"]
STORES: tuple[Store, ...] = get_args(Store)
_TITLES = {"sqlite": "SQLite, one process", "postgres": "PostgreSQL, two processes"}


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of an attack."""

    shown: str
    """In a few words."""
    met: bool
    """Whether the bound was kept."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One kind of attack."""

    name: str
    says: str
    """What is done, in a few words."""
    bound: str
    """What has to hold nevertheless."""
    run: Callable[[Scene], Awaitable[Outcome]]
    stores: tuple[Store, ...] = STORES
    """Where it makes sense."""
    with_bots: bool = False
    """Whether strong bots have to be ready for it."""


class Results:
    """Outcomes by store, commit and attack; saved in a file if one is named, so that runs add up."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        kept = path.read_bytes() if path is not None and path.exists() else b"{}"
        self._found = msgspec.json.decode(kept, type=dict[str, dict[str, dict[str, Outcome]]])

    def add(self, store: Store, commit: str, name: str, outcome: Outcome) -> None:
        """Note an outcome, replacing an earlier one of the same kind."""
        self._found.setdefault(store, {}).setdefault(commit, {})[name] = outcome
        if self._path is not None:
            text = msgspec.json.encode(self._found, order="sorted")
            self._path.write_bytes(msgspec.json.format(text, indent=1) + b"\n")

    def of(self, store: Store, commit: str) -> dict[str, Outcome]:
        """What is known about a commit, by attack."""
        return self._found.get(store, {}).get(commit, {})

    def sheet(self, attacks: list[Attack], last: str) -> Sheet:
        """The table: one row per attack, one column per commit; and whether the last one keeps the bound."""
        known = {commit for commits in self._found.values() for commit in commits}
        commits = [*sorted(known - {last}), last]
        sheet = Sheet("Attacks", ["attack", "what is done", *commits, "bound", "met"], words=4 + len(commits))
        for store in STORES:
            found = [self.of(store, commit) for commit in commits]
            if not any(found):
                continue
            sheet.part(_TITLES[store])
            for attack in attacks:
                outcomes = [of.get(attack.name) for of in found]
                if any(outcomes):
                    shown = [outcome.shown if outcome else "" for outcome in outcomes]
                    sheet.row(attack.name, attack.says, *shown, attack.bound, _met(outcomes[-1]))
        return sheet


def _met(outcome: Outcome | None) -> str:
    return "" if outcome is None else "yes" if outcome.met else "**no**"
