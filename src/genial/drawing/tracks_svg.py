"""Tracks: six dark bars on one scale, each ending in its symbol as the marker."""

from __future__ import annotations

from dataclasses import dataclass

from genial.core.tracks import GatedTrack, Markers, PegTrack, Track
from genial.drawing.canvas import Block, label, symbol_use, tile_style
from genial.drawing.geometry import number
from genial.drawing.palette import Ink
from genial.drawing.words import word

LENGTH = 232.0
_BAR = 16.0
_PITCH = 20.0
_INSET = 10.0
_SYMBOL = 12.0
"""The cell radius for drawing the markers."""
_GAIN = 28.0
"""Room for previewed points after the numbers."""
_DOTTED = 8.0
"""Steps are dotted if they are at least this far apart."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What to show about one track, from one side's point of view."""

    track: Track
    markers: Markers
    lowest: tuple[int, ...] = ()
    """The colours whose bars are notched."""
    own: bool = False
    """Whether the lowest are labelled too, unless that would be all six."""
    gain: tuple[int, ...] = (0,) * 6
    """Previewed points."""


def bars(standing: Standing, ink: Ink, language: str = "en") -> Block:
    """The six bars with their scale."""
    scale = _Scale(standing.track)
    rows = [_row(standing, scale, colour, ink, language) for colour in range(6)]
    height = 6 * _PITCH - (_PITCH - _BAR)
    below = "".join(row.below for row in rows)
    above = "".join(row.above for row in rows)
    right = LENGTH + 24 + (_GAIN if any(standing.gain) else 0)
    if standing.own:
        right += 8 + 5.4 * len(word("lowest", language))
    svg = below + _lines(scale, height, ink) + above + _axis(scale, height, ink)
    return Block(right, height + 13, svg)


class _Scale:
    """Where steps are along a bar."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.low, self.high = track.lowest_step, track.highest_step
        self.unit = (LENGTH - 2 * _INSET) / (self.high - self.low)

    def x(self, step: float) -> float:
        return _INSET + (step - self.low) * self.unit

    def lines(self) -> list[float]:
        # REGIONS end between two steps; a first board ends on a step, and the middle of the pegs is one.
        shift = 0.5 if isinstance(self.track, GatedTrack) else 0.0
        return [self.x(step + shift) for step in self.track.line_steps]

    def numbered(self) -> list[int]:
        nines = range(0, self.high + 1, 9) if self.high >= 18 else ()
        return sorted({self.low, self.high, *self.track.line_steps, *self.track.bonus_steps, *nines})


@dataclass(frozen=True, slots=True)
class _Row:
    below: str
    above: str


def _row(standing: Standing, scale: _Scale, colour: int, ink: Ink, language: str) -> _Row:
    top = colour * _PITCH
    middle, step, gain = top + _BAR / 2, standing.markers[colour], standing.gain[colour]
    ahead, thought = "", ""
    if gain:
        ahead = f'<path d="{_bar(scale, step + gain, top, False)}" fill="{ink.theme.raised}"/>'
        there = symbol_use(ink, colour, scale.x(step + gain), middle, _SYMBOL)
        thought = f'<g opacity=".6">{there}</g>'
    bar = f'<path d="{_bar(scale, step, top, colour in standing.lowest)}" {tile_style(ink)}/>'
    bonus = "".join(_bonus_step(scale.x(at), middle, ink) for at in scale.track.bonus_steps)
    marker = symbol_use(ink, colour, scale.x(step), middle, _SYMBOL)
    if isinstance(scale.track, PegTrack) and abs(step) == scale.high:  # DUEL: won and locked
        marker += _lock(scale.x(step), middle, ink)
    figures = _figures(standing, colour, middle + 4.4, ink, language)
    return _Row(_trough(scale, top, ink) + ahead + bar + bonus, marker + thought + figures)


def _trough(scale: _Scale, top: float, ink: Ink) -> str:
    found = (
        f'<rect x=".5" y="{number(top + 0.5)}" width="{number(LENGTH - 1)}" height="{number(_BAR - 1)}"'
        f' rx="{number(_BAR / 2)}" fill="{ink.theme.cell}" stroke="{ink.theme.lines}"/>'
    )
    if scale.unit >= _DOTTED:
        start, end = number(scale.x(scale.low)), number(scale.x(scale.high) + 1)
        found += (
            f'<path d="M{start} {number(top + _BAR / 2)}H{end}" stroke="{ink.theme.lines}" stroke-width="2"'
            f' stroke-linecap="round" stroke-dasharray="0 {number(scale.unit)}"/>'
        )
    return found


def _bonus_step(x: float, y: float, ink: Ink) -> str:
    diamond = f"M{number(x - 4.5)} {number(y)}l4.5 -4.5 4.5 4.5 -4.5 4.5z"
    return f'<path d="{diamond}" fill="none" stroke="{ink.theme.quiet}" stroke-width="1.2"/>'


def _lock(x: float, y: float, ink: Ink) -> str:
    circle = f'cx="{number(x)}" cy="{number(y)}" r="8.6"'
    return f'<circle {circle} fill="none" stroke="{ink.theme.on_tile}" stroke-width="1.4"/>'


def _bar(scale: _Scale, step: int, top: float, notched: bool) -> str:
    """From the start to a step. A notched bar ends in a cut, like a ribbon."""
    start, end, r = scale.x(max(scale.low, 0)), scale.x(step), _BAR / 2
    side = -1 if end < start else 1
    back, front = start - side * _INSET if scale.low < 0 else 0.0, end + side * _INSET
    if scale.low < 0 and step == 0:
        back = end - _INSET
    turn = int(side > 0)
    path = f"M{number(back + side * r)} {number(top + _BAR)}A{number(r)} {number(r)} 0 0 {turn}"
    path += f" {number(back + side * r)} {number(top)}"
    if notched:
        tip, cut = number(front + side * 4), number(front - side)
        return f"{path}H{tip}L{cut} {number(top + r)}L{tip} {number(top + _BAR)}z"
    path += f"H{number(front - side * r)}A{number(r)} {number(r)} 0 0 {turn}"
    return f"{path} {number(front - side * r)} {number(top + _BAR)}z"


def _figures(standing: Standing, colour: int, y: float, ink: Ink, language: str) -> str:
    step, gain, lowest = standing.markers[colour], standing.gain[colour], colour in standing.lowest
    figure = str(step).replace("-", "−")
    parts = [label(LENGTH + 24, y, figure, ink.theme.text, 12.5, anchor="end", bold=lowest)]
    x = LENGTH + 28
    if gain:
        parts.append(label(x, y, f"+{gain}", ink.theme.text, 12, bold=True))
    if lowest and standing.own and len(standing.lowest) < len(standing.markers):
        x += _GAIN if gain else 2
        parts.append(label(x, y - 0.4, word("lowest", language), ink.theme.quiet, 10.5))
    return "".join(parts)


def _lines(scale: _Scale, height: float, ink: Ink) -> str:
    paths = "".join(f"M{number(x)} -2V{number(height + 2)}" for x in scale.lines())
    return f'<path d="{paths}" stroke="{ink.theme.quiet}" stroke-width="1.4"/>' if paths else ""


def _axis(scale: _Scale, height: float, ink: Ink) -> str:
    return "".join(
        label(scale.x(step), height + 11.5, str(abs(step)), ink.theme.quiet, 9.5, anchor="middle")
        for step in scale.numbered()
    )
