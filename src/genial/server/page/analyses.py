"""Analyses in a page's store. There are few, so searches go through all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import msgspec

from genial.server.page.transactions import Draft, Transactions
from genial.server.page.vault import Place, under
from genial.server.tables.store import StoredAnalysis

_analysis = msgspec.msgpack.Decoder(StoredAnalysis)


class PageAnalyses(Transactions):
    """The part of a page's store that keeps analyses; `store/analyses.py` documents each method."""

    async def begin_analysis(
        self, new: StoredAnalysis, most: int, living: Collection[str]
    ) -> StoredAnalysis | None:
        """Keep a new analysis, or return the existing one of the same game; None if there is no room."""

        async def change(draft: Draft) -> StoredAnalysis | None:
            (kept,) = await draft.see(_of_game(new.key))
            if kept is not None:
                return _analysis.decode(kept)
            others = [_analysis.decode(each) for each in await draft.look_through(under("analyses"))]
            spare = sorted(filter(_is_done, others), key=_age) + sorted(
                (one for one in others if not _is_done(one) and one.thinker not in living), key=_age
            )
            too_many = max(0, len(others) - most + 1)
            if len(spare) < too_many:
                return None
            for one in spare[:too_many]:
                await draft.see(_of_game(one.key))
                draft.drop(_of_game(one.key))
            draft.put(_of_game(new.key), new)
            return new

        return await self._change(change)

    async def analysis(self, analysis_id: str) -> StoredAnalysis | None:
        """One analysis."""
        return next((one for one in await self._analyses() if one.id == analysis_id), None)

    async def take_analysis(self, analysis_id: str, before: str, thinker: str) -> bool:
        """Take over an analysis from another thinker; False if somebody else has, or it is gone."""
        return await self._change_analysis(analysis_id, before, lambda kept: replace(kept, thinker=thinker))

    async def put_opinions(self, analysis_id: str, thinker: str, done: int, data: bytes) -> bool:
        """Keep what a thinker has thought so far; False if the analysis has changed hands, or is gone."""

        def thought(kept: StoredAnalysis) -> StoredAnalysis:
            # Once everything has been thought about, the record is no longer needed.
            return replace(kept, done=done, data=data, record=kept.record if kept.choices > done else b"")

        return await self._change_analysis(analysis_id, thinker, thought)

    async def _change_analysis(
        self, analysis_id: str, thinker: str, changed: Callable[[StoredAnalysis], StoredAnalysis]
    ) -> bool:
        async def change(draft: Draft) -> bool:
            there = await self.analysis(analysis_id)
            (kept,) = await draft.see(_of_game(there.key)) if there else (None,)
            found = _analysis.decode(kept) if kept else None
            if found is None or (found.id, found.thinker) != (analysis_id, thinker):
                return False
            draft.put(_of_game(found.key), changed(found))
            return True

        return await self._change(change)

    async def forget_analyses(self, made_before: int) -> int:
        """Delete the analyses that were begun before this time. Returns how many."""

        async def change(draft: Draft) -> int:
            old = [one for one in await self._analyses() if one.made < made_before]
            for one in old:
                draft.drop(_of_game(one.key))
            return len(old)

        return await self._change(change)

    async def _analyses(self) -> Iterable[StoredAnalysis]:
        return [_analysis.decode(kept) for kept in await self._read(under("analyses"))]


def _of_game(key: bytes) -> Place:
    return "analyses", [key.hex()]


def _is_done(analysis: StoredAnalysis) -> bool:
    return analysis.done == analysis.choices


def _age(analysis: StoredAnalysis) -> tuple[int, str]:
    return analysis.made, analysis.id
