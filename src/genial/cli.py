"""The command line. Each command is a few lines; the work is done elsewhere, and imported on demand.

Exit status: 0 done, 1 a failed check, 2 wrong use.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, CycloptsError, CycloptsPanel, Parameter, UnknownCommandError, UnusedCliTokensError
from rich.console import Console
from rich.table import Table

import genial
from genial.arena import commands as arena_commands
from genial.arena import tuning_commands
from genial.arena.train import commands as train_commands
from genial.bots import commands as bot_commands
from genial.core.errors import GenialError, RecordError, SetupError
from genial.core.events import Placed, Played, Swapped
from genial.core.messages import LANGUAGES, file_problem, listed, system_language
from genial.core.notation import parse_position
from genial.core.position import Position
from genial.core.printable import printable
from genial.core.record import LARGEST, Record, read
from genial.core.referee import replay
from genial.core.view import View
from genial.options import AsJson, bar, misread, wrong_use
from genial.server.operate import commands as server_commands


def _panel(error: CycloptsError) -> object:
    """Wrong use, in words. An unusable argument to `genial` itself was meant to be a command."""
    if isinstance(error, UnusedCliTokensError) and not error.command_chain:
        error = UnknownCommandError(unused_tokens=error.unused_tokens, app=app, verbose=False)
    from rich.text import Text

    told = misread(error)
    return CycloptsPanel(error if told is None else Text(printable(told)))


def _known(_: object, language: str | None) -> None:
    if language is not None and language not in LANGUAGES:
        raise ValueError(f"Choose {listed(LANGUAGES, last='or')}.")


app = App(
    name="genial",
    version=genial.__version__,
    error_formatter=_panel,
    help="Play, study and research the Einfach Genial (Ingenious) family of tile games. "
    "Unofficial: not affiliated with the games' publishers or author.",
)

Seats = Annotated[int | None, Parameter(help="How many play. Default: as few as possible.")]
Bots = Annotated[str, Parameter(help="One bot for all seats, or one for each, separated by commas.")]
Plain = Annotated[bool, Parameter(help="Plain text, for screen readers and scripts.", negative="")]
Language = Annotated[
    str | None, Parameter(help="en, de or nl. Default: your system's language.", validator=_known)
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # escape characters the terminal lacks
    try:
        result = app(arguments, exit_on_error=False, result_action="return_value")
    except CycloptsError:
        return 2  # already reported
    except GenialError as error:
        print(f"genial: {error.with_ruling(system_language(os.environ))}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough: `genial ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        problem = file_problem(error, system_language(os.environ))
        print(printable(f"genial: {error.filename or ''}: {problem}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return result if isinstance(result, int) else 0


@app.default
def start(
    *,
    lan: server_commands.Lan = False,
    port: Annotated[
        int | None,
        Parameter(help="The port. Default: 8000, or any free one.", validator=server_commands.is_port),
    ] = None,
    browser: Annotated[bool, Parameter(help="Open a browser window.")] = True,
) -> int:
    """Start Genial and play in your browser. With --lan everybody on your network can join in."""
    from genial.terminal.saves import data_folder

    return server_commands.start(data_folder() / "genial.db", lan=lan, port=port, browser=browser)


@app.command
def play(
    variant: Annotated[str | None, Parameter(help="Which edition. Default: choose from a menu.")] = None,
    *,
    seats: Seats = None,
    people: Annotated[int, Parameter(help="How many of the players are people at this keyboard.")] = 1,
    bots: Bots = "balanced",
    names: Annotated[str | None, Parameter(help="The people's names, separated by commas.")] = None,
    games: Annotated[int, Parameter(help="How many games to play in a row, as a series.")] = 1,
    seed: Annotated[str | None, Parameter(help="The seed to deal from.")] = None,
    resume: Annotated[Path | None, Parameter(help="Carry on with a saved game.")] = None,
    plain: Plain = False,
    language: Language = None,
) -> int:
    """Play in the terminal, against bots or with several people at one keyboard."""
    from genial.terminal import play as play_in_terminal

    return play_in_terminal(
        variant,
        seats=seats,
        people=people,
        bots=bots,
        names=[name.strip() for name in names.split(",")] if names else None,
        games=games,
        seed=seed,
        resume=resume,
        plain=plain,
        language=language,
    )


@app.command
def simulate(
    variant: Annotated[str, Parameter(help="Which edition.")],
    *,
    seats: Seats = None,
    bots: Bots = "balanced",
    games: Annotated[int, Parameter(help="How many games.")] = 100,
    seed: Annotated[str, Parameter(help="Game k is dealt from the seed SEED-k.")] = "0",
    records: Annotated[Path | None, Parameter(help="Save a record of every game in this folder.")] = None,
    jobs: Annotated[int | None, Parameter(help="How many processes. Default: one for each core.")] = None,
    as_json: AsJson = False,
) -> int:
    """Let bots play each other and count who wins."""
    from genial.arena.simulate import plan_of
    from genial.arena.simulate import simulate as run

    plan = plan_of(variant, seats, bots, games, seed, jobs, records)
    with bar("Games", games) as shown:
        summary = run(plan, jobs=jobs or os.cpu_count() or 1, progress=shown.step).data()
    if as_json:
        print(json.dumps(summary))
    else:
        _print_summary(summary)
    return 0


@app.command
def check(
    *files: Annotated[Path, Parameter(help="Game files, *.genial.json.")],
    as_json: AsJson = False,
    language: Language = None,
) -> int:
    """Check game files against the rules. The referee names the first breach in each."""
    if not files:
        return wrong_use("Name at least one file to check.")
    found = []
    with bar("Records", len(files)) as shown:
        for path in files:
            found.append(_checked(path, language or system_language(os.environ)))
            shown.step()
    if as_json:
        print(json.dumps(found))
    else:
        for result in found:
            print(printable(f"{result['file']}: {result['text']}"))
    statuses = {result["status"] for result in found}
    return 2 if "unreadable" in statuses else int("breach" in statuses)


@app.command
def show(
    file: Annotated[Path, Parameter(help="A game file, or a text file with one position.")],
    *,
    ply: Annotated[int | None, Parameter(help="Show the position after this many moves.")] = None,
    seat: Annotated[
        int | None, Parameter(help="Show only what this seat can see; seats are counted from 0.")
    ] = None,
    svg: Annotated[Path | None, Parameter(help="Draw a picture and save it in this file.")] = None,
    theme: Annotated[Literal["light", "dark"], Parameter(help="The theme of the picture.")] = "light",
    as_json: AsJson = False,
    plain: Plain = False,
    language: Language = None,
) -> int:
    """Show a position. The players' racks stay hidden until the game is over."""
    from genial.core.viewdata import view_data
    from genial.drawing.svg import draw
    from genial.drawing.text import text

    language = language or system_language(os.environ)
    view, names = _view_of_file(_read(file), ply, seat)
    if svg:
        svg.write_text(draw(view, theme=theme, names=names, language=language), encoding="utf-8")
        print(printable(svg))
    elif as_json:
        print(json.dumps(view_data(view)))
    else:
        colour = sys.stdout.isatty() and not plain and "NO_COLOR" not in os.environ
        width = shutil.get_terminal_size().columns
        symbols = not plain and (sys.stdout.encoding or "").lower().startswith("utf")
        print(text(view, colour=colour, unicode=symbols, width=width, names=names, language=language))
    return 0


@app.command
def bench(*arguments: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int:
    """Measure speed against other programs. In a checkout, use make bench."""
    script = Path(genial.__file__).parents[2] / "benchmarks" / "run.py"
    if not script.exists():
        return wrong_use("The benchmarks are part of the source code. Run `make bench` in a checkout.")
    return subprocess.run([sys.executable, str(script), *arguments], check=False).returncode


@app.command
def warmup(*, as_json: AsJson = False) -> int:
    """Compile the fast kernel now, where numba does that, so that nobody has to wait for it later."""
    from genial import kernel
    from genial.kernel.engine import NUMBA

    usable = kernel.available()
    if not usable:
        print(json.dumps({"usable": False, "reason": usable.reason}) if as_json else usable.reason)
        return 1
    if usable.engine != NUMBA:
        nothing = "There is nothing to compile: the fast kernel is ready."
        print(json.dumps({"usable": True, "engine": usable.engine, "seconds": 0.0}) if as_json else nothing)
        return 0
    from genial.bots.warm import warm
    from genial.kernel.source.warmup import STEPS, warm_up

    with bar("Compiling", STEPS) as shown:
        seconds = warm_up(shown.step)
        warm()
    told = {"usable": True, "engine": usable.engine, "seconds": seconds}
    print(json.dumps(told) if as_json else f"Ready after {seconds:.1f} s.")
    return 0


server_commands.register(app)
arena_commands.register(app)
tuning_commands.register(app)
train_commands.register(app)
bot_commands.register(app)


@app["arena"].command
def minari(
    variant: Annotated[str, Parameter(help="Which solo edition.")],
    /,
    *,
    name: Annotated[
        str | None, Parameter(help="What Minari calls it. Default: genial/VARIANT/BOT-v0.")
    ] = None,
    bot: Annotated[str, Parameter(help="Who plays.")] = "balanced",
    games: Annotated[int, Parameter(help="How many games.")] = 1000,
    seed: Annotated[int, Parameter(help="Game k begins with the seed SEED + k.")] = 0,
    jobs: Annotated[int | None, Parameter(help="How many processes. Default: one for each core.")] = None,
    as_json: AsJson = False,
) -> int:
    """Let a bot play solo games and save them as a Minari data set, for learning without playing."""
    name = name or f"genial/{variant}/{bot}-v0"
    try:
        from genial.envs.episodes import write_episodes

        with bar("Games", games) as shown:
            steps = write_episodes(name, variant, bot, range(seed, seed + games), jobs, shown.step)
    except ModuleNotFoundError as error:
        print(
            f"genial: This needs {error.name}. Install it with: pip install 'genial[minari]'", file=sys.stderr
        )
        return 2
    except ValueError as error:
        print(printable(f"genial: {error}"), file=sys.stderr)
        return 2
    told = f"{steps:,} steps of {games:,} games saved. Load them with minari.load_dataset({name!r})."
    print(json.dumps({"name": name, "games": games, "steps": steps}) if as_json else printable(told))
    return 0


# Shared by the commands


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
        return result | {"status": "unreadable", "code": "file", "text": file_problem(error, language)}
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
        if not 0 <= seat < position.setup.seats:
            raise SetupError("seat-unknown", seat=seat, seats=position.setup.seats)
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
        shown = [printable(str(name)[:40]) for name in names]
        # Bots with the same name are distinguished by their seats.
        return [f"{name} {seat}" if shown.count(name) > 1 else name for seat, name in enumerate(shown)]
    return None


def _print_summary(summary: dict[str, Any]) -> None:
    table = Table(title=f"{summary['variant']}, {summary['games']} games")
    for heading in ("seat", "bot", "wins", "mean lowest", "mean total"):
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
