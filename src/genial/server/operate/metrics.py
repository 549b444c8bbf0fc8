"""Metrics for Prometheus, in its text format: how much happens here, never what or by whom."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

from genial.bots.thinking import PRIORITIES
from genial.bots.workers import BotPool
from genial.server.http.doors import Doors
from genial.server.operate.logs import lines_left_out
from genial.server.tables.hub import Hub
from genial.server.tables.store import Append, Store

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds; an append should take less than the fourth of these."""

WAIT_BOUNDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)

_OWN_CODES = 3000
"""Peers may close with any code from here up; they are counted as one."""
_STATUSES = ("open", "running", "between", "over", "closed")


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
        """In Prometheus's format: each bucket counts everything up to its bound."""
        totals = list(accumulate(self._counts))
        for bound, total in zip((*map(str, self._bounds), "+Inf"), totals, strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {totals[-1]}"


class Metrics:
    """Counters in addition to those of the hub and the bots."""

    def __init__(self) -> None:
        self.appends = Histogram()
        self.waits = Histogram(WAIT_BOUNDS)
        """How long thoughts of bots waited for a worker."""
        self.answers: dict[str, Counter[int]] = {"http": Counter(), "websocket": Counter()}
        self.refusals: Counter[str] = Counter()
        self._began = time.time()

    def answered(self, kind: str, status: int) -> None:
        """Count an answer: the status of a request, the close code of a socket."""
        self.answers[kind][min(status, _OWN_CODES)] += 1

    def refused(self, code: str) -> None:
        """Count a refusal: of a request, a socket, or a message on one."""
        self.refusals[code] += 1

    def text(self, hub: Hub, pool: BotPool, doors: Doors) -> str:
        """All metrics, in the text format."""
        lines: list[str] = []

        def add(name: str, kind: str, told: str, samples: float | Mapping[str, float]) -> None:
            lines.extend((f"# HELP genial_{name} {told}", f"# TYPE genial_{name} {kind}"))
            by_label = samples if isinstance(samples, Mapping) else {"": samples}
            lines.extend(f"genial_{name}{label} {_number(value)}" for label, value in by_label.items())

        live, stats = hub.tables.values(), pool.stats
        by_status = Counter(table.table.status for table in live)
        tables = _labelled("status", [(status, by_status[status]) for status in _STATUSES])
        add("tables", "gauge", "Tables in memory.", tables)
        sockets = sum(len(table.listeners) for table in live)
        add("listeners", "gauge", "Sockets and streams that listen to a table.", sockets)
        add("processes", "gauge", "Server processes on this store.", len(hub.peers.living))
        add("entries_stored_total", "counter", "Entries written by this process.", hub.moves)
        add("append_seconds", "histogram", "Time until an append is durable.", {})
        lines.extend(self.appends.lines("genial_append_seconds"))
        add("bot_jobs_total", "counter", "Moves asked of bots.", stats.jobs)
        add("bot_cancelled_total", "counter", "Thoughts given up.", stats.cancelled)
        fallbacks = _labelled("reason", sorted(stats.fallbacks.items()))
        add("bot_fallbacks_total", "counter", "Moves that the fallback made.", fallbacks)
        add("bot_restarts_total", "counter", "Bot workers replaced.", stats.restarts)
        add("bot_busy_seconds_total", "counter", "Thinking time of all workers.", stats.busy_seconds)
        waiting = pool.queue.by_priority
        queue = _labelled("kind", [(name, waiting[priority]) for priority, name in PRIORITIES.items()])
        add("bot_queue", "gauge", "Thoughts waiting for a worker, by who waits for them.", queue)
        add("bot_wait_seconds", "histogram", "Time that a thought waited for a worker.", {})
        lines.extend(self.waits.lines("genial_bot_wait_seconds"))
        add("bot_workers", "gauge", "Warm bot workers.", len(pool.pids))
        requests, closed = self.answers["http"], self.answers["websocket"]
        by_request = _labelled("status", sorted(requests.items()))
        add("requests_total", "counter", "Answers by status.", by_request)
        by_code = _labelled("code", sorted(closed.items()))
        add("sockets_closed_total", "counter", "Closed sockets by code.", by_code)
        refused = requests[429] + closed[429]
        add("rate_limited_total", "counter", "Requests and sockets over a limit.", refused)
        by_refusal = _labelled("code", sorted(self.refusals.items()))
        add("refusals_total", "counter", "What was refused, by its code.", by_refusal)
        add("connections", "gauge", "Connections that are open.", len(doors))
        turned_away = _labelled("reason", sorted(doors.refused.items()))
        add("connections_refused_total", "counter", "Connections without room.", turned_away)
        ended = _labelled("reason", sorted(doors.watch.ended.items()))
        add("connections_ended_total", "counter", "Connections that took too long.", ended)
        add(
            "reads_held_total",
            "counter",
            "Reads delayed because a sender made no progress.",
            doors.watch.held,
        )
        add("log_lines_left_out_total", "counter", "Lines over the log's limit.", lines_left_out())
        if (memory := resident_bytes()) is not None:
            lines.append("# TYPE process_resident_memory_bytes gauge")
            lines.append(f"process_resident_memory_bytes {memory}")
        lines.append("# TYPE process_start_time_seconds gauge")
        lines.append(f"process_start_time_seconds {self._began:.3f}")
        return "\n".join(lines) + "\n"

    def timed(self, store: Store) -> Store:
        """The same store, with its appends timed."""
        return cast(Store, _Timed(store, self.appends))


class _Timed:
    """A store whose appends are timed; everything else passes straight through."""

    def __init__(self, store: Store, appends: Histogram) -> None:
        self._store = store
        self._appends = appends

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, append: Append) -> None:
        started = time.perf_counter()
        await self._store.append(append)
        self._appends.observe(time.perf_counter() - started)


def _labelled(label: str, counts: Iterable[tuple[object, float]]) -> dict[str, float]:
    return {f'{{{label}="{value}"}}': count for value, count in counts}


def resident_bytes() -> int | None:
    """The memory that this process uses now, where the system says (Linux)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6f}"
