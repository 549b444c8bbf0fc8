"""What every store must do with analyses."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.server.store.contract import ContractStore, Opener, with_store
from tests.server.store.samples import append, entry, row

from genial.server.store.transfer import copy, summary
from genial.server.tables.store import StoredAnalysis


def analysis(name: str, *, made: int = 1_000, thinker: str = "me", choices: int = 3) -> StoredAnalysis:
    """A new analysis, of its own game."""
    return StoredAnalysis(name, f"game of {name}".encode(), b"record", made, thinker, 0, choices, b"{}")


class AnalysesContract:
    """One for each game, worked on by one thinker, limited in number."""

    @with_store
    async def test_a_game_has_one_analysis(self, store: ContractStore) -> None:
        first = analysis("a")
        assert await store.begin_analysis(first, 10, ["me"]) == first
        assert await store.begin_analysis(replace(first, id="b", made=2), 10, ["me"]) == first
        assert await store.analysis("a") == first
        assert await store.analysis("b") is None
        games = [replace(analysis("x"), id=f"x{number}") for number in range(4)]
        kept = await asyncio.gather(*(store.begin_analysis(each, 10, ["me"]) for each in games))
        assert len(set(kept)) == 1

    @with_store
    async def test_opinions_are_kept_and_the_last_one_removes_the_record(self, store: ContractStore) -> None:
        first = analysis("a", choices=2)
        await store.begin_analysis(first, 10, ["me"])
        assert await store.put_opinions("a", "me", 1, b"one")
        assert await store.analysis("a") == replace(first, done=1, data=b"one")
        assert await store.put_opinions("a", "me", 2, b"two")
        assert await store.analysis("a") == replace(first, done=2, data=b"two", record=b"")
        assert not await store.put_opinions("b", "me", 1, b"")

    @with_store
    async def test_an_analysis_has_one_thinker_at_a_time(self, store: ContractStore) -> None:
        await store.begin_analysis(analysis("a"), 10, ["me"])
        taken = [store.take_analysis("a", "me", name) for name in ("you", "she")]
        assert sorted(await asyncio.gather(*taken)) == [False, True]
        assert not await store.put_opinions("a", "me", 1, b"late")
        kept = await store.analysis("a")
        assert kept is not None
        assert (kept.done, kept.data) == (0, b"{}")
        assert await store.put_opinions("a", kept.thinker, 1, b"mine")
        assert not await store.take_analysis("b", "me", "you")

    @with_store
    async def test_the_oldest_finished_analyses_go_first_and_then_orphaned_ones(
        self, store: ContractStore
    ) -> None:
        for number, thinker in enumerate(("dead", "me", "me", "me")):
            new = analysis(f"a{number}", made=number, thinker=thinker, choices=1)
            assert await store.begin_analysis(new, 4, ["me", "you"])
        for name in ("a2", "a3"):
            assert await store.put_opinions(name, "me", 1, b"")
        gone = []
        for number in range(4, 8):
            begun = await store.begin_analysis(analysis(f"a{number}", made=number), 4, ["me", "you"])
            here = {name for name in map("a{}".format, range(8)) if await store.analysis(name)}
            gone.append((begun is not None, len(here), "a2" in here, "a3" in here, "a0" in here))
        assert gone == [
            (True, 4, False, True, True),
            (True, 4, False, False, True),
            (True, 4, False, False, False),
            (False, 4, False, False, False),
        ]

    @with_store
    async def test_a_smaller_limit_applies_from_the_next_analysis(self, store: ContractStore) -> None:
        for number in range(5):
            await store.begin_analysis(analysis(f"a{number}", made=number, choices=1), 5, ["me"])
            await store.put_opinions(f"a{number}", "me", 1, b"")
        assert await store.begin_analysis(analysis("new", made=9), 2, ["me"])
        assert [bool(await store.analysis(name)) for name in ("a3", "a4", "new")] == [False, True, True]

    @with_store
    async def test_a_refused_analysis_changes_nothing(self, store: ContractStore) -> None:
        names = ["done", "orphaned", "mine", "mine too"]
        for number, (name, thinker) in enumerate(zip(names, ("me", "dead", "me", "me"), strict=True)):
            await store.begin_analysis(analysis(name, made=number, thinker=thinker, choices=1), 4, ["me"])
        await store.put_opinions("done", "me", 1, b"all")
        before = [await store.analysis(name) for name in names]
        assert await store.begin_analysis(analysis("new", made=9), 2, ["me"]) is None
        assert [await store.analysis(name) for name in [*names, "new"]] == [*before, None]
        assert await store.begin_analysis(analysis("new", made=9), 3, ["me"])
        left = [name for name in [*names, "new"] if await store.analysis(name)]
        assert left == ["mine", "mine too", "new"]

    @with_store
    async def test_old_analyses_are_forgotten(self, store: ContractStore) -> None:
        for number in range(4):
            await store.begin_analysis(analysis(f"a{number}", made=number), 10, ["me"])
        assert await store.forget_analyses(2) == 2
        assert await store.forget_analyses(2) == 0
        assert await store.analysis("a1") is None
        assert await store.analysis("a2") is not None

    def test_analyses_survive_a_restart(self, opener: Opener) -> None:
        async def body() -> None:
            store = await opener("one")
            await store.begin_analysis(analysis("a"), 10, ["me"])
            await store.put_opinions("a", "me", 1, b"one")
            await store.close()
            store = await opener("one")
            assert await store.analysis("a") == replace(analysis("a"), done=1, data=b"one")
            await store.close()

        asyncio.run(body())

    def test_a_copy_of_the_store_leaves_analyses_behind(self, opener: Opener) -> None:
        async def body() -> None:
            source, target = await opener("one"), await opener("two")
            await source.append(append("t", 1, [entry(1)], row("t")))
            await source.begin_analysis(analysis("a"), 10, ["me"])
            await copy(source, target)
            assert await summary(source) == await summary(target)
            assert await target.analysis("a") is None
            for store in (source, target):
                await store.close()

        asyncio.run(body())
