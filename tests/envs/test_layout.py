"""The schema describes actions and observations as they are."""

from __future__ import annotations

import json

import numpy as np

from genial import envs
from genial.core.numbering import numbering
from genial.core.title import setup
from genial.core.titles import title_of


def test_the_schema_matches_what_an_environment_gives(variant: str, seats: int) -> None:
    told = envs.schema(variant, seats)
    assert json.loads(json.dumps(told)) == told
    env = envs.aec(variant, seats)
    env.reset(seed=1)
    seen = env.observe("seat_0")
    for name, array in seen.items():
        items = told["properties"][name]
        assert len(array) == items["minItems"] == items["maxItems"]
        assert int(array.max()) <= items["items"]["maximum"]
    assert int(env.action_space("seat_0").n) == told["properties"]["action"]["maximum"] + 1  # type: ignore[attr-defined]
    fields = told["properties"]["observation"]["fields"]
    assert sum(int(np.prod(field["shape"])) for field in fields) == len(seen["observation"])


def test_pairs_and_kinds_say_what_a_number_means() -> None:
    told, numbers = envs.schema("3d", 2), numbering(setup(title_of("3d"), 2))
    number = 4321
    group, pair = divmod(number, told["properties"]["action"]["pairs"])
    first, second = (tuple(told["cells"][cell]) for cell in told["pairs"][pair])
    action = numbers.action_of(number)
    assert action.tile == told["kinds"][group >> 1]  # type: ignore[union-attr]
    assert action.cells == ((second, first) if group & 1 else (first, second))  # type: ignore[union-attr]
