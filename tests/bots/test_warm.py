"""Getting ready to think: whether that is done is known for each location of the kernel's sources."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from genial import kernel
from genial.bots import warm
from genial.kernel.engine import LIBRARY, NUMBA


def sources(folder: Path, time: int = 1_000_000_000) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "play.py").write_text("the same words everywhere")
    os.utime(folder / "play.py", ns=(time, time))
    return folder


def test_the_same_sources_moved_or_reinstalled_are_not_ready(tmp_path: Path) -> None:
    here = warm.stamp(sources(tmp_path / "here"))
    assert warm.stamp(sources(tmp_path / "there")) != here
    warm.stamp.cache_clear()
    assert warm.stamp(sources(tmp_path / "here")) == here
    warm.stamp.cache_clear()
    assert warm.stamp(sources(tmp_path / "here", 2_000_000_000)) != here


def test_readiness_holds_only_for_this_location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "available", lambda: kernel.Availability(True, "", NUMBA))
    monkeypatch.setattr("genial.kernel.source.compiled.FOLDER", tmp_path)
    monkeypatch.setattr(warm, "_KERNEL", sources(tmp_path / "here"))
    assert not warm.is_warm()
    (tmp_path / warm.stamp(tmp_path / "here")).touch()
    assert warm.is_warm()
    monkeypatch.setattr(warm, "_KERNEL", sources(tmp_path / "there"))
    assert not warm.is_warm()


def test_with_the_library_everything_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "available", lambda: kernel.Availability(True, "", LIBRARY))
    monkeypatch.setattr(warm, "is_library_there", lambda: True)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)  # nothing is started

    async def serve() -> bool:
        async with warm.compiling_elsewhere():
            return warm.is_warm()

    assert asyncio.run(serve())


def started(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", f"import sys, time; from genial.bots import warm; {code}"]
    return subprocess.Popen(
        [*command, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_one_process_compiles_at_a_time_and_the_others_find_it_done(tmp_path: Path) -> None:
    code = """
print('waits', flush=True)
from pathlib import Path
with warm.alone(Path(sys.argv[1])):
    print((Path(sys.argv[1]) / 'done').exists(), flush=True)
"""
    with warm.alone(tmp_path):
        other = started(code, tmp_path)
        assert other.stdout is not None
        assert other.stdout.readline() == "waits\n"
        (tmp_path / "done").touch()
    assert other.communicate(timeout=60)[0] == "True\n"


def test_compiling_ends_with_the_server_that_wanted_it() -> None:
    process = started("warm.end_with_starter(); print('there', flush=True); time.sleep(600)")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
