"""Genial Bench: opponents that never change, entries that can be checked, and their table."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import genial
from genial import kernel
from genial.arena.bench import GAMES, OPPONENTS, bench_settings, read, shortcomings
from genial.arena.errors import WrongContest
from genial.bots import bot_named
from genial.bots.driver import choose
from genial.bots.searcher import own_nodes
from genial.cli import main
from genial.core.record import event_data


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["arena", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def entry(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """A small entry: four games against two of the opponents."""
    path = tmp_path / "entry.json"
    shared = ("--games", 4, "--opponents", "random,greedy", "--jobs", 1, "--out", path)
    status, said, _ = run(capsys, "bench", "cards", "level-3", "--name", "Third", "--author", "Ada", *shared)
    assert status == 0
    assert "Third" in said
    return path


# Opponents

PLAYED = {
    ("cards", "random"): "348afdab5314c032",
    ("cards", "greedy"): "18304bd86b7135d0",
    ("cards", "balanced"): "2263706d784ca429",
    ("cards", "master-1@240n"): "f995242a3383e5ad",
    # With a learned value, which the card game does not have.
    ("classic", "master-1@240n"): "a03a0e9cc8900cd6",
}
"""The start of a game of each, as a hash. It never changes: a bot that plays differently is a new version."""


@pytest.mark.skipif(not kernel.available(), reason=kernel.available().reason)
@pytest.mark.parametrize(("variant", "bot"), PLAYED)
def test_an_opponent_plays_as_it_always_has(variant: str, bot: str) -> None:
    position, player, rng = genial.new(variant, seats=2, seed="bench"), bot_named(bot), Random("bench")
    for _ in range(20):
        view = position.view({position.seat})
        position, _ = position.apply(choose(player, view, rng, own_nodes(player), deadline=900).action)
    told = json.dumps([event_data(event) for event in position.events])
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == PLAYED[variant, bot]


def test_opponents_are_told_apart_by_name_version_and_nodes() -> None:
    assert len({(opponent.name, opponent.version, opponent.nodes) for opponent in OPPONENTS}) == len(
        OPPONENTS
    )
    for opponent in OPPONENTS:
        bot = bot_named(opponent.bot)
        budget = own_nodes(bot)
        assert (budget.nodes if budget else None) == opponent.nodes


def test_an_entry_plays_all_opponents_but_itself(variant: str, seats: int) -> None:
    settings = bench_settings(variant, seats, "greedy")
    if seats == 1:
        assert [lineup.players for lineup in settings.lineups] == [("greedy",)]
    else:
        rest = [opponent.bot for opponent in OPPONENTS if opponent.bot != "greedy"]
        assert [lineup.players for lineup in settings.lineups] == [("greedy", bot) for bot in rest]


# Entries


def test_an_entry_is_read_back_with_all_its_games(entry: Path) -> None:
    found = read(entry)
    assert (found.name, found.author, found.format) == ("Third", "Ada", "genial-bench/1")
    assert [pair.b for pair in found.result.pairs] == ["random", "greedy"]
    assert len(found.result.lines) == 8
    assert found.result.command == (
        "genial arena bench cards level-3 --seats 2 --games 4 --opponents random,greedy"
    )
    first, *rest = shortcomings(found)
    assert first == "didn't play balanced, master-1@240n, master-1@4000n, master-1@24000n"
    assert rest == [f"fewer than {GAMES} games", "doesn't say how it was made"]


def test_the_same_command_plays_nothing_twice(entry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = entry.read_bytes()
    shared = ("--games", 4, "--opponents", "random,greedy", "--jobs", 1, "--out", entry)
    assert run(capsys, "bench", "cards", "level-3", "--name", "Third", "--author", "Ada", *shared)[0] == 0
    assert entry.read_bytes() == before


def _won(data: dict[str, Any]) -> None:
    data["result"]["lines"][0]["ranks"] = [2, 1] if data["result"]["lines"][0]["ranks"] == [1, 2] else [1, 2]


def _shorter(data: dict[str, Any]) -> None:
    del data["result"]["lines"][-1]


def _luckier(data: dict[str, Any]) -> None:
    data["result"]["pairs"][0]["score"]["mean"] = 0.99


def _ranked(data: dict[str, Any]) -> None:
    data["result"]["lines"][0]["ranks"] = [1, 3]


def _dealt(data: dict[str, Any]) -> None:
    data["result"]["settings"]["seed"] = "mine"


def _weaker(data: dict[str, Any]) -> None:
    data["result"]["settings"]["lineups"][0]["players"][1] = "level-1"


def _formatted(data: dict[str, Any]) -> None:
    data["format"] = "genial-bench/9"


def _unnamed(data: dict[str, Any]) -> None:
    data["name"] = " "


def _lost(data: dict[str, Any]) -> None:
    data["result"]["lines"][0]["lineup"] = 7


def _without(data: dict[str, Any]) -> None:
    data["result"]["settings"]["lineups"] = []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_won, "don't follow"),
        (_shorter, "don't follow"),
        (_luckier, "don't follow"),
        (_ranked, "nobody can be ranked"),
        (_dealt, "isn't the bench's"),
        (_weaker, "level-1 isn't an opponent"),
        (_formatted, "genial-bench/9"),
        (_unnamed, "no name"),
        (_lost, "can't be counted"),
        (_without, "can't be counted"),
    ],
)
def test_a_changed_entry_is_refused(
    entry: Path, capsys: pytest.CaptureFixture[str], change: Any, problem: str
) -> None:
    data = json.loads(entry.read_bytes())
    change(data)
    entry.write_text(json.dumps(data))
    status, _, err = run(capsys, "standings", entry)
    assert status == 2
    assert problem in err
    assert str(entry.name) in err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "genial-arena/1"}', "\udc80"])
def test_a_file_that_is_not_an_entry_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(WrongContest, match="isn't an entry of Genial Bench"):
        read(path)


def test_a_missing_entry_is_reported_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nowhere.json"
    assert main(["arena", "standings", str(path)]) == 2
    assert capsys.readouterr().err == f"genial: {path}: There's no such file or folder. Check the name.\n"


def test_an_unknown_opponent_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "bench", "cards", "greedy", "--opponents", "level-6")
    assert status == 2
    assert "level-6 isn't an opponent" in err


def test_opponents_that_search_need_the_kernel(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it they would play like level 3, under the name of a master."""
    monkeypatch.setattr(kernel, "available", lambda: kernel.Availability(False, "it's not there"))
    status, _, err = run(capsys, "bench", "cards", "greedy", "--games", 2)
    assert status == 2
    assert "it's not there" in err


# The table


def test_several_entries_are_ranked_in_one_table(
    entry: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, alone = tmp_path / "other.json", tmp_path / "alone.json"
    shared = ("--games", 4, "--jobs", 1, "--opponents", "random,greedy")
    assert run(capsys, "bench", "cards", "balanced", *shared, "--out", other)[0] == 0
    assert run(capsys, "bench", "3d-solo", "random", "--games", 3, "--jobs", 1, "--out", alone)[0] == 0
    status, said, _ = run(capsys, "standings", entry, other, alone, "--markdown")
    assert status == 1  # none of them is complete
    assert "Card game, 2 seats" in said
    assert "| Third * | Ada |" in said
    assert "fewer than 200 games" in said
    status, said, _ = run(capsys, "standings", entry, other, alone, "--json")
    told = json.loads(said)
    assert [(row["variant"], row["name"]) for row in told[:1]] == [("3d-solo", "random")]
    scores = [row["score"] for row in told if row["variant"] == "cards"]
    assert scores == sorted(scores, reverse=True)
    assert set(told[1]["against"]) == {"random", "greedy"}


def test_a_table_needs_entries(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "standings")[0] == 2
