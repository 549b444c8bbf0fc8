"""What every store must do with logs, whatever it is made of; its neighbours have the rest.

A store's own test file makes a class of all of them, with a fixture `opener`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.server.store.samples import credential, entries, entry, result, row, stored

from genial.server.store import (
    Credential,
    DuplicateMove,
    NewEntry,
    SequenceConflict,
    Store,
    StoreError,
    UnknownTable,
)
from genial.server.store.transfer import Copied, copy

Opener = Callable[[str], Awaitable[Store]]
"""Opens the store of this name, which is empty the first time."""


def with_store(test: Callable[[Any, Store], Awaitable[None]]) -> Callable[[Any, Opener], None]:
    """A test of one store, as a plain function."""

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
    async def test_entries_are_numbered_from_one_without_gaps_and_read_in_order(self, store: Store) -> None:
        new = entries(1, 7)
        await store.append("t", 1, new[:1], row("t"))
        await store.append("t", 2, new[1:4])
        await store.append("t", 5, new[4:])
        assert await store.read("t") == [stored("t", seq, given) for seq, given in enumerate(new, 1)]
        assert [e.seq for e in await store.read("t", after=2, limit=3)] == [3, 4, 5]
        assert await store.read("t", after=7) == []
        assert await store.read("nowhere") == []

    @with_store
    async def test_data_comes_back_byte_for_byte(self, store: Store) -> None:
        data = bytes(range(256)) * 40
        named = replace(row("t"), name="Tïsch 'x'; -- 🎲")
        await store.append("t", 1, [NewEntry(-1, "chat", None, data), NewEntry(2**53, "é", "ü", b"")], named)
        first, second = await store.read("t")
        assert (first.data, first.time, second.data, second.time) == (data, -1, b"", 2**53)
        assert await store.table("t") == named

    @pytest.mark.parametrize("wrong", [-1, 0, 1, 2, 3, 5, 99])
    def test_an_append_that_is_not_the_next_is_refused_and_told_the_next(
        self, opener: Opener, wrong: int
    ) -> None:
        async def body() -> None:
            store = await opener("one")
            await store.append("t", 1, entries(1, 3), row("t"))
            with pytest.raises(SequenceConflict) as caught:
                await store.append("t", wrong, [entry(50)], row("t", status="over"), [credential("t")])
            assert (caught.value.game, caught.value.expected_next) == ("t", 4)
            assert len(await store.read("t")) == 3
            assert await store.table("t") == row("t")
            assert await store.credentials_of("t") == []
            await store.close()

        asyncio.run(body())

    @with_store
    async def test_a_move_id_is_taken_once_a_table(self, store: Store) -> None:
        await store.append("t", 1, [entry(1), entry(2, "a")], row("t"))
        await store.append("u", 1, [entry(1, "a")], row("u"))
        for first_seq in (1, 3):  # known as a duplicate whether or not the number fits
            with pytest.raises(DuplicateMove) as caught:
                await store.append("t", first_seq, [entry(3, "b"), entry(4, "a")])
            assert (caught.value.move_id, caught.value.seq) == ("a", 2)
        with pytest.raises(DuplicateMove):
            await store.append("t", 3, [entry(3, "c"), entry(4, "c")])
        assert (await store.move("t", "a"), await store.move("t", "b"), await store.move("u", "a")) == (
            2,
            None,
            1,
        )
        assert len(await store.read("t")) == 2

    @with_store
    async def test_a_table_begins_with_its_row(self, store: Store) -> None:
        with pytest.raises(UnknownTable):
            await store.append("t", 1, [entry(1)])
        with pytest.raises(ValueError, match="another table"):
            await store.append("t", 1, [entry(1)], row("u"))
        assert await store.tables() == []
        await store.append("t", 1, [], row("t"), [credential("t")])
        await store.append("t", 1, [entry(1)])
        assert len(await store.read("t")) == 1

    @with_store
    async def test_concurrent_appends_stand_or_fall_alone(self, store: Store) -> None:
        games = [f"t{number}" for number in range(40)]
        await asyncio.gather(*(store.append(game, 1, [entry(1)], row(game)) for game in games))

        async def play(game: str, seq: int) -> str:
            """Two moves at a time: the right one, and by turns one that is early or one that came before."""
            right = store.append(game, seq, [entry(seq, f"m{seq}"), entry(seq)], row(game, time=seq))
            wrong = (
                store.append(game, seq + 5, [entry(seq)], row(game, status="closed"))
                if seq % 4
                else store.append(game, seq + 2, [entry(0, f"m{seq}")], None, [credential(game)])
            )
            outcomes = await asyncio.gather(right, wrong, return_exceptions=True)
            return "/".join(type(outcome).__name__ for outcome in outcomes)

        for seq in range(2, 14, 2):
            expected = "NoneType/SequenceConflict" if seq % 4 else "NoneType/DuplicateMove"
            assert set(await asyncio.gather(*(play(game, seq) for game in games))) == {expected}
        for game in games:
            assert [e.seq for e in await store.read(game)] == list(range(1, 14))
            assert await store.table(game) == row(game, time=12)
            assert await store.credentials_of(game) == []

    @with_store
    async def test_a_crowd_of_appends_does_what_one_by_one_would(self, store: Store) -> None:
        """Random appends at once, good and bad, against a model in memory."""
        rng = random.Random(3)
        logs: dict[str, list[str | None]] = {f"t{number}": [] for number in range(25)}
        rows = {game: row(game) for game in logs}
        seated: dict[str, list[Credential]] = {game: [] for game in logs}
        await asyncio.gather(*(store.append(game, 1, [], rows[game]) for game in logs))
        for time in range(1, 1201, 40):
            asked = []
            expected: list[type] = []
            for now, game in enumerate(rng.choices([*logs], k=40), time):
                first = len(logs[game]) + (1 if rng.random() < 0.9 else 2)
                moves = [rng.choice([None, f"m{rng.randrange(400)}"]) for _ in range(rng.randint(1, 3))]
                public = rng.random() < 0.5 if rng.random() < 0.2 else rows[game].public
                put = rng.choice([None, replace(rows[game], public=public, updated=now)])
                new = [credential(game, b"token %d" % now)] if rng.random() < 0.2 else []
                asked.append(store.append(game, first, [entry(now, move) for move in moves], put, new))
                named = [move for move in (*logs[game], *moves) if move]
                if len(set(named)) < len(named):
                    expected.append(DuplicateMove)
                elif first != len(logs[game]) + 1:
                    expected.append(SequenceConflict)
                else:
                    expected.append(type(None))
                    logs[game] += moves
                    rows[game] = put or rows[game]
                    seated[game] += new
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == expected
        for game, moves in logs.items():
            assert [(e.seq, e.move_id) for e in await store.read(game)] == list(enumerate(moves, 1))
            assert await store.table(game) == rows[game]
            assert {c.token_hash for c in await store.credentials_of(game)} == {
                c.token_hash for c in seated[game]
            }

    @with_store
    async def test_what_was_asked_for_stays_when_the_caller_gives_up(self, store: Store) -> None:
        await store.append("t", 1, [entry(1)], row("t"))
        asked = asyncio.ensure_future(store.append("t", 2, [entry(2)]))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await store.append("t", 3, [entry(3)])
        assert len(await store.read("t")) == 3

    def test_a_store_keeps_everything_when_it_is_opened_again(self, opener: Opener) -> None:
        async def write() -> None:
            store = await opener("one")
            # Not awaited one by one: closing writes what is waiting.
            asked = [store.append(f"t{n}", 1, entries(1, 3), row(f"t{n}")) for n in range(50)]
            tasks = [asyncio.ensure_future(one) for one in asked]
            await asyncio.sleep(0)
            await store.close()
            await asyncio.gather(*tasks)
            await store.close()

        async def read() -> None:
            store = await opener("one")
            assert len(await store.tables()) == 50
            assert [e.seq for e in await store.read("t49")] == [1, 2, 3]
            await store.append("t49", 4, [entry(4)])
            await store.close()

        asyncio.run(write())
        asyncio.run(read())

    @with_store
    async def test_a_closed_store_says_so(self, store: Store) -> None:
        await store.close()
        for call in (store.append("t", 1, [], row("t")), store.read("t"), store.backup("nowhere")):
            with pytest.raises(StoreError) as caught:
                await call
            assert caught.value.code == "store-closed"

    def test_a_copy_through_the_interface_is_equal_and_can_be_taken_up_again(self, opener: Opener) -> None:
        async def body() -> None:
            source, target = await opener("one"), await opener("two")
            for number in range(7):
                game = f"t{number}"
                await source.append(game, 1, entries(1, number), row(game, time=number), [credential(game)])
                await source.add_result(result(number, 9, number=number))
            await source.ban("device", b"d", 500)
            await target.append("t4", 1, entries(1, 2), row("t4", time=1))
            for _ in range(2):
                assert await copy(source, target, page=3) == Copied(7, 21, 7, 1, 7)
            assert await target.tables() == await source.tables()
            assert await target.bans() == await source.bans()
            assert await target.all_results() == await source.all_results()
            for number in range(7):
                assert await target.read(f"t{number}") == await source.read(f"t{number}")
                assert await target.credentials_of(f"t{number}") == await source.credentials_of(f"t{number}")
            await target.append("t3", 4, [entry(9)])
            with pytest.raises(StoreError) as caught:
                await copy(source, target)
            assert caught.value.code == "store-copy-differs"
            await source.close()
            await target.close()

        asyncio.run(body())
