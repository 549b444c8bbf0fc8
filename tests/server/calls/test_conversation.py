"""What is said on a table's socket."""

from __future__ import annotations

from tools.golden import CONVERSATION_FILE, conversation


def test_messages_change_only_together_with_their_golden_file() -> None:
    """If a page that knows the old messages could no longer follow, `CONVERSATION` gets the next number.

    Either way `make golden` records the new ones.
    """
    assert conversation() == CONVERSATION_FILE.read_text(encoding="utf-8")
