"""The command line: results, exit statuses, and clear messages for wrong use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.play import walk

import genial
from genial.cli import main
from genial.core.messages import LANGUAGES, render
from genial.core.notation import position_text
from genial.core.record import dump, record_of

SAMPLES = Path(__file__).parent / "samples"
SAMPLE = str(SAMPLES / "classic-2.genial.json")
MATCH = ("arena", "match", "travel", "greedy", "random")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def test_check_passes_lawful_records(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check", *map(str, sorted(SAMPLES.glob("*.json"))))
    assert status == 0
    assert all(line.endswith(": lawful") for line in out.splitlines())


def test_check_names_the_first_breach_and_exits_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = json.loads((SAMPLES / "classic-2.genial.json").read_text())
    record["events"][2]["gain"][0] += 1
    path = tmp_path / "lie.genial.json"
    path.write_text(json.dumps(record))
    status, out, _ = run(capsys, "check", str(path))
    assert status == 1
    assert "event 2" in out
    assert "[SCORING]" in out
    status, out, _ = run(capsys, "check", "--json", str(path))
    assert (status, json.loads(out)[0]["ruling"]) == (1, "SCORING")
    assert "Ereignis" in run(capsys, "check", "--language", "de", str(path))[1]


def test_check_show_and_errors_speak_the_systems_language(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.genial.json"
    path.write_text("{")
    sample = str(SAMPLES / "classic-2.genial.json")
    for language in LANGUAGES:
        monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
        for command, file in (("check", str(path)), ("show", sample)):
            asked_for = run(capsys, command, "--language", language, file)
            assert run(capsys, command, file) == asked_for
        told = render("record-json", {"line": 1, "column": 2}, language)
        assert run(capsys, "show", str(path))[2] == f"genial: {told}\n"


def test_check_exits_2_for_unreadable_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "x.genial.json"
    path.write_text("no JSON")
    assert run(capsys, "check", str(path))[0] == 2
    assert run(capsys, "check", str(tmp_path / "absent.genial.json"))[0] == 2
    assert run(capsys, "check", str(tmp_path))[0] == 2
    path.write_bytes(b"[" * (3 << 20))
    status, out, _ = run(capsys, "check", str(path), str(SAMPLES / "travel-2.genial.json"))
    assert status == 2
    assert "with a limit of" in out
    assert "travel-2.genial.json: lawful" in out


def test_check_says_lawful_so_far(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "begun.genial.json"
    path.write_text(dump(record_of(genial.new("cards", seats=3, seed=1))))
    assert run(capsys, "check", str(path))[:2] == (0, f"{path}: lawful so far\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["simulate", "chess"],
        ["simulate", "classic", "--seats", "5"],
        ["simulate", "classic", "--bots", "nobody"],
        ["simulate", "classic", "--bots", "random,random,random"],
        ["simulate", "classic", "--games", "0"],
        ["simulate", "classic", "--games", "many"],
        ["simulate", "classic", "--seed", "white space"],
        ["simulate", "classic", "--jobs", "0"],
        ["check", "--language", "xx", str(SAMPLES / "travel-2.genial.json")],
        ["play", "classic", "--plain", "--language", "xx"],
        ["show", "absent.genial.json"],
        ["show", str(SAMPLES / "cards-2.genial.json"), "--ply", "9999"],
        ["show", str(SAMPLES / "cards-2.genial.json"), "--seat", "7"],
        ["fly"],
        ["play", "chess", "--plain"],
        ["serve", "--port", "99999"],
    ],
)
def test_usage_errors_exit_2_with_a_message_and_no_traceback(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert (out + err).strip()
    assert "Traceback" not in out + err


def test_simulate_is_the_same_on_any_number_of_processes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = [
        "simulate",
        "cards",
        "--seats",
        "3",
        "--bots",
        "random,greedy,balanced",
        "--games",
        "6",
        "--json",
    ]
    one = run(capsys, *command, "--jobs", "1", "--records", str(tmp_path / "one"))
    two = run(capsys, *command, "--jobs", "2", "--records", str(tmp_path / "two"))
    assert one == two
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(names) == 6
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
        assert genial.check((tmp_path / "one" / name).read_text()).status == "lawful"


def test_simulate_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "simulate", "duel", "--games", "2", "--jobs", "1")
    assert status == 0
    assert "balanced" in out
    assert "ended by" in out


def test_show_draws_text_and_svg(
    variant: str, seats: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "played.genial.json"
    path.write_text(dump(record_of(walk((variant, seats), 7)[-1])), encoding="utf-8")
    sample = str(path)
    status, out, _ = run(capsys, "show", sample, "--ply", "7", "--plain")
    assert status == 0
    assert out.isascii()
    target = tmp_path / "picture.svg"
    assert run(capsys, "show", sample, "--svg", str(target), "--theme", "dark")[0] == 0
    assert ET.parse(target).getroot().tag.endswith("svg")
    assert ("reconstructed" in out) == (variant == "duel")
    assert ("reconstructed" in target.read_text(encoding="utf-8")) == (variant == "duel")


def test_show_hides_others_racks_until_the_game_is_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = genial.new("classic", seats=2, seed=7)
    path = tmp_path / "begun.genial.json"
    path.write_text(dump(record_of(position)))
    hidden = ["??"] * 6
    assert json.loads(run(capsys, "show", str(path), "--json")[1])["racks"] == [hidden, hidden]
    mine = json.loads(run(capsys, "show", str(path), "--seat", "1", "--json")[1])["racks"]
    assert mine == [hidden, list(position.racks[1])]
    finished = str(SAMPLES / "classic-2.genial.json")
    shown = json.loads(run(capsys, "show", finished, "--ply", "3", "--json")[1])["racks"]
    assert "??" not in shown[0] + shown[1]
    one = json.loads(run(capsys, "show", finished, "--ply", "3", "--seat", "0", "--json")[1])["racks"]
    assert one[1] == hidden


def test_show_takes_a_position_in_notation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text(position_text(genial.new("3d", seats=2, seed=7)) + "\n")
    assert run(capsys, "show", str(path), "--plain")[0] == 0
    path.write_text("3d/2 nonsense")
    assert run(capsys, "show", str(path))[0] == 2


def test_show_counts_places_plays_and_swaps(capsys: pytest.CaptureFixture[str]) -> None:
    sample = SAMPLES / "cards-2.genial.json"
    acts = [e for e in json.loads(sample.read_text())["events"] if e["type"] in ("place", "play", "swap")]
    for ply in (0, 1, 13, len(acts)):
        events = json.loads(run(capsys, "show", str(sample), "--ply", str(ply), "--json")[1])["events"]
        shown = [event for event in events if event["type"] in ("place", "play", "swap")]
        assert shown == acts[:ply]


def test_a_reader_that_closes_the_pipe_early_causes_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m genial play classic --plain --seed 1 < /dev/null | head -n 1"
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.startswith("Classic")
    assert done.stderr == ""


def test_a_mistyped_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "sreve")
    assert status == 2
    assert 'Unknown command "sreve". Did you mean "serve"?' in " ".join(err.replace("│", "").split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["backup"], "TARGET is missing. See genial backup --help."),
        (["tune"], "VARIANT is missing. See genial tune --help."),
        (["serve", "--port"], "--port needs a value. See genial serve --help."),
        (["--port", "65536"], 'Invalid value "65536" for --port. Choose a number from 0 to 65535.'),
        (["serve", "--port", "-1"], 'Invalid value "-1" for --port. Choose a number from 0 to 65535.'),
        (["serve", "--port", "0x"], "--port has to be a whole number, not “0x”. See genial serve --help."),
        (["arena", "match", "travel"], "BOT is missing. See genial arena match --help."),
        (["export", "--folder", "f", "b"], "There's one argument too many: “b”. See genial export --help."),
        (
            ["site", "--folder", "f", "[b]", "\x1b[1m"],
            "There are 2 arguments too many: “[b]” and “\\x1b[1m”.",
        ),
        (["check"], "genial: Name at least one file to check."),
        (["import"], "genial: Name at least one file to import."),
        (["arena", "show"], "genial: Name at least one file to show."),
        (["arena", "standings"], "genial: Name at least one entry to check."),
        (["bot", "check"], "genial: Name the program to check."),
        (["bot", "check", "./mybot", "--seconds", "0"], "--seconds can't be 0. Use a number above 0."),
        (["bot", "check", "./mybot 'fast"], "“./mybot 'fast” isn't a command."),
        (["show", "nowhere.json"], "genial: nowhere.json: There's no such file or folder. Check the name."),
        (
            ["show", SAMPLE, "--seat", "7"],
            "There's no seat 7. Seats are counted from 0, and this game has 2.",
        ),
        (
            ["show", SAMPLE, "--theme", "blue"],
            'Invalid value "blue" for --theme. Choose from: "light", "dark".',
        ),
        (["arena", "show", "a.json", "--theme", "blue"], 'Invalid value "blue" for --theme.'),
        (["arena", "match", "travel", "greedy", "greedy"], "An arena match takes exactly 2 bots"),
        (
            ["arena", "solo", "travel", "greedy"],
            "Travel edition can't be shared out evenly (seats: 2, bots: 1).",
        ),
        ([*MATCH, "--nodes", "0"], "genial: --nodes can't be 0. Use a number above 0."),
        ([*MATCH, "--deadline", "-1"], "genial: --deadline can't be -1. Use a number above 0."),
        ([*MATCH, "--at-least", "5"], "score 5.0, margin 0.05, risks 0.05 and 0.05. Use a score"),
        (["tune", "classic", "level-3", "--games", "0"], "genial: --games can't be 0. Use a number above 0."),
        (
            ["serve", "--bot", "mine=./nowhere"],
            "The program mine failed: No such file or directory: ./nowhere.",
        ),
    ],
)
def test_wrong_arguments_are_named(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert told in " ".join(err.replace("│", "").split())


def test_a_missing_file_is_reported_in_the_readers_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "Diese Datei oder diesen Ordner gibt es nicht. Prüf den Namen."
    assert run(capsys, "check", "nowhere.json", "--language", "de") == (2, f"nowhere.json: {told}\n", "")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(capsys, "arena", "show", "nowhere.json") == (2, "", f"genial: nowhere.json: {told}\n")
    resumed = f"nowhere.json lässt sich nicht lesen: {told}\n"
    assert run(capsys, "play", "--resume", "nowhere.json") == (2, "", resumed)


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert genial.__version__ in run(capsys, "--version")[1]
    out = run(capsys, "--help")[1]
    assert "Unofficial" in out
    for command in ("play", "simulate", "check", "show", "bench"):
        assert command in out


def test_check_and_show_never_overwrite_a_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.genial.json"
    shutil.copy(SAMPLES / "travel-2.genial.json", path)
    before = path.read_bytes()
    run(capsys, "check", str(path))
    run(capsys, "show", str(path), "--plain")
    assert path.read_bytes() == before
