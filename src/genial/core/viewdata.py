"""A view as plain data: the same bytes for everyone who may know the same."""

from __future__ import annotations

import json
from typing import Any

from genial.core.notation import table_text
from genial.core.record import event_data
from genial.core.view import View


def view_data(view: View) -> dict[str, Any]:
    """A view as a JSON object; the table is written as in positions (docs/notation.md).

    >>> import genial
    >>> view_data(genial.new("travel", seed=7).view(set()))["racks"][0]
    ['??', '??', '??', '??', '??', '??']
    """
    return {
        "variant": view.setup.title.variant,
        "seats": view.setup.seats,
        "viewer": sorted(view.viewer),
        "phase": view.phase.value,
        "seat": view.seat,
        "turn": view.turn,
        "bonus": view.bonus,
        "last_turns": view.last_turns,
        "supply": view.supply,
        "discarded": view.discarded,
        "table": table_text(view.table),
        "racks": [list(rack) for rack in view.racks],
        "tracks": [list(markers) for markers in view.tracks],
        "result": event_data(view.result) if view.result else None,
        "events": [event_data(event) for event in view.events],
    }


def view_bytes(view: View) -> bytes:
    """The view in its canonical form."""
    return json.dumps(view_data(view), separators=(",", ":"), sort_keys=True).encode("ascii")
