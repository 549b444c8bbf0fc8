"""Golden files: counts, playthroughs and bots' choices for fixed seeds, and the messages of a table's socket.

With them any change shows in a diff. `python -m tools.golden` rewrites them; the tests compare.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from tests import pictures
from tests.play import GAMES, walk

import genial
from genial.bots import bot_named
from genial.bots.bot import Budget
from genial.core.actions import Action
from genial.core.cellnames import rows
from genial.core.colours import COLOURS
from genial.core.events import Event, seen_by
from genial.core.hexes import Cell
from genial.core.layout import NOTHING, Layout
from genial.core.notation import move_text, position_text
from genial.core.position import Position
from genial.core.record import event_data
from genial.core.situation import Phase
from genial.core.view import EVERYONE, View
from genial.server.calls.conversation import CONVERSATION
from genial.server.calls.protocol import ClientMessage, ServerMessage

FOLDER = Path(__file__).parents[1] / "tests"
COUNTS = FOLDER / "golden_counts.json"
PLAYTHROUGHS = FOLDER / "playthroughs"
SPIEL_PLAYTHROUGH = FOLDER / "envs" / "playthrough.txt"
CHOICES = FOLDER / "bots" / "choices"
CONVERSATION_FILE = FOLDER / "server" / "calls" / "conversation.json"
THINKERS = ("level-4", "level-5", "level-6", "master-1")
"""The bots that look ahead, whose choices are recorded."""
_NODES = 64
_KEPT = 6
"""How many placements of a game are recorded, from the first to the last."""
_MIDDLE = 24


def counts(variant: str, seats: int) -> dict[str, Any]:
    """Legal actions, distinct positions to depth 1 and perft to depth 2, at the start and in the middle."""
    start = genial.new(variant, seats=seats, seed="golden")
    rng, middle = Random("golden"), start
    for _ in range(_MIDDLE):
        actions = middle.actions()
        middle, _ = middle.apply(actions[rng.randrange(len(actions))])
    return {"start": _counted(start), "middle": _counted(middle)}


def _counted(position: Position) -> dict[str, Any]:
    children = [position.apply(action)[0] for action in position.actions()]
    return {
        "position": position_text(position),
        "actions": len(position.actions()),
        "distinct": len(set(children)),
        "perft2": sum(len(child.actions()) for child in children),
    }


def playthrough(variant: str, seats: int) -> str:
    """A whole game for people to read, with what each viewer sees."""
    rng, bot = Random("playthrough"), bot_named("balanced")
    position = genial.new(variant, seats=seats, seed="playthrough")
    viewers = [frozenset({seat}) for seat in range(seats)] + [frozenset[int]()]
    lines = [f"{variant}, {seats} seats, seed playthrough", ""]
    for viewer in viewers:
        lines += [f"{_name(viewer)} sees the deal:", *_seen(position.events, viewer), ""]
    turns = 0
    while not position.is_over:
        if position.turn == turns and position.phase.value == "place" and not position.bonus:
            lines += _table(position.view(frozenset())) if turns % 8 == 0 else []
            turns += 1
        view = position.view({position.seat})
        action = bot.choose(view, rng)
        lines.append(_told(position, view, action))
        position, events = position.apply(action)
        for viewer in viewers:
            shown = _seen(events, viewer)
            if viewer == viewers[-1] or shown != _seen(events, frozenset()):
                lines += [f"  {_name(viewer)}:{line}" for line in shown]
    lines += ["", "The end, as everyone sees it:", *_table(position.view(EVERYONE)), position_text(position)]
    return "\n".join(lines) + "\n"


def _told(position: Position, view: View, action: Action) -> str:
    rack = " ".join(view.racks[view.seat])
    choices = len(view.actions())
    return f"seat {view.seat} [{rack}] of {choices}: {move_text(position.setup, action)}"


def _seen(events: tuple[Event, ...], viewer: frozenset[int]) -> list[str]:
    return [f"  {json.dumps(event_data(seen_by(event, viewer)))}" for event in events]


def _name(viewer: frozenset[int]) -> str:
    return f"seat {min(viewer)}" if viewer else "spectator"


def _table(view: View) -> list[str]:
    piles = f"{view.supply} to draw, {view.discarded} discarded"
    lines = ["", f"turn {view.turn}, seat {view.seat} to move, {piles}"]
    if isinstance(view.table, Layout):
        shape = rows(view.table.board)
        for row in shape:
            indent = "  " * (max(map(len, shape)) - len(row))
            lines.append("  " + indent + "".join(_cell(view.table, cell) for cell in row).rstrip())
    else:
        lines += [f"  open before seat {seat}: {' '.join(row)}" for seat, row in enumerate(view.table.rows)]
    for number, markers in enumerate(view.tracks):
        places = " ".join(f"{letter}{place}" for letter, place in zip(COLOURS, markers, strict=True))
        lines.append(f"  track {number}: {places}")
    lines += [f"  rack {seat}: {' '.join(rack)}" for seat, rack in enumerate(view.racks)]
    return [*lines, ""]


def _cell(layout: Layout, cell: Cell) -> str:
    """The symbol and, above the ground, its height; a star marks printed symbols and start stones."""
    n = layout.board.number[cell]
    if layout.symbols[n] == NOTHING:
        return ".   "
    star, height = "*" if layout.halves[n] == NOTHING else "", layout.heights[n]
    return f"{COLOURS[layout.symbols[n]]}{star}{height if height > 1 else ''}".ljust(4)


def choices(variant: str, seats: int) -> list[dict[str, Any]]:
    """What bots that look ahead choose in a game, and what they think of it, independent of the clock.

    Only placements: the end of a turn is chosen differently.
    """
    game = [position for position in walk((variant, seats), 7, greedily=True) if not position.is_over]
    placing = [each for each in game if each.phase is Phase.PLACE and len(each.actions()) > 1]
    kept = [placing[n * (len(placing) - 1) // (_KEPT - 1)] for n in range(_KEPT)]
    return [
        {"position": position_text(each), **{name: _choice(name, each) for name in THINKERS}} for each in kept
    ]


def _choice(name: str, position: Position) -> dict[str, Any]:
    view = position.view({position.seat})
    advice = bot_named(name).advise(view, Random(1), Budget(nodes=_NODES))
    best = advice.candidates[0]
    means = {"value": best.value, "lead": best.lead, "shares": advice.shares}
    told = {key: _rounded(mean) for key, mean in means.items() if mean is not None}
    chosen = {"action": move_text(position.setup, best.action), "nodes": best.nodes, **told}
    return {**chosen, "candidates": len(advice.candidates), "all_nodes": advice.nodes}


def _rounded(mean: float | tuple[float, ...]) -> float | list[float]:
    """Rounded to a millionth: enough to show every change, and easier to read."""
    return [round(each, 6) for each in mean] if isinstance(mean, tuple) else round(mean, 6)


def _lines(kept: list[dict[str, Any]]) -> str:
    """As JSON, with one line per choice."""
    each = (",\n  ".join(f'"{name}": {json.dumps(told)}' for name, told in one.items()) for one in kept)
    return "[\n" + ",\n".join(f" {{\n  {lines}\n }}" for lines in each) + "\n]\n"


def spiel_playthrough() -> str:
    """A small game in OpenSpiel's format: states, actions, and what every player knows."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    from genial.envs.openspiel import load

    flags.FLAGS.mark_as_parsed()
    text: str = generate_playthrough.playthrough(str(load("quick", 2)), action_sequence=[], seed=7)
    return text


def conversation() -> str:
    """The messages of a table's socket under the name of their conversation, a line for each type."""
    (client, server), parts = msgspec.json.schema_components([ClientMessage, ServerMessage])
    shapes = {CONVERSATION: {"client": client, "server": server}, **parts}
    lines = [f"{json.dumps(name)}: {json.dumps(_undescribed(shape))}" for name, shape in shapes.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _undescribed(schema: Any) -> Any:
    """A schema without its prose."""
    match schema:
        case dict():
            return {
                key: _undescribed(part)
                for key, part in schema.items()
                if not (key == "description" and isinstance(part, str))
            }
        case list() | tuple():
            return [_undescribed(part) for part in schema]
    return schema


def write() -> None:
    """Write all golden files."""
    CONVERSATION_FILE.write_text(conversation(), encoding="utf-8")
    PLAYTHROUGHS.mkdir(exist_ok=True)
    found = {f"{variant}-{seats}": counts(variant, seats) for variant, seats in GAMES}
    COUNTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for variant, seats in GAMES:
        path = PLAYTHROUGHS / f"{variant}-{seats}.txt"
        path.write_text(playthrough(variant, seats), encoding="utf-8")
    CHOICES.mkdir(exist_ok=True)
    for variant, seats in GAMES:
        path = CHOICES / f"{variant}-{seats}.json"
        path.write_text(_lines(choices(variant, seats)), encoding="utf-8")
    SPIEL_PLAYTHROUGH.write_text(spiel_playthrough(), encoding="utf-8")


if __name__ == "__main__":
    write()
    pictures.write()
