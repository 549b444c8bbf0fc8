"""Operations without a socket: retention, export and import, limits, metrics, the lines of the log."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.server.operations import ADA, HOUR, hub_on, kept_logging, listening, new_table, play

import genial
from genial.bots.workers import BotPool
from genial.cli import main
from genial.core.errors import Breach, GenialError, RecordError, SetupError
from genial.core.record import dump
from genial.server.http.doors import Doors
from genial.server.operate import export as transfer_games
from genial.server.operate import logs, retention
from genial.server.operate.limits import limits_from
from genial.server.operate.metrics import Histogram, Metrics
from genial.server.store import open_store
from genial.server.tables import decisions
from genial.server.tables.errors import NotFound
from genial.server.tables.log import table_from
from genial.server.tables.settings import Limits, TableSettings

SAMPLES = Path(__file__).parents[2] / "samples"
HOSTING = Path(__file__).parents[3] / "docs" / "hosting.md"


class Now:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms


# Retention


def test_a_table_that_nobody_starts_expires(tmp_path: Path) -> None:
    async def run() -> None:
        now = Now()
        async with hub_on(tmp_path / "a.db", clock=now) as hub:
            table = await new_table(hub, TableSettings("classic", 2), "open")
            listener = listening(ADA.hex())
            await hub.subscribe(table.id, listener)
            now.ms += 24 * HOUR - 1
            assert (await retention.sweep(hub)).expired == 0
            now.ms += 2
            assert (await retention.sweep(hub)).expired == 1
            assert await hub.store.table(table.id) is None
            assert await hub.store.read(table.id) == []
            assert listener.closed
            told = []
            while (message := await listener.next()) is not None:
                told.append(json.loads(message))
            assert any(e["data"] == {"reason": "expired"} for m in told for e in m.get("entries", ()))
            with pytest.raises(NotFound):
                await hub.live(table.id)

    asyncio.run(run())


def test_a_table_that_somebody_joined_stays(tmp_path: Path) -> None:
    async def run() -> None:
        now = Now()
        async with hub_on(tmp_path / "a.db", clock=now) as hub:
            table = await new_table(hub, TableSettings("classic", 2), "open")
            now.ms += 23 * HOUR
            await hub.do(table.id, lambda at: decisions.sit(at, "b" * 32, "Ben", ""))
            now.ms += 2 * HOUR
            assert (await retention.sweep(hub)).expired == 0
            assert await hub.store.table(table.id) is not None

    asyncio.run(run())


def test_finished_tables_are_deleted_on_time_and_running_ones_only_closed(tmp_path: Path) -> None:
    async def run() -> None:
        now, limits = Now(), Limits(finished_days=10)
        async with hub_on(tmp_path / "a.db", clock=now, limits=limits) as hub:
            over = await new_table(hub, TableSettings("cards", 2))
            await play(hub, over, Random(1))
            assert over.status == "over"
            closed = await new_table(hub, TableSettings("cards", 2), "open")
            await hub.do(closed.id, lambda at: decisions.close(at, "operator"))
            now.ms += 5 * 24 * HOUR
            running = await new_table(hub, TableSettings("cards", 2))
            now.ms += 5 * 24 * HOUR - 1
            await retention.sweep(hub, idle=-1)
            assert len(await hub.store.tables()) == 3
            now.ms += 2
            assert (await retention.sweep(hub, idle=-1)).deleted == 2
            assert [row.table_id for row in await hub.store.tables()] == [running.id]
            now.ms += 6 * 24 * HOUR
            assert (await retention.sweep(hub, idle=-1)).abandoned == 1
            row = await hub.store.table(running.id)
            assert row is not None
            assert row.status == "closed"

    asyncio.run(run())


def test_a_finished_table_is_not_deleted_while_somebody_watches(tmp_path: Path) -> None:
    async def run() -> None:
        now = Now()
        async with hub_on(tmp_path / "a.db", clock=now) as hub:
            table = await new_table(hub, TableSettings("cards", 2))
            await play(hub, table, Random(2))
            listener = listening(ADA.hex())
            live = await hub.subscribe(table.id, listener)
            now.ms += 400 * 24 * HOUR
            assert (await retention.sweep(hub, idle=-1)).deleted == 0
            hub.unsubscribe(live, listener)
            swept = await retention.sweep(hub, idle=-1)
            assert (swept.forgotten, swept.deleted) == (1, 1)

    asyncio.run(run())


def test_idle_tables_leave_memory_and_are_restored_from_their_log(tmp_path: Path) -> None:
    async def run() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            table = await new_table(hub, TableSettings("cards", 2))
            await play(hub, table, Random(3), moves=4)
            assert table.game is not None
            assert hub.tables
            before = hub.tables[table.id]
            assert (await retention.sweep(hub, idle=-1)).forgotten == 1
            assert not hub.tables
            assert await hub.live(table.id) is not before
            again = (await hub.live(table.id)).table
            assert again.game is not None
            assert again.game.position == table.game.position

    asyncio.run(run())


def test_expired_bans_are_removed(tmp_path: Path) -> None:
    async def run() -> None:
        now = Now()
        async with hub_on(tmp_path / "a.db", clock=now) as hub:
            await hub.store.ban("device", b"1", now.ms + HOUR)
            await hub.store.ban("device", b"2", None)
            now.ms += HOUR
            assert (await retention.sweep(hub)).bans == 1
            assert [ban.key_hash for ban in await hub.store.bans()] == [b"2"]

    asyncio.run(run())


# Rules


def test_a_game_keeps_the_version_of_the_rules_it_began_with(tmp_path: Path) -> None:
    async def run() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            table = await new_table(hub, TableSettings("cards", 2))
            assert table.game is not None
            assert table.game.started.rules == 1
            *before, started = await hub.store.read(table.id)
            stored = json.loads(started.data)
            del stored["rules"]  # as it was stored before rules had versions
            old = replace(started, data=json.dumps(stored).encode())
            assert table_from(table.id, [*before, old]).game.started == table.game.started  # type: ignore[union-attr]
            newer = replace(started, data=json.dumps(stored | {"rules": 2}).encode())
            with pytest.raises(GenialError) as caught:
                table_from(table.id, [*before, newer])
            assert caught.value.code == "rules-unknown"

    asyncio.run(run())


def test_a_game_with_unknown_rules_does_not_stop_the_others(tmp_path: Path) -> None:
    async def run() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            tables = [await new_table(hub, TableSettings("cards", 2)) for _ in range(2)]
        with closing(sqlite3.connect(tmp_path / "a.db")) as file, file:
            change = "UPDATE log SET data = replace(data, '\"rules\":1', '\"rules\":9') WHERE table_id = ?"
            assert file.execute(change, (tables[0].id,)).rowcount
        async with hub_on(tmp_path / "a.db") as hub:
            assert await hub.resume() == 1
            assert list(hub.tables) == [tables[1].id]

    asyncio.run(run())


# Records out and in


def empty_store(path: Path) -> None:
    asyncio.run(open_store(path, migrate=True).close())


def test_records_are_exported_and_imported_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every title: what one server exports, another imports, and exports again byte for byte."""

    async def fill() -> None:
        async with hub_on(tmp_path / "one.db") as hub:
            for variant, seats in (("cards", 3), ("duel", 2), ("classic-team", 4), ("3d-solo", 1)):
                await play(hub, await new_table(hub, TableSettings(variant, seats)), Random(seats))
            series = await new_table(hub, TableSettings("cards", 2, games=2))
            await play(hub, series, Random(5))
            await hub.do(series.id, decisions.begin)
            await play(hub, series, Random(6), moves=3)

    asyncio.run(fill())
    assert main(["export", str(tmp_path / "out"), "--db", str(tmp_path / "one.db")]) == 0
    assert capsys.readouterr().out == f"Games saved in {tmp_path / 'out'}: 5\n"
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 5
    for path in files:
        assert genial.check(path.read_bytes()).status == "lawful"
    empty_store(tmp_path / "two.db")
    names = [str(path) for path in files]
    assert main(["import", *names, "--db", str(tmp_path / "two.db")]) == 0
    assert main(["import", *names, "--db", str(tmp_path / "two.db")]) == 0
    assert main(["export", str(tmp_path / "again"), "--db", str(tmp_path / "two.db")]) == 0
    again = sorted(path.read_bytes() for path in (tmp_path / "again").iterdir())
    assert again == sorted(path.read_bytes() for path in files)


def test_unfinished_games_are_exported_only_on_request_and_never_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fill() -> None:
        async with hub_on(tmp_path / "one.db") as hub:
            await play(hub, await new_table(hub, TableSettings("classic", 2)), Random(1), moves=5)

    asyncio.run(fill())
    db = str(tmp_path / "one.db")
    assert main(["export", str(tmp_path / "out"), "--db", db, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["export", str(tmp_path / "out"), "--db", db, "--unfinished", "--json"]) == 0
    (name,) = json.loads(capsys.readouterr().out)
    assert genial.check(Path(name).read_bytes()).status == "lawful so far"
    assert "deal" not in json.loads(Path(name).read_text())
    assert Path(name).stat().st_mode & 0o077 == 0
    assert main(["import", name, "--db", db]) == 1
    assert "isn't finished" in capsys.readouterr().out


def test_import_asks_the_referee_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((SAMPLES / "classic-2.genial.json").read_text())
    record["events"][2]["gain"][0] += 1
    (tmp_path / "lie.genial.json").write_text(json.dumps(record))
    (tmp_path / "none.genial.json").write_text("no JSON")
    db = str(tmp_path / "one.db")
    empty_store(tmp_path / "one.db")
    good, lie, none = str(SAMPLES / "travel-2.genial.json"), "lie.genial.json", "none.genial.json"
    files = [good, str(tmp_path / lie), str(tmp_path / none), str(tmp_path / "absent")]
    assert main(["import", *files, "--db", db, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [each["ok"] for each in found] == [True, False, False, False]
    assert "[SCORING]" in found[1]["text"]

    async def look() -> None:
        store = open_store(db)
        with pytest.raises(Breach):
            await transfer_games.import_record(store, json.dumps(record).encode(), 1)
        with pytest.raises(RecordError):
            await transfer_games.import_record(store, b"[" * 1000, 1)
        assert len(await store.tables()) == 1
        await store.close()

    asyncio.run(look())


def test_imported_games_are_over_and_can_be_viewed(tmp_path: Path, sample: Path) -> None:
    async def run() -> None:
        async with hub_on(tmp_path / "a.db") as hub:
            done = await transfer_games.import_file(hub.store, sample, 7)
            table = (await hub.live(done.table)).table
            assert table.status == "over"
            assert table.game is not None
            assert table.game.result is not None
            assert dump(table.game.record()) == dump(json.loads(sample.read_text(encoding="utf-8")))
            assert await hub.resume() == 0

    asyncio.run(run())


def test_usage_errors_in_the_hosts_commands_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = str(tmp_path / "absent.db")
    for arguments in (
        ["import", "--db", absent],
        ["export", str(tmp_path / "out"), "--db", absent],
        ["backup", str(tmp_path / "copy.db"), "--db", absent],
        ["serve", "--db", absent, "--no-migrate", "--port", "0"],
        ["serve", "--db", "postgresql://genial:secret@db/genial"],
        ["serve", "--db", absent, "--limit", "speed=9"],
        ["serve", "--db", absent, "--limit", "chat_length=long"],
        ["serve", "--db", absent, "--limit", "chat_length=0"],
        ["serve", "--db", absent, "--bot-workers", "0"],
        ["serve", "--db", absent, "--operator-token-file", absent],
        ["serve", "--db", absent, "--host", "192.0.2.250"],
        ["serve", "--db", absent, "--trusted-proxy", "proxy.example.org"],
        ["serve", "--db", absent, "--bot", f"mine={absent}"],
        ["worker", "play.example.org", "--token-file", absent],
        ["worker", "https://play.example.org", "--token-file", absent],
    ):
        with kept_logging():
            assert main(arguments) == 2, arguments
        out, err = capsys.readouterr()
        assert (out + err).strip()
        assert "Traceback" not in out + err
        assert "secret" not in out + err
    assert not Path(absent).exists()


def test_a_mistyped_path_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent, target = str(tmp_path / "absent.db"), str(tmp_path / "copy.db")
    for arguments in (
        ["backup", target, "--db", absent],
        ["export", str(tmp_path / "out"), "--db", absent],
        ["migrate", absent, target],
        ["migrate", "--db", absent],
    ):
        assert main(arguments) == 2
        assert f"There's no file {absent}. `genial serve` creates one." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_not_copied_onto_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db, link, copy = tmp_path / "a.db", tmp_path / "link.db", tmp_path / "copy.db"
    empty_store(db)
    link.symlink_to(db)
    for target in (db, link):
        assert main(["migrate", str(db), str(target)]) == 2
        assert f"{db} is both the source and the target" in capsys.readouterr().err
    assert main(["migrate", str(db), str(copy)]) == 0
    database = "postgresql://127.0.0.1:1/genial"
    assert main(["migrate", database, database]) == 2
    assert f"{database} is both the source and the target" in capsys.readouterr().err


def test_an_unknown_limit_suggests_only_what_is_like_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for limit, rest in (
        ("table_per_hour", "Did you mean tables_per_hour? docs/"),
        ("TABLES_PER_HOUR", "Did you mean tables_per_hour? docs/"),
        ("nonsense", "docs/hosting.md lists them all."),
    ):
        with kept_logging():
            assert main(["serve", "--db", str(tmp_path / "a.db"), "--limit", f"{limit}=9"]) == 2
        told = " ".join(capsys.readouterr().err.split())
        assert f"There's no limit called {limit}. {rest}" in told
        assert "…" not in told


@pytest.mark.parametrize("given", ["tables_per_hour", "tables_per_hour=", "=3"])
def test_a_limit_without_name_or_value_is_refused_with_an_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    with kept_logging():
        assert main(["serve", "--db", str(tmp_path / "a.db"), "--limit", given]) == 2
    assert f"“{given}” isn't a limit with its value." in " ".join(capsys.readouterr().err.split())


def test_a_short_token_is_reported_by_file_and_never_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = tmp_path / "worker.token"
    token.write_text("hunter2")
    for arguments in (
        ["serve", "--db", str(tmp_path / "a.db"), "--worker-token-file", str(token)],
        ["worker", "https://play.example.org", "--token-file", str(token)],
    ):
        with kept_logging():
            assert main(arguments) == 2
        err = capsys.readouterr().err
        assert f"The token in {token} is too short: 7 characters" in err
        assert "hunter2" not in err


# Limits


def test_limits_come_from_a_file_and_from_the_command_line() -> None:
    limits = limits_from({"chat_length": 100, "bot_pause": 0.2}, ["chat_length=50", "empty_hours = 2"])
    assert (limits.chat_length, limits.bot_pause, limits.empty_hours) == (50, 0.2, 2)
    assert limits_from({}) == Limits()
    with pytest.raises(SetupError, match=r"chat_length = long\."):
        limits_from({}, ["chat_length=long"])


def test_the_hosting_guide_lists_every_limit_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.,_ ]+) \|", HOSTING.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name: float(value.replace(",", "")) for name, value in rows}
    defaults = Limits()
    assert listed == {name: float(getattr(defaults, name)) for name in Limits.__struct_fields__}


# Metrics and the log


def test_histograms_count_what_is_below_each_bound() -> None:
    histogram = Histogram((0.01, 0.1))
    for seconds in (0.001, 0.01, 0.05, 3.0):
        histogram.observe(seconds)
    assert list(histogram.lines("x")) == [
        'x_bucket{le="0.01"} 2',
        'x_bucket{le="0.1"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 3.061000",
        "x_count 4",
    ]


def test_appends_are_timed(tmp_path: Path) -> None:
    async def run() -> None:
        metrics = Metrics()
        async with hub_on(tmp_path / "a.db") as hub:
            hub.store = metrics.timed(hub.store)
            await new_table(hub, TableSettings("cards", 2))
            assert isinstance(hub.pool, BotPool)
            text = metrics.text(hub, hub.pool, Doors(Limits()))
        assert "genial_append_seconds_count 2" in text
        assert 'genial_tables{status="running"} 1' in text
        assert f"genial_entries_stored_total {hub.moves}" in text

    asyncio.run(run())


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with kept_logging():
        logs.configure("json", "info", stream)
        yield stream


def test_the_log_takes_only_known_fields(log_lines: io.StringIO) -> None:
    logging.getLogger("genial.server").info("x", extra={"status": 200, "rack": ["RB"], "cookie": "c00kie"})
    line = json.loads(log_lines.getvalue())
    assert set(line) == {"time", "level", "event", "status"}


def test_exceptions_are_logged_without_their_messages(log_lines: io.StringIO) -> None:
    def fail() -> None:
        raise ValueError("tile RB of Ada at 203.0.113.77")

    for name in ("genial.server", "uvicorn.error", "asyncio"):
        try:
            fail()
        except ValueError:
            logging.getLogger(name).exception("Exception in ASGI application\nfor Ada with RB")
    for line in log_lines.getvalue().splitlines()[1:]:
        assert "Ada" not in line
        assert json.loads(line)["at"][-1].endswith(" fail")
    assert "203.0.113.77" not in log_lines.getvalue()


def test_libraries_log_without_arguments(log_lines: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").warning('%s - "WebSocket %s" [accepted]', "203.0.113.77:5", "/j/ABCDE")
    logging.getLogger("asyncio").error("Exception in callback Hub._ring(<Table of Ada>)")
    told = [json.loads(line)["event"] for line in log_lines.getvalue().splitlines()]
    assert told == ["uvicorn.error:", "asyncio: Exception in callback Hub._ring"]


def test_log_lines_of_one_kind_are_rate_limited_and_the_rest_counted() -> None:
    stream, now = io.StringIO(), [0.0]
    target = logging.StreamHandler(stream)
    target.setFormatter(logs.LineFormatter(as_json=True))
    bounded = logs.Bounded(target, per_minute=6, clock=lambda: now[0])

    def write(name: str, words: str, times: int = 1, **fields: object) -> list[dict[str, object]]:
        before = len(stream.getvalue().splitlines())
        for _ in range(times):
            record = logging.getLogger(name).makeRecord(name, 40, "", 0, words, (), None, extra=fields)
            bounded.handle(record)
        return [json.loads(line) for line in stream.getvalue().splitlines()[before:]]

    accept = "socket.accept() out of system resource"
    assert len(write("asyncio", accept, 1000)) == 6
    assert len(write("asyncio", f"{accept} for the second time", 1000)) == 0  # what follows the words
    assert len(write("genial.server", "request", 1000, code="rate-limit")) == 6
    assert len(write("genial.server", "request", 4, code="banned")) == 4
    assert bounded.left_out == 994 + 1000 + 994
    now[0] = 20.0
    told = write("genial.server", "started")
    assert [(line["event"], line.get("kind"), line.get("code"), line.get("lines")) for line in told] == [
        ("lines left out", "asyncio: socket.accept", None, 1994),
        ("lines left out", "request", "rate-limit", 994),
        ("started", None, None, None),
    ]
    assert len(write("asyncio", accept, 1000)) == 2  # one becomes free every ten seconds
    bounded.close()
    assert json.loads(stream.getvalue().splitlines()[-1])["lines"] == 998
    # The number of kinds is limited too.
    assert len(write("genial.server", "x", 1)) == 1
    for number in range(3000):
        write("genial.server", f"kind {number}")
    assert len(stream.getvalue().splitlines()) < 600


def test_text_log_lines_hold_the_same_fields(log_lines: io.StringIO) -> None:
    logs.configure("text", "info", log_lines)
    logging.getLogger("genial.server").info("request", extra={"method": "GET", "route": "/", "status": 200})
    assert log_lines.getvalue().rstrip().endswith("info    request method=GET route=/ status=200")


SERVERS = {"starlette", "uvicorn", "msgspec", "sqlite3"}
"""What only a server needs."""


def loaded_by(tmp_path: Path, *arguments: str) -> tuple[int, set[str]]:
    """The answer of a command in a process of its own, and which of a server's packages it loaded."""
    code = (
        "import json, sys; from genial.cli import main; answer = main(sys.argv[2:]);"
        f"loaded = [name for name in {SERVERS} if name in sys.modules];"
        "open(sys.argv[1], 'w').write(json.dumps([answer, loaded]))"
    )
    told = tmp_path / "loaded.json"
    command = [sys.executable, "-c", code, str(told), *arguments]
    subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    answer, loaded = json.loads(told.read_text())
    return answer, set(loaded)


@pytest.mark.parametrize("command", ["--version", "--help", "check", "show"])
def test_a_command_that_needs_no_server_does_not_load_one(command: str, tmp_path: Path) -> None:
    files = [] if command.startswith("--") else [str(SAMPLES / "classic-2.genial.json")]
    assert loaded_by(tmp_path, command, *files) == (0, set())


def test_what_a_server_loads_would_be_noticed(tmp_path: Path) -> None:
    assert loaded_by(tmp_path, "serve", "--db", str(tmp_path / "a.db"), "--no-migrate") == (2, SERVERS)
