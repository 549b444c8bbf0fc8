"""The C program plays what the source played, on this machine and on those that are emulated here."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.kernel import expectations
from tools.kernel.agreement import HERE, IMITATED, Machine, machine_of, main, play
from tools.kernel.build import build
from tools.kernel.expectations import expected, read, write
from tools.kernel.targets import TARGETS, Target, native

from genial.kernel.library import NoLibrary, load
from genial.kernel.source import called

pytest.importorskip("ziglang", reason="the compiler is missing: install requirements/kernel.txt")

OTHERS = ("linux-arm64", "windows-x86-64-v2")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few games of everything, with both kinds of search; short ones, as emulated machines are slow."""
    path = tmp_path_factory.mktemp("small") / "expectations.bin"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expectations, "NODES", 4)
        write(path, expected(called.load(), games=3, searches=2))
    return path


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the libraries of the machines that can be emulated here."""
    folder = tmp_path_factory.mktemp("elsewhere")
    if found := [TARGETS[name] for name in OTHERS if not IMITATED[name].lacks()]:
        build(found, folder)
    return folder


def here() -> tuple[Target, Path]:
    try:
        path = load().path
    except NoLibrary as reason:
        pytest.skip(str(reason))
    return next(target for target in native() if target.file == path.name), path


@pytest.mark.slow
def test_a_c_program_plays_the_same_as_the_source(small: Path, capfd: pytest.CaptureFixture[str]) -> None:
    target, library = here()
    assert play(target, library, small) == 0
    told = capfd.readouterr().out.splitlines()
    assert [line.split(maxsplit=1)[1] for line in told] == ["6 games, 2 by search, 0 otherwise"] * 15


@pytest.mark.slow
def test_a_game_that_ends_differently_is_named(
    small: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target, library = here()
    case = read(small)[0]
    case.games["greedily"][1] ^= 1
    write(tmp_path / "expectations.bin", [case])
    asked = [str(tmp_path / "expectations.bin"), "--folder", str(library.parent), "--searches", "0"]
    assert main(asked) == 1
    told = capfd.readouterr().out
    assert "6 games, 0 by search, 1 otherwise" in told
    assert "classic-2: greedy game 1 ended otherwise" in told
    assert f"Played otherwise than the source: {target.name}" in told


@pytest.mark.slow
def test_expectations_from_another_kernel_are_refused(
    small: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target, library = here()
    before = bytearray(small.read_bytes())
    before[8] ^= 1  # where the version begins
    (tmp_path / "expectations.bin").write_bytes(before)
    assert play(target, library, tmp_path / "expectations.bin") == 2
    assert "were written by another version of the kernel" in capfd.readouterr().err


def test_a_missing_program_is_named_with_its_package() -> None:
    assert Machine(("no-such-machine",), "some-package").lacks() == (
        "no-such-machine is missing. As root: apt-get install --no-install-recommends some-package"
    )
    assert HERE.lacks() is None
    assert machine_of(TARGETS["macos-arm64"]) is None or native()[0].name == "macos-arm64"


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_other_machines_play_the_same(name: str, small: Path, elsewhere: Path) -> None:
    if lack := IMITATED[name].lacks():
        pytest.skip(lack)
    assert play(TARGETS[name], elsewhere / TARGETS[name].file, small) == 0
