"""`genial train`: learn the value of an edition from games that it plays against itself.

Only what the command line needs is imported here; the rest is imported when the command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from genial.arena.options import Machines, Variant, command_of
from genial.core.printable import ascii_json, printable
from genial.options import AsJson, Bar, bar

if TYPE_CHECKING:
    from genial.arena.train.plan import Plan
    from genial.arena.train.reports import Report


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """How a value is learned."""

    seats: Annotated[int | None, Parameter(help="How many seats. Default: as few as possible.")] = None
    folder: Annotated[Path, Parameter(help="Where to keep the run: weights, figures, curves.")] = Path(
        "training"
    )
    generations: Annotated[int, Parameter(help="How often to play and then to learn from it.")] = 24
    minutes: Annotated[
        float | None,
        Parameter(help="Stop with the first generation that ends after this many minutes of the run."),
    ] = None
    device: Annotated[
        Literal["cpu", "cuda"], Parameter(help="cpu: all cores. cuda: an NVIDIA card, far faster.")
    ] = "cpu"
    chunks: Annotated[
        int | None,
        Parameter(help="Per generation: of 65,536 states each (64), or on a card of 16,384 games each (2)."),
    ] = None
    passes: Annotated[float, Parameter(help="How often each state is learned from.")] = 1.5
    window: Annotated[int, Parameter(help="How many generations to learn from.")] = 4
    batch: Annotated[int, Parameter(help="States per step, a multiple of 512.")] = 8192
    candidates: Annotated[int, Parameter(help="Placements that a player considers.")] = 24
    heat: Annotated[float, Parameter(help="Randomness of self-play, in log odds (solo: in steps).")] = 0.12
    rate: Annotated[float, Parameter(help="The learning rate at the start.")] = 2e-3
    last_rate: Annotated[float, Parameter(help="The learning rate at the end.")] = 1e-4
    trust: Annotated[
        float,
        Parameter(help="On a card: how much targets rely on later values instead of the result, 0 to 1."),
    ] = 0.0
    keep: Annotated[float, Parameter(help="On a card: the part of all states to learn from.")] = 1.0
    beside: Annotated[
        float,
        Parameter(help="On a card: weight of the extra target of final markers, used in training only."),
    ] = 0.0
    contest: Annotated[int, Parameter(help="Games against balanced after each generation.")] = 2000
    seed: Annotated[int, Parameter(help="All chance of the run comes from this number.")] = 1
    place: Machines = field(default_factory=Machines)
    as_json: AsJson = False


_DEFAULT = Options()
_INCIDENTAL = ("seats", "folder", "place", "as_json")
_NO_NUMBERS = (*_INCIDENTAL, "device", "minutes", "chunks")
_NUMBERS = [option.name for option in fields(Options) if option.name not in _NO_NUMBERS]
_PARTS = ("trust", "keep", "beside")
"""Only on a card; from 0, where that makes sense, to 1."""
_CHUNKS = {"cpu": 64, "cuda": 2}
_MOST = 1e9


def register(app: App) -> None:
    """Add this command to the command line."""
    app.command(train)


def train(variant: Variant, /, *, options: Options = _DEFAULT) -> int:
    """Train strong bots: learn the value of positions from games that the bot plays against itself.

    After each generation the folder has the weights, figures and curves, and everything needed to continue.
    The same command continues from there.
    """
    from genial.arena.extras import extra
    from genial.arena.results import dumped
    from genial.arena.train.reports import training_of

    plan = _plan(variant, options)
    needed = {"cpu": ("genial[source]", "numba", "numpy"), "cuda": ("genial[gpu]", "cupy", "numpy")}
    install, *packages = needed[plan.device]
    for package in packages:
        extra(package, install)
    # Only now is it certain that there is a compiler, or a card.
    from genial.arena.train.run import Run

    with bar("Training") as shown:
        run = Run(plan, Screen(shown, is_solo=plan.seats == 1))
        try:
            run.train()
        except KeyboardInterrupt:
            print("genial: stopped; run the same command to carry on with this generation", file=sys.stderr)
            raise
    if options.as_json:
        print(
            ascii_json(dumped(training_of(plan, _command(plan, options), run.reports, run.complete))), end=""
        )
    else:
        print(printable(f"Weights saved in {plan.weights}, curves in {plan.curves}, figures in {plan.log}"))
    return 0


class Screen:
    """A run on the screen: a progress bar, and a line for each generation."""

    def __init__(self, shown: Bar, is_solo: bool) -> None:
        self._shown, self._is_solo = shown, is_solo

    def begin(self, text: str, total: int) -> Callable[[], object]:
        self._shown.begin(text, total)
        return self._shown.step

    def tell(self, report: Report) -> None:
        self._shown.print(report.in_words(self._is_solo))


def _plan(variant: str, options: Options) -> Plan:
    """The plan; raises SetupError if it makes no sense."""
    from genial.arena.errors import WrongContest
    from genial.arena.train.plan import SLICE, Plan
    from genial.core.title import setup
    from genial.core.titles import title_of

    title = title_of(variant)
    seats = setup(title, options.seats or title.seats[0]).seats
    numbers = {name: getattr(options, name) for name in _NUMBERS}
    numbers["chunks"] = _CHUNKS[options.device] if options.chunks is None else options.chunks
    limits = numbers if options.minutes is None else numbers | {"minutes": options.minutes}
    for name, number in limits.items():
        may_be_none = name in ("seed", "trust", "beside")
        most = 1.0 if name in _PARTS else _MOST
        if not (0 < number <= most or (may_be_none and number == 0)):
            key = "train-part" if most == 1.0 and (may_be_none or number > 0) else "option-number"
            raise WrongContest(key, option=f"--{name.replace('_', '-')}", got=number)
    if options.batch % SLICE:
        raise WrongContest("train-batch", got=options.batch, slice=SLICE)
    place = options.place
    place.check(options.contest)
    return Plan(
        variant=variant,
        seats=seats,
        folder=options.folder,
        jobs=place.jobs or os.cpu_count() or 1,
        ray=place.ray,
        device=options.device,
        minutes=inf if options.minutes is None else options.minutes,
        **numbers,
    )


def _command(plan: Plan, options: Options) -> str:
    """The command that does this again, without where and how fast."""
    words = ["genial", "train", plan.variant, "--seats", str(plan.seats)]
    return command_of(words, options, without=_INCIDENTAL)
