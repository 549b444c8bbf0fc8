"""The commands of the arena: match, gauntlet, round-robin, ladder, table, solo and show, and a few more.

Only what the command line needs is imported here; the rest is imported when a command runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from genial.arena.bench_commands import bench, standings
from genial.arena.data_commands import dataset
from genial.arena.options import Limits, Machines, Variant, command_of
from genial.core.printable import ascii_json, printable
from genial.options import AsJson, wrong_use

if TYPE_CHECKING:
    from genial.arena.contest import Contest
    from genial.arena.results import Result
    from genial.arena.sequential import Question
    from genial.arena.settings import Settings

BotName = Annotated[str, Parameter(help="A bot's name, or cmd:PROGRAM ARGUMENTS.")]
BotNames = Annotated[str, Parameter(help="Names of bots, or cmd:PROGRAM ARGUMENTS.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """What all contests share."""

    seats: Annotated[int | None, Parameter(help="How many seats. Default: as few as possible.")] = None
    games: Annotated[int, Parameter(help="The most games each pair plays, in whole duplicate sets.")] = 100
    at_least: Annotated[
        float | None,
        Parameter(
            help="The score, from 0 to 1, that the first of each pair has to reach; in solo, its mean."
        ),
    ] = None
    fixed: Annotated[bool, Parameter(help="Play every game, even once the answer is clear.", negative="")] = (
        False
    )
    margin: Annotated[float, Parameter(help="The test's margin on either side of that score.")] = 0.05
    alpha: Annotated[float, Parameter(help="The risk of a wrong yes.")] = 0.05
    beta: Annotated[float, Parameter(help="The risk of a wrong no.")] = 0.05
    seed: Annotated[str, Parameter(help="Set k is dealt from the seed SEED-k.")] = "0"
    limits: Limits = field(default_factory=Limits)
    place: Machines = field(default_factory=Machines)
    out: Annotated[
        Path | None, Parameter(help="Where to save the result; the log of games goes next to it.")
    ] = None
    svg: Annotated[Path | None, Parameter(help="Draw a chart and save it in this file.")] = None
    records: Annotated[Path | None, Parameter(help="Save a record of every game in this folder.")] = None
    as_json: AsJson = False


_DEFAULT = Options()
_INCIDENTAL = ("seats", "limits", "place", "out", "svg", "records", "as_json")


def register(app: App) -> None:
    """Add these commands to the command line."""
    arena = App(name="arena", help="Let bots play each other, and measure and rate them.")
    for command in (match, gauntlet, ladder, table, solo, show):
        arena.command(command)
    arena.command(round_robin, name="round-robin")
    for other in (bench, standings, dataset):
        arena.command(other)
    app.command(arena)


def match(variant: Variant, bot: BotName, opponent: BotName, /, *, options: Options = _DEFAULT) -> int:
    """One bot against another."""
    return _run("match", variant, (bot, opponent), options)


def gauntlet(variant: Variant, bot: BotName, /, *field: BotNames, options: Options = _DEFAULT) -> int:
    """One bot against each of several others."""
    return _run("gauntlet", variant, (bot, *field), options)


def round_robin(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """Every bot against every other, two at a time."""
    return _run("round-robin", variant, bots, options)


def ladder(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """Each bot against the one below it, weakest first. Default: our own levels."""
    from genial.bots.levels import LEVELS

    return _run("ladder", variant, bots or tuple(level.name for level in LEVELS), options)


def table(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """All the bots at one table."""
    return _run("table", variant, bots, options)


def solo(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """Each bot on its own, with the same deals: how high its lowest colour gets."""
    return _run("solo", variant, bots, options)


def show(
    *files: Annotated[Path, Parameter(help="Arena results, *.json.")],
    svg: Annotated[
        Path | None, Parameter(help="Draw one chart of them all and save it in this file.")
    ] = None,
    theme: Annotated[Literal["light", "dark"], Parameter(help="The theme of the chart.")] = "light",
    markdown: Annotated[bool, Parameter(help="Print the tables as Markdown.", negative="")] = False,
    as_json: AsJson = False,
) -> int:
    """Show results as tables, Markdown or a chart. Exit status 1 if a bot missed its score."""
    from rich.console import Console

    from genial.arena import results, tables
    from genial.arena.chart import chart

    if not files:
        return wrong_use("Name at least one file to show.")
    found = [results.read(path) for path in files]
    if svg:
        svg.write_text(chart(found, theme), encoding="utf-8")
        print(printable(svg))
    elif as_json:
        print(ascii_json("[" + ",".join(results.dumped(result).rstrip() for result in found) + "]"))
    elif markdown:
        print("\n".join(map(tables.markdown, found)), end="")
    else:
        for result in found:
            tables.print_tables(result, Console())
    return _status(found)


# What the commands share


def _run(mode: str, variant: str, bots: Sequence[str], options: Options) -> int:
    from genial.arena.results import result_of, write
    from genial.arena.running import play_contest

    settings = _settings(mode, variant, bots, options)
    alone = settings.seats == 1
    out = options.out or Path(f"{settings.name}.json")

    def kept(contest: Contest) -> Result:
        command, wanted = _command(settings, bots, options), options.at_least if alone else None
        result = result_of(contest, options.games, command, wanted)
        write(result, out)
        return result

    result = play_contest(
        settings,
        options.games,
        out.with_suffix(".jsonl"),
        kept,
        question=None if alone else _question(options),
        place=options.place,
        records=options.records,
    )
    return _tell(result, out, options)


def _settings(mode: str, variant: str, bots: Sequence[str], options: Options) -> Settings:
    from genial.arena.errors import WrongContest
    from genial.arena.fixtures import lineups
    from genial.arena.settings import Settings
    from genial.bots.external import player_named
    from genial.core.deal import as_seed
    from genial.core.new import new

    setup = new(variant, seats=options.seats, seed=0).setup
    for name in bots:
        player_named(name)
    options.place.check(options.games)
    if (mode == "solo") != (setup.seats == 1):
        raise WrongContest(
            "arena-players", got=1 if mode == "solo" else 2, variant=variant, seats=setup.seats
        )
    if mode == "table" and len(bots) > 2 and options.at_least is not None:
        raise WrongContest("arena-question", problem="--at-least needs exactly two bots at a table")
    limits = options.limits
    limits.check()
    if options.place.ray is not None:
        _check_portable(bots, options)
    seed = as_seed(options.seed)
    as_seed(f"{seed}-{options.games}")
    return Settings(
        mode,
        variant,
        setup.seats,
        seed,
        lineups(mode, setup, bots),
        limits.deadline,
        limits.nodes,
        limits.seconds,
    )


def _check_portable(bots: Sequence[str], options: Options) -> None:
    """Refuse programs and folders that exist only on this machine: the nodes of a cluster have neither."""
    from genial.arena.errors import WrongContest
    from genial.bots.external import PREFIX

    for what in [name for name in bots if name.startswith(PREFIX)] + ["--records"] * bool(options.records):
        raise WrongContest("cluster-here", what=what)


def _question(options: Options) -> Question | None:
    from genial.arena.sequential import Question

    if options.at_least is None:
        return None
    return Question(options.at_least, options.margin, options.alpha, options.beta, options.fixed)


def _command(settings: Settings, bots: Sequence[str], options: Options) -> str:
    """The command that plays this contest again, without where and how fast."""
    words = ["genial", "arena", settings.mode, settings.variant, *bots, "--seats", str(settings.seats)]
    return command_of(words, options, options.limits, without=_INCIDENTAL)


def _tell(result: Result, out: Path, options: Options) -> int:
    from rich.console import Console

    from genial.arena.chart import chart
    from genial.arena.results import dumped
    from genial.arena.tables import print_tables

    if options.svg:
        options.svg.write_text(chart([result]), encoding="utf-8")
    if options.as_json:
        print(ascii_json(dumped(result)), end="")
    else:
        print_tables(result, Console())
        print(printable(f"Result saved in {out}, games in {out.with_suffix('.jsonl')}"))
    return _status([result])


def _status(results: Sequence[Result]) -> int:
    return int(any(not verdict.met for result in results for verdict in result.verdicts))
