"""Results as a picture: scores as bars with their intervals, solo results as distributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from genial.arena.results import PairResult, Result, SoloResult
from genial.arena.tables import percent, title
from genial.drawing.canvas import Block, label, line, picture, shortened, stacked
from genial.drawing.geometry import number
from genial.drawing.palette import Theme, ink

_WORDS, _FIGURES, _PLOT = 230.0, 150.0, 380.0
"""The widths of the words on the left, the figures on the right, and the plot between."""
_ROW, _BAR = 30.0, 16.0
_HISTOGRAM = 74.0


def chart(results: Sequence[Result], theme: str = "light") -> str:
    """One picture of one or several results, as SVG."""
    colours = ink(theme)
    blocks = [_scores(heading, rows, colours.theme) for heading, rows in _charts(results)]
    for _, alike in groupby((r for r in results if r.solo), key=lambda result: result.settings.variant):
        blocks.append(_distributions(list(alike), colours.theme))
    body = stacked(blocks, 26)
    return picture(Block(_WORDS + _PLOT + _FIGURES, body.height, body.svg), colours, *_words(results))


def _words(results: Sequence[Result]) -> tuple[str, str]:
    lines = [
        f"{title(result)}: {pair.a} scores {percent(pair.score.mean)} against {pair.b}, {pair.games} games."
        for result in results
        for pair in result.pairs
    ]
    lines += [
        f"{title(result)}: {solo.bot} has a mean lowest marker of {solo.lowest.mean:.2f}, {solo.games} games."
        for result in results
        for solo in result.solo
    ]
    return "How strong the bots are", " ".join(lines)


_Row = tuple[str, PairResult]


def _charts(results: Sequence[Result]) -> Iterator[tuple[str, list[_Row]]]:
    """What is shown together: the pairs of one contest, or one pair in several games."""
    for key, group in groupby((r for r in results if r.pairs), key=_only_pair):
        alike = list(group)
        if key and len(alike) > 1:
            yield f"{key[0]} against {key[1]}", [(title(result), result.pairs[0]) for result in alike]
        else:
            for result in alike:
                yield title(result), [(f"{pair.a} against {pair.b}", pair) for pair in result.pairs]


def _only_pair(result: Result) -> tuple[str, str] | None:
    return (result.pairs[0].a, result.pairs[0].b) if len(result.pairs) == 1 else None


def _scores(heading: str, rows: Sequence[_Row], theme: Theme) -> Block:
    top, height = 44.0, _ROW * len(rows)
    parts = [label(0, 14, heading, theme.text, 15, bold=True)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = _WORDS + share * _PLOT
        parts.append(line(x, top - 6, x, top + height, theme.lines))
        parts.append(label(x, top - 12, f"{share:.0%}", theme.quiet, 11, anchor="middle"))
    for row, (words, pair) in enumerate(rows):
        parts.append(_score_row(words, pair, top + row * _ROW, theme))
    return Block(_WORDS + _PLOT + _FIGURES, top + height, "".join(parts))


def _score_row(words: str, pair: PairResult, top: float, theme: Theme) -> str:
    middle = top + _ROW / 2
    low, mean, high = (_WORDS + share * _PLOT for share in (pair.score.low, pair.score.mean, pair.score.high))
    parts = [
        label(_WORDS - 12, middle + 4.5, shortened(words, _WORDS - 16), theme.text, anchor="end"),
        _bar(_WORDS, middle - _BAR / 2, mean - _WORDS, _BAR, theme.raised),
        line(low, middle, high, middle, theme.tile, 2),
        line(low, middle - 4, low, middle + 4, theme.tile, 2),
        line(high, middle - 4, high, middle + 4, theme.tile, 2),
        label(_WORDS + _PLOT + 14, middle + 4.5, percent(pair.score.mean), theme.text, bold=True),
        label(_WORDS + _PLOT + 70, middle + 4.5, f"{pair.games} games", theme.quiet),
    ]
    if pair.verdict:
        x = _WORDS + pair.verdict.at_least * _PLOT
        parts.append(line(x, top + 2, x, top + _ROW - 2, theme.text, 1.5, dash="3 2"))
    return "".join(parts)


def _distributions(results: Sequence[Result], theme: Theme) -> Block:
    solos = [solo for result in results for solo in result.solo]
    last = max(18, *(solo.best for solo in solos))
    blocks = [Block(0, 18, label(0, 14, f"{title(results[0])}: lowest marker", theme.text, 15, bold=True))]
    blocks += [Block(0, _HISTOGRAM, _histogram(solo, last, theme)) for solo in solos]
    blocks.append(Block(0, 14, _axis(last, theme)))
    return stacked(blocks, 6)


def _histogram(solo: SoloResult, last: int, theme: Theme) -> str:
    step, most = _PLOT / (last + 1), max(count for _, count in solo.distribution)
    room, floor = _HISTOGRAM - 22, _HISTOGRAM - 4
    verdict = solo.verdict
    parts = [
        label(_WORDS - 12, floor - 8, shortened(solo.bot, _WORDS - 16), theme.text, anchor="end"),
        line(_WORDS, floor, _WORDS + _PLOT, floor, theme.lines),
    ]
    for value, count in solo.distribution:
        tall = room * count / most
        parts.append(_bar(_WORDS + value * step + 1, floor - tall, step - 2, tall, theme.raised))
    mean = _WORDS + (solo.lowest.mean + 0.5) * step
    parts.append(line(mean, 6, mean, floor, theme.tile, 2))
    if verdict:
        x = _WORDS + (verdict.at_least + 0.5) * step
        parts.append(line(x, 12, x, floor, theme.text, 1.5, dash="3 2"))
    aside = _WORDS + _PLOT + 14
    parts.append(label(aside, floor - 24, f"mean {solo.lowest.mean:.1f}", theme.text, bold=True))
    parts.append(label(aside, floor - 8, f"best {solo.best}, {solo.games} games", theme.quiet))
    return "".join(parts)


def _axis(last: int, theme: Theme) -> str:
    step = _PLOT / (last + 1)
    return "".join(
        label(_WORDS + (value + 0.5) * step, 8, str(value), theme.quiet, 11, anchor="middle")
        for value in range(0, last + 1, 3)
    )


def _bar(x: float, y: float, width: float, height: float, fill: str) -> str:
    size = f'width="{number(max(width, 0.5))}" height="{number(height)}"'
    return f'<rect x="{number(x)}" y="{number(y)}" {size} rx="2" fill="{fill}"/>'
