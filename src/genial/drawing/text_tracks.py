"""Tracks in a terminal: a bar with one character per step, or per two on long tracks, and a number."""

from __future__ import annotations

from genial.core.tracks import GatedTrack, Markers, Track
from genial.drawing.ansi import Pen
from genial.drawing.words import word

_LONGEST = 30


def track_lines(
    track: Track, markers: Markers, lowest: tuple[int, ...], own: bool, pen: Pen, language: str = "en"
) -> list[str]:
    """Six bars. The lowest are marked, and labelled too if they are the viewer's own.

    >>> from genial.core.tracks import RaceTrack
    >>> lines = track_lines(RaceTrack(18, bonus_steps=(18,)), (3, 18, 7, 4, 9, 3), (0, 5), True, Pen())
    >>> print("\\n".join(lines[:3]))
    ━━━✹··············◇   3 ◂ lowest
    ━━━━━━━━━━━━━━━━━━◆  18
    ━━━━━━━☼··········◇   7
    """
    found = []
    for colour, step in enumerate(markers):
        bar = _bar(track, colour, step, pen)
        figure = f"{pen.pick(str(step).replace('-', '−'), str(step)):>4}"
        mark = ""
        if colour in lowest:
            figure = pen.bold(figure)
            mark = pen.pick(" ◂", " <") + (f" {word('lowest', language)}" if own and len(lowest) < 6 else "")
        found.append(f"{bar}{figure}{mark}")
    return found


def _bar(track: Track, colour: int, step: int, pen: Pen) -> str:
    low, high = track.lowest_step, track.highest_step
    unit = -(-(high - low) // _LONGEST)
    full, bare = pen.pick("━", "="), pen.pick("·", ".")
    bonus, line = pen.pick("◇", "+"), pen.pick("│", "|")
    parts = []
    for at in range(low, high + 1, unit):
        here = range(at, at + unit)
        if step in here:
            parts.append(pen.on_tile(pen.symbol(colour), colour))
        elif min(step, 0) <= at < max(step, 0) or (step < at <= 0 and low < 0):
            parts.append(pen.on_tile(full))
        elif any(p in track.bonus_steps for p in here):
            parts.append(pen.quiet(bonus))
        elif not isinstance(track, GatedTrack) and any(p in track.line_steps for p in here):
            parts.append(pen.quiet(line))
        else:
            parts.append(pen.quiet(bare))
        # REGIONS end between two steps.
        if isinstance(track, GatedTrack) and at in track.line_steps:
            parts.append(pen.quiet(line))
    return "".join(parts)
