"""The host's commands: serve, site, worker, migrate, backup, export, import.

This module imports only what the command line needs; a command imports the server when it runs.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import sys
import time
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import App, Parameter

from genial.core.errors import GenialError
from genial.core.messages import file_problem
from genial.core.printable import printable
from genial.options import AsJson, bar, wrong_use
from genial.server.tables.errors import WrongSetup

if TYPE_CHECKING:
    from genial.server.store import Address, Migrated, SqlStore

_MOST_PORT = 65535


def is_port(_: object, port: int | None) -> None:
    """Refuse what can't be the number of a port."""
    if port is not None and not 0 <= port <= _MOST_PORT:
        raise ValueError(f"Choose a number from 0 to {_MOST_PORT}.")


Db = Annotated[str, Parameter(help="The server's file, or postgresql://user@host/name.")]
Port = Annotated[int, Parameter(help="The port; 0 picks a free one.", validator=is_port)]
Lan = Annotated[
    bool, Parameter(help="Open to your local network, with its address and a QR code.", negative="")
]

DB = "genial.db"
_T = TypeVar("_T")


def register(app: App) -> None:
    """Add these commands to the command line."""
    for command in (serve, site, worker, migrate, backup, export):
        app.command(command)
    app.command(import_, name="import")


def start(db: Path, *, lan: bool, port: int | None, browser: bool) -> int:
    """Play on this machine, in the browser."""
    from genial.server.http.static import built
    from genial.server.operate.own_machine import play_here

    if not built():
        return wrong_use(
            "The browser client isn't built yet. Run `make play` to build it, or `genial play` to play here."
        )
    return play_here(db, lan=lan, port=port, browser=browser)


def serve(
    *,
    host: Annotated[
        str | None, Parameter(help="The address to listen on. Default: this machine only.")
    ] = None,
    port: Port = 8000,
    db: Db = DB,
    bot_workers: Annotated[int | None, Parameter(help="How many processes think for the bots.")] = None,
    bot: Annotated[
        Sequence[str],
        Parameter(help="NAME=COMMAND: offer a program as a bot (docs/bots.md).", negative=""),
    ] = (),
    operator_token_file: Annotated[Path | None, Parameter(help="The file with the operator's token.")] = None,
    worker_token_file: Annotated[
        Path | None, Parameter(help="The file with the token for bot workers on other machines.")
    ] = None,
    limits: Annotated[Path | None, Parameter(help="A TOML file with limits (docs/hosting.md).")] = None,
    limit: Annotated[Sequence[str], Parameter(help="One limit, as name=value.", negative="")] = (),
    trusted_proxy: Annotated[
        Sequence[str], Parameter(help="The address of a proxy whose X-Forwarded-For to trust.", negative="")
    ] = (),
    log_format: Annotated[Literal["text", "json"], Parameter(help="The format of the log.")] = "text",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Parameter(help="How much to log.")
    ] = "info",
    migrate: Annotated[bool, Parameter(help="Update or create the file first.")] = True,
    lan: Lan = False,
) -> int:
    """Run a server for everybody."""
    from genial.bots import programs
    from genial.server.operate import logs
    from genial.server.operate.lan import lan_address, qr_code
    from genial.server.operate.limits import limits_from
    from genial.server.operate.serve import Plan
    from genial.server.operate.serve import serve as run
    from genial.server.operate.tokens import token_hash, token_in, warn_of_open_files

    if bot_workers is not None and bot_workers < 1:
        raise WrongSetup("limit-value", problem=f"--bot-workers {bot_workers}")
    more: dict[str, Any] = {"bot_workers": bot_workers} if bot_workers else {}
    plan = Plan(
        host=host or (lan_address() if lan else "127.0.0.1"),
        port=port,
        db=_store(db),
        migrate=migrate,
        operator=token_hash(token_in(operator_token_file)) if operator_token_file else None,
        worker=token_hash(token_in(worker_token_file)) if worker_token_file else None,
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
    logs.configure(log_format, log_level, lines_per_minute=plan.limits.log_lines_per_minute)
    warn_of_open_files(operator_token_file, worker_token_file)
    asyncio.run(run(plan, announce))
    return 0


def site(
    folder: Annotated[Path, Parameter(help="Where to: a new or empty folder, or one with an older site.")],
) -> int:
    """Make a folder of files for any web server: the game in the browser, without a server of ours."""
    from genial.server.operate.site import NoSite, make_site

    try:
        size = make_site(folder)
    except NoSite as problem:
        return wrong_use(str(problem))
    print(printable(f"{folder} has the site ({size / 1e6:.1f} MB). How to host it: docs/site.md"))
    return 0


def worker(
    *urls: Annotated[str, Parameter(help="The servers to think for, like https://play.example.org.")],
    token_file: Annotated[
        Path, Parameter(help="The file with the token from the servers' --worker-token-file.")
    ],
    processes: Annotated[
        int | None, Parameter(help="How many think at once. Default: one for each core.")
    ] = None,
) -> int:
    """Think for the bots of servers on other machines, until stopped."""
    from genial.server.operate import logs
    from genial.server.operate.tokens import token_in, warn_of_open_files
    from genial.server.operate.worker import work

    if not urls:
        return wrong_use("Name at least one server to think for.")
    if strange := next((url for url in urls if not url.startswith(("http://", "https://"))), None):
        return wrong_use(f"{strange} isn't a server's address. Write one like https://play.example.org")
    token = token_in(token_file)
    logs.configure("text", "info")
    warn_of_open_files(token_file)
    try:
        asyncio.run(work(urls, token, processes or os.cpu_count() or 1))
    except BaseExceptionGroup as group:
        refused, _ = group.split(PermissionError)
        if refused is None:
            raise
        return wrong_use(str(refused.exceptions[0]))
    return 0


def migrate(
    source: Annotated[str | None, Parameter(help="The store to copy: a file or postgresql://...")] = None,
    target: Annotated[
        str | None, Parameter(help="The store to copy it into, which has nothing else in it.")
    ] = None,
    /,
    *,
    db: Db = DB,
    as_json: AsJson = False,
) -> int:
    """Update a server's store, or copy it into another. Stop the server first."""
    from genial.server.store import brought_up_to_date, held

    if source is not None:
        if target is None:
            return wrong_use(
                "A copy needs two stores: genial migrate SOURCE TARGET."
                " To update a single one: genial migrate --db STORE"
            )
        _copy(source, target, as_json)
        return 0
    store = _existing(db)
    with held(store, "genial migrate"):
        done = asyncio.run(brought_up_to_date(store))
    lines = [*done.applied, *_kept(done)] or [printable(f"{store} is up to date.")]
    _print({"db": str(store), **asdict(done)} if as_json else "\n".join(lines))
    return 0


def _copy(source: str, target: str, as_json: bool) -> None:
    from genial.server.store import brought_up_to_date, held, opened, transfer
    from genial.server.tables.store_errors import StoreError

    here, there = _existing(source), _store(target)
    if _is_same(here, there):
        raise StoreError("store-same", path=str(here))

    async def run() -> transfer.Summary:
        async with _closed_after(opened(here)) as old:
            for line in _kept(await brought_up_to_date(there)):
                print(line, file=sys.stderr)
            async with _closed_after(opened(there)) as new:
                tables = sum([1 async for _ in transfer.every_table(old)])
                # Each table is copied, then read again on both sides.
                with bar("Tables", 3 * tables) as shown:
                    return await transfer.migrate(old, new, (str(here), str(there)), shown.step)

    with held(there, "genial migrate"):
        copied = asyncio.run(run())
    text = (
        f"Both stores now have the same, byte for byte. Tables: {copied.tables}, entries: {copied.entries},"
        f" devices: {copied.sat}, bans: {copied.bans}, results: {copied.results}."
    )
    _print({"source": str(here), "target": str(there), **asdict(copied)} if as_json else text)


def _kept(done: Migrated) -> list[str]:
    """Where the earlier store is kept, if there was one."""
    return [printable(f"The store as it was before is kept in {done.backup}")] if done.backup else []


def backup(target: Annotated[Path, Parameter(help="Where to save the copy.")], *, db: Db = DB) -> int:
    """Copy a server's file, even while the server is running."""
    _in_store(db, lambda store: store.backup(target))
    print(printable(target))
    return 0


def export(
    folder: Annotated[Path, Parameter(help="The folder for the game files, one per game.")],
    *,
    db: Db = DB,
    unfinished: Annotated[
        bool, Parameter(help="Unfinished games too, with everybody's racks.", negative="")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Save the games as game files."""
    from genial.server.operate import export as transfer_games

    def run(store: SqlStore) -> Awaitable[list[Path]]:
        return _counted("Games", transfer_games.export(store, folder, unfinished=unfinished))

    paths = _in_store(db, run)
    _print([str(path) for path in paths] if as_json else printable(f"Games saved in {folder}: {len(paths)}"))
    return 0


def import_(
    *files: Annotated[Path, Parameter(help="Finished game files, *.genial.json.")],
    db: Db = DB,
    as_json: AsJson = False,
) -> int:
    """Add finished game files to a server, for replay. The referee checks each one first."""
    from genial.server.operate import export as transfer_games

    if not files:
        return wrong_use("Name at least one file to import.")

    async def one(store: SqlStore, path: Path) -> dict[str, Any]:
        try:
            done = await transfer_games.import_file(store, path, time.time_ns() // 1_000_000)
        except GenialError as error:
            return {"file": str(path), "ok": False, "code": error.code, "text": str(error)}
        except OSError as error:
            return {"file": str(path), "ok": False, "code": "file", "text": file_problem(error)}
        text = f"{'' if done.new else 'already there, '}table {done.table}, watch code {done.watch}"
        return {"file": str(path), "ok": True, **asdict(done), "text": text}

    async def each(store: SqlStore) -> AsyncIterator[dict[str, Any]]:
        for path in files:
            yield await one(store, path)

    outcomes = _in_store(db, lambda store: _counted("Records", each(store)))
    lines = (printable(f"{done['file']}: {done['text']}") for done in outcomes)
    _print(outcomes if as_json else "\n".join(lines))
    return 0 if all(done["ok"] for done in outcomes) else 1


# What the commands share


def _print(result: object) -> None:
    """Print text as it is, anything else as JSON."""
    print(result if isinstance(result, str) else json.dumps(result))


def _store(db: str) -> Path | Address:
    from genial.server.store.address import from_command_line

    return from_command_line(db)


def _existing(db: str) -> Path | Address:
    """A store that already exists; a mistyped path is reported as missing, not as a file to migrate."""
    from genial.server.tables.store_errors import StoreError

    store = _store(db)
    if isinstance(store, Path) and not store.exists():
        raise StoreError("store-missing", path=str(store))
    return store


def _is_same(one: Path | Address, other: Path | Address) -> bool:
    """True if two names, such as a file and a link to it, mean the same store."""
    if isinstance(one, Path) and isinstance(other, Path):
        return other.exists() and one.samefile(other)
    return one == other


def _proxy(text: str) -> str:
    """An address or a network. A host name would never match a caller."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        raise WrongSetup("proxy-address", got=text) from None
    return text


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongSetup("limit-value", problem=f"{path}: {error}") from None


def _in_store(db: str, work: Callable[[SqlStore], Awaitable[_T]]) -> _T:
    """Work in a store whose server may be running: it is used as it is, or refused."""
    from genial.server.store import opened

    async def run() -> _T:
        async with _closed_after(opened(_existing(db))) as store:
            return await work(store)

    return asyncio.run(run())


@asynccontextmanager
async def _closed_after(opening: Awaitable[SqlStore]) -> AsyncIterator[SqlStore]:
    store = await opening
    try:
        yield store
    finally:
        await store.close()


async def _counted(label: str, results: AsyncIterator[_T]) -> list[_T]:
    """All results, with a progress counter."""
    done = []
    with bar(label) as shown:
        async for result in results:
            done.append(result)
            shown.step()
    return done
