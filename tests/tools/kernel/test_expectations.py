"""A sample of what compiled kernels have to play. The long run is `make agreement`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.kernel import expectations
from tools.kernel.expectations import Case, Search, differences, expected_of, hashed, read, write

from genial.kernel import library
from genial.kernel.source import called

pytestmark = pytest.mark.slow  # numba takes minutes to compile this; in `make test` the library plays

GAMES, SEARCHES = 20, 2
"""The numbers of games: random and greedy ones, and searches with playouts and with the learned value."""


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [expected_of(called.load(), *game, 4, SEARCHES) for game in (("classic", 2), ("cards", 3))]


@pytest.fixture
def loaded() -> library.Library:
    try:
        return library.load()
    except library.NoLibrary as reason:
        pytest.skip(str(reason))


def test_the_library_plays_the_same(loaded: library.Library, variant: str, seats: int) -> None:
    case = expected_of(called.load(), variant, seats, GAMES, 0)
    assert list(differences(loaded, case)) == []
    assert len({*case.games["at random"], *case.games["greedily"]}) == 2 * GAMES


def test_the_library_searches_the_same(loaded: library.Library, cases: list[Case]) -> None:
    for case in cases:
        assert list(differences(loaded, case)) == []
        assert len({asked.hash for asked in case.searches}) == SEARCHES


def test_the_library_searches_the_same_in_every_variant(
    loaded: library.Library, variant: str, seats: int
) -> None:
    assert list(differences(loaded, expected_of(called.load(), variant, seats, 0, SEARCHES))) == []


def test_the_hash_is_the_one_that_drivers_compute() -> None:
    assert hashed([]) == 0xCBF29CE484222325
    assert hashed([bytes(8), (1).to_bytes(8, "little")]) == hashed([bytes(8) + b"\1" + bytes(7)])
    assert hashed([bytes(8), (1).to_bytes(8, "little")]) == 0x68853A6A3912CC7C


def test_the_file_holds_everything(cases: list[Case], tmp_path: Path) -> None:
    write(tmp_path / "expectations.bin", cases)
    assert read(tmp_path / "expectations.bin") == cases


def test_a_file_without_expectations_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(bytes(100))
    with pytest.raises(ValueError, match="isn't an expectations file"):
        read(tmp_path / "other.bin")


def test_expectations_from_another_kernel_are_refused(
    cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "expectations.bin"
    with monkeypatch.context() as before:
        before.setattr(expectations, "version", lambda: library.version() ^ 1)
        write(path, cases)
    with pytest.raises(ValueError, match=r"expectations\.bin was written by another version of the kernel"):
        read(path)


def test_every_difference_is_named(cases: list[Case]) -> None:
    case = cases[0]
    games = {name: list(hashes) for name, hashes in case.games.items()}
    games["at random"][3] ^= 1
    games["greedily"][0] ^= 1 << 63
    first, second = case.searches
    wrong = case._replace(games=games, searches=[first, Search(second.seed, second.told, second.hash ^ 1)])
    assert list(differences(called.load(), wrong)) == [
        "classic-2: game 3 played at random",
        "classic-2: game 0 played greedily",
        "classic-2: game 1 by search with the learned value",
    ]
