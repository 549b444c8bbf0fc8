"""The text of the card's code, specialised for one variant."""

from __future__ import annotations

import pytest

from genial.kernel.gpu.text import headed, kernel_text, made_of, names, specialised, version

TEXT = """.version 8.0
.target sm_80
.address_size 64
.extern .const .align 8 .b8 numbers[320];
.extern .shared .align 16 .b8 scratch[];
.visible .entry first(
\t.param .u64 first_param_0
)
{
\tld.const.b16 \t%rs1, [numbers+4];
\tret;
}
.visible .entry second(
\t.param .u64 second_param_0
)
{
\tld.const.v2.b16 \t{%rs1, %rs2}, [numbers];
\tld.const.b32 \t%r7, [numbers+2];
\tret;
}
"""
NUMBERS = bytes([1, 0, 2, 0, 3, 1])


def test_a_text_names_its_kernels() -> None:
    assert names(TEXT) == ["first", "second"]


def test_a_kernels_text_has_its_variants_numbers_and_no_other_kernel() -> None:
    text = kernel_text(TEXT, "second", NUMBERS)
    assert names(text) == ["second"]
    assert "mov.b16 %rs1, 1; mov.b16 %rs2, 2;" in text
    assert f"mov.b32 %r7, {2 + (3 << 16) + (1 << 24)};" in text
    assert "numbers" not in text
    assert "scratch" in text


def test_the_register_limit_precedes_the_body() -> None:
    assert ")\n.maxnreg 64\n{" in kernel_text(TEXT, "first", NUMBERS, registers=64)
    assert ".maxnreg" not in kernel_text(TEXT, "first", NUMBERS)


def test_numbers_go_into_registers_of_their_width() -> None:
    assert specialised("ld.const.b8 %rs9, [numbers+4];", NUMBERS) == "mov.b16 %rs9, 3;"
    assert specialised("ld.const.b16 %rd2, [numbers+4];", NUMBERS) == "mov.b64 %rd2, 259;"


def test_a_kernel_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        kernel_text(TEXT, "third", NUMBERS)


def test_a_text_says_which_source_it_was_made_from() -> None:
    assert made_of(headed(TEXT)) == version()
    assert made_of(TEXT) == ""
    assert names(headed(TEXT)) == names(TEXT)
