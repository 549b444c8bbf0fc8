"""Results as tables: on the terminal, and as Markdown for documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from genial.arena.results import Result, Verdict
from genial.core.editions import name_of
from genial.core.printable import printable


class Sheet(NamedTuple):
    """A table: the first columns are text, the rest figures."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    words: int


def title(result: Result) -> str:
    """The title of the game and the number of seats."""
    settings = result.settings
    name = name_of(settings.variant)
    return name if settings.seats == 1 else f"{name}, {settings.seats} seats"


def sheets(result: Result) -> Iterator[Sheet]:
    """The tables of a result."""
    name = title(result)
    if result.pairs:
        yield _pairs(result, f"{name}: scores")
    if result.solo:
        yield _solo(result, f"{name}: lowest marker")
    yield _bots(result, f"{name}: bots")


def _pairs(result: Result, name: str) -> Sheet:
    asked = any(pair.verdict for pair in result.pairs)
    headings = ("bot", "against", "score", "95% interval", "games", *(["at least"] if asked else []))
    rows = [
        (
            pair.a,
            pair.b,
            percent(pair.score.mean),
            f"{percent(pair.score.low)} to {percent(pair.score.high)}",
            str(pair.games),
            *([_verdict(pair.verdict, lambda share: f"{100 * share:g}%")] if asked else []),
        )
        for pair in result.pairs
    ]
    return Sheet(name, headings, rows, 2)


def _solo(result: Result, name: str) -> Sheet:
    asked = any(solo.verdict for solo in result.solo)
    headings = ("bot", "mean", "95% interval", "best", "games", *(["at least"] if asked else []))
    rows = [
        (
            solo.bot,
            f"{solo.lowest.mean:.2f}",
            f"{solo.lowest.low:.2f} to {solo.lowest.high:.2f}",
            str(solo.best),
            str(solo.games),
            *([_verdict(solo.verdict, lambda value: f"{value:g}")] if asked else []),
        )
        for solo in result.solo
    ]
    return Sheet(name, headings, rows, 1)


def _bots(result: Result, name: str) -> Sheet:
    rated = any(bot.rating for bot in result.bots)
    counted = any(bot.nodes is not None for bot in result.bots)
    forfeits = any(bot.forfeits for bot in result.bots)
    headings = [
        "bot",
        *(["rating", "wins", "lowest"] if rated else []),
        *("ms per move", "95%", "longest"),
        *(["nodes"] if counted else []),
        *(["forfeits"] if forfeits else []),
    ]
    rows = []
    for bot in sorted(result.bots, key=lambda bot: -(bot.rating.mu if bot.rating else bot.noted)):
        row = [bot.bot]
        if rated:
            rating = f"{bot.rating.mu:.1f} ± {bot.rating.sigma:.1f}" if bot.rating else ""
            row += [rating, percent(bot.firsts), f"{bot.noted:.2f}"]
        row += [f"{bot.ms.mean:.1f}", f"{bot.ms.p95:.1f}", f"{bot.ms.max:.1f}"] if bot.ms else [""] * 3
        row += ["" if bot.nodes is None else f"{bot.nodes:,.0f}"] if counted else []
        row += [str(bot.forfeits)] if forfeits else []
        rows.append(tuple(row))
    return Sheet(name, tuple(headings), rows, 1)


def _verdict(verdict: Verdict | None, shown: Callable[[float], str]) -> str:
    if verdict is None:
        return ""
    said = {"open": "so far ", "counted": ""}.get(verdict.answer, "surely ") + (
        "yes" if verdict.met else "no"
    )
    return f"{shown(verdict.at_least)}: {said}"


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.6512), percent(1.0)
    ('65.1%', '100.0%')
    """
    return f"{share:.1%}"


def print_tables(result: Result, console: Console) -> None:
    """Print all tables and every forfeit."""
    for sheet in sheets(result):
        print_sheet(sheet, console)
    for bot, problem in result.forfeits[:20]:
        console.print(printable(f"forfeit: {bot}: {problem}"), markup=False)
    if len(result.forfeits) > 20:
        console.print(f"and {len(result.forfeits) - 20} more forfeits")


def print_sheet(sheet: Sheet, console: Console) -> None:
    """Print one table."""
    table = Table(title=escape(printable(sheet.title)))
    for number, heading in enumerate(sheet.headings):
        table.add_column(heading, justify="left" if number < sheet.words else "right")
    for row in sheet.rows:
        table.add_row(*(escape(printable(cell)) for cell in row))
    console.print(table)


def markdown_of(sheet: Sheet) -> str:
    """One table as Markdown, under its title."""
    rule = ["---" if n < sheet.words else "---:" for n in range(len(sheet.headings))]
    lines = [sheet.headings, rule, *sheet.rows]
    table = "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)
    return f"{sheet.title}\n\n{table}\n"


def markdown(result: Result) -> str:
    """All tables as Markdown, with the command that made them."""
    return "\n".join([*map(markdown_of, sheets(result)), f"    {printable(result.command)}\n"])


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|")
