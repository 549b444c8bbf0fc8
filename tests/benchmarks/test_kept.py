"""A figure that fell by more than a tenth since figures were last kept is reported, on any machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks import kept


def figures(
    machine: float = 1.0, *, kernel: float = 1.0, core: float = 1.0, envs: float = 1.0
) -> dict[str, Any]:
    """A made-up run, by the speed of the machine and the changes in our own speed."""

    def rates(rate: float) -> list[float]:
        return [rate * machine * noise for noise in (0.8, 1.0, 1.1)]

    return {
        "games_per_second": {
            "genial kernel": rates(270_000 * kernel),
            "C, cc -O2": rates(250_000),
            "genial core": rates(500 * core),
            "MOMAland ingenious": rates(100),
        },
        "greedy_games_per_second": {
            "genial kernel": rates(60_000 * kernel),
            "C, cc -O2, straightforward": rates(6_000),
            "genial core": rates(23 * core),
        },
        "growth": [
            {
                "variant": "3d",
                "seats": 2,
                "random": {"games_per_second": 120_000 * machine * kernel},
                "greedy": {"games_per_second": 23_000 * machine * kernel},
            }
        ],
        "operations": [
            {"name": "clone of a state", "unit": "us", "median": 0.26 / machine / kernel},
            {"name": "step called from Python", "unit": "M/s", "median": 3.2 * machine * kernel},
            {"name": "batch, all cores, with masks", "unit": "M steps/s", "median": 4.5 * machine},
        ],
        "steps_per_second": {
            "genial classic": rates(80_000 * envs),
            "PettingZoo connect_four": rates(10_000),
            "MOMAland ingenious": rates(4_000),
        },
        "openspiel_steps_per_second": {
            "genial_classic": rates(20_000 * envs),
            "OpenSpiel block dominoes, in Python": rates(30_000),
        },
        "vectors": [
            {"name": "all cores, masks as bits", "unit": "M steps/s", "median": 4 * machine},
            {"name": "one core, masks as bits", "unit": "M steps/s", "median": 2 * machine * envs},
        ],
    }


def told(now: dict[str, Any]) -> tuple[list[str], bool]:
    before = {"commit": "4ecf47b", "ratios": kept.ratios(figures())}
    return kept.told(before, kept.ratios(now))


@pytest.mark.parametrize("machine", [0.4, 1.0, 3.0])
def test_a_slower_machine_does_not_count_as_a_drop(machine: float) -> None:
    assert told(figures(machine)) == (["None of 11 figures fell by more than a tenth since 4ecf47b."], True)


def test_a_drop_is_named_with_both_figures() -> None:
    said, well = told(figures(0.5, core=0.5))
    assert not well
    fell, by = "Fell by more than a tenth since 4ecf47b: core,", "games, by MOMAland ingenious:"
    assert said == [
        f"{fell} random {by} 2.5, kept 5 (-50%)",
        f"{fell} greedy {by} 0.115, kept 0.23 (-50%)",
    ]


def test_environments_are_compared_with_other_libraries() -> None:
    said, _ = told(figures(0.5, envs=0.5))
    assert [line.partition(": ")[2].partition(":")[0] for line in said] == [
        "environment, steps of a cycle, by MOMAland ingenious",
        "environment, steps in OpenSpiel, by OpenSpiel block dominoes, in Python",
        "many games, one core, masks as bits, by a million games of C, cc -O2",
    ]


def test_times_and_rates_drop_alike() -> None:
    said, _ = told(figures(kernel=0.8))
    assert len(said) == 6
    assert all("(-20%)" in line for line in said)


@pytest.mark.parametrize(("share", "well"), [(0.91, True), (0.89, False), (1.5, True)])
def test_a_drop_of_a_tenth_is_the_limit(share: float, well: bool) -> None:
    assert told(figures(core=share))[1] is well


def test_a_missing_figure_is_reported_and_not_taken_for_a_drop() -> None:
    now = figures()
    del now["games_per_second"]["MOMAland ingenious"]
    said, well = told(now)
    assert well
    assert "core, greedy games" in said[-1]


def test_figures_are_kept_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    assert kept.read(path) is None
    assert "--keep" in kept.told(None, {})[0][0]
    kept.keep("4ecf47b", "2026-11-16", kept.ratios(figures()), path)
    found = kept.read(path)
    assert found is not None
    assert kept.told(found, kept.ratios(figures(2.0)))[1]
