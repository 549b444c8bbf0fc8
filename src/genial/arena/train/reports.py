"""Reports of a run: one for each generation, and all of them as `genial-training/1`."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from genial import __version__
from genial.arena.errors import WrongContest
from genial.arena.statistics import Estimate
from genial.arena.train.plan import Plan

FORMAT = "genial-training/1"


class Report(msgspec.Struct, frozen=True):
    """How a generation went. Its strength is measured with one move of look-ahead, against balanced play."""

    generation: int
    games: int
    """Games of self-play since the run began."""
    seconds: float
    """Seconds since the run began, including learning and contests."""
    share_loss: float
    """Cross entropy of who ends ahead; a coin toss has 0.693. In solo games 0."""
    lead_loss: float
    """Squared error of the lowest marker's lead, in the network's unit; in solo of the marker itself."""
    share: Estimate
    """The share of opponents beaten. In solo games 0."""
    lead: Estimate
    """The lead of the lowest marker over the opponents'; in solo games the lowest marker."""

    def in_words(self, solo: bool) -> str:
        """A line for people to read.

        >>> even, far = Estimate(0.5, 0.48, 0.52), Estimate(1.25, 1, 1.5)
        >>> Report(3, 41200, 61.0, 0.6581, 0.21, even, far).in_words(solo=False)
        'generation 3: 41,200 games, 61 s, loss 0.6581, 50.0% (48.0% to 52.0%) against balanced, lead 1.25'
        """
        begin = f"generation {self.generation}: {self.games:,} games, {self.seconds:.0f} s, loss "
        if solo:
            lowest = f"{self.lead.mean:.2f} ({self.lead.low:.2f} to {self.lead.high:.2f})"
            return f"{begin}{self.lead_loss:.4f}, lowest marker {lowest}"
        share = self.share
        score = f"{share.mean:.1%} ({share.low:.1%} to {share.high:.1%}) against balanced"
        return f"{begin}{self.share_loss:.4f}, {score}, lead {self.lead.mean:.2f}"


class Training(msgspec.Struct, frozen=True):
    """A run as a result: how it was made and its outcome."""

    format: str
    command: str
    version: str
    cores: int
    variant: str
    seats: int
    complete: bool
    """Whether it has done all its generations, or used up its minutes."""
    weights: str
    curves: str
    reports: tuple[Report, ...]


def training_of(plan: Plan, command: str, reports: tuple[Report, ...], complete: bool) -> Training:
    """A run as a result."""
    return Training(
        format=FORMAT,
        command=command,
        version=__version__,
        cores=os.cpu_count() or 1,
        variant=plan.variant,
        seats=plan.seats,
        complete=complete,
        weights=str(plan.weights),
        curves=str(plan.curves),
        reports=reports,
    )


def append(path: Path, report: Report) -> None:
    """Append a report to those of earlier generations."""
    with path.open("ab") as log:
        log.write(msgspec.json.encode(report) + b"\n")


def read(path: Path, generation: int) -> tuple[Report, ...]:
    """The reports up to a generation; raises SetupError if the file contains something else.

    Reports from runs that were restarted or went back no longer count, nor does an incomplete line.
    """
    found: dict[int, Report] = {}
    if not path.exists():
        return ()
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    for line in whole.split(b"\n") if whole else ():
        try:
            report = msgspec.json.decode(line, type=Report)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise WrongContest("train-file", path=str(path), problem=str(error)) from None
        found = {n: earlier for n, earlier in found.items() if n < report.generation}
        found[report.generation] = report
    return tuple(report for n, report in found.items() if n <= generation)
