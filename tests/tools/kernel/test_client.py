"""The client's interface to the kernel is the kernel's own."""

from pathlib import Path

from tools.kernel.client import text

from genial.kernel.entries import ENTRIES

MADE = Path(__file__).parents[3] / "web" / "src" / "lib" / "kernel" / "entries.ts"


def test_the_clients_entries_are_up_to_date() -> None:
    assert MADE.read_text(encoding="utf-8") == text(), (
        f"run: python -m tools.kernel.client > web/src/lib/kernel/{MADE.name}"
    )


def test_every_entry_has_a_line_and_lists_its_integers() -> None:
    lines = text().splitlines()
    for entry in ENTRIES:
        assert sum(line.startswith(f"  {entry.name}: (") for line in lines) == 1
    assert "  step: (rules: Address, state: Address, action: Whole) => number;" in lines
    assert "  step: [2]," in lines
