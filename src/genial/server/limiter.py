"""Limits on how often: token buckets, and counts of what is open. Their memory is bounded."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable

from genial.server.errors import TooMany
from genial.server.settings import Limits

_MOST_KEYS = 20_000
_GUESSES_PER_MINUTE = 20


class Buckets:
    """A bucket of tokens for each key. It fills steadily, and whoever finds it empty waits.

    >>> now = [0.0]
    >>> buckets = Buckets(2, 10, clock=lambda: now[0])
    >>> [buckets.wait("ada") for _ in range(3)]
    [0.0, 0.0, 5.0]
    >>> now[0] = 5.0
    >>> buckets.wait("ada"), buckets.wait("ben")
    (0.0, 0.0)
    """

    def __init__(
        self,
        count: int,
        seconds: float,
        *,
        most_keys: int = _MOST_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._count = count
        self._rate = count / seconds
        self._most_keys = most_keys
        self._clock = clock
        self._found: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._spent: Counter[Hashable] | None = None

    def wait(self, key: Hashable) -> float:
        """Take a token: 0.0, or the seconds until there is one."""
        now = self._clock()
        level, since = self._found.pop(key, (float(self._count), now))
        level = min(self._count, level + (now - since) * self._rate)
        taken = level >= 1
        self._found[key] = (level - 1 if taken else level, now)
        if taken and self._spent is not None:
            self._spent[key] += 1
        if len(self._found) > self._most_keys:
            # Whoever was not seen for longest has most likely a full bucket, which is what a new one is.
            self._found.popitem(last=False)
        return 0.0 if taken else (1 - level) / self._rate

    # Several processes take from the same buckets: each tells what it took, and is told what is left

    @property
    def size(self) -> tuple[float, float]:
        """How many tokens a bucket holds, and how many come in a second."""
        return float(self._count), self._rate

    def spent(self) -> dict[Hashable, int]:
        """What was taken since this was last asked; it is counted from the first time on."""
        spent, self._spent = self._spent, Counter()
        return spent or {}

    def settle(self, key: Hashable, level: float) -> None:
        """All processes together have left this much in a bucket; less than nothing is a debt."""
        since_then = self._spent[key] if self._spent else 0
        self._found[key] = (level - since_then, self._clock())

    def check(self, key: Hashable) -> None:
        """Take a token, or refuse."""
        seconds = self.wait(key)
        if seconds:
            raise TooMany("rate-limit", seconds=math.ceil(seconds))

    def __len__(self) -> int:
        return len(self._found)


class Bucket:
    """One bucket for one connection."""

    __slots__ = ("_count", "_level", "_rate", "_since")

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._rate = count / seconds
        self._level = float(count)
        self._since = time.monotonic()

    def wait(self) -> float:
        """Take a token: 0.0, or the seconds until there is one."""
        now = time.monotonic()
        self._level = min(self._count, self._level + (now - self._since) * self._rate)
        self._since = now
        if self._level < 1:
            return (1 - self._level) / self._rate
        self._level -= 1
        return 0.0


class Open:
    """How many of something are open for each key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count: Counter[str] = Counter()
        self._elsewhere: dict[str, int] = {}
        self._changed: set[str] | None = None

    def check(self, key: str) -> None:
        """Refuse if there is no room for one more."""
        if self._count.get(key, 0) + self._elsewhere.get(key, 0) >= self._most:
            raise TooMany("too-many-open", limit=self._most)

    def enter(self, key: str) -> None:
        """One more, or refuse."""
        self.check(key)
        self._count[key] += 1
        if self._changed is not None:
            self._changed.add(key)

    def leave(self, key: str) -> None:
        """One less."""
        self._count[key] -= 1
        if self._count[key] <= 0:
            del self._count[key]
        if self._changed is not None:
            self._changed.add(key)

    def news(self) -> dict[str, int]:
        """What has changed since this was last asked, and what may soon be too many."""
        changed = set(self._count) if self._changed is None else self._changed
        self._changed = set()
        full = {key for key, count in self._count.items() if 2 * count >= self._most}
        return {key: self._count.get(key, 0) for key in changed | full}

    def settle(self, key: str, elsewhere: int) -> None:
        """How many other processes have open."""
        self._elsewhere[key] = elsewhere
        if not elsewhere:
            del self._elsewhere[key]

    def forget_told(self) -> None:
        """The others know nothing any more: everything counts as changed."""
        self._changed = None

    def __len__(self) -> int:
        return len(self._count)


class Limiter:
    """All limits of one server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.requests = Buckets(limits.requests_per_minute, 60)
        self.tables = Buckets(limits.tables_per_hour, 3600)
        self.chat = Buckets(limits.chat_per_minute, 60)
        self.records = Buckets(limits.records_per_minute, 60)
        self.hints = Buckets(limits.hints_per_minute, 60)
        self.guesses = Buckets(_GUESSES_PER_MINUTE, 60)
        """Join codes that no table has: codes are short, and nobody mistypes often."""
        self.sockets = Open(limits.sockets_per_address)

    @property
    def buckets(self) -> dict[str, Buckets]:
        """All buckets by name."""
        return {name: found for name, found in vars(self).items() if isinstance(found, Buckets)}

    def messages(self, watches: bool) -> Bucket:
        """The bucket of a new socket."""
        count = self.limits.watcher_messages_per_20s if watches else self.limits.messages_per_20s
        return Bucket(count, 20)
