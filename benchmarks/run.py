"""`make bench`: one table, measured side by side in one run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parent))

import kept
from checkout import ROOT, commit_of
from core import momaland_player, play_core, position_size
from report import Report
from side_by_side import measure

from genial import kernel

Players = dict[str, Callable[[int], int]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="genial bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each contender and round")
    parser.add_argument("--quick", action="store_true", help="only the two tables of games a second")
    parser.add_argument("--environments", action="store_true", help="only the environments for research")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.json, .svg and .md")
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 if a figure fell by more than a tenth"
    )
    parser.add_argument("--keep", action="store_true", help="keep the figures for later runs to compare with")
    options = parser.parse_args()
    if options.keep and options.quick:
        parser.error("--keep needs every figure: leave out --quick")
    if options.environments and (options.quick or options.keep or options.write):
        parser.error("--environments shows some of the figures: leave out --quick, --keep and --write")
    left_out: list[str] = []
    random, per_call = ({}, {}) if options.environments else _random_players(left_out)
    greedy, more = ({}, {}) if options.environments else _greedy_players()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Measuring", total=options.rounds * (len(random) + len(greedy) + 6) + 29)

        def step() -> None:
            progress.advance(task)

        wanted = {"rounds": options.rounds, "seconds": options.seconds, "progress": step}
        report = Report(
            random=measure(random, per_call=per_call, **wanted),
            greedy=measure(greedy, per_call=more, **wanted),
            operations=[],
            growth=[],
            position_bytes=round(position_size()),
            left_out=left_out,
        )
        if kernel.available() and not options.quick:
            import environments
            from growth import growth
            from operations import operations

            if not options.environments:
                report.operations = operations(min(options.rounds, 5), step)
                report.growth = growth(min(options.rounds, 5), step)
            report.cycles = measure(environments.cycles(left_out), by_steps=True, **wanted)
            report.spiels = measure(environments.spiels(left_out), by_steps=True, **wanted)
            report.vectors = environments.vectors(min(options.rounds, 5), step)
    for problem in left_out:
        print(problem, file=sys.stderr)
    if options.write:
        report.write()
    if options.json:
        print(json.dumps(report.data()))
    else:
        report.show()
    said, well = kept.told(kept.read(), kept.ratios(report.data()))
    print("\n".join(said), file=sys.stderr if options.json else sys.stdout)
    if options.keep:
        kept.keep(commit_of(ROOT), report.data()["date"], kept.ratios(report.data()))
    return 0 if well or not options.check else 1


def _random_players(left_out: list[str]) -> tuple[Players, dict[str, int]]:
    """The contenders at random play, ours first; and how many games a call plays."""
    players: Players = {}
    per_call: dict[str, int] = {}
    usable = kernel.available()
    if usable:
        import compiled

        compiled.check_same_games()
        ours = compiled.kernel_player("classic", 2, 0, compiled.RANDOM_GAMES)
        players["genial kernel"] = ours
        if numba := compiled.numba_engine():
            players["genial kernel, by numba"] = compiled.kernel_player(
                "classic", 2, 0, compiled.RANDOM_GAMES, numba
            )
        for name, flags in {"C, cc -O2": (), "C, cc -O2 -march=native": ("-march=native",)}.items():
            player = compiled.c_player(False, compiled.RANDOM_GAMES, *flags)
            if player:
                players[name] = player
        per_call = dict.fromkeys(players, compiled.RANDOM_GAMES)
        for name, game in {
            "OpenSpiel havannah, 91 cells": "havannah(board_size=6)",
            "OpenSpiel hex 11x11": "hex(board_size=11)",
        }.items():
            try:
                players[name] = compiled.open_spiel_player(game)
                per_call[name] = compiled.ROLLOUTS
            except ImportError:
                left_out.append("OpenSpiel is not installed here: `make bench` installs it.")
    else:
        left_out.append(f"The kernel cannot be used here: {usable.reason}")
    players["genial core"] = play_core
    try:
        players["MOMAland ingenious"] = momaland_player()
    except ImportError:
        left_out.append("MOMAland is not installed here: `make bench` installs it.")
    return players, per_call


def _greedy_players() -> tuple[Players, dict[str, int]]:
    from core import play_core_greedily

    players: Players = {}
    per_call: dict[str, int] = {}
    if kernel.available():
        import compiled

        players["genial kernel"] = compiled.kernel_player("classic", 2, 1, compiled.GREEDY_GAMES)
        if numba := compiled.numba_engine():
            players["genial kernel, by numba"] = compiled.kernel_player(
                "classic", 2, 1, compiled.GREEDY_GAMES, numba
            )
        player = compiled.c_player(True, compiled.GREEDY_GAMES)
        if player:
            players["C, cc -O2, straightforward"] = player
        per_call = dict.fromkeys(players, compiled.GREEDY_GAMES)
    players["genial core"] = play_core_greedily
    return players, per_call


if __name__ == "__main__":
    sys.exit(main())
