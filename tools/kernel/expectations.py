"""What every compiled kernel has to play, written by the numba source: games and searches, to the last bit.

    python -m tools.kernel.expectations build/kernel/expectations.bin
    python -m tools.kernel.expectations build/kernel/expectations.bin --check LIBRARY ...

The first plays 1,000 games of every variant and seat count at random, 1,000 greedily and 20 by search, and
writes the results. The second has libraries of this machine play them again, and names each game that ends
differently. Other machines have their own drivers (C, JavaScript, a graphics card) for the same file:

All numbers have 8 bytes, little-endian. Each array is followed by zeros up to a multiple of 8 bytes.

    8 bytes     "GENIAL-2"
    5 numbers   the kernel's version; cases; weights; numbers in a search's settings; in a row of its result
    floats      the weights, 4 bytes each, for every case
    then for each case
    32 bytes    its name, such as "classic-2", followed by zeros
    5 numbers   bytes of the rules; of a state; of the worth table; games; searches
    arrays      the rules; the fresh state; the worth table
    hashes      one for each game at random (policy 0), then for each greedy one (policy 1)
    searches    each a number, the seed; the settings, a double each; a hash

**A game** with number n (from 0): a state of zeros with n as a number at its byte 8, then
`play_many(rules, fresh, state, policy, 1)`. Hashed: the state, then what play_many returned.

**A search** plays a whole game: `new(rules, fresh, state, seed)`, and until byte 0 of the state is 2:

    candidates = choice_begin(rules, settings, worth, weights, state, none, space, seed + turn)
    while choice_step(rules, worth, weights, state, space, budget, 0): pass
    choice_result(space, rows)
    step(rules, state, rows[0])

`turn` counts from 0; `budget` is up to the driver, since it does not change the result; `space` has
`choice_size(rules, settings)` bytes; `none` is an array that is never read. Hashed: all rows of candidates of
each turn, then the final state, then the number of turns.

**The hash** takes its bytes as unsigned 64-bit numbers, one after another:

    hash = 0xCBF29CE484222325
    for each number: hash = (hash ^ number) * 0x100000001B3; hash = hash ^ (hash >> 32)
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from struct import Struct
from typing import Any, NamedTuple, TypeAlias

from genial.bots.search import playout_worth
from genial.core.titles import TITLES
from genial.kernel import convert, settings, totals
from genial.kernel.entries import BUDGET, GREEDY, RANDOM
from genial.kernel.library import Library, version
from genial.kernel.state import OVER, PHASE, RNG
from genial.kernel.tables import tables
from genial.kernel.weights import weights_of
from genial.kernel.worth import worth_table

Entries: TypeAlias = Any
"""Anything that has the entry points as attributes: a library, or numba's functions."""

MAGIC = b"GENIAL-2"
POLICIES = {"at random": RANDOM, "greedily": GREEDY}
NODES = 64
_TURNS_APART = 1000
"""The distance between the seeds of two searches; no game has more turns."""
_MASK = (1 << 64) - 1
_NUMBER = Struct("<Q")
_NAME = Struct("<32s")


class Search(NamedTuple):
    """A game by search: its seed, the search's settings, and the hash."""

    seed: int
    told: array[float]
    hash: int = 0


class Case(NamedTuple):
    """A variant with a seat count: what a driver passes to the entry points, and the expected results."""

    name: str
    rules: array[int]
    fresh: bytearray
    worth: array[int]
    weights: array[float]
    games: dict[str, list[int]]
    """The hashes, by policy."""
    searches: list[Search]


def hashed(parts: Iterable[bytes | bytearray]) -> int:
    """The hash of some bytes; the length of each part is a multiple of 8.

    >>> hex(hashed([bytes(8), (1).to_bytes(8, "little")]))
    '0x68853a6a3912cc7c'
    """
    found = 0xCBF29CE484222325
    for part in parts:
        for (number,) in _NUMBER.iter_unpack(part):
            found = (found ^ number) * 0x100000001B3 & _MASK
            found ^= found >> 32
    return found


# Playing


def play(entries: Entries, case: Case, policy: int, game: int) -> int:
    """Play a game. Returns its hash."""
    state = bytearray(len(case.fresh))
    _NUMBER.pack_into(state, RNG, game)
    placements = entries.play_many(case.rules, case.fresh, state, policy, 1)
    return hashed([state, _NUMBER.pack(placements)])


def search(entries: Entries, case: Case, asked: Search) -> int:
    """Play a game by search. Returns its hash."""
    return hashed(_searched(entries, case, asked))


def _searched(entries: Entries, case: Case, asked: Search) -> Iterator[bytes | bytearray]:
    rules, worth, weights, turns = case.rules, case.worth, case.weights, 0
    state, none = bytearray(len(case.fresh)), array("i", [0])
    space = bytearray(entries.choice_size(rules, asked.told))
    entries.new(rules, case.fresh, state, asked.seed)
    while state[PHASE] != OVER:
        count = entries.choice_begin(
            rules, asked.told, worth, weights, state, none, space, asked.seed + turns
        )
        while entries.choice_step(rules, worth, weights, state, space, BUDGET, 0):
            pass
        rows = array("d", bytes(8 * totals.WIDTH * count))
        entries.choice_result(space, rows)
        yield rows.tobytes()
        entries.step(rules, state, int(rows[totals.ACTION]))
        turns += 1
    yield state
    yield _NUMBER.pack(turns)


EVERY = tuple((variant, seats) for variant, title in TITLES.items() for seats in title.seats)
"""Every variant with each of its seat counts."""


def expected(entries: Entries, games: int, searches: int) -> Iterator[Case]:
    """Every variant with each of its seat counts, and the results of this many games of each kind."""
    for variant, seats in EVERY:
        yield expected_of(entries, variant, seats, games, searches)


def expected_of(entries: Entries, variant: str, seats: int, games: int, searches: int) -> Case:
    """One variant and seat count, and the results of this many games of each kind."""
    case = case_of(variant, seats, searches)
    played = {
        name: [play(entries, case, policy, game) for game in range(games)]
        for name, policy in POLICIES.items()
    }
    searched = [asked._replace(hash=search(entries, case, asked)) for asked in case.searches]
    return case._replace(games=played, searches=searched)


def case_of(variant: str, seats: int, searches: int) -> Case:
    """One variant and seat count, before anything is played."""
    found = tables(variant, seats)
    title = found.setup.title
    worth, weights = playout_worth(title), weights_of("classic", 2)
    assert weights is not None
    # The learned value plays everything here, even what it was not trained for; in solo games no bot uses it.
    asked = [
        Search(_TURNS_APART * (n + 1), _told(learned=n % 2 == 1 and not title.is_solo))
        for n in range(searches)
    ]
    rows = worth_table(worth.steps, worth.bonus, seats)
    return Case(f"{variant}-{seats}", found.rules, convert.fresh(found), rows, weights, {}, asked)


def _told(*, learned: bool) -> array[float]:
    told = array("d", bytes(8 * settings.COUNT))
    told[settings.NODES], told[settings.WIDTH], told[settings.WORLDS] = NODES, 8, 1
    told[settings.REDEALING] = told[settings.ENDGAME] = 1
    told[settings.LEARNED] = learned
    told[settings.LEAD_WEIGHT], told[settings.LEAD_SCALE] = 0.15, 6.0
    return told


def differences(entries: Entries, case: Case) -> Iterator[str]:
    """What is played differently than expected: variant, policy and game."""
    for name, policy in POLICIES.items():
        for game, wanted in enumerate(case.games[name]):
            if play(entries, case, policy, game) != wanted:
                yield f"{case.name}: game {game} played {name}"
    for number, asked in enumerate(case.searches):
        if search(entries, case, asked) != asked.hash:
            kind = "the learned value" if asked.told[settings.LEARNED] else "playouts"
            yield f"{case.name}: game {number} by search with {kind}"


# The file


def write(path: Path, cases: Iterable[Case]) -> None:
    """Write the cases in the format drivers read."""
    listed = list(cases)
    weights = listed[0].weights
    head = _numbers(version(), len(listed), len(weights), settings.COUNT, totals.WIDTH)
    parts = [MAGIC, head, _padded(weights)]
    for case in listed:
        sizes = len(_bytes(case.rules)), len(case.fresh), len(_bytes(case.worth))
        games = [case.games[name] for name in POLICIES]
        parts += [_NAME.pack(case.name.encode()), _numbers(*sizes, len(games[0]), len(case.searches))]
        parts += [_padded(case.rules), _padded(case.fresh), _padded(case.worth)]
        parts += [_numbers(*hashes) for hashes in games]
        for asked in case.searches:
            parts += [_numbers(asked.seed), asked.told.tobytes(), _numbers(asked.hash)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(parts))


def read(path: Path) -> list[Case]:
    """The cases in a file; ValueError if it is not such a file or is for another version of the kernel."""
    reader = _Reader(path.read_bytes())
    if reader.take(len(MAGIC)) != MAGIC:
        raise ValueError(f"{path.name} isn't an expectations file.")
    made_of, cases, weights, _, _ = reader.numbers(5)
    if made_of != version():
        raise ValueError(f"{path.name} was written by another version of the kernel. Write it again.")
    learned = array("f", reader.padded(4 * weights))
    return [reader.case(learned) for _ in range(cases)]


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]

    def padded(self, size: int) -> bytes:
        return self.take(_up(size))[:size]

    def numbers(self, count: int) -> array[int]:
        return array("Q", self.take(8 * count))

    def case(self, weights: array[float]) -> Case:
        name = self.take(_NAME.size).rstrip(b"\0").decode()
        rules, state, worth, games, searches = self.numbers(5)
        return Case(
            name,
            array("H", self.padded(rules)),
            bytearray(self.padded(state)),
            array("H", self.padded(worth)),
            weights,
            {name: self.numbers(games).tolist() for name in POLICIES},
            [self._search() for _ in range(searches)],
        )

    def _search(self) -> Search:
        seed, told = self.numbers(1)[0], array("d", self.take(8 * settings.COUNT))
        return Search(seed, told, self.numbers(1)[0])


def _up(size: int) -> int:
    return -(-size // 8) * 8


def _bytes(items: Any) -> bytes:
    return memoryview(items).tobytes()


def _padded(items: Any) -> bytes:
    data = _bytes(items)
    return data.ljust(_up(len(data)), b"\0")


def _numbers(*numbers: int) -> bytes:
    return array("Q", numbers).tobytes()


# The command


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.kernel.expectations")
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="of every variant, at random and greedily")
    parser.add_argument("--searches", type=int, default=20, help="games by search of every variant")
    parser.add_argument("--check", type=Path, nargs="+", metavar="LIBRARY", help="read the file instead")
    options = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        if options.check:
            return _check(pool, options.file, options.check)
        pool.submit(_compile).result()  # once for all: the others load it
        cases = list(pool.map(partial(_source, games=options.games, searches=options.searches), EVERY))
    write(options.file, cases)
    print(f"{options.file}: {_told_of(cases)}")
    return 0


def _compile() -> None:
    from genial.kernel.source.warmup import warm_up

    warm_up(lambda: None)


def _source(game: tuple[str, int], games: int, searches: int) -> Case:
    from genial.kernel.source import called

    return expected_of(called.load(), *game, games, searches)


def _check(pool: ProcessPoolExecutor, file: Path, libraries: list[Path]) -> int:
    """Have libraries of this machine play; 1 if one of them plays differently."""
    cases, differing = read(file), 0
    for path in libraries:
        problems = [each for found in pool.map(partial(_differences, path), cases) for each in found]
        print(f"{path.name}: {_told_of(cases)}, {len(problems)} played otherwise", *problems[:10], sep="\n  ")
        differing += len(problems)
    return int(differing > 0)


def _differences(path: Path, case: Case) -> list[str]:
    return list(differences(Library(path), case))


def _told_of(cases: list[Case]) -> str:
    games = sum(len(hashes) for case in cases for hashes in case.games.values())
    searches = sum(len(case.searches) for case in cases)
    return f"{len(cases)} variants and seat counts, {games:,} games, {searches:,} games by search"


if __name__ == "__main__":
    sys.exit(main())
