"""What the commands that play games share: options, their checks, the command noted in a result."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Variant = Annotated[str, Parameter(help="Which edition.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a bot may spend on a move."""

    nodes: Annotated[int | None, Parameter(help="Nodes per move. Default: each bot's own limit.")] = None
    seconds: Annotated[float | None, Parameter(help="Seconds per move. Default: each bot's own limit.")] = (
        None
    )
    deadline: Annotated[
        float, Parameter(help="A bot that takes longer than this many seconds loses the game.")
    ] = 60.0

    def check(self) -> None:
        from genial.arena.errors import WrongContest

        limits = {"--nodes": self.nodes, "--seconds": self.seconds, "--deadline": self.deadline}
        for option, limit in limits.items():
            if limit is not None and not 0 < limit < 1e9:
                raise WrongContest("option-number", option=option, got=limit)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Machines:
    """Where games are played. It changes nothing in them."""

    jobs: Annotated[
        int | None, Parameter(help="How many games to play at once. Default: one for each core.")
    ] = None
    ray: Annotated[
        str | None,
        Parameter(help="Play on the Ray cluster at this address: HOST:PORT, or auto for this machine's."),
    ] = None

    def check(self, games: int) -> None:
        from genial.arena.errors import WrongContest

        if games < 1 or (self.jobs is not None and self.jobs < 1):
            raise WrongContest("games-count")


def command_of(words: Sequence[str], *groups: DataclassInstance, without: Sequence[str] = ()) -> str:
    """The command with these words, and every option that differs from its default.

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
