"""`make release VERSION=X.Y.Z`: a version of everything, built, installed and played, then tagged.

python -m tools.release X.Y.Z [PLATFORM ...] [--libraries FOLDER]

Version number and CHANGELOG are committed first, because they are part of what is built. The sdist, the
wheels with their lists of parts (SBOM), SHA256SUMS and NOTES.md go into dist/. The sdist and the wheels that
this machine can run are each installed in an empty environment, where a game is played; the others are named
as untested. The tag comes last. If anything fails before that, the commit is undone and dist/ emptied.
Nothing is uploaded.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path

from hatch_build import ANY, PLATFORMS, UNTESTED, compiled, native
from tools.installed import Environment
from tools.sbom import SAYS_VERSION, VERSION, version
from tools.wheels import wheels

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = "CHANGELOG.md"
_NUMBER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MOVE = """
from random import Random
import genial
from genial import kernel
from genial.bots import bot_named
from genial.bots.bot import Budget

view = genial.new("classic", seats=2, seed=7).view({0})
assert bot_named("level-6").choose(view, Random(1), Budget(nodes=64)) in view.actions()
print(genial.__version__, kernel.available().engine)
"""


class NoRelease(Exception):
    """Why there is no release, as a sentence."""


def number(text: str) -> tuple[int, ...]:
    """A version as numbers that can be compared.

    >>> number("0.10.0") > number("0.9.1")
    True
    """
    if not (found := _NUMBER.fullmatch(text)):
        raise NoRelease(f"'{text}' isn't a version. Use three numbers, such as 1.2.0.")
    return tuple(map(int, found.groups()))


def changes(changelog: str) -> str:
    """What is under "Unreleased"."""
    found = _UNRELEASED.search(changelog)
    if not found or not found[1].strip():
        raise NoRelease(f"{CHANGELOG} says nothing under '## Unreleased', so there is nothing to release.")
    return found[1].strip() + "\n"


def released(changelog: str, asked: str, day: date) -> str:
    """The changelog once that has become a version, with a fresh "Unreleased" above it."""
    return changelog.replace("## Unreleased\n", f"## Unreleased\n\n## {asked} – {day}\n", 1)


def check(root: Path, asked: str) -> str:
    """The notes of this version; raises NoRelease if it cannot be made from this tree."""
    new, stated = number(asked), version(root)
    if _git(root, "status", "--porcelain"):
        raise NoRelease("Something here is not committed, and a release is made of commits alone.")
    tags = {tag.removeprefix("v") for tag in _git(root, "tag", "--list", "v*").split()}
    if asked in tags:
        raise NoRelease(f"There is a version {asked} already: the tag v{asked} exists.")
    newest = max([stated, *(tag for tag in tags if _NUMBER.fullmatch(tag))], key=number)
    # The stated version may be released, but only once.
    if new < number(newest):
        raise NoRelease(f"{asked} is not newer than {newest}.")
    return changes((root / CHANGELOG).read_text(encoding="utf-8"))


@contextmanager
def committed(root: Path, asked: str, day: date) -> Iterator[None]:
    """Version number and changelog as a commit, which is undone if anything fails."""
    before = _git(root, "rev-parse", "HEAD")
    log, says = root / CHANGELOG, root / SAYS_VERSION
    try:
        log.write_text(released(log.read_text(encoding="utf-8"), asked, day), encoding="utf-8", newline="\n")
        stated = VERSION.sub(f'__version__ = "{asked}"', says.read_text(encoding="utf-8"))
        says.write_text(stated, encoding="utf-8", newline="\n")
        _git(root, "commit", "--quiet", "-m", f"Release {asked}", "--", CHANGELOG, str(SAYS_VERSION))
        yield
    except BaseException:
        if _git(root, "rev-parse", "HEAD") == before:
            _git(root, "checkout", "--quiet", before, "--", CHANGELOG, str(SAYS_VERSION))
        else:  # anything changed since then stays
            _git(root, "reset", "--quiet", "--keep", before)
        raise


def built(platforms: Sequence[str], libraries: Path | None, folder: Path) -> list[Path]:
    """The sdist and the wheels, each wheel with its list of parts next to it."""
    if libraries is None:
        libraries = ROOT / "build" / "kernel" / "all"
        compiled(list(dict.fromkeys(name for each in platforms for name in PLATFORMS[each])), libraries)
    made = wheels(platforms, libraries, folder)
    for path in made[1:]:
        with zipfile.ZipFile(path) as wheel:
            (parts,) = (name for name in wheel.namelist() if name.endswith("/sboms/genial.cdx.json"))
            path.with_suffix(".cdx.json").write_bytes(wheel.read(parts))
    return made


def played(package: Path, asked: str, engine: str) -> None:
    """Install it where nothing else is, and play there: a whole game, and a move of level 6."""
    with tempfile.TemporaryDirectory() as folder:
        here = Environment(Path(folder) / "empty")
        here.install(package)
        game = _said(here, "genial", "simulate", "classic", "--games", "1", "--jobs", "1", "--json")
        found = json.loads(game)["games"], *_said(here, "python", "-c", _MOVE).split()
    if found != (1, asked, engine):
        raise NoRelease(f"{package.name} played {found[0]} game as version {found[1]} on {found[2]}.")


def _said(here: Environment, *command: str) -> str:
    done = subprocess.run(
        here.command(*command),
        cwd=here.folder,
        env=here.variables,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoRelease(f"`{' '.join(command[:2])}` fails once installed:\n{done.stderr.strip()}")
    return done.stdout


def notes(asked: str, told: str, untested: Sequence[Path]) -> str:
    """What is new in this version, and which parts nobody has run."""
    lines = [f"- {path.name}" for path in untested]
    never = ["", "## Untested", "", "Built, and never run before this release:", "", *lines] if lines else []
    return "\n".join([f"# Genial {asked}", "", told.rstrip(), *never]) + "\n"


def sums(folder: Path) -> str:
    """The hashes of everything in a folder, in the format of `sha256sum --check`."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def release(asked: str, platforms: Sequence[str], libraries: Path | None, folder: Path) -> list[Path]:
    """Make it. Returns the wheels that could not be run here."""
    told = check(ROOT, asked)
    if native() not in PLATFORMS or native() in UNTESTED:
        raise NoRelease("A release is made on Linux on x86-64: only there its wheels tell which were run.")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with committed(ROOT, asked, date.today()):
            made = built(platforms, libraries, folder)
            engines = {native(): "library", ANY: "core"}
            runs = {path: engines.get(each) for path, each in zip(made, (ANY, *platforms), strict=True)}
            for path, engine in runs.items():
                if engine:
                    played(path, asked, engine)
                    print(f"installed and played  {path.name}", flush=True)
            untested = [path for path, engine in runs.items() if not engine]
            (folder / "NOTES.md").write_text(notes(asked, told, untested), encoding="utf-8", newline="\n")
            (folder / "SHA256SUMS").write_text(sums(folder), encoding="utf-8", newline="\n")
            _git(ROOT, "tag", "-a", f"v{asked}", "-m", f"Genial {asked}")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return untested


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoRelease(f"`git {arguments[0]}` fails: {done.stderr.strip()}")
    return done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a version; 1, with a sentence, if that is impossible."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="A version of everything.")
    parser.add_argument("version")
    parser.add_argument("platforms", nargs="*", default=[*PLATFORMS], help="all of them if none is named")
    parser.add_argument("--libraries", type=Path, help="where compiled kernels are; otherwise they are made")
    chosen = parser.parse_args(arguments)
    libraries = chosen.libraries and chosen.libraries.resolve()
    try:
        untested = release(chosen.version, chosen.platforms, libraries, ROOT / "dist")
    except (NoRelease, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"No release; the tree is as it was. {error}", file=sys.stderr)
        return 1
    for path in untested:
        print(f"UNTESTED: not run here  {path.name}")
    print(f"Genial {chosen.version} is tagged v{chosen.version}, and lies in dist/. Nothing is uploaded.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
