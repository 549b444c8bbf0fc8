"""Getting ready to think, where numba compiles the kernel, before anybody has to wait for it.

With the compiled library there is nothing to do. The first time, numba takes most of a minute on one core.
`genial warmup` does this in advance, and a server does it in a separate process while people already play;
until then the levels that look ahead play without looking ahead. Afterwards the code is loaded from the cache
within a second or two.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random

from genial import kernel
from genial.bots.bot import Bot, Budget
from genial.bots.driver import choose
from genial.bots.levels import LEVELS
from genial.bots.searcher import SearchBot
from genial.core.new import new
from genial.core.titles import TITLES
from genial.kernel.engine import NUMBA, is_library_there

_LITTLE = Budget(nodes=1)
_KERNEL = Path(kernel.__file__).parent


def warm() -> None:
    """Compile every function that a level calls; all variants share them."""
    if not _compiles():
        return
    from genial.kernel.source.compiled import FOLDER

    view = new(next(iter(TITLES)), seats=2, seed="warm").view({0})
    for bot in LEVELS:
        choose(bot, view, Random(0), _LITTLE)
    if FOLDER is not None:
        (FOLDER / stamp(_KERNEL)).touch()


def is_warm() -> bool:
    """True if nothing has to be compiled, or it is already cached, or caching is impossible here."""
    if not _compiles():
        return True
    from genial.kernel.source.compiled import FOLDER

    return FOLDER is None or (FOLDER / stamp(_KERNEL)).exists()


def _compiles() -> bool:
    return kernel.available().engine == NUMBA


@cache
def stamp(sources: Path) -> str:
    """The name of the file that marks this as done, specific to a place, time and processor.

    numba reuses cached code only if all three are the same. So a second checkout, or a fresh installation,
    has to compile again although the sources are identical.
    """
    import llvmlite.binding as llvm  # type: ignore[import-untyped]  # comes with numba

    found = sha256(f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}".encode())
    for path in sorted(sources.rglob("*.py")):
        found.update(f"{path} {path.stat().st_mtime_ns}".encode())
    return f"warm-{found.hexdigest()[:16]}"


def ready(bot: Bot) -> Bot:
    """The bot, or its fallback while its code is still being compiled elsewhere."""
    return bot.fallback if isinstance(bot, SearchBot) and not is_warm() else bot


@asynccontextmanager
async def compiling_elsewhere() -> AsyncIterator[None]:
    """Compile in a separate process inside the `with` block, if numba is installed and needed."""
    if is_library_there() or find_spec("numba") is None:
        yield
        return
    pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    command = (sys.executable, "-P", "-m", "genial.bots.warm")
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let one process compile at a time; the others wait and then find it done."""
    try:
        import fcntl
    except ImportError:  # without such locks, some work is done twice
        yield
        return
    with (folder / "compiling").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def end_with_starter() -> None:
    """End with the starter: a killed server cannot stop us, but its end of the pipe closes all the same."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main() -> None:
    """Compile, unless that has already been done here."""
    if is_warm():
        return
    from genial.kernel.source.compiled import FOLDER

    getattr(os, "nice", int)(10)
    end_with_starter()
    assert FOLDER is not None  # otherwise is_warm() would have been true
    with alone(FOLDER):
        if not is_warm():
            warm()


if __name__ == "__main__":
    main()
