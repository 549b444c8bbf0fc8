"""The command line. Each command is a few lines; the work is done elsewhere, and imported when asked for.

Exit status: 0 done, 1 a failed check, 2 wrong use.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, CycloptsError, CycloptsPanel, Parameter, UnknownCommandError, UnusedCliTokensError
from rich.console import Console
from rich.table import Table

import genial
from genial.arena import commands as arena_commands
from genial.arena import tuning_commands
from genial.bots import bot_named
from genial.bots import commands as bot_commands
from genial.core.deal import as_seed
from genial.core.errors import GenialError, RecordError, SetupError
from genial.core.events import Placed, Played, Swapped
from genial.core.messages import LANGUAGES
from genial.core.notation import parse_position
from genial.core.position import Position
from genial.core.record import LARGEST, Record, read
from genial.core.referee import replay
from genial.core.view import View
from genial.server import commands as server_commands


def _panel(error: CycloptsError) -> object:
    """A wrong use in words. What `genial` alone cannot use was meant to be a command."""
    if isinstance(error, UnusedCliTokensError) and not error.command_chain:
        error = UnknownCommandError(unused_tokens=error.unused_tokens, app=app, verbose=False)
    return CycloptsPanel(error)


def _known(_: object, language: str | None) -> None:
    if language is not None and language not in LANGUAGES:
        raise ValueError(f"Expected one of: {', '.join(LANGUAGES)}")


app = App(
    name="genial",
    version=genial.__version__,
    error_formatter=_panel,
    help="Play, study and research the Einfach Genial (Ingenious) family of tile games. "
    "Unofficial: not connected with the publishers or the author of the games.",
)

Seats = Annotated[int | None, Parameter(help="How many play; the fewest, if left out.")]
Bots = Annotated[str, Parameter(help="One bot's name for all seats, or one for each, with commas.")]
Plain = Annotated[bool, Parameter(help="Plain text, for screen readers and scripts.", negative="")]
Language = Annotated[str, Parameter(help="en, de or nl.", validator=_known)]
AsJson = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.", negative="")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        result = app(arguments, exit_on_error=False, result_action="return_value")
    except CycloptsError:
        return 2  # already told
    except GenialError as error:
        print(f"genial: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read what we print has seen enough: `genial ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"genial: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return result if isinstance(result, int) else 0


@app.default
def start(
    *,
    lan: server_commands.Lan = False,
    port: Annotated[int | None, Parameter(help="Where to listen; left out, 8000 or a free one.")] = None,
    browser: Annotated[bool, Parameter(help="Open the browser.")] = True,
) -> int:
    """Start the app on this machine and open the browser, or with --lan for everybody in this network."""
    from genial.terminal.saves import data_folder

    return server_commands.start(data_folder() / "genial.db", lan=lan, port=port, browser=browser)


@app.command
def play(
    variant: Annotated[str | None, Parameter(help="Which game; left out, a menu asks.")] = None,
    *,
    seats: Seats = None,
    people: Annotated[int, Parameter(help="How many of them are people on this keyboard.")] = 1,
    bots: Bots = "balanced",
    names: Annotated[str | None, Parameter(help="The people's names, with commas between them.")] = None,
    seed: Annotated[str | None, Parameter(help="Deal the game of this seed.")] = None,
    resume: Annotated[Path | None, Parameter(help="Go on with a saved game.")] = None,
    plain: Plain = False,
    language: Annotated[
        str | None, Parameter(help="en, de or nl; else the system's.", validator=_known)
    ] = None,
) -> int:
    """Play in the terminal, against bots or with several people on one keyboard."""
    from genial.terminal import play as play_in_terminal

    return play_in_terminal(
        variant,
        seats=seats,
        people=people,
        bots=bots,
        names=[name.strip() for name in names.split(",")] if names else None,
        seed=seed,
        resume=resume,
        plain=plain,
        language=language,
    )


@app.command
def simulate(
    variant: Annotated[str, Parameter(help="Which game.")],
    *,
    seats: Seats = None,
    bots: Bots = "balanced",
    games: Annotated[int, Parameter(help="How many games.")] = 100,
    seed: Annotated[str, Parameter(help="Game k is dealt by the seed SEED-k.")] = "0",
    records: Annotated[Path | None, Parameter(help="Write a record of every game into this folder.")] = None,
    jobs: Annotated[int | None, Parameter(help="How many processes; as many as cores, if left out.")] = None,
    as_json: AsJson = False,
) -> int:
    """Let bots play against each other, and count."""
    from genial.arena.simulate import Plan
    from genial.arena.simulate import simulate as run

    count = genial.new(variant, seats=seats, seed=0).setup.seats
    names = tuple(bots.split(","))
    names = names * count if len(names) == 1 else names
    _check_simulation(names, count, games, jobs)
    plan = Plan(variant, count, names, games, as_seed(seed), records)
    with _progress("Games", games) as step:
        summary = run(plan, jobs=jobs or os.cpu_count() or 1, progress=step).data()
    if as_json:
        print(json.dumps(summary))
    else:
        _print_summary(summary)
    return 0


@app.command
def check(
    *files: Annotated[Path, Parameter(help="Records, *.genial.json.")],
    as_json: AsJson = False,
    language: Language = "en",
) -> int:
    """Let the referee look at records, and name the first breach in each."""
    if not files:
        return _wrong_use("check needs at least one file")
    found = []
    with _progress("Records", len(files)) as step:
        for path in files:
            found.append(_checked(path, language))
            step()
    if as_json:
        print(json.dumps(found))
    else:
        for result in found:
            print(f"{result['file']}: {result['text']}")
    statuses = {result["status"] for result in found}
    return 2 if "unreadable" in statuses else int("breach" in statuses)


@app.command
def show(
    file: Annotated[Path, Parameter(help="A record, or a text file with one position in our notation.")],
    *,
    ply: Annotated[int | None, Parameter(help="After so many places, plays and swaps.")] = None,
    seat: Annotated[int | None, Parameter(help="Only what this seat may see.")] = None,
    svg: Annotated[Path | None, Parameter(help="Draw a picture into this file.")] = None,
    theme: Annotated[str, Parameter(help="light or dark, for pictures.")] = "light",
    as_json: AsJson = False,
    plain: Plain = False,
    language: Language = "en",
) -> int:
    """Show a position of a record; other players' racks only when the game is over."""
    from genial.core.viewdata import view_data
    from genial.drawing.svg import draw
    from genial.drawing.text import text

    view, names = _view_of_file(_read(file), ply, seat)
    if svg:
        svg.write_text(draw(view, theme=theme, names=names, language=language), encoding="utf-8")
        print(svg)
    elif as_json:
        print(json.dumps(view_data(view)))
    else:
        colour = sys.stdout.isatty() and not plain and "NO_COLOR" not in os.environ
        width = shutil.get_terminal_size().columns
        print(text(view, colour=colour, unicode=not plain, width=width, names=names, language=language))
    return 0


@app.command
def bench(*arguments: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int:
    """Measure speed, side by side with peers (from a checkout: make bench)."""
    script = Path(genial.__file__).parents[2] / "benchmarks" / "run.py"
    if not script.exists():
        return _wrong_use("the benchmarks are in the source checkout; run `make bench` there")
    return subprocess.run([sys.executable, str(script), *arguments], check=False).returncode


@app.command
def warmup(*, as_json: AsJson = False) -> int:
    """Compile the fast kernel now, so that nobody waits for it later."""
    from genial import kernel

    usable = kernel.available()
    if not usable:
        print(json.dumps({"usable": False, "reason": usable.reason}) if as_json else usable.reason)
        return 1
    from genial.bots.warm import warm
    from genial.kernel.warmup import STEPS, warm_up

    with _progress("Compiling", STEPS) as step:
        seconds = warm_up(step)
        warm()
    print(json.dumps({"usable": True, "seconds": seconds}) if as_json else f"Ready, after {seconds:.1f} s.")
    return 0


server_commands.register(app)
arena_commands.register(app)
tuning_commands.register(app)
bot_commands.register(app)


# What the commands share


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)  # a record longer than this is refused unread


def _checked(path: Path, language: str) -> dict[str, Any]:
    result: dict[str, Any] = {"file": str(path)}
    try:
        verdict = genial.check(_read(path))
    except RecordError as error:
        return result | {"status": "unreadable", "code": error.code, "text": error.text(language)}
    except OSError as error:
        return result | {"status": "unreadable", "code": "file", "text": error.strerror or str(error)}
    return result | {
        "status": verdict.status,
        "event": verdict.event,
        "ruling": verdict.ruling,
        "code": verdict.code,
        "text": verdict.text(language),
    }


def _view_of_file(content: bytes, ply: int | None, seat: int | None) -> tuple[View, list[str] | None]:
    names = None
    if content.lstrip()[:1] == b"{":
        record = read(content)
        position, is_over = _position_at(record, ply)
        names = _names(record)
    else:
        position = parse_position(content.decode("utf-8", "replace").strip())
        is_over = position.is_over
    if seat is not None:
        return position.view({seat}), names
    return position.view(set(range(position.setup.seats)) if is_over else set()), names


def _position_at(record: Record, ply: int | None) -> tuple[Position, bool]:
    positions = list(replay(record))
    acts = [
        n + 1 for n, event in enumerate(positions[-1].events) if isinstance(event, Placed | Played | Swapped)
    ]
    if ply is None:
        return positions[-1], positions[-1].is_over
    if not 0 <= ply <= len(acts):
        raise SetupError("ply-unknown", ply=ply, last=len(acts))
    shown = positions[acts[ply - 1]] if ply else positions[acts[0] - 1] if acts else positions[-1]
    return shown, positions[-1].is_over


def _names(record: Record) -> list[str] | None:
    names = record.extras.get("names") or record.extras.get("bots")
    if isinstance(names, list) and len(names) == record.setup.seats:
        shown = [str(name)[:40] for name in names]
        # Bots of one name are told apart by their seats.
        return [f"{name} {seat}" if shown.count(name) > 1 else name for seat, name in enumerate(shown)]
    return None


def _check_simulation(names: tuple[str, ...], seats: int, games: int, jobs: int | None) -> None:
    for name in names:
        bot_named(name)
    if len(names) != seats:
        raise SetupError("bots-count", got=len(names), seats=seats)
    if games < 1 or (jobs is not None and jobs < 1):
        raise SetupError("games-count", games=games, jobs=jobs)


def _print_summary(summary: dict[str, Any]) -> None:
    table = Table(title=f"{summary['variant']}, {summary['games']} games")
    for heading in ("seat", "bot", "first", "mean lowest", "mean sum"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for player in summary["players"]:
        share = f"{player['firsts'] / summary['games']:.1%}"
        lowest, total = f"{player['mean_lowest']:.2f}", f"{player['mean_sum']:.2f}"
        table.add_row(str(player["seat"]), player["bot"], share, lowest, total)
    console = Console()
    console.print(table)
    console.print(
        "ended by: " + ", ".join(f"{reason} {count}" for reason, count in summary["reasons"].items())
    )


@contextmanager
def _progress(label: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where someone may be watching."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=total)
        yield lambda: progress.advance(task)


def _wrong_use(problem: str) -> int:
    print(f"genial: {problem}", file=sys.stderr)
    return 2
