"""What counts as a different build, and what doesn't."""

from __future__ import annotations

import pytest
from msgspec import Struct

from genial.server.processes import builds
from genial.server.processes.builds import build, is_ours
from genial.server.tables.log import STORED


class Sneezed(Struct, frozen=True, tag="sneezed"):
    """An entry that nobody knows."""

    place: int


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("__version__", "9.9.9"),
        ("RULES", 9),
        ("CONVERSATION", "genial.9"),
        ("newest", lambda _: 999),
        ("STORED", STORED | Sneezed),
    ],
)
def test_each_part_makes_another_build(part: str, other: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert build.__wrapped__() == build()
    monkeypatch.setattr(builds, part, other)
    assert build.__wrapped__() != build()


def test_a_process_has_its_build_in_its_name() -> None:
    assert is_ours(f"abc-d_f.{build()}")
    assert not is_ours("abc-d_f.another")
    assert not is_ours("abc-d_f")  # from before there were builds
