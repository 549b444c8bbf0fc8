"""What commands of every package share: the option `--json`, and a progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

AsJson = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.", negative="")]


class Bar:
    """The progress of something, shown to anyone watching."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def step(self) -> None:
        """Count one more step as done."""
        self._progress.advance(self._task)

    def show(self, done: int, text: str) -> None:
        """Show how many steps are done, with a text."""
        self._progress.update(self._task, completed=done, description=text)

    def begin(self, label: str, total: int | None) -> None:
        """Start counting something else."""
        self._progress.reset(self._task, total=total, label=label)

    def print(self, line: str) -> None:
        """Print a line above the bar, where it stays."""
        self._progress.console.print(line, soft_wrap=True, markup=False, highlight=False)


@contextmanager
def bar(label: str, total: int | None = None, *, stderr: bool = True) -> Iterator[Bar]:
    """A progress bar if a terminal is attached; without a total, only a count.

    Otherwise nothing is written except the lines printed above it.
    """
    from rich import progress as parts
    from rich.console import Console

    console = Console(stderr=stderr)
    columns = (
        parts.TextColumn("{task.fields[label]}", markup=False),
        parts.BarColumn(),
        parts.MofNCompleteColumn(),
        parts.TimeElapsedColumn(),
        parts.TimeRemainingColumn(),
        parts.TextColumn("{task.description}", markup=False),
    )
    with parts.Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        yield Bar(progress, progress.add_task("", total=total, label=label))
