"""`python -m tools.attack`: every attack on this checkout, or on another commit too, in one table."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from benchmarks.checkout import ROOT, checked_out
from benchmarks.conversation import NOW
from rich.console import Console
from tests.server import postgres
from tools.attack import connections, endings, frames, people, records, surroundings, texts, thinking
from tools.attack.result import STORES, Attack, Outcome, Results, Store
from tools.attack.scene import Scene
from tools.attack.siege import MEANING

SECONDS, QUICK_SECONDS = 12.0, 4.0
WARMUP_SECONDS = 600.0
BEGIN, END = "<!-- attacks -->", "<!-- end of attacks -->"
FAMILIES = (records, thinking, endings, frames, connections, people, texts, surroundings)
ATTACKS: list[Attack] = [attack for family in FAMILIES for attack in family.ATTACKS]


async def attacked(scene: Scene, attack: Attack) -> Outcome:
    """The outcome of an attack. One that cannot be carried out says why, and counts as breaking its bound."""
    try:
        return await attack.run(scene)
    except Exception as error:
        return Outcome(f"could not be tried: {type(error).__name__}: {error!s:.200}", False)


def run(scenes: Iterable[tuple[str, Scene]], wanted: list[Attack], results: Results) -> bool:
    """Carry out all attacks. Returns whether this checkout kept every bound."""
    console, kept = Console(stderr=True), True
    for commit, scene in scenes:
        for attack in wanted:
            if scene.store in attack.stores:
                outcome = asyncio.run(attacked(scene, attack))
                results.add(scene.store, commit, attack.name, outcome)
                kept = kept and (outcome.met or commit != NOW)
                mark = "kept" if outcome.met else "BROKEN"
                console.print(f"{scene.store} {commit} {attack.name} {mark}: {outcome.shown}", markup=False)
    return kept


def main() -> int:
    options = _options()
    wanted = [attack for attack in ATTACKS if not options.only or attack.name in options.only]
    stores: tuple[Store, ...] = (options.store,) if options.store else STORES
    seconds = options.seconds or (QUICK_SECONDS if options.quick else SECONDS)
    results = Results(options.results)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no server is left behind
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(postgres.started()) if "postgres" in stores else None
        sources = {} if options.alone else {NOW: ROOT}
        if options.against:
            other = stack.enter_context(checked_out(options.against, folder))
            sources = {options.against: other, **sources}
        databases = {"postgres": lambda: server.database().url} if server else {}
        scenes = [
            (commit, Scene(folder, source, store, seconds, databases.get(store)))
            for store in stores
            for commit, source in sources.items()
        ]
        if any(attack.with_bots for attack in wanted):
            # Until that is done, strong bots play like weak ones, and a process compiles next to the server.
            for _, scene in scenes[: len(sources)]:
                scene.command("warmup", patience=WARMUP_SECONDS)
        kept = run(scenes, wanted, results)
    sheet = results.sheet(ATTACKS, NOW)
    sheet.show(options.markdown, MEANING)
    if options.write:
        put_into(options.write, f"{sheet.markdown()}\n{MEANING}")
    return 0 if kept else 1


def put_into(document: Path, table: str) -> None:
    """Replace the table between its marks in a document."""
    text = document.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"{document} has no place for the table: {BEGIN} and {END}")
    document.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")


def _options() -> Namespace:
    wanted = ArgumentParser(prog="python -m tools.attack", description=__doc__)
    names = [attack.name for attack in ATTACKS]
    wanted.add_argument("--against", metavar="COMMIT", help="a commit to attack beside this checkout")
    wanted.add_argument("--alone", action="store_true", help="attack that commit alone")
    wanted.add_argument("--only", metavar="NAME", action="append", choices=names, help=", ".join(names))
    wanted.add_argument("--store", choices=STORES, help="on which store; both, if left out")
    wanted.add_argument("--seconds", type=float, help=f"how long an attack lasts; {SECONDS:.0f}, if left out")
    wanted.add_argument("--quick", action="store_true", help=f"{QUICK_SECONDS:.0f} seconds of each")
    wanted.add_argument("--results", type=Path, help="a JSON file that keeps what came of earlier runs too")
    wanted.add_argument("--markdown", action="store_true", help="print the table for a document")
    wanted.add_argument("--write", type=Path, help="a document to put the table into: docs/security.md")
    options = wanted.parse_args()
    if options.alone and not options.against:
        wanted.error("--alone needs --against")
    return options


if __name__ == "__main__":
    sys.exit(main())
