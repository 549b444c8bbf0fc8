"""The commands of the arena: match, gauntlet, round-robin, ladder, table, solo, and show.

Only what the command line needs is imported here; the rest, when a command runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from genial.arena.options import AsJson, Limits, Place, Variant, bar, command_of

if TYPE_CHECKING:
    from genial.arena.results import Result
    from genial.arena.sequential import Question
    from genial.arena.settings import Settings

BotName = Annotated[str, Parameter(help="A bot's name, or cmd:PROGRAM ARGUMENTS.")]
BotNames = Annotated[str, Parameter(help="Names of bots, or cmd:PROGRAM ARGUMENTS.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """What all contests share."""

    seats: Annotated[int | None, Parameter(help="How many seats; the fewest, if left out.")] = None
    games: Annotated[int, Parameter(help="At most so many games a pair, in whole duplicate sets.")] = 100
    at_least: Annotated[
        float | None,
        Parameter(
            help="Demand this score of the first of each pair, 0 to 1; in solo, this mean of the first bot."
        ),
    ] = None
    fixed: Annotated[
        bool, Parameter(help="Play all games, also when the demand is answered.", negative="")
    ] = False
    margin: Annotated[float, Parameter(help="The test's margin on both sides of the demand.")] = 0.05
    alpha: Annotated[float, Parameter(help="The test's risk of a wrong yes.")] = 0.05
    beta: Annotated[float, Parameter(help="The test's risk of a wrong no.")] = 0.05
    seed: Annotated[str, Parameter(help="Set k is dealt by the seed SEED-k.")] = "0"
    limits: Limits = field(default_factory=Limits)
    place: Place = field(default_factory=Place)
    out: Annotated[Path | None, Parameter(help="The result; the log of games is kept beside it.")] = None
    svg: Annotated[Path | None, Parameter(help="Draw a chart into this file.")] = None
    records: Annotated[Path | None, Parameter(help="Write a record of every game into this folder.")] = None
    as_json: AsJson = False


_DEFAULT = Options()
_INCIDENTAL = ("seats", "limits", "place", "out", "svg", "records", "as_json")


def register(app: App) -> None:
    """Add these commands to the command line."""
    arena = App(name="arena", help="Let bots play against each other, measure and rate them.")
    for command in (match, gauntlet, ladder, table, solo, show):
        arena.command(command)
    arena.command(round_robin, name="round-robin")
    app.command(arena)


def match(variant: Variant, bot: BotName, opponent: BotName, /, *, options: Options = _DEFAULT) -> int:
    """One bot against another."""
    return _run("match", variant, (bot, opponent), options)


def gauntlet(variant: Variant, bot: BotName, /, *field: BotNames, options: Options = _DEFAULT) -> int:
    """One bot against each of a field."""
    return _run("gauntlet", variant, (bot, *field), options)


def round_robin(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """Everyone against everyone, two at a time."""
    return _run("round-robin", variant, bots, options)


def ladder(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """Each bot against the one below it, the lowest first; the levels of the house, if none is named."""
    from genial.bots.levels import LEVELS

    return _run("ladder", variant, bots or tuple(level.name for level in LEVELS), options)


def table(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """A bot on each seat, all at one table."""
    return _run("table", variant, bots, options)


def solo(variant: Variant, /, *bots: BotNames, options: Options = _DEFAULT) -> int:
    """Each bot alone, with the same deals: how far its lowest marker comes."""
    return _run("solo", variant, bots, options)


def show(
    *files: Annotated[Path, Parameter(help="Results of the arena, *.json.")],
    svg: Annotated[Path | None, Parameter(help="Draw one chart of all into this file.")] = None,
    theme: Annotated[str, Parameter(help="light or dark, for the chart.")] = "light",
    markdown: Annotated[bool, Parameter(help="Print the tables as Markdown.", negative="")] = False,
    as_json: AsJson = False,
) -> int:
    """Show results again: as tables, as Markdown, as a chart. Exit status 1 if a demand was missed."""
    from rich.console import Console

    from genial.arena import results, tables
    from genial.arena.chart import chart

    if not files:
        return _wrong_use("show needs at least one file")
    found = [results.read(path) for path in files]
    if svg:
        svg.write_text(chart(found, theme), encoding="utf-8")
        print(svg)
    elif as_json:
        print("[" + ",".join(results.dumped(result).rstrip() for result in found) + "]")
    elif markdown:
        print("\n".join(map(tables.markdown, found)), end="")
    else:
        for result in found:
            tables.print_tables(result, Console())
    return _status(found)


# What the commands share


def _run(mode: str, variant: str, bots: Sequence[str], options: Options) -> int:
    from genial.arena.cluster import runner_at
    from genial.arena.contest import Contest
    from genial.arena.log import GameLog
    from genial.arena.results import result_of, write
    from genial.core.errors import GenialError

    settings = _settings(mode, variant, bots, options)
    question = None if settings.seats == 1 else _question(options)
    out = options.out or Path(f"{settings.name}.json")
    place = options.place
    with runner_at(place.ray, place.jobs) as runner, GameLog(out.with_suffix(".jsonl"), settings) as log:
        records = str(options.records) if options.records else None
        contest = Contest(settings, options.games, question, log.played, records)

        def kept() -> Result:
            wanted = options.at_least if settings.seats == 1 else None
            result = result_of(contest, options.games, _command(settings, bots, options), wanted)
            write(result, out)
            return result

        try:
            with bar("Games", contest.most_games) as show_bar:

                def step() -> None:
                    show_bar(contest.known_games, contest.so_far())

                step()
                contest.play(runner, log.add, step)
        except GenialError:
            kept()
            raise
        except KeyboardInterrupt:
            kept()
            print(
                f"genial: stopped after {contest.known_games} of {contest.most_games} games; "
                "the same command goes on from there",
                file=sys.stderr,
            )
            raise
        result = kept()
    return _tell(result, out, options)


def _settings(mode: str, variant: str, bots: Sequence[str], options: Options) -> Settings:
    from genial.arena.fixtures import lineups
    from genial.arena.settings import Settings
    from genial.bots.external import player_named
    from genial.core.deal import as_seed
    from genial.core.errors import SetupError
    from genial.core.new import new

    setup = new(variant, seats=options.seats, seed=0).setup
    for name in bots:
        player_named(name)
    options.place.check(options.games)
    if (mode == "solo") != (setup.seats == 1):
        raise SetupError("arena-players", got=1 if mode == "solo" else 2, variant=variant, seats=setup.seats)
    if mode == "table" and len(bots) > 2 and options.at_least is not None:
        raise SetupError("arena-question", problem="--at-least, of more than two bots at one table")
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
    """The nodes of a cluster have neither the programs nor the folders of this machine."""
    from genial.bots.external import PREFIX
    from genial.core.errors import SetupError

    for what in [name for name in bots if name.startswith(PREFIX)] + ["--records"] * bool(options.records):
        raise SetupError("cluster-here", what=what)


def _question(options: Options) -> Question | None:
    from genial.arena.sequential import Question

    if options.at_least is None:
        return None
    return Question(options.at_least, options.margin, options.alpha, options.beta, options.fixed)


def _command(settings: Settings, bots: Sequence[str], options: Options) -> str:
    """The command that plays this contest again; where and how quickly is left out."""
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
        print(dumped(result), end="")
    else:
        print_tables(result, Console())
        print(f"result: {out}; games: {out.with_suffix('.jsonl')}")
    return _status([result])


def _status(results: Sequence[Result]) -> int:
    return int(any(not verdict.met for result in results for verdict in result.verdicts))


def _wrong_use(problem: str) -> int:
    print(f"genial: {problem}", file=sys.stderr)
    return 2
