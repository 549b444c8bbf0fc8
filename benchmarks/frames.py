"""Frames of a page, read from Chromium's trace: how many there were, and what the main thread did in each."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CATEGORIES = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "toplevel",
)
_BEGIN = "BeginMainThreadFrame"
_TASK = "RunTask"


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of one trace."""

    seconds: float
    """From the first to the last."""
    costs: tuple[float, ...]
    """Milliseconds of the main thread's CPU time: before the first frame, then in each and until the next. A
    busy machine does not lengthen them.
    """

    @property
    def rate(self) -> float:
        """Frames per second."""
        return (len(self.costs) - 2) / self.seconds

    @property
    def whole(self) -> float:
        """Milliseconds of the main thread's CPU time from start to end, in frames and between them."""
        return sum(self.costs)

    def work(self, share: float) -> float:
        """The cost that this share of frames does not exceed."""
        return reached(self.costs, share)

    @staticmethod
    def read(trace: bytes) -> Frames:
        """The frames of the page that made most of them."""
        events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
        threads = Counter((event["pid"], event["tid"]) for event in events if event["name"] == _BEGIN)
        thread, _ = threads.most_common(1)[0]
        mine = [event for event in events if (event["pid"], event["tid"]) == thread]
        begins = sorted(event["ts"] for event in mine if event["name"] == _BEGIN)
        costs = [0.0] * (len(begins) + 1)
        for event in mine:
            if event["name"] == _TASK:
                frame = bisect_right(begins, event["ts"] + event.get("dur", 0))
                costs[frame] += event.get("tdur", event.get("dur", 0)) / 1000
        return Frames((begins[-1] - begins[0]) / 1e6, tuple(costs))


def reached(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed; with few values, the next higher one."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
