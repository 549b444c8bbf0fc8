"""A write-ahead log that was cut off or changed: what can be read is a prefix of what was written.

The files are those of a killed writer. Everything committed before the damage is there; nothing is half
there; and games go on from it.
"""

from __future__ import annotations

import asyncio
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.server.operations import LiveTable, hub_on, new_table, play, serving
from tests.server.store.test_crash import acknowledged_until_killed, logs

from genial.server.store import SqliteStore, open_store
from genial.server.store.wal import unread_commits
from genial.server.tables.log import table_from
from genial.server.tables.settings import Clock, TableSettings

TRIES = 25
_HEADER, _FRAME = 32, 24
WARNING = "write-ahead log is damaged"


def commits(wal: bytes) -> list[int]:
    """Where each commit in a log ends."""
    (page,) = struct.unpack(">I", wal[8:12])
    frames = range(_HEADER, len(wal) - _FRAME - page + 1, _FRAME + page)
    return [
        start + _FRAME + page
        for start in frames
        if wal[start + 8 : start + 16] == wal[16:24] and wal[start + 4 : start + 8] != bytes(4)
    ]


class Left:
    """What a killed writer left, to be damaged in copies."""

    def __init__(self, db: Path, folder: Path) -> None:
        self._folder = folder
        self._copies = 0
        self.db, self.wal = db.read_bytes(), db.with_name(f"{db.name}-wal").read_bytes()
        self.ends = commits(self.wal)
        self._states: dict[int, dict[str, int]] = {}

    def copy(self, wal: bytes) -> Path:
        self._copies += 1
        folder = self._folder / str(self._copies)
        folder.mkdir(parents=True)
        (folder / "genial.db").write_bytes(self.db)
        (folder / "genial.db-wal").write_bytes(wal)
        return folder / "genial.db"

    def before(self, place: int) -> int:
        """Where the last commit ends that lies entirely before this place."""
        return max((end for end in self.ends if end <= place), default=_HEADER)

    def state(self, end: int) -> dict[str, int]:
        """The logs up to a commit."""
        if end not in self._states:
            self._states[end] = asyncio.run(logs(self.copy(self.wal[:end])))
        return self._states[end]

    def damaged(self, rng: Random) -> Iterator[tuple[int, bytes]]:
        """Logs that were cut off, or changed in one bit, and where."""
        for _ in range(TRIES):
            place = rng.randrange(_HEADER, self.ends[-1])
            yield place, self.wal[:place]
        for place in [0, 17, 30, *(rng.randrange(_HEADER, self.ends[-1]) for _ in range(TRIES))]:
            changed = bytearray(self.wal)
            changed[place] ^= 1 << rng.randrange(8)
            yield place, bytes(changed)


def test_what_is_read_is_a_prefix_of_what_was_written(tmp_path: Path) -> None:
    path, rng = tmp_path / "genial.db", Random(5)
    acknowledged = acknowledged_until_killed(path, 300)
    left = Left(path, tmp_path / "copies")
    assert len(left.ends) > 5
    whole = left.state(left.ends[-1])
    assert all(whole[table_id] >= seq for table_id, seq in acknowledged.items())
    for place, wal in left.damaged(rng):
        found = asyncio.run(logs(left.copy(wal)))  # checks every entry, and that row and log agree
        assert found == left.state(left.before(place)), place


def test_damage_before_the_end_is_reported_but_a_torn_end_is_not(tmp_path: Path) -> None:
    path = tmp_path / "genial.db"
    acknowledged_until_killed(path, 200)
    left = Left(path, tmp_path / "copies")
    assert unread_commits(left.copy(left.wal)) == 0
    assert unread_commits(left.copy(left.wal[: left.ends[-1] - 100])) == 0
    assert unread_commits(left.copy(b"")) == 0
    for place in (0, 17, 30, _HEADER, left.ends[2] + 1000, left.ends[-1] - 10):
        changed = bytearray(left.wal)
        changed[place] ^= 4
        lost = [end for end in left.ends if end > place]
        if place < _HEADER:
            assert unread_commits(left.copy(bytes(changed))) >= len(lost)
        else:
            # The damaged commit itself still counts, unless what marks it as one is gone.
            assert unread_commits(left.copy(bytes(changed))) in (len(lost), len(lost) - 1)


def test_frames_from_before_a_checkpoint_do_not_count_as_damage(tmp_path: Path) -> None:
    """After a checkpoint the log is written from its start again, over what the database already has."""

    async def body() -> None:
        path = tmp_path / "genial.db"
        async with hub_on(path) as hub:
            game = await new_table(hub, TableSettings("classic", 2))
            await play(hub, game, Random(1), moves=8)
            assert isinstance(hub.store, SqliteStore)
            await hub.store.writer.write(lambda writing: None)
            writing = hub.store._connections[0]
            writing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            await play(hub, game, Random(1), moves=1)
            left = Left(path, tmp_path / "copies")
        (page,) = struct.unpack(">I", left.wal[8:12])
        assert left.ends[-1] + 5 * (_FRAME + page) < len(left.wal)
        assert unread_commits(left.copy(left.wal)) == 0

    asyncio.run(body())


def test_games_go_on_from_a_torn_log(tmp_path: Path) -> None:
    async def played() -> Left:
        path = tmp_path / "genial.db"
        async with hub_on(path) as hub:
            await new_table(hub, TableSettings("cards", 2), "open")
            for number, variant in enumerate(("classic", "cards", "3d")):
                game = await new_table(hub, TableSettings(variant, 2, clock=Clock(total=600)))
                await play(hub, game, Random(number), moves=12)
            return Left(path, tmp_path / "copies")

    async def goes_on(path: Path) -> int:
        store = open_store(path, migrate=True)
        rows = await store.tables(status="running")
        for row in rows:
            assert table_from(row.table_id, await store.read(row.table_id)).is_running
        await store.close()
        async with hub_on(path) as hub:
            assert await hub.resume() == len(rows)
            for live in list(hub.tables.values()):
                before = live.table.seq
                await play(hub, LiveTable(live), Random(1), moves=2)
                assert live.table.seq > before
        return len(rows)

    left = asyncio.run(played())
    running = [asyncio.run(goes_on(left.copy(wal))) for _, wal in left.damaged(Random(2))]
    assert max(running) == 3


@pytest.mark.parametrize("damaged", [False, True], ids=["whole", "damaged"])
def test_a_server_warns_about_a_log_only_if_it_is_damaged(tmp_path: Path, damaged: bool) -> None:
    async def played() -> Left:
        path = tmp_path / "genial.db"
        async with hub_on(path) as hub:
            game = await new_table(hub, TableSettings("cards", 2))
            await play(hub, game, Random(1), moves=6)
            return Left(path, tmp_path / "copies")

    left = asyncio.run(played())
    wal = bytearray(left.wal)
    wal[left.ends[-3] + 1000] ^= damaged
    path = left.copy(bytes(wal))
    with serving(path) as server:
        assert server.stop() == 0
        assert (WARNING in server.log) == damaged
    shutil.rmtree(path.parent)
