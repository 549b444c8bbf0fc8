"""The compiled kernel as it is found and loaded here."""

from __future__ import annotations

import ast
import subprocess
import sys
from array import array
from ctypes import ArgumentError
from pathlib import Path

import pytest

from genial.kernel import library
from genial.kernel.library import FOLDER, Library, NoLibrary, find, load, names, version

KERNEL = Path(library.__file__).parent


@pytest.fixture
def loaded() -> Library:
    try:
        return load()
    except NoLibrary as reason:
        pytest.skip(str(reason))


def test_buffers_of_any_kind_are_written_in_place(loaded: Library) -> None:
    from genial.kernel.api import Game

    game = Game.of("classic", 2)
    one, other = bytearray(game.tables.state_size), array("B", bytes(game.tables.state_size))
    loaded.new(game.tables.rules, game.fresh, one, 7)
    loaded.new(game.tables.rules, game.fresh, other, 7)
    assert bytes(one) == other.tobytes() == bytes(game.new(seed=7))


@pytest.mark.parametrize("wrong", [b"not to be written to", "text", 7, None])
def test_something_that_is_not_a_buffer_is_refused(loaded: Library, wrong: object) -> None:
    with pytest.raises(ArgumentError, match="argument 2"):
        loaded.best(array("H", [0]), wrong)


def test_an_unknown_entry_is_named(loaded: Library) -> None:
    with pytest.raises(AttributeError, match="no entry 'undo'"):
        loaded.undo  # noqa: B018


def test_the_library_needs_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from genial.kernel import library; library.names(); library.version(); "
        "print(sorted({'numpy', 'numba', 'llvmlite'} & {*sys.modules}))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_a_library_built_from_other_sources_is_never_used(
    loaded: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "version", lambda: version() + 1)
    with pytest.raises(NoLibrary, match=r"is older than its source\. Run: make kernel"):
        Library(loaded.path)


def test_a_file_that_is_not_a_library_is_reported(tmp_path: Path) -> None:
    (tmp_path / "broken.so").write_bytes(b"nothing")
    with pytest.raises(NoLibrary, match=r"broken\.so cannot be loaded"):
        Library(tmp_path / "broken.so")


def test_without_a_library_it_says_how_to_build_one(tmp_path: Path) -> None:
    if not names():
        pytest.skip("there is no library for this machine")
    with pytest.raises(NoLibrary, match=r"is missing\. Run: make kernel"):
        find(tmp_path)


def test_the_best_library_present_is_taken(tmp_path: Path) -> None:
    for name in reversed(names()):
        (tmp_path / name).write_bytes(b"")
        assert find(tmp_path) == tmp_path / name


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux", "x86_64", ["genial-x86-64-v3.so", "genial-x86-64-v2.so"]),
        ("linux", "aarch64", ["genial-arm64.so"]),
        ("darwin", "arm64", ["genial-arm64.dylib"]),
        ("win32", "AMD64", ["genial-x86-64-v3.dll", "genial-x86-64-v2.dll"]),
        ("linux", "riscv64", []),
        ("freebsd14", "amd64", []),
    ],
)
def test_each_machine_looks_for_its_own_files(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, expected: list[str]
) -> None:
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(library, "_has", lambda level: True)
    assert names() == expected


def test_an_old_processor_gets_what_it_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    able = library._LEVELS["v2"]
    monkeypatch.setattr(library, "_processor", lambda: frozenset(able | {"avx", "avx2"}))
    assert names() == ["genial-x86-64-v2.so"]
    monkeypatch.setattr(library, "_processor", lambda: frozenset({"sse2"}))
    assert names() == []


def test_the_version_covers_everything_that_is_compiled() -> None:
    """If `version` forgot a module whose numbers are compiled in, an outdated library would stay in use."""
    known = {path.stem for pattern in library._SOURCES for path in KERNEL.glob(pattern)}
    for path in (KERNEL / "source").glob("*.py"):
        if path.stem == "called":
            continue  # how Python calls numba's functions: none of it is compiled
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("genial"):
                package, _, module = (node.module or "").removeprefix("genial.kernel").rpartition(".")
                used = {module} if module not in ("", "source") else {alias.name for alias in node.names}
                assert package in ("", ".source", "genial.core"), f"{path.name} imports {node.module}"
                assert used <= known, f"{path.name} imports {node.module}"


def test_the_folder_is_the_packages_own() -> None:
    assert FOLDER == KERNEL / "library"
