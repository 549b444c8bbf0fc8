"""What the commands that play games share: options, their checks, the command noted in a result, a bar."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

AsJson = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.", negative="")]
Variant = Annotated[str, Parameter(help="Which game.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a bot may spend on a move."""

    nodes: Annotated[int | None, Parameter(help="Nodes a move; each bot's own, if left out.")] = None
    seconds: Annotated[float | None, Parameter(help="Seconds a move; each bot's own, if left out.")] = None
    deadline: Annotated[float, Parameter(help="Seconds after which a move loses the game.")] = 60.0

    def check(self) -> None:
        from genial.core.errors import SetupError

        limits = (self.nodes, self.seconds, self.deadline)
        if any(limit is not None and not 0 < limit < 1e9 for limit in limits):
            raise SetupError("arena-budget", got=list(limits))


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Place:
    """Where games are played. It changes nothing in them."""

    jobs: Annotated[
        int | None, Parameter(help="How many games at once; as many as there are cores, if left out.")
    ] = None
    ray: Annotated[
        str | None,
        Parameter(help="Play on the Ray cluster at this address, HOST:PORT, or auto: this machine's."),
    ] = None

    def check(self, games: int) -> None:
        from genial.core.errors import SetupError

        if games < 1 or (self.jobs is not None and self.jobs < 1):
            raise SetupError("games-count", games=games, jobs=self.jobs)


def command_of(words: Sequence[str], *groups: DataclassInstance, without: Sequence[str] = ()) -> str:
    """The command with these words, and every option that is not at its default.

    >>> command_of(["genial", "tune", "cards", "level-3"], Limits(nodes=50))
    'genial tune cards level-3 --nodes 50'
    """
    said = list(words)
    for group in groups:
        for option in fields(group):
            value = getattr(group, option.name)
            if option.name not in without and value != option.default:
                flag = f"--{option.name.replace('_', '-')}"
                said += [flag] if value is True else [flag, str(value)]
    return shlex.join(said)


@contextmanager
def bar(heading: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar on standard error, where someone may be watching; call what it gives with how far it is."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn(heading),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)
        yield lambda done, text: progress.update(task, completed=done, description=text)
