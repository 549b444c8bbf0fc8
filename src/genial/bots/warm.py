"""Getting ready to think, where numba compiles the kernel: before anybody waits for it.

With the library there is nothing to do. numba takes most of a minute of a core the first time. `genial
warmup` does it beforehand, and a server does it in a process of its own while people already play; until that
is done the levels that look ahead play their best without. After that the code comes from the cache within a
second or two.
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
    """Have every function compiled that a level calls; all variants share them."""
    if not _compiles():
        return
    from genial.kernel.source.compiled import FOLDER

    view = new(next(iter(TITLES)), seats=2, seed="warm").view({0})
    for bot in LEVELS:
        choose(bot, view, Random(0), _LITTLE)
    if FOLDER is not None:
        (FOLDER / stamp(_KERNEL)).touch()


def is_warm() -> bool:
    """Whether nothing has to be compiled, or it is done for good, or of no use: nothing can be kept here."""
    if not _compiles():
        return True
    from genial.kernel.source.compiled import FOLDER

    return FOLDER is None or (FOLDER / stamp(_KERNEL)).exists()


def _compiles() -> bool:
    return kernel.available().engine == NUMBA


@cache
def stamp(sources: Path) -> str:
    """The name of the file that says so: another one for another place, time or processor.

    numba takes kept code only where all three are the same. So a second checkout, or one that was installed
    anew, has to compile, although the sources are word for word the same.
    """
    import llvmlite.binding as llvm  # type: ignore[import-untyped]  # only who has numba has it

    found = sha256(f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}".encode())
    for path in sorted(sources.rglob("*.py")):
        found.update(f"{path} {path.stat().st_mtime_ns}".encode())
    return f"warm-{found.hexdigest()[:16]}"


def ready(bot: Bot) -> Bot:
    """The bot, or who plays for it while its code is still being compiled elsewhere."""
    return bot.fallback if isinstance(bot, SearchBot) and not is_warm() else bot


@asynccontextmanager
async def compiling_elsewhere() -> AsyncIterator[None]:
    """Meanwhile a process of its own compiles, if numba is there, is needed, and that was never done here."""
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
    """One process compiles at a time; the others wait, and then find it done."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks, some work is done twice
        yield
        return
    with (folder / "compiling").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def end_with_starter() -> None:
    """A server that is killed cannot end what it started; its end of the pipe closes all the same."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main() -> None:
    """Compile, if that was never done here."""
    if is_warm():
        return
    from genial.kernel.source.compiled import FOLDER

    getattr(os, "nice", int)(10)
    end_with_starter()
    assert FOLDER is not None  # else there is nothing to wait for
    with alone(FOLDER):
        if not is_warm():
            warm()


if __name__ == "__main__":
    main()
