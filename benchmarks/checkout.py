"""Another commit of this repository, to run next to this one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The checkout that these benchmarks belong to."""
SHORT = 7


def _git(*arguments: str, at: Path = ROOT) -> str:
    done = subprocess.run(["git", "-C", str(at), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def commit_of(checkout: Path) -> str:
    """The short hash of the commit that a checkout is at."""
    return _git("rev-parse", f"--short={SHORT}", "HEAD", at=checkout)


@contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """A commit's files, without the built client, for as long as they are needed."""
    path = folder / f"checkout-{commit}"
    _git("worktree", "add", "--detach", "--quiet", str(path), commit)
    try:
        yield path
    finally:
        _git("worktree", "remove", "--force", str(path))
