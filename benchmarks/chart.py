"""SVG charts: games per second as bars with their spread over the rounds, and costs as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from side_by_side import Measured

WIDTH, LEFT, ROW, TOP = 760, 250, 30, 46
OWN, OTHER, INK, PALE = "#0b6e6e", "#9aa3ad", "#1c2430", "#dde2e7"


def _headed(title: str, height: int) -> list[str]:
    """The start of a picture."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" font-family="sans-serif" font-size="13" fill="{INK}">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="26" font-size="15" font-weight="bold">{title}</text>',
    ]


def chart(title: str, found: list[Measured]) -> str:
    """Bars from fastest to slowest; ours are coloured and also starred, so as not to rely on colour alone."""
    found = sorted(found, key=lambda measured: -measured.rate)
    low = floor(log10(min(min(measured.rates) for measured in found)))
    high = floor(log10(max(max(measured.rates) for measured in found))) + 1
    height = TOP + ROW * len(found) + 34

    def x(rate: float) -> float:
        return LEFT + (log10(rate) - low) / (high - low) * (WIDTH - LEFT - 90)

    parts = _headed(title, height)
    for power in range(low, high + 1):
        at, foot = x(10**power), height - 28
        parts.append(f'<line x1="{at:.1f}" y1="{TOP - 6}" x2="{at:.1f}" y2="{foot}" stroke="{PALE}"/>')
        parts.append(f'<text x="{at:.1f}" y="{height - 12}" text-anchor="middle">{10**power:,}</text>')
    for n, measured in enumerate(found):
        top, ours = TOP + ROW * n, measured.name.startswith("genial")
        name = f"★ {measured.name}" if ours else measured.name
        middle = top + 11
        parts += [
            f'<text x="{LEFT - 10}" y="{top + 15}" text-anchor="end">{name}</text>',
            f'<rect x="{LEFT}" y="{top}" width="{x(measured.rate) - LEFT:.1f}" height="{ROW - 9}" '
            f'fill="{OWN if ours else OTHER}"/>',
            f'<line x1="{x(min(measured.rates)):.1f}" y1="{middle}" x2="{x(max(measured.rates)):.1f}" '
            f'y2="{middle}" stroke="{INK}" stroke-width="2"/>',
            f'<text x="{x(max(measured.rates)) + 8:.1f}" y="{top + 15}">{measured.rate:,.0f}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


@dataclass(frozen=True, slots=True)
class Line:
    """A name, and a value at each point of the axis."""

    name: str
    values: Sequence[float]


def curve(title: str, places: Sequence[int], lines: Sequence[Line], unit: str) -> str:
    """Lines over whole numbers from zero up, each named at its end, so as not to rely on colour alone."""
    left, right, height = 60, WIDTH - 190, 300
    top, foot = TOP + 10, height - 34
    highest = max(value for line in lines for value in line.values)
    step = 10 ** floor(log10(highest))
    step = step if highest / step > 2 else step / 5
    most = ceil(highest / step) * step

    def at(place: float, value: float) -> tuple[float, float]:
        return left + place / max(places) * (right - left), foot - value / most * (foot - top)

    parts = _headed(title, height)
    for n in range(round(most / step) + 1):
        _, y = at(0, n * step)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{PALE}"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{n * step:g} {unit}</text>')
    for place in places:
        x, _ = at(place, 0)
        parts.append(f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle">{place}</text>')
    for n, line in enumerate(lines):
        ink = (OWN, INK, OTHER)[n % 3]
        points = [at(place, value) for place, value in zip(places, line.values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{ink}"/>' for x, y in points]
        x, y = points[-1]
        parts.append(f'<text x="{x + 12:.1f}" y="{y + 4:.1f}">{line.name}</text>')
    return "\n".join([*parts, "</svg>", ""])
