"""Self-play games as a data set: one row per decision, in Parquet, with a card that explains it.

A row contains what the seat knew: the observation and the lawful actions are core's, the same as in every
environment. Ranks and the outcome of the game are known only afterwards, and have separate columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from genial import __version__
from genial.arena.extras import extra
from genial.arena.simulate import Plan
from genial.bots import bot_named
from genial.bots.driver import UNHURRIED, choose
from genial.bots.searcher import own_nodes
from genial.core.editions import name_of
from genial.core.new import new
from genial.core.numbering import numbering
from genial.core.observation import fields, observation_size, observe
from genial.core.series import noted_points
from genial.core.title import Setup, setup
from genial.core.titles import title_of

FORMAT = "genial-dataset/1"
_GAMES_A_GROUP = 50
"""How many games' rows are written at once, so that a data set may be larger than memory."""


class Row(NamedTuple):
    """One decision; the field names are the column names."""

    game: int
    ply: int
    seat: int
    bot: str
    observation: bytes
    lawful: bytes
    action: int
    rank: int
    noted: int
    reason: str


def columns(found: Setup) -> dict[str, tuple[str, str]]:
    """The columns, each with its Arrow type and its meaning."""
    actions = numbering(found).count
    size = observation_size(found)
    return {
        "game": ("int32", "number of the game; its deal has the seed SEED-game"),
        "ply": ("int16", "number of the decision in its game"),
        "seat": ("int8", "who decides; seat 0 moves first"),
        "bot": ("dictionary<string>", "who plays that seat"),
        "observation": (
            f"binary[{size}]",
            "what the seat may know, in the layout of `genial.core.observation`",
        ),
        "lawful": (
            f"binary[{_bytes(actions)}]",
            f"a bit for each of the {actions:,} actions, the lowest bit of the first byte first",
        ),
        "action": ("int32", "what it did, in the numbering of `genial.core.numbering`"),
        "rank": ("int8", "its rank at the end of the game; 1 is first, equal ranks share the place"),
        "noted": ("int16", "its lowest marker at the end; in the duel, its colours"),
        "reason": ("dictionary<string>", "why the game ended"),
    }


def rows_of(plan: Plan, game: int) -> list[Row]:
    """All decisions of one game of a plan, including those with only one lawful action.

    >>> rows = rows_of(Plan("cards", 2, ("greedy", "random"), games=1, seed="7"), 0)
    >>> rows[0].seat, rows[0].bot, len(rows[0].observation), len(rows[0].lawful)
    (0, 'greedy', 94, 6)
    """
    seed = plan.game_seed(game)
    position, rng = new(plan.variant, seats=plan.seats, seed=seed), Random(seed)
    bots, found = [bot_named(name) for name in plan.bots], numbering(position.setup)
    decided: list[tuple[int, bytes, int, int]] = []
    while not position.is_over:
        seat, view = position.seat, position.view({position.seat})
        action = choose(bots[seat], view, rng, own_nodes(bots[seat]), UNHURRIED).action
        lawful = found.numbers_of(position.actions())
        decided.append((seat, observe(view, seat), lawful, found.number_among(action, lawful)))
        position, _ = position.apply(action)
    end = position.result
    assert end is not None
    noted = [noted_points(position.setup, end, seat) for seat in range(plan.seats)]
    size = _bytes(found.count)
    return [
        Row(
            game,
            ply,
            seat,
            plan.bots[seat],
            observation,
            lawful.to_bytes(size, "little"),
            action,
            end.ranks[seat],
            noted[seat],
            end.reason,
        )
        for ply, (seat, observation, lawful, action) in enumerate(decided)
    ]


def write_dataset(
    plan: Plan,
    path: Path,
    *,
    command: str,
    licence: str = "CC0-1.0",
    jobs: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> int:
    """Play all games of a plan and write them, with their card alongside. Returns how many rows there are.

    The files appear only once they are complete.
    """
    arrow, parquet = extra("pyarrow", _EXTRA), extra("pyarrow.parquet", _EXTRA)
    schema = _schema(arrow, plan, command, licence)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    count, waiting = 0, list[Row]()
    try:
        with parquet.ParquetWriter(str(fresh), schema, compression="zstd") as writer:
            for game, rows in enumerate(_games(plan, jobs), 1):
                waiting += rows
                count += len(rows)
                if game % _GAMES_A_GROUP == 0 or game == plan.games:
                    writer.write_table(_table(arrow, schema, waiting))
                    waiting.clear()
                progress()
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    path.with_suffix(".md").write_text(card(plan, path.name, count, command, licence), encoding="utf-8")
    return count


_EXTRA = "genial[data]"


def _games(plan: Plan, jobs: int) -> Iterator[list[Row]]:
    if jobs == 1:
        yield from (rows_of(plan, game) for game in range(plan.games))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(rows_of, repeat(plan, plan.games), range(plan.games))


def _bytes(bits: int) -> int:
    return (bits + 7) // 8


def _setup(plan: Plan) -> Setup:
    return setup(title_of(plan.variant), plan.seats)


def _schema(arrow: Any, plan: Plan, command: str, licence: str) -> Any:
    kinds = {"dictionary<string>": arrow.dictionary(arrow.int16(), arrow.string())}
    written = {
        "format": FORMAT,
        "variant": plan.variant,
        "seats": plan.seats,
        "bots": plan.bots,
        "seed": plan.seed,
        "games": plan.games,
        "version": __version__,
        "command": command,
        "licence": licence,
        "actions": numbering(_setup(plan)).count,
        "fields": {field.name: [field.offset, list(field.shape)] for field in fields(_setup(plan))},
    }
    made = []
    for name, (kind, _) in columns(_setup(plan)).items():
        fixed = kind.removeprefix("binary[").rstrip("]")
        kinds.setdefault(kind, arrow.binary(int(fixed)) if fixed != kind.rstrip("]") else None)
        made.append(arrow.field(name, kinds[kind] or getattr(arrow, kind)(), nullable=False))
    return arrow.schema(made, metadata={"genial": json.dumps(written)})


def _table(arrow: Any, schema: Any, rows: list[Row]) -> Any:
    values = zip(schema, zip(*rows, strict=True), strict=True)
    return arrow.table([arrow.array(column, field.type) for field, column in values], schema=schema)


# The card


def card(plan: Plan, file: str, rows: int, command: str, licence: str) -> str:
    """A description of a data set, how it was made and what may be done with it, as Markdown.

    >>> print(card(Plan("cards", 2, ("greedy",) * 2, 3, "7"), "a.parquet", 99, "genial ...", "CC0-1.0")[:62])
    ---
    license: cc0-1.0
    pretty_name: "Genial: Card game, 2 seats"
    """
    found = _setup(plan)
    name = f"{name_of(plan.variant)}, {plan.seats} seat{'s' * (plan.seats > 1)}"
    listed = "\n".join(f"| `{key}` | {kind} | {told} |" for key, (kind, told) in columns(found).items())
    parts = "\n".join(
        f"| `{field.name}` | {field.offset} | {' x '.join(map(str, field.shape))} | {field.meaning} |"
        for field in fields(found)
    )
    players = "\n".join(f"- seat {seat}: `{bot}`" for seat, bot in enumerate(plan.bots))
    return f"""---
license: {licence.lower()}
pretty_name: "Genial: {name}"
tags: [reinforcement-learning, board-games, self-play]
---

# {name}: {plan.games:,} games by bots

`{file}` has {rows:,} rows, one for each decision, in the format `{FORMAT}`. The rules are those of the
variant `{plan.variant}` of Genial {__version__}, an unofficial implementation of the Einfach Genial family
(Ingenious).

## Columns

| column | type | meaning |
| --- | --- | --- |
{listed}

Decisions with one lawful action are in it too; leave them out where you learn to choose.

## Parts of an observation

| part | begins at | bytes | meaning |
| --- | ---: | --- | --- |
{parts}

## How it was made

    {command}

{players}

Game k is dealt from the seed `{plan.seed}-k`. Bots that look ahead count nodes and no seconds, so the same
command gives the same rows on every machine. No people took part, and there is nothing about people in it.

## Licence

{licence}. The program that made it is under the MIT licence.
"""
