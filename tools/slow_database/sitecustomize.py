"""With this folder on PYTHONPATH, PostgreSQL answers as late as one that is busy or far away.

Every Python loads this when it starts, so also the servers that tests start. `tools/check.py --slow-database`
looks in this way for tests and code that only work if an answer comes at once.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_DRIVER = "asyncpg.connection"
_STATEMENTS = ("execute", "executemany", "fetch", "fetchrow", "fetchval")


def _late() -> float:
    """How many seconds it takes: mostly few or none, and now and then as many as between two rounds."""
    return random.choice([0.0, 0.0, random.uniform(0, 0.02), random.uniform(0, 0.02), random.uniform(0, 0.2)])


def _slow(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def slow(*arguments: Any, **named: Any) -> Any:
        await asyncio.sleep(_late())
        answer = await method(*arguments, **named)
        await asyncio.sleep(_late())
        return answer

    return slow


class _Slowing(MetaPathFinder):
    """Slows the driver down when somebody imports it."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name == _DRIVER else None
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def run_and_slow(module: ModuleType) -> None:
            run(module)
            for statement in _STATEMENTS:
                setattr(module.Connection, statement, _slow(getattr(module.Connection, statement)))

        spec.loader.exec_module = run_and_slow  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, _Slowing())
