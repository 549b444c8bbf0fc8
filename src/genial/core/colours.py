"""The six colours, in the one order used everywhere (COLOURS)."""

from __future__ import annotations

COLOURS = "ROYGBP"
"""Red, orange, yellow, green, blue, purple. Gains and tracks are lists in this order."""

SHAPES = ("star-12", "hexagon", "sun", "disc", "star-6", "ring")
"""The shape that goes with each colour, so that colour is never the only cue."""

NUMBER = {letter: number for number, letter in enumerate(COLOURS)}
"""The position of each letter in `COLOURS`."""
