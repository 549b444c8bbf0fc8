"""The text that numba makes of the kernel's source, before anything is compiled."""

from __future__ import annotations

from hashlib import sha256

import pytest
from tools.kernel.source import made_anew, unoptimised, without_addresses


def test_no_process_address_is_left() -> None:
    said = """\
@numba.dynamic.globals.7f51 = internal global ptr inttoptr (i64 32593 to ptr)
@numba.dynamic.globals.7f52.1 = internal global ptr inttoptr (i64 32594 to ptr)
  %.5 = load ptr, ptr @numba.dynamic.globals.7f52.1, align 8
  %.6 = load ptr, ptr @numba.dynamic.globals.7f51, align 8
"""
    expected = """\
@numba.dynamic.globals.0 = internal global ptr null
@numba.dynamic.globals.1 = internal global ptr null
  %.5 = load ptr, ptr @numba.dynamic.globals.1, align 8
  %.6 = load ptr, ptr @numba.dynamic.globals.0, align 8
"""
    assert without_addresses(said) == expected


@pytest.mark.slow
def test_the_kept_text_matches_that_of_another_process() -> None:
    # Compare hashes: if the texts differed, pytest would print ten megabytes.
    kept, anew = (
        sha256(text.encode()).hexdigest()
        for text in (unoptimised(), made_anew("genial.kernel.entries:ENTRIES"))
    )
    assert kept == anew
