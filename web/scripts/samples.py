"""Write sample tables of every variant for the demo page, from the engine itself.

Run it with `.venv/bin/python web/scripts/samples.py [FILE]`; without a name it writes src/demo/samples.json.

For each: the table as its viewer gets it, the board, the title, and what the first tile's moves would bring.
The demo page is for development only; its samples are made, not kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from genial.bots import BOTS
from genial.core.actions import Place, Play
from genial.core.messages import LANGUAGES, catalogue
from genial.core.moves import Phase
from genial.core.notation import move_text
from genial.core.position import Position
from genial.core.record import event_data
from genial.server.entries import Acted, Body, Chatted, Created, Entry, Holder, Seated, Started
from genial.server.legal import explained
from genial.server.routes_info import _variants, board_info
from genial.server.settings import TableSettings
from genial.server.table import Table
from genial.server.views import table_view

_NAMES = ("Anna", "Bert", "Carla", "Dirk")
_BOT = BOTS["greedy"]


class _Sample:
    """A table whose every place a bot plays, as long as it is asked to."""

    def __init__(self, variant: str, seats: int, secret: str) -> None:
        self.table, self.rng = Table("sample"), Random(secret)
        self._write(Created(TableSettings(variant, seats, first=0), "device-0", "KTWX42", "watch"))
        for place in range(seats):
            self._write(Seated(place, Holder("person", _NAMES[place], device=f"device-{place}")))
        self._write(Started(1, 0, "c" * 64, ["00"] * seats, secret))
        if seats > 1:
            self._write(Chatted(1, "Bert", text="Hallo!"))

    @property
    def position(self) -> Position:
        assert self.table.game is not None
        return self.table.game.position

    def play_until(self, enough: Callable[[Position], bool]) -> bool:
        while not enough(self.position):
            position = self.position
            if position.is_over:
                return False
            action = _BOT.choose(position.view({position.seat}), self.rng)
            _, events = position.apply(action)
            text = move_text(position.setup, action)
            place = self.table.game.place_of(position.seat)  # type: ignore[union-attr]
            self._write(Acted(place, text, [event_data(event) for event in events]))
        return True

    def _write(self, body: Body) -> None:
        self.table.evolve(Entry(self.table.seq + 1, 1_700_000_000_000, body))

    def data(self, name: str, viewer: int | None) -> dict[str, Any]:
        table, position = self.table, self.position
        seen = frozenset() if viewer is None else frozenset({viewer})
        device = "" if viewer is None else f"device-{viewer}"
        settings = table.settings
        return {
            "name": name,
            "table": msgspec.to_builtins(table_view(table, seen, device, 1_700_000_000_000)),
            "board": msgspec.to_builtins(board_info(settings.variant, settings.seats)),
            "explained": _explained(position) if viewer == position.seat else {},
        }


def _explained(position: Position) -> dict[str, Any]:
    """What every move with the first tile would bring; with every card."""
    if position.phase is not Phase.PLACE:
        return {}
    first, found = position.racks[position.seat][0], {}
    for action in position.actions():
        if isinstance(action, Play) or (isinstance(action, Place) and action.tile in (first, first[::-1])):
            text = move_text(position.setup, action)
            found[text] = explained(position, text)
            if isinstance(action, Place):
                (a, b), tile = text.split("@")[1].split(","), text.split("@")[0]
                for other in (f"{tile}@{b},{a}", f"{tile[::-1]}@{b},{a}"):
                    found[other] = explained(position, other)
    return found


Moment = Callable[[Position], bool]
_LATER = {"cards": 10, "3d": 24, "3d-solo": 30}
"""How many turns make a middle of the game; 16 elsewhere."""


def _samples() -> list[dict[str, Any]]:
    found = []
    for info in _variants().variants:
        for seats in info.seats:
            turns = _LATER.get(info.variant, 16) // seats * seats
            moments = _moments(turns, rare=seats == info.seats[0] and not info.solo)
            found += [data for name, moment in moments if (data := _first(info.variant, seats, name, moment))]
    return found


def _moments(turns: int, *, rare: bool) -> list[tuple[str, Moment]]:
    always: list[tuple[str, Moment]] = [
        ("start", lambda p: True),
        ("middle", lambda p: p.turn >= turns and p.seat == 0 and p.phase is Phase.PLACE),
        ("over", lambda p: p.is_over),
    ]
    if not rare:
        return always
    return [
        *always,
        ("end of turn", lambda p: p.turn >= 4 and p.seat == 0 and p.phase is Phase.END_TURN),
        ("waiting", lambda p: p.turn >= turns and p.seat == 1 and p.phase is Phase.PLACE),
        ("swap", lambda p: p.seat == 0 and p.phase is Phase.END_TURN and len(p.actions()) == 2),
        ("bonus", lambda p: p.seat == 0 and p.phase is Phase.PLACE and p.bonus > 0),
    ]


def _first(variant: str, seats: int, name: str, moment: Moment) -> dict[str, Any] | None:
    """The moment in the first game that has it, as seat 0 sees it."""
    for seed in "7123456":
        sample = _Sample(variant, seats, seed * 8)
        if sample.play_until(moment):
            return sample.data(f"{variant}/{seats} {name}", 0)
    return None


def main() -> None:
    here = Path(__file__).parents[1]
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "src" / "demo" / "samples.json"
    data = {
        "variants": msgspec.to_builtins(_variants()),
        "messages": {language: dict(catalogue(language)) for language in LANGUAGES},
        "samples": _samples(),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(data, separators=(",", ":")))
    print(f"{len(data['samples'])} samples, {target.stat().st_size // 1024} KiB: {target}")


if __name__ == "__main__":
    main()
