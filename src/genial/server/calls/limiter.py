"""Rate limits: token buckets, and counts of what is open, in bounded memory."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial

from genial.server.tables.errors import NotFound, TooMany
from genial.server.tables.settings import Limits

_MOST_KEYS = 20_000
_GUESSES_PER_MINUTE = 20


class Bucket:
    """A token bucket that refills steadily, by `count` tokens in `seconds`; an empty one makes you wait."""

    # There are thousands of these.
    __slots__ = ("_clock", "_count", "_level", "_rate", "_since")

    def __init__(self, count: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._rate = count / seconds
        self._clock = clock
        self.settle(float(count))

    def settle(self, level: float) -> None:
        """Set the number of tokens left; below zero is a debt."""
        self._level, self._since = level, self._clock()

    def wait(self) -> float:
        """Take a token. Returns 0.0, or the seconds until there is one."""
        now = self._clock()
        self._level = min(self._count, self._level + (now - self._since) * self._rate)
        self._since = now
        if self._level < 1:
            return (1 - self._level) / self._rate
        self._level -= 1
        return 0.0

    def give_back(self) -> None:
        """Put a token back."""
        self._level += 1


class Buckets:
    """A token bucket for each key.

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
        sharers: Callable[[], int] = lambda: 1,
        most_keys: int = _MOST_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.size = float(count), count / seconds
        """The capacity of a bucket, and the tokens it gains per second."""
        self._sharers = sharers
        """How many processes share each bucket fairly: none spends more than its part of what is left before
        it hears from the others. With one, several processes may overdraw together, and pay that back.
        """
        self._new = partial(Bucket, count, seconds, clock)
        self._most_keys = most_keys
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()
        self._spent: Counter[Hashable] | None = None

    def wait(self, key: Hashable) -> float:
        """Take a token. Returns 0.0, or the seconds until there is one."""
        if (bucket := self._buckets.get(key)) is None:
            bucket = self._buckets[key] = self._new()
            bucket.settle(self._share(self.size[0]))
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._most_keys:
            # The key not seen for longest most likely has a full bucket, the same as a new one.
            self._buckets.popitem(last=False)
        seconds = bucket.wait()
        if not seconds and self._spent is not None:
            self._spent[key] += 1
        return seconds

    def give_back(self, key: Hashable) -> None:
        """Put back a token that turned out not to count."""
        if (bucket := self._buckets.get(key)) is not None:
            bucket.give_back()
        if self._spent is not None:
            self._spent[key] -= 1

    def check(self, key: Hashable) -> None:
        """Take a token, or refuse."""
        seconds = self.wait(key)
        if seconds:
            raise TooMany("rate-limit", seconds=math.ceil(seconds))

    # Several processes share the same buckets: each reports what it took, and learns what is left

    def share(self) -> None:
        """Count what is taken from now on, for `spent`."""
        self._spent = Counter()

    def spent(self) -> dict[Hashable, int]:
        """The tokens taken since the last call."""
        if self._spent is None:
            return {}
        spent, self._spent = self._spent, Counter()
        return {key: taken for key, taken in spent.items() if taken}

    def report_again(self, key: Hashable, taken: int) -> None:
        """Count tokens once more that could not be reported."""
        if self._spent is not None:
            self._spent[key] += taken

    def settle(self, key: Hashable, level: float) -> None:
        """Set the tokens that all processes together have left in a bucket; below zero is a debt."""
        since_then = self._spent[key] if self._spent else 0
        self._buckets.setdefault(key, self._new()).settle(self._share(level - since_then))

    def _share(self, level: float) -> float:
        return level / self._sharers() if level > 0 else level

    def __len__(self) -> int:
        return len(self._buckets)


class Open:
    """The number of open things for each key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count: Counter[str] = Counter()
        self._elsewhere: dict[str, int] = {}
        self._changed: set[str] | None = None

    def has_room(self, key: str) -> bool:
        """True if there is room for one more."""
        return self._count.get(key, 0) + self._elsewhere.get(key, 0) < self._most

    def check(self, key: str) -> None:
        """Refuse if there is no room for one more."""
        if not self.has_room(key):
            raise TooMany("too-many-open", limit=self._most)

    def enter(self, key: str) -> None:
        """Count one more, or refuse."""
        self.check(key)
        self._add(key, 1)

    def leave(self, key: str) -> None:
        """Count one less."""
        self._add(key, -1)

    def _add(self, key: str, number: int) -> None:
        self._count[key] += number
        if self._count[key] <= 0:
            del self._count[key]
        if self._changed is not None:
            self._changed.add(key)

    def news(self) -> dict[str, int]:
        """The counts that have changed since the last call, and those that are close to the limit."""
        changed = set(self._count) if self._changed is None else self._changed
        self._changed = set()
        full = {key for key, count in self._count.items() if 2 * count >= self._most}
        return {key: self._count.get(key, 0) for key in changed | full}

    def settle(self, key: str, elsewhere: int) -> None:
        """Set how many the other processes have open."""
        self._elsewhere[key] = elsewhere
        if not elsewhere:
            del self._elsewhere[key]

    def forget_told(self) -> None:
        """The others have lost what they knew: report everything as changed."""
        self._changed = None

    def __len__(self) -> int:
        return len(self._count)


class Limiter:
    """All rate limits of one server."""

    def __init__(self, limits: Limits, processes: Callable[[], int] = lambda: 1) -> None:
        self.limits = limits
        self.requests = Buckets(limits.requests_per_minute, 60)
        self.devices = Buckets(limits.devices_per_hour, 3600)
        self.tables = Buckets(limits.tables_per_hour, 3600)
        self.chat = Buckets(limits.chat_per_minute, 60)
        self.address_chat = Buckets(limits.address_chat_per_minute, 60, sharers=processes)
        self.spectator_chat = Buckets(limits.spectator_chat_per_minute, 60, sharers=processes)
        self.records = Buckets(limits.records_per_minute, 60)
        self.hints = Buckets(limits.hints_per_minute, 60)
        self.guesses = Buckets(_GUESSES_PER_MINUTE, 60)
        """Wrong codes, of tables and for spectators: they are short, and nobody mistypes often."""
        self.sockets = Open(limits.sockets_per_address)

    @property
    def buckets(self) -> dict[str, Buckets]:
        """All buckets by name."""
        return {name: limit for name, limit in vars(self).items() if isinstance(limit, Buckets)}

    def speak(self, table_id: str, device: str, address: str, *, watches: bool) -> None:
        """Count what somebody says at a table, or refuse it."""
        # New devices cost nothing, so chat is also limited by address and by table.
        self.chat.check((device, table_id))
        if watches:
            self.spectator_chat.check(table_id)
        self.address_chat.check(address)

    @contextmanager
    def guessing(self, address: str) -> Iterator[None]:
        """Look up a code inside this block; if it raises NotFound, the code was wrong, and counts.

        Somebody with too many wrong ones is refused before the code is looked at, so that a right one is
        refused in the same way and just as quickly. Each guess is counted first and given back if right;
        otherwise many at once would all get in.
        """
        self.guesses.check(address)
        wrong = False
        try:
            yield
        except NotFound:
            wrong = True
            raise
        finally:
            if not wrong:
                self.guesses.give_back(address)

    def messages(self, watches: bool) -> Bucket:
        """The bucket for a new socket."""
        count = self.limits.watcher_messages_per_20s if watches else self.limits.messages_per_20s
        return Bucket(count, 20)
