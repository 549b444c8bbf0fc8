"""`genial tune`: find better parameters for one of our bots, and show the results.

Only what the command line needs is imported here; the rest is imported when a command runs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from genial.arena.options import Limits, Machines, Variant, command_of
from genial.core.printable import ascii_json, printable
from genial.options import AsJson, bar

if TYPE_CHECKING:
    from genial.arena.tuning import Search, Tuning

_SHOWN = 10
"""How many trials a table has."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """How a bot is tuned."""

    seats: Annotated[
        int | None, Parameter(help="How many seats. Default: as few as possible, but more than one.")
    ] = None
    only: Annotated[str | None, Parameter(help="Tune only these parameters, separated by commas.")] = None
    trials: Annotated[int, Parameter(help="How many sets of parameters to try.")] = 30
    games: Annotated[int, Parameter(help="The most games per trial, in whole duplicate sets.")] = 200
    check_games: Annotated[int, Parameter(help="Games to check the best set on fresh deals.")] = 400
    seed: Annotated[str, Parameter(help="Set k of every trial is dealt from the seed SEED-k.")] = "0"
    limits: Limits = field(default_factory=Limits)
    place: Machines = field(default_factory=Machines)
    out: Annotated[
        Path | None, Parameter(help="Where to save the result; what it needs to carry on goes next to it.")
    ] = None
    as_json: AsJson = False


_DEFAULT = Options()
_INCIDENTAL = ("seats", "limits", "place", "out", "as_json")


def register(app: App) -> None:
    """Add these commands to the command line."""
    group = App(name="tune", help="Find better parameters for one of our bots.")
    group.default(tune)
    group.command(show)
    app.command(group)


def tune(
    variant: Variant,
    bot: Annotated[str, Parameter(help="level-3 to level-6, perhaps with another budget: level-4@2000n.")],
    /,
    *,
    options: Options = _DEFAULT,
) -> int:
    """Find better parameters for a bot: each trial plays duplicate games against the bot as it is."""
    from genial.arena.cluster import runner_at
    from genial.arena.results import dumped
    from genial.arena.study import Study

    search = _search(variant, bot, options)
    out = options.out or Path(f"tuning-{variant}-{search.seats}-{bot}.json")
    with runner_at(options.place.ray, options.place.jobs) as runner:
        study = Study(search, out, _command(search, options))
        try:
            with bar("Trials", options.trials) as shown:
                tuning = study.run(runner, options.trials, options.check_games, shown.show)
        except KeyboardInterrupt:
            print("genial: stopped; run the same command to carry on", file=sys.stderr)
            raise
    if options.as_json:
        print(ascii_json(dumped(tuning)), end="")
    else:
        _print(tuning)
        print(printable(f"Result saved in {out}"))
    return 0


def show(
    file: Annotated[Path, Parameter(help="A tuning result, *.json.")], /, *, as_json: AsJson = False
) -> int:
    """Show a tuning result."""
    from genial.arena.results import dumped
    from genial.arena.tuning import read

    tuning = read(file)
    if as_json:
        print(ascii_json(dumped(tuning)), end="")
    else:
        _print(tuning)
    return 0


def _search(variant: str, bot: str, options: Options) -> Search:
    from genial.arena.errors import WrongContest
    from genial.arena.tuning import Range, Search
    from genial.bots import bot_named
    from genial.bots.errors import WrongBot
    from genial.bots.tuned import knobs_of
    from genial.core.deal import as_seed
    from genial.core.title import setup
    from genial.core.titles import title_of

    title = title_of(variant)
    seats = setup(title, options.seats or next((n for n in title.seats if n > 1), title.seats[0])).seats
    bot_named(bot)
    knobs = {knob.name: knob for knob in knobs_of(bot)}
    names = [name.strip() for name in options.only.split(",")] if options.only else list(knobs)
    for name in names:
        if name not in knobs:
            raise WrongBot("knob-unknown", bot=bot, name=name, expected=list(knobs))
    counts = {"--trials": options.trials, "--games": options.games, "--check-games": options.check_games}
    for option, count in counts.items():
        if count < 1:
            raise WrongContest("option-number", option=option, got=count)
    options.place.check(options.games)
    limits = options.limits
    limits.check()
    seed = as_seed(options.seed)
    as_seed(f"{seed}-check-{max(counts.values())}")
    tuned = [knobs[name] for name in dict.fromkeys(names)]
    ranges = tuple(Range(knob.name, knob.own, knob.low, knob.high, knob.step) for knob in tuned)
    return Search(
        bot, variant, seats, seed, ranges, options.games, limits.deadline, limits.nodes, limits.seconds
    )


def _command(search: Search, options: Options) -> str:
    """The command that does this again, without where and how fast."""
    words = ["genial", "tune", search.variant, search.bot, "--seats", str(search.seats)]
    return command_of(words, options, options.limits, without=_INCIDENTAL)


def _print(tuning: Tuning) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    search = tuning.search
    what = f"{search.bot}, {search.variant}, {search.seats} seats: {len(tuning.trials)} tried"
    table = Table(title=escape(printable(what)))
    for found in search.ranges:
        table.add_column(escape(printable(found.name)), justify="right")
    for heading in ("games", "score", "95%", ""):
        table.add_column(heading, justify="right")
    ranked = sorted(tuning.trials, key=lambda trial: (trial.hopeless, -trial.score.mean))
    for trial in ranked[:_SHOWN]:
        values = [f"{trial.parameters[found.name]:g}" for found in search.ranges]
        interval = f"{trial.score.low:.1%} to {trial.score.high:.1%}"
        given_up = "given up" if trial.hopeless else ""
        table.add_row(*values, str(trial.games), f"{trial.score.mean:.1%}", interval, given_up)
    console = Console()
    console.print(table)
    own = ", ".join(f"{found.name} {found.own:g}" for found in search.ranges)
    console.print(printable(f"as it is: {own}"), markup=False, highlight=False)
    console.print(printable(_verdict(tuning)), markup=False, highlight=False, soft_wrap=True)
    console.print(printable(f"command: {tuning.command}"), markup=False, highlight=False, soft_wrap=True)


def _verdict(tuning: Tuning) -> str:
    if not tuning.complete:
        return "not finished: run the same command to carry on"
    if tuning.check is None:
        return "found nothing better than the bot as it is"
    score = tuning.check.score
    found = (
        f"{score.mean:.1%} ({score.low:.1%} to {score.high:.1%}) in {tuning.check.games} games on fresh deals"
    )
    return f"{tuning.name}: {found}; {'better' if tuning.check.is_better else 'not shown to be better'}"
