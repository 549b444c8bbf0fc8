"""Figures for Prometheus, in its text format: how much happens here, never what or by whom."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

from genial.server.hub import Hub
from genial.server.store.interface import Credential, NewEntry, Result, Store, TableRow

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds; an append should take less than the fourth of them."""

_STATUSES = ("open", "running", "between", "over", "closed")

_Samples = Iterable[tuple[Mapping[str, str], float]]


class Histogram:
    """Counts of durations by upper bound."""

    def __init__(self, bounds: Sequence[float] = BOUNDS) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterable[str]:
        """As Prometheus reads it: each bound counts all that is below it."""
        totals = list(accumulate(self._counts))
        for bound, total in zip((*map(str, self._bounds), "+Inf"), totals, strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {totals[-1]}"


class Metrics:
    """What is counted beside what the hub and the bots count themselves."""

    def __init__(self) -> None:
        self.appends = Histogram()
        self.answers: Counter[tuple[str, int]] = Counter()
        self._began = time.time()

    def answered(self, kind: str, status: int) -> None:
        """Count an answer: the status of a request, the closing code of a socket."""
        self.answers[kind, status] += 1

    def text(self, hub: Hub) -> str:
        """Everything, in the text format."""
        lines: list[str] = []

        def add(name: str, kind: str, told: str, samples: _Samples) -> None:
            lines.extend((f"# HELP genial_{name} {told}", f"# TYPE genial_{name} {kind}"))
            lines.extend(f"genial_{name}{_labels(labels)} {_number(value)}" for labels, value in samples)

        live, stats = hub.tables.values(), hub.pool.stats
        by_status = Counter(table.table.status for table in live)
        add("tables", "gauge", "Tables in memory.", [({"status": s}, by_status[s]) for s in _STATUSES])
        sockets = sum(len(table.subscribers) for table in live)
        add("listeners", "gauge", "Sockets and streams that listen to a table.", [({}, sockets)])
        add("processes", "gauge", "Server processes on this store.", [({}, len(hub.peers.living))])
        add("entries_stored_total", "counter", "Entries written by this process.", [({}, hub.moves)])
        lines.append("# HELP genial_append_seconds Time until an append is durable.")
        lines.append("# TYPE genial_append_seconds histogram")
        lines.extend(self.appends.lines("genial_append_seconds"))
        add("bot_jobs_total", "counter", "Moves asked of bots.", [({}, stats.jobs)])
        add("bot_cancelled_total", "counter", "Thoughts given up.", [({}, stats.cancelled)])
        fallbacks = [({"reason": reason}, count) for reason, count in sorted(stats.fallbacks.items())]
        add("bot_fallbacks_total", "counter", "Moves that the fallback made.", fallbacks)
        add("bot_restarts_total", "counter", "Bot workers replaced.", [({}, stats.restarts)])
        add("bot_busy_seconds_total", "counter", "Thinking time of all workers.", [({}, stats.busy_seconds)])
        add("bot_queue", "gauge", "Moves waiting for a worker.", [({}, hub.pool.queued)])
        add("bot_workers", "gauge", "Warm bot workers.", [({}, len(hub.pool.pids))])
        answers = sorted(self.answers.items())
        add("requests_total", "counter", "Answers by status.", _by(answers, "http", "status"))
        add("sockets_closed_total", "counter", "Closed sockets by code.", _by(answers, "websocket", "code"))
        refused = self.answers["http", 429] + self.answers["websocket", 429]
        add("rate_limited_total", "counter", "Requests and sockets over a limit.", [({}, refused)])
        if (memory := resident_bytes()) is not None:
            lines.append("# TYPE process_resident_memory_bytes gauge")
            lines.append(f"process_resident_memory_bytes {memory}")
        lines.append("# TYPE process_start_time_seconds gauge")
        lines.append(f"process_start_time_seconds {self._began:.3f}")
        return "\n".join(lines) + "\n"

    def timed(self, store: Store) -> Store:
        """The same store; its appends are timed."""
        return cast(Store, _Timed(store, self.appends))


class _Timed:
    """A store whose appends are timed; all else goes straight through."""

    def __init__(self, store: Store, appends: Histogram) -> None:
        self._store = store
        self._appends = appends

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(
        self,
        game: str,
        first_seq: int,
        entries: Sequence[NewEntry],
        row: TableRow | None = None,
        credentials: Sequence[Credential] = (),
        result: Result | None = None,
    ) -> None:
        started = time.perf_counter()
        await self._store.append(game, first_seq, entries, row, credentials, result)
        self._appends.observe(time.perf_counter() - started)


def _by(answers: list[tuple[tuple[str, int], int]], kind: str, label: str) -> _Samples:
    return [({label: str(status)}, count) for (of, status), count in answers if of == kind]


def _labels(labels: Mapping[str, str]) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + "}" if labels else ""


def resident_bytes() -> int | None:
    """The memory that this process holds now, where the system tells (Linux)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6f}"
