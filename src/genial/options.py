"""What commands of every package share: the option `--json`, a progress bar, and what wrong use is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import CoercionError, CycloptsError, MissingArgumentError, Parameter, UnusedCliTokensError

from genial.core.messages import listed
from genial.core.printable import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

AsJson = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.", negative="")]


_NUMBERS = {int: "a whole number", float: "a number"}


def wrong_use(problem: str) -> int:
    """Report that a command can't be run like this. Returns its exit status."""
    print(printable(f"genial: {problem}"), file=sys.stderr)
    return 2


def misread(error: CycloptsError) -> str | None:
    """What is wrong with the arguments of a command; None if the error says it well itself."""
    chain = ["genial", *(error.command_chain or ()), "--help"]
    see = f" See {' '.join(chain)}."
    match error:
        case UnusedCliTokensError(unused_tokens=[*tokens]) if tokens:
            many = "There's one argument" if len(tokens) == 1 else f"There are {len(tokens)} arguments"
            return f"{many} too many: {listed([f'“{token}”' for token in tokens])}.{see}"
        case MissingArgumentError(argument=argument) if argument is not None:
            named = error.keyword or next((token.keyword for token in argument.tokens if token.keyword), None)
            name = argument.name if argument.index is None else argument.name.lstrip("-").upper()
            return (f"{named} needs a value." if named else f"{name} is missing.") + see
        case CoercionError(token=token, target_type=kind) if token is not None and kind in _NUMBERS:
            return f"{token.keyword or 'This'} has to be {_NUMBERS[kind]}, not “{token.value}”." + see
    return None


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
