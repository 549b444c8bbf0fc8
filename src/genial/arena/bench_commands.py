"""`genial arena bench` and `genial arena standings`: enter Genial Bench, and generate its table."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from genial.arena.options import Machines, Variant
from genial.core.printable import printable
from genial.options import AsJson, wrong_use

if TYPE_CHECKING:
    from genial.arena.bench import Entry
    from genial.arena.contest import Contest

_GAMES = 200


def bench(
    variant: Variant,
    player: Annotated[str, Parameter(help="A bot's name, or cmd:PROGRAM ARGUMENTS.")],
    /,
    *,
    seats: Annotated[int | None, Parameter(help="How many seats. Default: as few as possible.")] = None,
    games: Annotated[
        int, Parameter(help="Games against each opponent. An entry that counts has at least 200.")
    ] = _GAMES,
    opponents: Annotated[
        str, Parameter(help="Play only these, with commas between them. An entry that counts plays all.")
    ] = "",
    name: Annotated[str | None, Parameter(help="What to call the player. Default: its name here.")] = None,
    author: Annotated[str, Parameter(help="Who made it.")] = "",
    about: Annotated[
        str, Parameter(help="How it was made: method, games, hardware, hours; what it spends on a move.")
    ] = "",
    place: Machines | None = None,
    out: Annotated[
        Path | None, Parameter(help="Where to save the entry; the log of games goes next to it.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure a player against opponents that never change, and save an entry for Genial Bench."""
    from genial.arena.bench import FORMAT, Entry, bench_settings, check_kernel
    from genial.arena.results import result_of, write
    from genial.arena.running import play_contest
    from genial.bots.external import player_named

    place = place or Machines()
    place.check(games)
    player_named(player)
    settings = bench_settings(variant, seats, player, [word for word in opponents.split(",") if word])
    check_kernel(settings)
    file = out or Path(f"bench-{settings.name.removeprefix('arena-')}.json")
    words = ["genial", "arena", "bench", variant, player, "--seats", str(settings.seats)]
    words += ["--games", str(games)] if games != _GAMES else []
    words += ["--opponents", opponents] if opponents else []

    def kept(contest: Contest) -> Entry:
        result = result_of(contest, games, shlex.join(words))
        entry = Entry(FORMAT, name or player, author, about, result)
        write(entry, file)
        return entry

    entry = play_contest(settings, games, file.with_suffix(".jsonl"), kept, place=place)
    _tell([entry], as_json)
    if not as_json:
        print(printable(f"Entry saved in {file}, games in {file.with_suffix('.jsonl')}"))
    return 0


def standings(
    *files: Annotated[Path, Parameter(help="Entries, as genial arena bench saves them.")],
    markdown: Annotated[bool, Parameter(help="Print the tables as Markdown.", negative="")] = False,
    as_json: AsJson = False,
) -> int:
    """Check entries of Genial Bench and make the table from them. Exit status 1 if one is incomplete."""
    from genial.arena.bench import read, shortcomings

    if not files:
        return wrong_use("Name at least one entry to check.")
    entries = [read(path) for path in files]
    _tell(entries, as_json, markdown)
    return int(any(shortcomings(entry) for entry in entries))


def _tell(entries: list[Entry], as_json: bool, markdown: bool = False) -> None:
    from rich.console import Console

    from genial.arena.standings import remarks, standings, standings_data
    from genial.arena.tables import markdown_of, print_sheet

    if as_json:
        print(json.dumps(standings_data(entries)))
        return
    for sheet in standings(entries):
        if markdown:
            print(markdown_of(sheet))
        else:
            print_sheet(sheet, Console())
    for line in remarks(entries):
        print(printable(line))
