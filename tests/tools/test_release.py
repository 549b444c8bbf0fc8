"""`make release` releases only what was committed, built and played, or nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hatch_build import ANY, native
from tests.compiled import kernels_of
from tools.installed import Environment
from tools.release import CHANGELOG, NoRelease, changes, check, committed, notes, number, released, sums
from tools.sbom import ROOT, SAYS_VERSION, version

DAY = date(2026, 5, 1)
LOG = """\
# Changelog

## Unreleased

- Bots yawn.

## 1.1.0 – 2026-01-01

- Bots speak.
"""


def git(root: Path, *arguments: str) -> str:
    told = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return told.stdout.strip()


def begin(root: Path) -> None:
    """Set up an author for commits, whoever runs the tests."""
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    git(root, "config", "commit.gpgsign", "false")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small repository that has released 1.1.0."""
    (tmp_path / SAYS_VERSION).parent.mkdir(parents=True)
    (tmp_path / SAYS_VERSION).write_text('"""A game."""\n\n__version__ = "1.1.0"\n', encoding="utf-8")
    (tmp_path / CHANGELOG).write_text(LOG, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    begin(tmp_path)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "Begin")
    git(tmp_path, "tag", "v1.1.0")
    return tmp_path


def test_a_newer_version_can_be_released(root: Path) -> None:
    assert check(root, "1.2.0") == "- Bots yawn.\n"
    assert check(root, "1.10.0")


def test_the_stated_version_can_be_the_first(root: Path) -> None:
    git(root, "tag", "-d", "v1.1.0")
    assert check(root, "1.1.0")


@pytest.mark.parametrize("asked", ["1.2", "v1.2.0", "1.2.0rc1", "1.02.0", "", "one"])
def test_a_version_must_be_three_numbers(root: Path, asked: str) -> None:
    with pytest.raises(NoRelease, match="isn't a version"):
        check(root, asked)


@pytest.mark.parametrize("asked", ["1.0.9", "0.9.0"])
def test_a_version_must_be_newer_than_the_last(root: Path, asked: str) -> None:
    with pytest.raises(NoRelease, match=f"{asked} is not newer than 1.1.0"):
        check(root, asked)


def test_a_version_can_be_released_only_once(root: Path) -> None:
    with pytest.raises(NoRelease, match=r"the tag v1\.1\.0 exists"):
        check(root, "1.1.0")


def test_uncommitted_changes_prevent_a_release(root: Path) -> None:
    (root / "new.py").touch()
    with pytest.raises(NoRelease, match="not committed"):
        check(root, "1.2.0")


@pytest.mark.parametrize("log", ["# Changelog\n", "## Unreleased\n\n## 1.1.0 – 2026-01-01\n\n- Bots.\n"])
def test_a_version_must_have_news(log: str) -> None:
    with pytest.raises(NoRelease, match="nothing under '## Unreleased'"):
        changes(log)


def test_the_changelog_dates_the_version_and_leaves_room_for_more() -> None:
    assert released(LOG, "1.2.0", DAY).splitlines()[2:7] == [
        "## Unreleased",
        "",
        "## 1.2.0 – 2026-05-01",
        "",
        "- Bots yawn.",
    ]
    with pytest.raises(NoRelease):
        changes(released(LOG, "1.2.0", DAY))


def test_number_and_changelog_are_one_commit(root: Path) -> None:
    with committed(root, "1.2.0", DAY):
        pass
    assert version(root) == "1.2.0"
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "-1", "--format=%s") == "Release 1.2.0"
    assert git(root, "show", "--name-only", "--format=").split() == [CHANGELOG, SAYS_VERSION.as_posix()]


def test_a_later_failure_leaves_the_tree_as_it_was(root: Path) -> None:
    before = git(root, "rev-parse", "HEAD")
    with pytest.raises(KeyboardInterrupt), committed(root, "1.2.0", DAY):
        raise KeyboardInterrupt
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == ""
    assert (root / CHANGELOG).read_text(encoding="utf-8") == LOG


def test_a_commit_that_fails_leaves_the_tree_as_it_was(root: Path) -> None:
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    with pytest.raises(NoRelease, match="git commit"), committed(root, "1.2.0", DAY):
        pass
    assert git(root, "status", "--porcelain") == ""
    assert version(root) == "1.1.0"


def test_the_notes_name_the_untested_wheels() -> None:
    assert notes("1.2.0", "- Bots yawn.\n", []) == "# Genial 1.2.0\n\n- Bots yawn.\n"
    assert notes("1.2.0", "- Bots yawn.\n", [Path("dist/a.whl")]).endswith("\n\n- a.whl\n")


def test_the_number_is_stated_once() -> None:
    import genial

    assert version() == genial.__version__
    assert number(version())
    told = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"{version()}"' not in told


@pytest.mark.slow
def test_a_release_is_whole_or_nothing(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Released from a clone, with the wheels that can be played here."""
    platform = native()
    if platform is None:
        pytest.skip("there is no compiled kernel for this machine")
    here = Environment(tmp_path / "asks")
    asked = here.command("pip", "download", "--quiet", "--no-deps", "hatchling", "-d", tmp_path / "asked")
    if subprocess.run(asked, env=here.variables, capture_output=True, check=False).returncode:
        pytest.skip("no package index answers here, and pip needs one")
    clone = cloned(tmp_path / "clone")
    before, stated = git(clone, "rev-parse", "HEAD"), number(version())
    new = f"{stated[0] + 1}.0.0"

    def release(libraries: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.release", new, platform, ANY, "--libraries", str(libraries)]
        return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)

    (clone / "empty").mkdir()
    failed = release(clone / "empty")
    assert failed.returncode == 1
    assert f"No kernel for GENIAL_PLATFORM={platform}" in failed.stderr
    assert (git(clone, "rev-parse", "HEAD"), git(clone, "status", "--porcelain")) == (before, "")
    assert git(clone, "tag") == ""
    assert not (clone / "dist").exists()

    done = release(kernels_of(platform, tmp_path_factory))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("installed and played") == 3
    assert git(clone, "rev-parse", f"v{new}^{{commit}}^") == before
    names = {path.name for path in (clone / "dist").iterdir()}
    each = (f"genial-{new}-py3-none-{tag}.{end}" for tag in (platform, ANY) for end in ("whl", "cdx.json"))
    assert names == {*each, f"genial-{new}.tar.gz", "NOTES.md", "SHA256SUMS"}
    told = (clone / "dist" / "SHA256SUMS").read_text(encoding="utf-8")
    (clone / "dist" / "SHA256SUMS").unlink()
    assert told == sums(clone / "dist")
    text = (clone / "dist" / "NOTES.md").read_bytes()
    assert hashlib.sha256(text).hexdigest() in told


def cloned(folder: Path) -> Path:
    """A clone of the repository with the working tree as it is now, and what would take long to fetch."""
    git(ROOT, "clone", "--quiet", "--no-tags", str(ROOT), str(folder))
    begin(folder)
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "What is not committed yet")
    for name in ("web/node_modules", "build/engine"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, copy_function=os.link)
    return folder
