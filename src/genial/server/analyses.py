"""Games that are over, thought through move by move and kept in the store, where every process finds them.

One process goes on with each; it keeps what it has thought after every move. One that was left unfinished,
because its process ended, is taken on by the process that is next asked about it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

import genial
from genial.core.errors import GenialError
from genial.core.record import Record, dump, read, record_of
from genial.core.referee import replay
from genial.server.advice import ADVISER, Analysis, Decision, Judged, decisions_of, judged, opinion_of
from genial.server.errors import NotFound, Refused, TooMany
from genial.server.hub import Hub
from genial.server.settings import Limits
from genial.server.store.interface import StoredAnalysis

log = logging.getLogger("genial.server")

_AGAIN_SECONDS = 1.0
"""So long after a failure the store is tried again."""


class Opinions(Struct):
    """What is thought of a game so far, as it is kept."""

    unit: str | None = None
    moves: list[Judged] = []


class _Work:
    """An analysis that this process goes on with."""

    def __init__(self, kept: StoredAnalysis) -> None:
        self.kept = kept
        self.done = kept.done
        self.opinions = msgspec.json.decode(kept.data, type=Opinions)
        self.task: asyncio.Task[None] | None = None

    def told(self) -> Analysis:
        return _told(self.kept, self.done, self.opinions)


class Analyses:
    """The analyses of one store: each game is thought through once, and kept as long as there is room."""

    def __init__(self, hub: Hub, limits: Limits) -> None:
        self._hub = hub
        self._store = hub.store
        self._limits = limits
        self._works: dict[str, _Work] = {}

    async def start(self, record: Record) -> Analysis:
        """Begin to think about a game, or tell how far that is."""
        new, decisions = await asyncio.to_thread(_prepared, record, self._hub.clock(), self._hub.peers.id)
        kept = await self._store.begin_analysis(new, self._limits.analyses_kept, self._hub.peers.living)
        if kept is None:
            raise TooMany("server-busy")
        if kept.id != new.id:
            return self._looked_at(kept)
        return self._go_on(kept, decisions)

    async def told(self, number: str) -> Analysis:
        """How far an analysis is."""
        if (work := self._works.get(number)) is not None:
            return work.told()
        kept = await self._store.analysis(number)
        if kept is None:
            raise NotFound("analysis-unknown")
        try:
            return self._looked_at(kept)
        except msgspec.ValidationError:  # another version's
            raise NotFound("analysis-unknown") from None

    async def stop(self) -> None:
        """Think no further; somebody may go on later."""
        tasks = [work.task for work in self._works.values() if work.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _looked_at(self, kept: StoredAnalysis) -> Analysis:
        """What the store has, and go on with it where nobody does."""
        if (work := self._works.get(kept.id)) is not None:
            return work.told()
        peers = self._hub.peers
        # Our own that is not under way here was broken off.
        is_left = kept.thinker == peers.id or kept.thinker not in peers.living
        if kept.done < kept.choices and is_left:
            return self._go_on(kept)
        return _told(kept, kept.done, msgspec.json.decode(kept.data, type=Opinions))

    def _go_on(self, kept: StoredAnalysis, decisions: Sequence[Decision] | None = None) -> Analysis:
        work = self._works[kept.id] = _Work(kept)
        work.task = asyncio.create_task(self._think(work, decisions))
        work.task.add_done_callback(lambda task: self._ended(kept.id, task))
        return work.told()

    def _ended(self, number: str, task: asyncio.Task[None]) -> None:
        del self._works[number]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("analysis failed", exc_info=error)

    async def _think(self, work: _Work, decisions: Sequence[Decision] | None) -> None:
        kept, me = work.kept, self._hub.peers.id
        if decisions is None:
            if not await self._store.take_analysis(kept.id, kept.thinker, me):
                return
            decisions = await asyncio.to_thread(lambda: list(decisions_of(read(kept.record))))
        for decision in decisions[work.done :]:
            await self._judge(work, decision)
            if not await self._keep(work):
                return

    async def _judge(self, work: _Work, decision: Decision) -> None:
        seed, tag = f"{work.kept.key.hex()[:16]}:{decision.ply}", f"analysis:{work.kept.id}"
        advice = await opinion_of(self._hub.pool, decision, seed, tag, self._limits)
        if advice is not None:
            work.opinions.unit = advice.unit
            if (found := judged(decision, advice)) is not None:
                work.opinions.moves.append(found)
        work.done += 1

    async def _keep(self, work: _Work) -> bool:
        """Whether what was thought is kept; False if somebody else goes on with it."""
        data = msgspec.json.encode(work.opinions)
        while True:
            try:
                return await self._store.put_opinions(work.kept.id, self._hub.peers.id, work.done, data)
            except GenialError:
                await asyncio.sleep(_AGAIN_SECONDS)


def _told(kept: StoredAnalysis, done: int, opinions: Opinions) -> Analysis:
    return Analysis(
        id=kept.id,
        bot=ADVISER,
        unit=opinions.unit,
        state="running" if done < kept.choices else "done",
        done=done,
        of=kept.choices,
        moves=list(opinions.moves),
    )


def _prepared(record: Record, now: int, thinker: str) -> tuple[StoredAnalysis, list[Decision]]:
    found = list(decisions_of(record))
    if not found:
        raise Refused("analysis-empty")
    *_, last = replay(record)
    game = record_of(last)
    new = StoredAnalysis(
        id=secrets.token_urlsafe(12),
        # Another version may think otherwise.
        key=sha256(repr((genial.__version__, ADVISER, game)).encode()).digest(),
        record=dump(game).encode(),
        made=now,
        thinker=thinker,
        done=0,
        choices=len(found),
        data=msgspec.json.encode(Opinions()),
    )
    return new, found
