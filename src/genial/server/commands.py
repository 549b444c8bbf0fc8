"""The commands of a host: serve, migrate, backup, export, import.

Only what the command line needs is imported here; the server itself, when a command runs.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import sys
import time
import tomllib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter, validators

from genial.core.errors import GenialError, SetupError

if TYPE_CHECKING:
    from genial.server.store import Address, Store

Db = Annotated[str, Parameter(help="The server's file, or postgresql://user@host/name.")]
AsJson = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.", negative="")]
Port = Annotated[int, Parameter(help="0 picks a free one.", validator=validators.Number(gte=0, lte=65535))]
Lan = Annotated[bool, Parameter(help="For the local network, with address and QR code.", negative="")]

DB = "genial.db"


def register(app: App) -> None:
    """Add these commands to the command line."""
    for command in (serve, worker, migrate, backup, export):
        app.command(command)
    app.command(import_, name="import")


def start(db: Path, *, lan: bool, port: int | None, browser: bool) -> int:
    """Play on this machine, in the browser."""
    from genial.server.here import play_here
    from genial.server.static import built

    if not built():
        print(
            "The browser client is not built here: `make play` builds it. `genial play` is in the terminal.",
            file=sys.stderr,
        )
        return 2
    return play_here(db, lan=lan, port=port, browser=browser)


def serve(
    *,
    host: Annotated[str | None, Parameter(help="Where to listen; left out, this machine alone.")] = None,
    port: Port = 8000,
    db: Db = DB,
    bot_workers: Annotated[int | None, Parameter(help="Processes that think for bots.")] = None,
    bot: Annotated[
        Sequence[str],
        Parameter(help="NAME=COMMAND: a program (docs/bots.md) as a bot at the tables.", negative=""),
    ] = (),
    operator_token_file: Annotated[Path | None, Parameter(help="Holds the operator's token.")] = None,
    worker_token_file: Annotated[
        Path | None, Parameter(help="Holds the token of bot workers elsewhere.")
    ] = None,
    limits: Annotated[Path | None, Parameter(help="A TOML file of limits (docs/hosting.md).")] = None,
    limit: Annotated[Sequence[str], Parameter(help="One limit, as name=value.", negative="")] = (),
    trusted_proxy: Annotated[
        Sequence[str], Parameter(help="A proxy's address whose X-Forwarded-For is believed.", negative="")
    ] = (),
    log_format: Annotated[Literal["text", "json"], Parameter(help="How the log is written.")] = "text",
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Parameter(help="How much.")] = "info",
    migrate: Annotated[bool, Parameter(help="Bring the file up to date first, or make it.")] = True,
    lan: Lan = False,
) -> int:
    """Run the table server."""
    from genial.bots import programs
    from genial.server import logs
    from genial.server.lan import lan_address, qr_code
    from genial.server.limits import limits_from
    from genial.server.operator import read_token
    from genial.server.serve import Plan
    from genial.server.serve import serve as run

    if bot_workers is not None and bot_workers < 1:
        raise SetupError("limit-value", problem=f"--bot-workers {bot_workers}")
    more: dict[str, Any] = {"bot_workers": bot_workers} if bot_workers else {}
    plan = Plan(
        host=host or (lan_address() if lan else "127.0.0.1"),
        port=port,
        db=_store(db),
        migrate=migrate,
        operator=read_token(operator_token_file) if operator_token_file else None,
        worker=read_token(worker_token_file) if worker_token_file else None,
        limits=limits_from(_toml(limits) if limits else {}, limit),
        trusted_proxies=tuple(_proxy(each) for each in trusted_proxy),
        lan=lan,
        **more,
    )

    def announce(url: str) -> None:
        print(f"Genial is at {url}", flush=True)
        if lan:
            print(qr_code(url, colour=sys.stdout.isatty()), flush=True)

    if bot:
        programs.offer(bot, plan.limits.bot_seconds)
    logs.configure(log_format, log_level)
    asyncio.run(run(plan, announce))
    return 0


def worker(
    *urls: Annotated[str, Parameter(help="Servers to think for, such as https://play.example.org.")],
    token_file: Annotated[
        Path, Parameter(help="Holds the token that the servers' --worker-token-file holds.")
    ],
    processes: Annotated[int | None, Parameter(help="How many think at once; left out, one a core.")] = None,
) -> int:
    """Think for the bots of servers on other machines, until told to stop."""
    from genial.server import logs
    from genial.server.operator import token_in
    from genial.server.remote import work

    if not urls:
        print("genial: worker needs the address of at least one server", file=sys.stderr)
        return 2
    if strange := next((url for url in urls if not url.startswith(("http://", "https://"))), None):
        print(f"genial: {strange} is no server; expected such as https://play.example.org", file=sys.stderr)
        return 2
    token = token_in(token_file)
    logs.configure("text", "info")
    try:
        asyncio.run(work(urls, token, processes or os.cpu_count() or 1))
    except BaseExceptionGroup as group:
        refused, _ = group.split(PermissionError)
        if refused is None:
            raise
        print(f"genial: {refused.exceptions[0]}", file=sys.stderr)
        return 2
    return 0


def migrate(
    source: Annotated[str | None, Parameter(help="Copy this store, a file or postgresql://...")] = None,
    target: Annotated[str | None, Parameter(help="Into this one, which holds nothing else.")] = None,
    /,
    *,
    db: Db = DB,
    as_json: AsJson = False,
) -> int:
    """Bring a server's store up to date, or copy one into another. Stop the server first."""
    from genial.server.store import brought_up_to_date

    if source is not None:
        if target is None:
            print(
                "genial: a copy needs two stores: genial migrate SOURCE TARGET."
                " To bring one up to date: genial migrate --db STORE",
                file=sys.stderr,
            )
            return 2
        return _migrate(source, target, as_json)
    found = _existing(db)
    applied = asyncio.run(brought_up_to_date(found))
    if as_json:
        print(json.dumps({"db": str(found), "applied": applied}))
    else:
        print("\n".join(applied) or f"{found} is up to date.")
    return 0


def _migrate(source: str, target: str, as_json: bool) -> int:
    from genial.server.store import StoreError, opened, transfer

    here, there = _existing(source), _store(target)
    if _is_same(here, there):
        raise StoreError("store-same", path=str(here))

    async def run() -> transfer.Summary:
        old = await opened(here)
        try:
            new = await opened(there, migrate=True)
            try:
                tables = sum([1 async for _ in transfer.tables_of(old)])
                # Each is copied, then read again on both sides.
                with _counting("Tables", 3 * tables) as step:
                    return await transfer.migrate(old, new, (str(here), str(there)), step)
            finally:
                await new.close()
        finally:
            await old.close()

    found = asyncio.run(run())
    if as_json:
        print(json.dumps({"source": str(here), "target": str(there), **asdict(found)}))
    else:
        counts = f"{found.tables} tables, {found.entries} entries, {found.credentials} credentials"
        print(f"{counts}, {found.bans} bans and {found.results} results are the same in both, byte for byte.")
    return 0


def backup(target: Annotated[Path, Parameter(help="The file to write.")], *, db: Db = DB) -> int:
    """Copy a server's file, also while the server runs."""

    async def run() -> None:
        async with _opened(db) as store:
            await store.backup(target)

    asyncio.run(run())
    print(target)
    return 0


def export(
    folder: Annotated[Path, Parameter(help="Where the records go, one file a game.")],
    *,
    db: Db = DB,
    unfinished: Annotated[
        bool,
        Parameter(help="Unfinished games too: they hold every rack.", negative=""),
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Write games as records."""
    from genial.server import transfer_games

    async def run() -> list[Path]:
        async with _opened(db) as store:
            with _counting("Games") as step:
                written = []
                async for path in transfer_games.export(store, folder, unfinished=unfinished):
                    written.append(path)
                    step()
                return written

    paths = asyncio.run(run())
    print(json.dumps([str(path) for path in paths]) if as_json else f"{len(paths)} games in {folder}")
    return 0


def import_(
    *files: Annotated[Path, Parameter(help="Finished records, *.genial.json.")],
    db: Db = DB,
    as_json: AsJson = False,
) -> int:
    """Put finished records into a server's file, to be replayed; the referee looks at each first."""
    from genial.server import transfer_games

    if not files:
        print("genial: import needs at least one file", file=sys.stderr)
        return 2

    async def one(store: Store, path: Path) -> dict[str, Any]:
        try:
            done = await transfer_games.import_file(store, path, time.time_ns() // 1_000_000)
        except GenialError as error:
            return {"file": str(path), "ok": False, "code": error.code, "text": str(error)}
        except OSError as error:
            return {"file": str(path), "ok": False, "code": "file", "text": error.strerror or str(error)}
        text = f"{'' if done.new else 'there already, '}table {done.table}, watch code {done.watch}"
        found = {"table": done.table, "watch": done.watch, "new": done.new}
        return {"file": str(path), "ok": True, **found, "text": text}

    async def run() -> list[dict[str, Any]]:
        async with _opened(db) as store:
            with _counting("Records") as step:
                found = []
                for path in files:
                    found.append(await one(store, path))
                    step()
                return found

    found = asyncio.run(run())
    print(json.dumps(found) if as_json else "\n".join(f"{each['file']}: {each['text']}" for each in found))
    return 0 if all(each["ok"] for each in found) else 1


# What the commands share


def _store(db: str) -> Path | Address:
    from genial.server.store.address import from_command_line

    return from_command_line(db)


def _existing(db: str) -> Path | Address:
    """A store that is there already: a mistyped path is told as such, not as a file of an older version."""
    from genial.server.store import StoreError

    found = _store(db)
    if isinstance(found, Path) and not found.exists():
        raise StoreError("store-missing", path=str(found))
    return found


def _is_same(one: Path | Address, other: Path | Address) -> bool:
    """Whether two names, such as a file's and a link's, are of one store."""
    if isinstance(one, Path) and isinstance(other, Path):
        return other.exists() and one.samefile(other)
    return one == other


def _proxy(text: str) -> str:
    """An address or a network. A name would never be found to be the caller's."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        raise SetupError("proxy-address", got=text) from None
    return text


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError("limit-value", problem=f"{path}: {error}") from None


@asynccontextmanager
async def _opened(db: str) -> AsyncIterator[Store]:
    """A store whose server may be running: it is used as it is, or refused."""
    from genial.server.store import opened

    store = await opened(_existing(db))
    try:
        yield store
    finally:
        await store.close()


@contextmanager
def _counting(label: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """A count on standard error, where someone may be watching; with a bar where the end is known."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    bar = () if total is None else (BarColumn(), TimeRemainingColumn())
    columns = (SpinnerColumn(), TextColumn(label), MofNCompleteColumn(), *bar)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=total)
        yield lambda: progress.advance(task)
