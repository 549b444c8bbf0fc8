"""A data set contains what each seat knew and did, the same as the games it was made from."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from tests.play import GAMES

from genial.arena.dataset import columns, rows_of, write_dataset
from genial.arena.errors import WrongContest
from genial.arena.simulate import Plan, play_game
from genial.bots.simple import BALANCED
from genial.cli import main
from genial.core.new import new
from genial.core.numbering import numbering
from genial.core.observation import observe


def plan(variant: str, seats: int, games: int = 2) -> Plan:
    return Plan(variant, seats, (BALANCED.name,) * seats, games, "7")


def written(path: Path, of: Plan, jobs: int = 1) -> list[dict[str, object]]:
    count = write_dataset(of, path, command="genial arena dataset", jobs=jobs)
    rows: list[dict[str, object]] = parquet.read_table(path).to_pylist()
    assert len(rows) == count
    return rows


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_rows_of_a_game_reproduce_it(game: tuple[str, int]) -> None:
    of = plan(*game)
    position = new(of.variant, seats=of.seats, seed=of.game_seed(0))
    found = numbering(position.setup)
    for row in rows_of(of, 0):
        assert row.seat == position.seat
        assert row.observation == observe(position.view({row.seat}), row.seat)
        assert int.from_bytes(row.lawful, "little") == found.numbers_of(position.actions())
        assert int.from_bytes(row.lawful, "little") >> row.action & 1
        position, _ = position.apply(found.action_of(row.action))
    assert position.result
    assert position.result.ranks == play_game(of, 0).result.ranks  # type: ignore[union-attr]
    last = {row.seat: row.rank for row in rows_of(of, 0)}
    assert all(position.result.ranks[seat] == rank for seat, rank in last.items())


def test_the_file_holds_these_rows_and_describes_them(tmp_path: Path) -> None:
    path, of = tmp_path / "deep" / "cards.parquet", plan("cards", 2, 3)
    rows = written(path, of)
    assert rows == [row._asdict() for game in range(3) for row in rows_of(of, game)]
    schema = parquet.read_schema(path)
    assert schema.names == list(columns(new("cards", seats=2, seed=0).setup))
    told = json.loads(schema.metadata[b"genial"])
    assert (told["format"], told["variant"], told["actions"]) == ("genial-dataset/1", "cards", 44)
    assert [file.name for file in path.parent.iterdir() if file.suffix == ".new"] == []


def test_two_processes_write_the_same_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    assert written(one, plan("cards", 2)) == written(two, plan("cards", 2), jobs=2)


def test_the_card_states_the_columns_licence_and_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "quick.parquet"
    arguments = ["arena", "dataset", "quick", "--games", "2", "--bots", "greedy,random", "--jobs", "1"]
    assert main([*arguments, "--out", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    card = Path(told["card"]).read_text(encoding="utf-8")
    assert told["rows"] == parquet.read_metadata(path).num_rows
    for column in parquet.read_schema(path).names:
        assert f"| `{column}` |" in card
    assert "genial arena dataset quick --seats 2 --bots greedy,random --games 2 --seed 0" in card
    assert "license: cc0-1.0" in card
    assert str(tmp_path) not in card


def test_without_pyarrow_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(WrongContest, match=r"pip install \"genial\[data\]\""):
        write_dataset(plan("cards", 2), tmp_path / "no.parquet", command="")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["--bots", "nobody"], ["--bots", "greedy,greedy,greedy"], ["--games", "0"]]
)
def test_usage_errors_exit_2(tmp_path: Path, arguments: list[str]) -> None:
    assert main(["arena", "dataset", "cards", "--out", str(tmp_path / "a.parquet"), *arguments]) == 2
