"""What all processes count together: what is spent of limits, and how many of something are open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from genial.server.store.postgres_driver import Fetch

_SPEND = """
INSERT INTO buckets (key, most, rate, taken, level, since)
SELECT key, most, rate, taken, most - taken, clock_timestamp()
FROM unnest($1::bytea[], $2::float8[], $3::float8[], $4::float8[]) AS spent (key, most, rate, taken)
ON CONFLICT (key) DO UPDATE SET most = excluded.most, rate = excluded.rate, taken = excluded.taken,
    since = excluded.since, level = greatest(-excluded.most, least(excluded.most, buckets.level
        + excluded.rate * extract(epoch FROM excluded.since - buckets.since)) - excluded.taken)
RETURNING key, level
"""
"""Takes from the buckets that all processes share, and returns what is left; below zero if overdrawn."""

_COUNT = """
INSERT INTO tallies (key, process, count) SELECT key, $3, count
FROM unnest($1::bytea[], $2::integer[]) AS own (key, count)
ON CONFLICT (key, process) DO UPDATE SET count = excluded.count
"""

_OTHERS = """
SELECT key, sum(count)::integer FROM tallies JOIN living ON living.id = tallies.process
WHERE key = ANY($1::bytea[]) AND process <> $2 GROUP BY key
"""


class SharedCounts:
    """The shared buckets and tallies, as this process takes from them and adds to them."""

    def __init__(self, process: str, fetch: Fetch) -> None:
        self._process = process
        self._fetch = fetch

    async def spend(self, spent: Sequence[tuple[bytes, float, float, float]]) -> dict[bytes, float]:
        """Take from shared buckets (key, size, rate, taken). Returns what is left in each."""
        # In the same order everywhere, or two processes could deadlock.
        columns = [list(column) for column in zip(*sorted(spent), strict=True)]
        return dict(await self._fetch(_SPEND, *columns)) if spent else {}

    async def count(self, own: Mapping[bytes, int]) -> dict[bytes, int]:
        """Say how many of each we have open. Returns how many all others have."""
        if not own:
            return {}
        keys = sorted(own)
        await self._fetch(_COUNT, keys, [own[key] for key in keys], self._process)
        return dict(await self._fetch(_OTHERS, keys, self._process))
