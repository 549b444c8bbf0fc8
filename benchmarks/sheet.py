"""A table of figures, for people at a terminal or for a document."""

from __future__ import annotations

from benchmarks.loads import Figures, middle
from rich.console import Console
from rich.table import Table

WIDTH = 170


class Sheet:
    """Rows under headings, in sections; the first `words` columns are text."""

    def __init__(self, title: str, headings: list[str], words: int = 1) -> None:
        self._title = title
        self._headings = headings
        self._words = words
        self._parts: list[tuple[str, list[list[str]]]] = []

    def part(self, name: str) -> None:
        """Start a new section of rows."""
        self._parts.append((name, []))

    def row(self, *cells: str) -> None:
        self._parts[-1][1].append(list(cells))

    def show(self, markdown: bool, *notes: str) -> None:
        """Print it, with its notes."""
        if markdown:
            print(self.markdown())
            print(*notes, sep="\n")
            return
        table = Table(title=self._title)
        for number, heading in enumerate(self._headings):
            table.add_column(heading, justify="left" if number < self._words else "right")
        for name, rows in self._parts:
            table.add_section()
            table.add_row(f"[bold]{name}[/bold]")
            for first, *others in rows:
                table.add_row(f"  {first}", *others)
        console = Console()
        console = console if console.width >= WIDTH else Console(width=WIDTH)
        console.print(table, *notes, sep="\n")

    def markdown(self) -> str:
        """The table for a document."""
        lines = [self._headings, [*["---"] * self._words, *["---:"] * (len(self._headings) - self._words)]]
        for name, rows in self._parts:
            lines.append([f"**{name}**", *[""] * (len(self._headings) - 1)])
            lines += rows
        return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def cell(runs: list[Figures] | None, name: str) -> str:
    """The median of a figure over the rounds, with the lowest and the highest."""
    if not runs:
        return ""
    values = [float(getattr(run, name)) for run in runs]
    digits = 0 if max(values) >= 100 else 1 if max(values) >= 10 else 2
    found = f"{middle(runs, name):,.{digits}f}"
    return found if len(runs) == 1 else f"{found} ({min(values):,.{digits}f}-{max(values):,.{digits}f})"
