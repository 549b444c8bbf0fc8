"""What all tests share: how hard they try, and every variant with its seat counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.play import GAMES, PROFILE, others_slow

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.genial.json"))

_slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile(
    "quick", max_examples=15, deadline=None, derandomize=True, suppress_health_check=_slow
)
settings.register_profile("ci", max_examples=60, deadline=None, derandomize=True, suppress_health_check=_slow)
settings.register_profile("long", max_examples=2000, deadline=None, suppress_health_check=_slow)
settings.load_profile(PROFILE)


# Programs speak the system's language, but tests expect English wherever they run.
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all Hypothesis tests `thorough`: they try more examples in `make test-all`."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("thorough")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that ask for `variant` and `seats` for every game, those that ask for a `sample` for all."""
    if {"variant", "seats"} <= set(metafunc.fixturenames):
        few = metafunc.definition.get_closest_marker("first_of_each")
        ids = [f"{variant}-{seats}" for variant, seats in GAMES]
        metafunc.parametrize(("variant", "seats"), others_slow(GAMES) if few else GAMES, ids=ids)
    if "sample" in metafunc.fixturenames:
        metafunc.parametrize("sample", SAMPLES, ids=[path.name.partition(".")[0] for path in SAMPLES])
