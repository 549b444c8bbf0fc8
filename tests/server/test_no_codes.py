"""Every test of the server listens for codes in what people are told; here is what it would hear."""

from __future__ import annotations

import pytest

from genial.server.tables.errors import Refused


def test_a_code_in_a_sentence_is_found() -> None:
    with pytest.raises(AssertionError, match="not-your-turn"):
        Refused("absent-here", name="not-your-turn").text()


def test_text_to_be_typed_may_be_a_code() -> None:
    assert "level-6" in Refused("bot-unknown", name="level-7", expected=["level-6"]).text("de")
