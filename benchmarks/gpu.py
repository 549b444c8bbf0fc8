"""Games on a graphics card: how fast they are, and what limits them.

    python benchmarks/gpu.py                      measure, and show tables (--json FILE, --write, --quick)
    python benchmarks/gpu.py --profile            one launch of each kernel, for NVIDIA's profiler
    python benchmarks/gpu.py --counters FILE      what the profiler counted, as a table

Needs CuPy, a card, the compiled kernel (`make kernel`) and genial.ptx (`make kernel-gpu`); no compiler. That
they are the same games as elsewhere is checked by `make agreement-gpu`. Call the profiler like this:

    ncu --profile-from-start off --csv --page raw --set full python benchmarks/gpu.py --profile > counters.csv
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from chart import chart
from side_by_side import Measured

from genial.core.titles import TITLES
from genial.kernel.api import Game
from genial.kernel.gpu import Batch, NoCard
from genial.kernel.gpu.card import Card, arrays

Figures = dict[str, Any]

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks-gpu.svg"
BEGIN, END = "<!-- made by `make bench-gpu ARGS=--write` -->", "<!-- end of the card -->"
SIZES = {"random": [1 << n for n in range(10, 21, 2)], "greedy": [1 << n for n in range(10, 19, 2)]}
"""How many games at once."""
GAMES = {"random": 4, "greedy": 1}
"""How many games one after another in each place."""
STEPPED = 1 << 20
MIXED = 300
"""After this many steps, games that started together are at all kinds of stages."""
ENVIRONMENTS: dict[str, tuple[dict[str, Any], str, list[int]]] = {
    "actions chosen on the card": (
        {"masks": None, "observations": False},
        ">= 500",
        [1 << n for n in range(12, 21, 2)],
    ),
    "with observations and masks as bits, handed over": (
        {"masks": "bits"},
        ">= 50",
        [1 << n for n in range(12, 21, 2)],
    ),
    # A step writes 10 KB for each game, and CuPy needs as much again on the way.
    "with a byte an action, handed over": ({"masks": "bytes"}, "", [1 << n for n in range(12, 19, 2)]),
}
"""What vector environments return, the target (million steps per second), and how many games at once."""
_HELD_UP = 0.9
"""If Python takes more than this share of the time to issue requests, it is what limits the card."""
PGX = (
    "For comparison, published and not measured here: Pgx (Koyamada and others, NeurIPS 2023) reports tens "
    "of millions of steps a second for its small games on eight A100."
)


def every_game() -> Iterator[tuple[str, Game]]:
    """Each variant with each seat count."""
    for variant, title in TITLES.items():
        for seats in title.seats:
            yield f"{variant}/{seats}", Game.of(variant, seats)


# Speed


def timed(work: Callable[[], Any], rounds: int) -> list[float]:
    """Seconds of each round on the card, after a warm-up round that does not count."""
    cuda = arrays().cuda
    work()
    taken = []
    for _ in range(rounds):
        begin, end = cuda.Event(), cuda.Event()
        begin.record()
        work()
        end.record()
        end.synchronize()
        taken.append(cuda.get_elapsed_time(begin, end) / 1000)
    return taken


def measure(rounds: int, quick: bool) -> Figures:
    """Measure every figure."""
    properties = arrays().cuda.runtime.getDeviceProperties(0)
    found: Figures = {
        "card": properties["name"].decode(),
        "cupy": arrays().__version__,
        "driver": arrays().cuda.runtime.driverGetVersion(),
        "date": date.today().isoformat(),
        "whole games": {},
        "steps": {},
        "playouts": {},
    }
    for name, game in every_game():
        if quick and name != "classic/2":
            continue
        card = Card(game)
        found["whole games"][name] = {
            policy: {size: _whole_games(game, card, policy, size, rounds) for size in sizes}
            for policy, sizes in SIZES.items()
        }
        found["steps"][name] = _stepped(game, card, rounds)
        found["playouts"][name] = {policy: _playouts(game, card, policy, rounds) for policy in SIZES}
        arrays().get_default_memory_pool().free_all_blocks()
        print(f"{name} measured", file=sys.stderr, flush=True)
    found["environments"] = {
        name: {size: _environment(size, options, rounds) for size in sizes}
        for name, (options, _, sizes) in ENVIRONMENTS.items()
    }
    found["handed to"] = taker()[0]
    found["without a copy"] = _handed_over()
    return found


def _whole_games(game: Game, card: Card, policy: str, size: int, rounds: int) -> Figures:
    batch = Batch(game, size, seed=1, card=card)
    tiles: list[Any] = []
    taken = timed(lambda: tiles.append(batch.play(GAMES[policy], policy)), rounds)
    rates = [int(total[0]) / seconds for total, seconds in zip(tiles[1:], taken, strict=True)]
    games = [size * GAMES[policy] / seconds for seconds in taken]
    return {"placements": rates, "games": games}


def _stepped(game: Game, card: Card, rounds: int) -> Figures:
    """Calls of a batch per second, each alone, and together as learning programs make them."""
    batch = Batch(game, STEPPED, seed=1, card=card)
    for _ in range(MIXED):
        batch.step(batch.choose())

    def turn(*more: Callable[[], Any]) -> Callable[[], None]:
        def work() -> None:
            for _ in range(10):
                batch.step(batch.choose())
                for each in more:
                    each()

        return work

    def step_alone() -> list[float]:
        cuda, taken = arrays().cuda, []
        for _ in range(4 * rounds):
            actions, begin, end = batch.choose(), cuda.Event(), cuda.Event()
            begin.record()
            batch.step(actions)
            end.record()
            end.synchronize()
            taken.append(cuda.get_elapsed_time(begin, end) / 1000)
        return taken

    single = {
        "choose": batch.choose,
        "choose greedily": lambda: batch.choose("greedy"),
        "masks": batch.masks,
        "observe": batch.observe,
        "standings": batch.standings,
    }
    found = {name: [STEPPED / each for each in timed(work, rounds)] for name, work in single.items()}
    found["step"] = [STEPPED / each for each in step_alone()]
    together = {
        "choose and step": turn(),
        "with masks": turn(batch.masks),
        "with masks and observations": turn(batch.masks, batch.observe),
    }
    for name, work in together.items():
        found[name] = [10 * STEPPED / each for each in timed(work, rounds)]
    return found


def _playouts(game: Game, card: Card, policy: str, rounds: int) -> list[float]:
    """Playouts per second of positions in the middle of games, redealing what is hidden each time."""
    batch = Batch(game, 1 << 12, seed=1, card=card)
    for _ in range(20):
        batch.step(batch.choose())
    times = {"random": 256, "greedy": 16}[policy]
    taken = timed(lambda: batch.playouts(times, seed=7, policy=policy, viewers=[0]), rounds)
    return [batch.count * times / each for each in taken]


def taker() -> tuple[str, Callable[[Any], Any]]:
    """The library that takes arrays through DLPack here: PyTorch, or CuPy if that is missing."""
    try:
        import torch
    except ImportError:
        return "CuPy", arrays().from_dlpack
    return "PyTorch", torch.from_dlpack


def stepped(many: Any, take: Callable[[Any], Any], steps: int = 10) -> None:
    """Step a vector environment with random actions, and hand over everything it returns."""
    for _ in range(steps):
        seen, rewards, over, _, info = many.step(many.random_actions())
        for array in (seen, info.get("action_mask"), rewards, over):
            if array is not None:
                take(array)


def _environment(size: int, options: dict[str, Any], rounds: int) -> Figures:
    """Steps per second of a vector environment, and the share of the time Python needed to request them."""
    from genial import envs

    many, take = envs.vector("classic", 2, size, "cuda", **options), taker()[1]
    many.reset(seed=1)
    stepped(many, take, MIXED)
    asking: list[float] = []

    def work() -> None:
        begun = perf_counter()
        stepped(many, take)
        asking.append(perf_counter() - begun)

    taken = timed(work, rounds)
    many.close()
    arrays().get_default_memory_pool().free_all_blocks()
    return {
        "steps": [10 * size / each for each in taken],
        "asking": [asked / each for asked, each in zip(asking[1:], taken, strict=True)],
    }


def _handed_over() -> dict[str, str]:
    """Whether other libraries share the very memory of a batch."""
    batch = Batch(Game.of("classic", 2), 1 << 10, seed=3)
    found = {}
    observations = batch.observe()
    where = observations.data.ptr
    try:
        import torch

        theirs = torch.from_dlpack(observations)
        refused = int(batch.step(torch.from_dlpack(batch.choose()).clone())[0])
        found["PyTorch"] = f"{torch.__version__}: same memory {theirs.data_ptr() == where}, refused {refused}"
    except ImportError as error:
        found["PyTorch"] = str(error)
    try:
        import jax.dlpack

        array = jax.dlpack.from_dlpack(observations)
        found["JAX"] = f"{jax.__version__}: same memory {array.unsafe_buffer_pointer() == where}"
    except ImportError as error:
        found["JAX"] = str(error)
    return found


# Telling


def middle(rates: Sequence[float]) -> float:
    return sorted(rates)[len(rates) // 2]


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column is text."""
    lines = [list(headings), ["---", *["---:"] * (len(headings) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def billions(rates: Sequence[float]) -> str:
    value = middle(rates) / 1e9
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def report(found: Figures) -> str:
    """The figures for docs/benchmarks.md."""
    parts = [
        f"Measured on {found['date']}: one {found['card']}, CuPy {found['cupy']}, "
        f"CUDA driver {found['driver'] // 1000}.{found['driver'] % 1000 // 10}; medians of a few rounds."
    ]
    for policy, sizes in SIZES.items():
        rows = []
        for name, policies in found["whole games"].items():
            by_size = {int(size): figures for size, figures in policies[policy].items()}
            cells = [billions(by_size[size]["placements"]) for size in sizes]
            rows.append([name, *cells, f"{middle(by_size[sizes[-1]]['games']) / 1e6:,.1f}"])
        headings = ["", *(f"{size:,}" for size in sizes), "million games/s"]
        word = "Random" if policy == "random" else "Greedy"
        parts += [
            f"#### {word} play, whole games on the card: billion placements a second, by games at once",
            table(headings, rows),
        ]
    steps = next(iter(found["steps"].values())).keys()
    rows = [[name, *(billions(rates[step]) for step in steps)] for name, rates in found["steps"].items()]
    parts += [
        f"#### Actions from outside: billion games a second, {STEPPED:,} games at once",
        table(["", *steps], rows),
    ]
    rows = [
        [name, *(f"{middle(rates) / 1e6:,.1f}" for rates in policies.values())]
        for name, policies in found["playouts"].items()
    ]
    parts += _environments(found)
    parts += [
        "#### Playouts of 4,096 positions, what is hidden dealt again: million a second",
        table(["", "random", "greedy"], rows),
        f"Handed over by DLPack: {'; '.join(map(' '.join, found['without a copy'].items()))}.",
    ]
    return "\n".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def _environments(found: Figures) -> list[str]:
    """The table of vector environments, if they were measured."""
    if "environments" not in found:
        return []
    sizes = next(iter(ENVIRONMENTS.values()))[2]
    rows = []
    for name, (_, asked, _) in ENVIRONMENTS.items():
        by_size = {int(size): figures for size, figures in found["environments"][name].items()}
        cells = [f"{middle(by_size[size]['steps']) / 1e6:,.1f}" if size in by_size else "" for size in sizes]
        share = middle(by_size[max(by_size)]["asking"])
        bound = "Python's calls" if share > _HELD_UP else "the card"
        rows.append([name, *cells, asked, f"{bound} ({share:.0%})"])
    headings = ["", *(f"{size:,}" for size in sizes), "asked", "bound by, at most games"]
    return [
        "#### Vector environment, classic for two: million steps a second, by games at once",
        table(headings, rows),
        f"Handed over by DLPack to {found['handed to']}. The last column has the share of the time in which "
        f"Python asked for the steps: near 100% the card waits for it. {PGX}",
    ]


def picture(found: Figures) -> str:
    """Random games per second of every variant."""
    largest = SIZES["random"][-1]
    bars = []
    for name, policies in found["whole games"].items():
        by_size = {int(size): figures for size, figures in policies["random"].items()}
        bars.append(Measured(f"genial {name}", tuple(by_size[largest]["games"])))
    return chart(f"Random games a second, one {found['card']}", bars)


def write(found: Figures) -> None:
    """Put tables and picture into the documents."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{report(found)}\n{END}{after}", encoding="utf-8")
    PICTURE.write_text(picture(found), encoding="utf-8")


# Counters

COUNTED = {
    "registers": r"^launch__registers_per_thread$",
    "warps active, %": r"^sm__warps_active.avg.pct_of_peak_sustained_active$",
    "threads of a warp at work": r"^smsp__thread_inst_executed_per_inst_executed.ratio$",
    "issue slots used, %": r"^smsp__issue_active.avg.pct|^sm__inst_issued.avg.pct_of_peak_sustained_active$",
    "L1, %": r"^l1tex__throughput.avg.pct",
    "L2, %": r"^lts__throughput.avg.pct",
    "memory, %": r"^gpu__dram_throughput.avg.pct|^dram__throughput.avg.pct",
}
_STALLED = re.compile(r"average_warps?_(?:latency_)?issue_stalled_(\w+?)_per_issue_active")


def profile() -> None:
    """Launch each kernel once between the profiler's marks, for classic with two seats."""
    from cupyx.profiler import profile as marked  # type: ignore[import-not-found]

    game, size = Game.of("classic", 2), 1 << 18
    card = Card(game)
    batch, whole = Batch(game, size, seed=1, card=card), Batch(game, size, seed=2, card=card)
    for _ in range(MIXED):
        batch.step(batch.choose())

    def launches() -> None:
        whole.play(1)
        whole.play(1, "greedy")
        batch.choose()
        batch.choose("greedy")
        batch.masks()
        batch.observe()
        batch.playouts(1, seed=3, viewers=[0])
        batch.step(batch.choose())

    launches()
    arrays().cuda.Device().synchronize()
    with marked():
        launches()
        arrays().cuda.Device().synchronize()


def counters(path: Path) -> str:
    """What the profiler counted, kernel by kernel."""
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.startswith('"')]
    head, _, *rows = list(csv.reader(lines))
    name = head.index("Kernel Name")
    places = {
        label: next((n for n, title in enumerate(head) if re.search(pattern, title)), None)
        for label, pattern in COUNTED.items()
    }
    stalls = {n: found[1] for n, title in enumerate(head) if (found := _STALLED.search(title))}
    told = []
    for row in rows:
        if "cupy" in row[name]:
            continue
        values = [row[place] if place is not None else "" for place in places.values()]
        waits = [(float(row[n].replace(",", "") or 0), word) for n, word in stalls.items()]
        told.append(
            [row[name], *values, ", ".join(f"{word} {value:.1f}" for value, word in sorted(waits)[:-4:-1])]
        )
    return table(["", *COUNTED, "cycles waited for an instruction"], told)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--counters", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="classic for two only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures too")
    parser.add_argument(
        "--read", type=Path, metavar="FILE", help="figures of another run, in place of measuring"
    )
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md and its picture")
    options = parser.parse_args()
    if options.counters:
        print(counters(options.counters))
        return 0
    try:
        if options.profile:
            profile()
            return 0
        found = (
            json.loads(options.read.read_text()) if options.read else measure(options.rounds, options.quick)
        )
    except NoCard as reason:
        print(reason, file=sys.stderr)
        return 1
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    if options.write:
        write(found)
    print(report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
