"""An SVG chart of games a second, on a logarithmic scale, with the spread over the rounds."""

from __future__ import annotations

from math import floor, log10

from side_by_side import Measured

WIDTH, LEFT, ROW, TOP = 760, 250, 30, 46
OWN, OTHER, INK, PALE = "#0b6e6e", "#9aa3ad", "#1c2430", "#dde2e7"


def chart(title: str, found: list[Measured]) -> str:
    """Bars from the fastest to the slowest; ours in colour and marked with a star, so not by colour alone."""
    found = sorted(found, key=lambda measured: -measured.rate)
    low = floor(log10(min(min(measured.rates) for measured in found)))
    high = floor(log10(max(max(measured.rates) for measured in found))) + 1
    height = TOP + ROW * len(found) + 34

    def x(rate: float) -> float:
        return LEFT + (log10(rate) - low) / (high - low) * (WIDTH - LEFT - 90)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" font-family="sans-serif" font-size="13" fill="{INK}">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="26" font-size="15" font-weight="bold">{title}</text>',
    ]
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
