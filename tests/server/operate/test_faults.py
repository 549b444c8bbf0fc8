"""A disk that is full, fails or is read-only, under a real server with people at its tables.

What can't be stored is refused with a code and told to nobody; what was acknowledged before is there; and as
soon as the disk works again, everything continues without a restart.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.harness import PATIENCE, Player, Wire, lawful, play
from tests.server.operations import Server, wait_for

import genial
from genial.core.messages import LANGUAGES
from genial.server.calls.capabilities import SERVER
from genial.server.messages import WORDS
from genial.server.store import open_store
from genial.server.tables.log import table_from
from genial.server.tables.table import Table

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="faults are made by means of Linux")

TABLES = 4
_LIMITS = {"bot_pause": 1.0, "requests_per_minute": 100_000, "messages_per_20s": 100_000}
_REFUSED = {"server-unstored"}


@dataclass
class Faulty:
    """A server, its file as seen from here, and how to break and repair the disk under it."""

    server: Server
    db: Path
    fail: Callable[[], None]
    mend: Callable[[], None]
    can = SERVER

    def __post_init__(self) -> None:
        self.origin = self.server.url
        self.port = int(self.origin.rpartition(":")[2])

    def in_store(self, work: Callable[[Any], Any]) -> Any:
        raise NotImplementedError


def started(*before: str, db: Path) -> Server:
    """A server, as a direct child of ours even with a command before it."""
    command = [*before, sys.executable, "-m", "genial", "serve", "--port", "0", "--db", str(db)]
    limits = [f"--limit={name}={value}" for name, value in _LIMITS.items()]
    return Server(
        subprocess.Popen(
            [*command, "--bot-workers", "1", *limits],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    )


@contextmanager
def running(server: Server) -> Iterator[Server]:
    try:
        server.await_address()
        yield server
    finally:
        server.end()


def in_own_disk(folder: Path, options: str) -> list[str]:
    """The start of a command that gives it a small disk of its own; skips where that is impossible."""
    mount = f'mount -t tmpfs -o {options} tmpfs "$0" && exec "$@"'
    for unshare in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        before = [*unshare, "sh", "-c", mount, str(folder)]
        with suppress(FileNotFoundError):
            if subprocess.run([*before, "true"], capture_output=True, check=False).returncode == 0:
                return before
    pytest.skip("no disk of its own for a server: unshare and mount are not allowed here")


@contextmanager
def full(folder: Path) -> Iterator[Faulty]:
    """Four megabytes, and somebody else's file that takes all that is left (ENOSPC)."""
    with running(started(*in_own_disk(folder, "size=4m"), db=folder / "genial.db")) as server:
        # Only the server sees the disk; this is the way to it from outside.
        there = Path(f"/proc/{server.process.pid}/root{folder}")
        filler = there / "filler"

        def fail() -> None:
            with filler.open("wb", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(bytes(4096))

        yield Faulty(server, there / "genial.db", fail, filler.unlink)


@contextmanager
def failing(folder: Path) -> Iterator[Faulty]:
    """The system refuses every write to a file (EFBIG), as it does when a quota is used up."""
    import resource

    with running(started(db=folder / "genial.db")) as server:
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)

        def limit(size: int) -> None:
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, most))

        yield Faulty(server, folder / "genial.db", lambda: limit(0), lambda: limit(most))


@contextmanager
def read_only(folder: Path) -> Iterator[Faulty]:
    """The files can no longer be changed (EPERM), as after an error that makes a disk read-only."""
    with running(started(db=folder / "genial.db")) as server:

        def change(how: str) -> None:
            files = [str(folder / name) for name in ("genial.db", "genial.db-wal")]
            subprocess.run(["chattr", how, *files], capture_output=True, check=True)

        try:
            change("+i")
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("open files cannot be made read-only: chattr +i is not allowed here")
        finally:
            with suppress(OSError, subprocess.CalledProcessError):
                change("-i")
        try:
            yield Faulty(server, folder / "genial.db", lambda: change("+i"), lambda: change("-i"))
        finally:
            with suppress(subprocess.CalledProcessError):  # after a clean end there is only one file
                change("-i")


class Seat:
    """A person at a table, who counts the answers."""

    def __init__(self, ada: Player, wire: Wire, board: Any, rng: Random) -> None:
        self.ada, self.wire, self.board, self.rng = ada, wire, board, rng
        self.acknowledged: dict[str, int] = {}
        self.refused: Counter[str] = Counter()

    async def move(self) -> bool:
        """One act. Returns whether it was done."""
        legal, move_id = self.wire.now["legal"], self.wire.new_id()
        action = lawful(legal, self.board, self.rng)
        answer = await self.wire.act(self.wire.now["mover"], action, move_id=move_id)
        if answer["type"] == "ack":
            self.acknowledged[move_id] = answer["seq"]
            return True
        self.refused[answer["error"]["code"]] += 1
        return False


async def sit(faulty: Faulty, variant: str, places: str) -> Seat:
    ada = await Player(faulty, "Ada").hello()
    view = await ada.create(variant, places)
    wire = await ada.wire(view["id"])
    await wire.until_state()
    return Seat(ada, wire, await ada.get(f"/api/boards/{variant}/{len(places)}"), Random(view["id"]))


async def leave_it_to_the_bot(seat: Seat) -> None:
    """Play until it is the bot's turn, which takes a while."""
    while seat.wire.now["mover"] != 0:
        await seat.wire.hear()
    while seat.wire.now["mover"] == 0:
        assert await seat.move()


async def move_on(seats: list[Seat], moves: int) -> None:
    for _ in range(moves):
        await asyncio.gather(*(seat.move() for seat in seats))


def copied(faulty: Faulty, folder: Path) -> Path:
    """The files as a power cut would leave them."""
    folder.mkdir()
    os.kill(faulty.server.process.pid, signal.SIGSTOP)
    try:
        for name in ("genial.db", "genial.db-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(faulty.db.with_name(name), folder / name)
    finally:
        os.kill(faulty.server.process.pid, signal.SIGCONT)
    return folder / "genial.db"


async def tables_in(db: Path) -> dict[str, tuple[Table, dict[str, int]]]:
    """Every table in a file, folded from its whole log, with the numbers of its moves."""
    store, found = open_store(db), {}
    for row in await store.tables():
        stored = await store.read(row.table_id)
        assert [entry.seq for entry in stored] == list(range(1, len(stored) + 1))
        moves = {entry.move_id.rpartition(":")[2]: entry.seq for entry in stored if entry.move_id}
        found[row.table_id] = table_from(row.table_id, stored), moves
    await store.close()
    return found


async def kept(seats: list[Seat], db: Path) -> None:
    """Whatever was acknowledged is in the file, once and under its number, and every game is lawful."""
    found = await tables_in(db)
    for seat in seats:
        table, moves = found[seat.wire.state["id"]]
        assert {move: moves.get(move) for move in seat.acknowledged} == seat.acknowledged
        assert table.game is not None
        assert genial.check(table.game.record()).ok


@pytest.mark.slow
@pytest.mark.parametrize("fault", [full, failing, read_only], ids=["full", "failing", "read-only"])
def test_a_disk_fault_refuses_moves_but_loses_none(fault: Any, tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()

    async def body(faulty: Faulty) -> None:
        seats = [await sit(faulty, "classic-solo", "m") for _ in range(TABLES)]
        bots = await sit(faulty, "travel", "mr")
        await move_on(seats, 10)
        await leave_it_to_the_bot(bots)
        assert not any(seat.refused for seat in seats)
        async with httpx.AsyncClient(base_url=faulty.origin, timeout=PATIENCE) as watcher:
            faulty.fail()
            # A commit may still find room in the write-ahead log; soon none does.
            async with asyncio.timeout(PATIENCE):
                while not all(seat.refused for seat in seats):
                    await move_on(seats, 1)
            before = [len(seat.acknowledged) for seat in seats]
            await move_on(seats, 3)
            assert [len(seat.acknowledged) for seat in seats] == before
            assert {code for seat in seats for code in seat.refused} == _REFUSED
            # It is alive, what is stored can be viewed, and where the file is stays private.
            assert (await watcher.get("/healthz")).status_code == 200
            for seat in seats:
                seen = await seat.ada.get(f"/api/tables/{seat.wire.state['id']}")
                assert seen["seq"] == max(seat.acknowledged.values())
            new = {
                "settings": {"variant": "3d-solo", "seats": 1},
                "places": [{"kind": "me"}],
            }
            ben = await Player(faulty, "Ben").hello()
            told = await ben.post("/api/tables", new | {"name": "Ben", "bits": "00" * 16}, expect=503)
            assert told["error"]["code"] in _REFUSED
            assert str(folder) not in str(told)
            await kept(seats, copied(faulty, tmp_path / "broken"))
            faulty.mend()
            async with asyncio.timeout(PATIENCE):
                while any(len(seat.acknowledged) == before[n] for n, seat in enumerate(seats)):
                    await move_on(seats, 1)
            refusals = [seat.refused.total() for seat in seats]
            await move_on(seats, 10)
            assert [seat.refused.total() for seat in seats] == refusals
            # The bot whose move could not be stored has moved by itself.
            while bots.wire.now["mover"] != 0:
                await bots.wire.hear()
            await kept([*seats, bots], copied(faulty, tmp_path / "mended"))
        for seat in (*seats, bots):
            await seat.wire.connection.close()

    with fault(folder) as faulty:
        play(body(faulty), 6 * PATIENCE)
        assert faulty.server.stop() == 0
        assert "Traceback" not in faulty.server.log


def test_every_refusal_is_translated() -> None:
    for code in _REFUSED:
        assert len({WORDS.render(code, {}, language) for language in LANGUAGES}) == 3


def test_a_server_on_a_read_only_disk_says_so_and_exits(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    server = started(*in_own_disk(folder, "ro"), db=folder / "genial.db")
    try:
        assert server.process.wait(PATIENCE) == 2
        wait_for(lambda: "Read-only file system" in server.log)
        assert str(folder / "genial.db") in server.log
        assert "Traceback" not in server.log
    finally:
        server.end()


@pytest.mark.parametrize("size", ["4k", "16k", "64k"])
def test_a_server_on_a_full_disk_says_so_names_its_file_and_exits(size: str, tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    server = started(*in_own_disk(folder, f"size={size}"), db=folder / "genial.db")
    try:
        assert server.process.wait(PATIENCE) == 2
        wait_for(lambda: "disk is full" in server.log)
        assert str(folder / "genial.db") in server.log
        assert "Traceback" not in server.log
    finally:
        server.end()
