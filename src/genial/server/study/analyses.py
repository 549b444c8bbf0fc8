"""Finished games, analysed move by move and kept in the store, where every process finds them.

One process works on each, and stores its progress after every move. If its process ends before it is
finished, the next process that is asked about it takes over.
"""

from __future__ import annotations

import asyncio
import logging
import secrets

import msgspec
from msgspec import Struct

from genial.core.errors import GenialError
from genial.core.record import read
from genial.server.study.advice import ADVISER, Analysis, Decision, Judged, decisions_of, judged, opinion_of
from genial.server.tables.errors import NotFound, Refused, TooMany
from genial.server.tables.hub import Hub
from genial.server.tables.settings import Limits
from genial.server.tables.store import StoredAnalysis

log = logging.getLogger("genial.server")

_AGAIN_SECONDS = 1.0
"""How long after a failure the store is tried again."""


class Opinions(Struct):
    """The opinions on a game so far, as stored."""

    unit: str | None = None
    moves: list[Judged] = []


class _Work:
    """An analysis as far as it has got; with its task, if this process is working on it."""

    def __init__(self, kept: StoredAnalysis, caller: str) -> None:
        self.kept = kept
        self.caller = caller
        self.done = kept.done
        self.opinions = msgspec.json.decode(kept.data, type=Opinions)
        self.task: asyncio.Task[None] | None = None

    def told(self) -> Analysis:
        return Analysis(
            id=self.kept.id,
            bot=ADVISER,
            unit=self.opinions.unit,
            state="running" if self.done < self.kept.choices else "done",
            done=self.done,
            of=self.kept.choices,
            moves=list(self.opinions.moves),
        )


class Analyses:
    """The analyses of one store: each game is analysed once, and kept as long as there is room."""

    def __init__(self, hub: Hub, limits: Limits) -> None:
        self._hub = hub
        self._store = hub.store
        self._limits = limits
        self._works: dict[str, _Work] = {}

    async def start(self, choices: int, key: bytes, record: bytes, caller: str = "") -> Analysis:
        """Begin to analyse a game, or report the progress; the same game has the same key.

        `caller` is who asks.
        """
        if not choices:
            raise Refused("analysis-empty")
        new = StoredAnalysis(
            id=secrets.token_urlsafe(12),
            key=key,
            record=record,
            made=self._hub.clock(),
            thinker=self._hub.peers.id,
            done=0,
            choices=choices,
            data=msgspec.json.encode(Opinions()),
        )
        kept = await self._store.begin_analysis(new, self._limits.analyses_kept, self._hub.peers.living)
        if kept is None:
            raise TooMany("server-busy")
        return self._looked_at(kept, caller)

    async def told(self, analysis_id: str, caller: str = "") -> Analysis:
        """The progress and results of an analysis; `caller` is who asks."""
        if (work := self._works.get(analysis_id)) is not None:
            return work.told()
        kept = await self._store.analysis(analysis_id)
        if kept is None:
            raise NotFound("analysis-unknown")
        try:
            return self._looked_at(kept, caller)
        except msgspec.ValidationError:  # from another version
            raise NotFound("analysis-unknown") from None

    async def stop(self) -> None:
        """Stop thinking; somebody may go on later."""
        tasks = [work.task for work in self._works.values() if work.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _looked_at(self, kept: StoredAnalysis, caller: str) -> Analysis:
        """What the store has; if nobody is working on it, this process starts to."""
        if (work := self._works.get(kept.id)) is not None:
            return work.told()
        work, peers = _Work(kept, caller), self._hub.peers
        # One of our own that isn't in progress here is new, or was interrupted.
        is_left = kept.thinker == peers.id or kept.thinker not in peers.living
        if kept.done < kept.choices and is_left:
            self._works[kept.id] = work
            work.task = asyncio.create_task(self._think(work))
            work.task.add_done_callback(lambda task: self._ended(kept.id, task))
        return work.told()

    def _ended(self, analysis_id: str, task: asyncio.Task[None]) -> None:
        del self._works[analysis_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("analysis failed", exc_info=error)

    async def _think(self, work: _Work) -> None:
        kept = work.kept
        if not await self._store.take_analysis(kept.id, kept.thinker, self._hub.peers.id):
            return
        begun_at = work.done
        for number, decision in enumerate(decisions_of(read(kept.record))):
            if number < begun_at:
                await asyncio.sleep(0)  # going through a long game without a pause would hold everybody up
                continue
            await self._judge(work, decision)
            if not await self._keep(work):
                return

    async def _judge(self, work: _Work, decision: Decision) -> None:
        seed, tag = f"{work.kept.key.hex()[:16]}:{decision.ply}", f"analysis:{work.kept.id}"
        advice = await opinion_of(self._hub.pool, decision, seed, tag, self._limits, caller=work.caller)
        if advice is not None:
            work.opinions.unit = advice.unit
            if (opinion := judged(decision, advice)) is not None:
                work.opinions.moves.append(opinion)
        work.done += 1

    async def _keep(self, work: _Work) -> bool:
        """Store the progress. Returns False if somebody else is working on it now."""
        data = msgspec.json.encode(work.opinions)
        while True:
            try:
                return await self._store.put_opinions(work.kept.id, self._hub.peers.id, work.done, data)
            except GenialError:
                await asyncio.sleep(_AGAIN_SECONDS)
