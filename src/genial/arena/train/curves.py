"""A run as a picture: strength and losses over the games played so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from genial.arena.statistics import Estimate
from genial.arena.train.reports import Report
from genial.drawing.canvas import Block, label, line, picture, stacked
from genial.drawing.geometry import number
from genial.drawing.palette import Theme, ink

_MARGIN, _PLOT, _TALL = 64.0, 560.0, 150.0
"""Room for the figures on the left; the width and height of a panel."""
_TOP = 30.0
_LINES = 4
"""How many parts a scale has."""


class Point(NamedTuple):
    """A figure after some games (or steps, or minutes), possibly with its interval."""

    games: int
    mean: float
    low: float
    high: float


class Panel(NamedTuple):
    """One curve with its own scale."""

    heading: str
    points: Sequence[Point]
    written: Callable[[float], str]
    """How a figure is written on the scale."""
    even: float | None = None
    """Where a line is drawn for comparison."""


def curves(name: str, reports: Sequence[Report], solo: bool, theme: str = "light") -> str:
    """One picture of a run, as SVG."""
    told = reports[-1].in_words(solo) if reports else "Nothing is learned yet"
    return picture_of(f"Learning {name}", f"{told}.", _panels(reports, solo), theme=theme)


def picture_of(
    words: str, told: str, panels: Sequence[Panel], axis: str = "games of self-play", theme: str = "light"
) -> str:
    """Curves one above the other, as SVG; `words` and `told` describe it for those who cannot see it.

    >>> rising = Panel("Lowest colour", [Point(0, 3, 2, 4), Point(100, 9, 8, 10)], "{:.1f}".format)
    >>> picture_of("Learning classic-solo", "From 3 to 9.", [rising]).startswith("<svg")
    True
    """
    colours = ink(theme)
    most = max((point.games for panel in panels for point in panel.points), default=0) or 1
    blocks = [_drawn(panel, most, colours.theme) for panel in panels]
    blocks.append(_axis(most, axis, colours.theme))
    body = stacked(blocks, 18)
    return picture(Block(_MARGIN + _PLOT + 20, body.height, body.svg), colours, words, told)


def _panels(reports: Sequence[Report], solo: bool) -> list[Panel]:
    games = [report.games for report in reports]

    def panel(
        heading: str, figures: Sequence[float], written: Callable[[float], str] = "{:.3f}".format
    ) -> Panel:
        return Panel(heading, [Point(n, x, x, x) for n, x in zip(games, figures, strict=True)], written)

    lead_loss = panel("Loss of the lead", [report.lead_loss for report in reports])
    if solo:
        leads = [Point(report.games, *_figures(report.lead)) for report in reports]
        return [Panel("Lowest marker, one look ahead", leads, "{:.1f}".format), lead_loss]
    shares = [Point(report.games, *_figures(report.share)) for report in reports]
    share_loss = panel("Loss of the share", [report.share_loss for report in reports])
    strength = Panel("One look ahead against balanced", shares, "{:.0%}".format, even=0.5)
    return [strength, share_loss, lead_loss]


def _figures(found: Estimate) -> tuple[float, float, float]:
    return found.mean, found.low, found.high


def _drawn(panel: Panel, most: int, theme: Theme) -> Block:
    """A panel with its scale, its curve and the interval around it."""
    bottom, top = _bounds(panel)

    def x(games: float) -> float:
        return _MARGIN + _PLOT * games / most

    def y(figure: float) -> float:
        return _TOP + _TALL * (top - figure) / (top - bottom)

    parts = [label(0, 14, panel.heading, theme.text, 15, bold=True)]
    for n in range(_LINES + 1):
        figure = bottom + (top - bottom) * n / _LINES
        parts.append(line(_MARGIN, y(figure), _MARGIN + _PLOT, y(figure), theme.lines))
        parts.append(label(_MARGIN - 10, y(figure) + 4, panel.written(figure), theme.quiet, 11, anchor="end"))
    if panel.even is not None and bottom < panel.even < top:
        parts.append(line(_MARGIN, y(panel.even), _MARGIN + _PLOT, y(panel.even), theme.text, 1, dash="3 2"))
    points = panel.points
    around = [(x(p.games), y(p.high)) for p in points] + [(x(p.games), y(p.low)) for p in reversed(points)]
    parts.append(f'<polygon points="{_path(around)}" fill="{theme.raised}" fill-opacity=".3"/>')
    parts.append(
        f'<polyline points="{_path([(x(p.games), y(p.mean)) for p in points])}" fill="none"'
        f' stroke="{theme.tile}" stroke-width="2" stroke-linejoin="round"/>'
    )
    parts += [
        f'<circle cx="{number(x(p.games))}" cy="{number(y(p.mean))}" r="2.5" fill="{theme.tile}"/>'
        for p in points
    ]
    return Block(_MARGIN + _PLOT, _TOP + _TALL, "".join(parts))


def _bounds(panel: Panel) -> tuple[float, float]:
    """The ends of the scale: a little beyond everything that is drawn."""
    figures = [figure for point in panel.points for figure in (point.low, point.high)] or [0.0]
    low, high = min(figures), max(figures)
    room = max((high - low) * 0.08, abs(high) * 0.01, 0.001)
    return low - room, high + room


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _axis(most: int, words: str, theme: Theme) -> Block:
    parts = [
        label(_MARGIN + _PLOT * n / _LINES, 8, f"{most * n / _LINES:,.0f}", theme.quiet, 11, anchor="middle")
        for n in range(_LINES + 1)
    ]
    parts.append(label(_MARGIN + _PLOT / 2, 26, words, theme.quiet, 11, anchor="middle"))
    return Block(_MARGIN + _PLOT, 30, "".join(parts))
