"""What every store must do with logs, whatever it is built on; the modules next to this have the rest.

A store's own test file combines them into a class, with a fixture `opener`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import astuple, replace
from typing import Any, Protocol

import pytest
from tests.server.store.samples import append, entries, entry, result, row, sat, stored

from genial.server.store.transfer import copy, summary
from genial.server.tables.store import NewEntry, Sat, Secret, WholeStore
from genial.server.tables.store_errors import DuplicateMove, SequenceConflict, StoreError, UnknownTable


class ContractStore(WholeStore, Protocol):
    """What the tests need from a store: everything, and whether a probe is still kept."""

    async def _has_probe(self, key: str, now: int) -> bool: ...


Opener = Callable[[str], Awaitable[ContractStore]]
"""Opens the store of this name, which is empty the first time."""


def with_store(test: Callable[[Any, ContractStore], Awaitable[None]]) -> Callable[[Any, Opener], None]:
    """Turn a test of one store into a plain function."""

    def run(self: object, opener: Opener) -> None:
        async def body() -> None:
            store = await opener("one")
            try:
                await test(self, store)
            finally:
                await store.close()

        asyncio.run(body())

    return run


class StoreContract:
    """Appending, reading, closing, copying."""

    @with_store
    async def test_entries_are_numbered_from_one_without_gaps_and_read_in_order(
        self, store: ContractStore
    ) -> None:
        new = entries(1, 7)
        await store.append(append("t", 1, new[:1], row("t")))
        await store.append(append("t", 2, new[1:4]))
        await store.append(append("t", 5, new[4:]))
        assert await store.read("t") == [stored("t", seq, given) for seq, given in enumerate(new, 1)]
        assert [e.seq for e in await store.read("t", after=2, limit=3)] == [3, 4, 5]
        assert await store.read("t", after=7) == []
        assert await store.read("nowhere") == []

    @with_store
    async def test_data_comes_back_byte_for_byte(self, store: ContractStore) -> None:
        data = bytes(range(256)) * 40
        named = replace(row("t"), name="Tïsch 'x'; -- 🎲")
        await store.append(
            append("t", 1, [NewEntry(-1, "chat", None, data), NewEntry(2**53, "é", "ü", b"")], named)
        )
        first, second = await store.read("t")
        assert (first.data, first.time, second.data, second.time) == (data, -1, b"", 2**53)
        assert await store.table("t") == named

    @with_store
    async def test_a_probe_writes_reads_back_and_forgets_old_probes(self, store: ContractStore) -> None:
        before = await summary(store)
        for now in (5, 5, 10_000):
            assert await store.probe("one", now)
        assert await store.probe("two", 10_000)
        assert await store._has_probe("one", 10_000)
        assert not await store._has_probe("one", 5)
        assert await store.probe("two", 4_000_000)
        assert not await store._has_probe("one", 10_000)
        assert await summary(store) == before

    @pytest.mark.parametrize("wrong", [-1, 0, 1, 2, 3, 5, 99])
    def test_an_out_of_order_append_is_refused_with_the_next_number(self, opener: Opener, wrong: int) -> None:
        async def body() -> None:
            store = await opener("one")
            await store.append(append("t", 1, entries(1, 3), row("t")))
            with pytest.raises(SequenceConflict) as caught:
                await store.append(append("t", wrong, [entry(50)], row("t", status="over"), sat=sat("t")))
            assert (caught.value.table_id, caught.value.expected_next) == ("t", 4)
            assert len(await store.read("t")) == 3
            assert await store.table("t") == row("t")
            assert await store.sat_of("t") == []
            await store.close()

        asyncio.run(body())

    @with_store
    async def test_a_move_id_is_accepted_once_per_table(self, store: ContractStore) -> None:
        await store.append(append("t", 1, [entry(1), entry(2, "a")], row("t")))
        await store.append(append("u", 1, [entry(1, "a")], row("u")))
        for first_seq in (1, 3):  # recognised as a duplicate whether or not the number fits
            with pytest.raises(DuplicateMove) as caught:
                await store.append(append("t", first_seq, [entry(3, "b"), entry(4, "a")]))
            assert (caught.value.move_id, caught.value.seq) == ("a", 2)
        with pytest.raises(DuplicateMove):
            await store.append(append("t", 3, [entry(3, "c"), entry(4, "c")]))
        assert (await store.move("t", "a"), await store.move("t", "b"), await store.move("u", "a")) == (
            2,
            None,
            1,
        )
        assert len(await store.read("t")) == 2

    @with_store
    async def test_a_table_begins_with_its_row(self, store: ContractStore) -> None:
        with pytest.raises(UnknownTable):
            await store.append(append("t", 1, [entry(1)]))
        with pytest.raises(ValueError, match="another table"):
            await store.append(append("t", 1, [entry(1)], row("u")))
        assert await store.tables() == []
        await store.append(append("t", 1, [], row("t"), sat=sat("t")))
        await store.append(append("t", 1, [entry(1)]))
        assert len(await store.read("t")) == 1

    @with_store
    async def test_concurrent_appends_stand_or_fall_alone(self, store: ContractStore) -> None:
        tables = [f"t{number}" for number in range(40)]
        await asyncio.gather(
            *(store.append(append(table_id, 1, [entry(1)], row(table_id))) for table_id in tables)
        )

        async def play(table_id: str, seq: int) -> str:
            """Two moves at a time: the right one, and in turn one that is early or one that came before."""
            put = row(table_id, time=seq) if seq in (4, 12) else None
            new = [entry(seq, f"m{seq}"), entry(seq)]
            right = store.append(append(table_id, seq, new, put, updated=seq))
            wrong = (
                store.append(append(table_id, seq + 5, [entry(seq)], row(table_id, status="closed")))
                if seq % 4
                else store.append(append(table_id, seq + 2, [entry(0, f"m{seq}")], sat=sat(table_id)))
            )
            outcomes = await asyncio.gather(right, wrong, return_exceptions=True)
            return "/".join(type(outcome).__name__ for outcome in outcomes)

        for seq in range(2, 14, 2):
            expected = "NoneType/SequenceConflict" if seq % 4 else "NoneType/DuplicateMove"
            assert set(await asyncio.gather(*(play(table_id, seq) for table_id in tables))) == {expected}
        for table_id in tables:
            assert [e.seq for e in await store.read(table_id)] == list(range(1, 14))
            assert await store.table(table_id) == row(table_id, time=12)
            assert await store.sat_of(table_id) == []

    @with_store
    async def test_many_concurrent_appends_match_a_model_in_memory(self, store: ContractStore) -> None:
        """Random concurrent appends, good and bad, against a model in memory."""
        rng = random.Random(3)
        logs: dict[str, list[str | None]] = {f"t{number}": [] for number in range(25)}
        rows = {table_id: row(table_id) for table_id in logs}
        seated: dict[str, list[Sat]] = {table_id: [] for table_id in logs}
        await asyncio.gather(*(store.append(append(table_id, 1, [], rows[table_id])) for table_id in logs))
        for time in range(1, 1201, 40):
            asked = []
            expected: list[type] = []
            for now, table_id in enumerate(rng.choices([*logs], k=40), time):
                first = len(logs[table_id]) + (1 if rng.random() < 0.9 else 2)
                moves = [rng.choice([None, f"m{rng.randrange(400)}"]) for _ in range(rng.randint(1, 3))]
                public = rng.random() < 0.5 if rng.random() < 0.2 else rows[table_id].public
                put = rng.choice([None, replace(rows[table_id], public=public, updated=now)])
                comes = sat(table_id, b"device %d" % now, now) if rng.random() < 0.2 else None
                new = [entry(now, move) for move in moves]
                asked.append(store.append(append(table_id, first, new, put, updated=now, sat=comes)))
                named = [move for move in (*logs[table_id], *moves) if move]
                if len(set(named)) < len(named):
                    expected.append(DuplicateMove)
                elif first != len(logs[table_id]) + 1:
                    expected.append(SequenceConflict)
                else:
                    expected.append(type(None))
                    logs[table_id] += moves
                    rows[table_id] = put or replace(rows[table_id], updated=now)
                    seated[table_id] += [comes] if comes else []
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == expected
        for table_id, moves in logs.items():
            assert [(e.seq, e.move_id) for e in await store.read(table_id)] == list(enumerate(moves, 1))
            assert await store.table(table_id) == rows[table_id]
            assert await store.sat_of(table_id) == seated[table_id]

    @with_store
    async def test_an_append_is_kept_when_its_caller_gives_up(self, store: ContractStore) -> None:
        await store.append(append("t", 1, [entry(1)], row("t")))
        asked = asyncio.ensure_future(store.append(append("t", 2, [entry(2)])))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await store.append(append("t", 3, [entry(3)]))
        assert len(await store.read("t")) == 3

    def test_a_reopened_store_has_kept_everything(self, opener: Opener) -> None:
        async def write() -> None:
            store = await opener("one")
            # Not awaited one by one: closing writes what is waiting.
            asked = [store.append(append(f"t{n}", 1, entries(1, 3), row(f"t{n}"))) for n in range(50)]
            tasks = [asyncio.ensure_future(one) for one in asked]
            await asyncio.sleep(0)
            await store.close()
            await asyncio.gather(*tasks)
            await store.close()

        async def read() -> None:
            store = await opener("one")
            assert len(await store.tables()) == 50
            assert [e.seq for e in await store.read("t49")] == [1, 2, 3]
            await store.append(append("t49", 4, [entry(4)]))
            await store.close()

        asyncio.run(write())
        asyncio.run(read())

    @with_store
    async def test_a_closed_store_says_so(self, store: ContractStore) -> None:
        await store.close()
        for call in (store.append(append("t", 1, [], row("t"))), store.read("t"), store.tables()):
            with pytest.raises(StoreError) as caught:
                await call
            assert caught.value.code == "store-closed"

    def test_a_copy_through_the_interface_is_equal_and_can_be_resumed(self, opener: Opener) -> None:
        async def body() -> None:
            source, target = await opener("one"), await opener("two")
            for number in range(7):
                table_id = f"t{number}"
                await source.append(
                    append(table_id, 1, entries(1, number), row(table_id, time=number), sat=sat(table_id))
                )
                await source.add_result(result(number, 9, number=number))
            await source.ban("device", b"d", 500)
            await source.keep_secret("key", b"sealed with this")
            await target.keep_secret("key", b"served for a moment")
            await target.append(append("t4", 1, entries(1, 2), row("t4", time=1)))
            for _ in range(2):
                await copy(source, target, page=3)
                copied = await summary(target)
                assert copied == await summary(source)
                assert astuple(copied)[:5] == (7, 21, 7, 1, 7)
            assert await target.tables() == await source.tables()
            assert await target.bans() == await source.bans()
            assert await target.secrets() == await source.secrets() == [Secret("key", b"sealed with this")]
            assert await target.all_results() == await source.all_results()
            for number in range(7):
                assert await target.read(f"t{number}") == await source.read(f"t{number}")
                assert await target.sat_of(f"t{number}") == await source.sat_of(f"t{number}")
            await target.append(append("t3", 4, [entry(9)]))
            with pytest.raises(StoreError) as caught:
                await copy(source, target)
            assert caught.value.code == "store-copy-differs"
            await source.close()
            await target.close()

        asyncio.run(body())
