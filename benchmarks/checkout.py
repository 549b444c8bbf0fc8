"""Another commit of this repository, to run next to this one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hatch_build import node_home

ROOT = Path(__file__).parents[1]
"""The checkout that these benchmarks belong to."""
SHORT = 7
NO_TOOLS = "no Node here, or not what it builds with: `make web` installs both"


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


def build_client(checkout: Path) -> bool:
    """Build the client of a commit into its package, or report that what builds it is missing.

    Everything it is built with is among what today's client is built with, in the same versions.
    """
    home, modules = node_home(), ROOT / "web" / "node_modules"
    if home is None or not modules.exists():
        return False
    web = checkout / "web"
    (web / "node_modules").symlink_to(modules)
    build = [str(home / "bin" / "node"), str(modules / "vite" / "bin" / "vite.js"), "build"]
    subprocess.run([*build, "--logLevel", "warn"], cwd=web, check=True)
    return True
