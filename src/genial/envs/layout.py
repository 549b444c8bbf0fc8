"""Actions and observations described by a JSON schema, for readers in any language."""

from __future__ import annotations

from typing import Any

from genial.core.hexes import DIRECTIONS
from genial.core.numbering import numbering
from genial.core.observation import Field, fields, observation_size
from genial.core.tiles import TILES
from genial.core.title import Setup, setup
from genial.core.titles import title_of


def env_id(found: Setup) -> str:
    """The name under which an environment is registered.

    >>> env_id(setup(title_of("classic"), 2))
    'genial/classic-2-v0'
    """
    return f"genial/{found.title.variant}-{found.seats}-v0"


def schema(variant: str, seats: int | None = None) -> dict[str, Any]:
    """The numbering of actions and the layout of observations of a variant, as a JSON schema.

    >>> schema("classic", 2)["properties"]["action"]["maximum"]
    10081
    >>> schema("cards", 2)["properties"]["observation"]["fields"][1]["name"]
    'mover'
    """
    title = title_of(variant)
    found = setup(title, title.seats[0] if seats is None else seats)
    numbers, size = numbering(found), observation_size(found)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": env_id(found),
        "type": "object",
        "properties": {
            "observation": {
                "description": "What the seat to move may know; a byte an item.",
                **_array(size, 255),
                "fields": [_field(field) for field in fields(found)],
            },
            "action_mask": {
                "description": "1 for each action that is lawful now.",
                **_array(numbers.count, 1),
            },
            "action": {
                "description": "(2 x kind + turned) x pairs + pair; then refill and swap.",
                "type": "integer",
                "minimum": 0,
                "maximum": numbers.count - 1,
                "pairs": numbers.pairs,
                "refill": numbers.refill,
                "swap": numbers.swap,
            },
        },
        "required": ["observation", "action_mask"],
        "kinds": list(TILES),
        **_board(found),
    }


def _array(length: int, high: int) -> dict[str, Any]:
    items = {"type": "integer", "minimum": 0, "maximum": high}
    return {"type": "array", "items": items, "minItems": length, "maxItems": length}


def _field(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "offset": field.offset,
        "shape": list(field.shape),
        "maximum": field.high,
        "description": field.meaning,
    }


def _board(found: Setup) -> dict[str, Any]:
    """The cells, which of them form pairs, and the names of the directions."""
    board = found.board
    if board is None:
        return {}
    return {
        "cells": [list(cell) for cell in board.cells],
        "pairs": [[pair.first, pair.second] for pair in board.pairs],
        "start": list(board.start),
        "directions": [list(direction) for direction in DIRECTIONS],
    }
