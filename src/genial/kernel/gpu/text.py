"""The text of the card's code: one of its kernels, with one variant's numbers filled in.

`genial.ptx` reads the single numbers of the rules from constant memory. Written into the text as literals,
they let the card's compiler drop what a variant does not have: half of the code, and a third of the
registers.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from zlib import crc32

from genial.kernel import library

_ENTRY = re.compile(r"^\.visible \.entry (\w+)\(.*?^\}$", re.M | re.S)
_READ = re.compile(r"ld\.const(?:\.v[24])?\.b(8|16|32|64)\s+(\{[^}]*\}|%\w+), \[numbers(?:\+(\d+))?\];")
_MADE_OF = re.compile(r"// genial (\S+)\n")
_WIDTH = {"%rs": 16, "%rd": 64, "%r": 32}


@cache
def version() -> str:
    """The current version of the text's sources: the library's, and the list of kernels."""
    kernels = Path(__file__).with_name("kernels.py").read_bytes().replace(b"\r\n", b"\n")
    return f"{library.version():x}-{crc32(kernels):x}"


def headed(text: str) -> str:
    """A text with a header naming the version of its sources."""
    return f"// genial {version()}\n{text}"


def made_of(text: str) -> str:
    """The version of the sources that a text was made from.

    >>> made_of(headed(".version 8.0")) == version(), made_of(".version 8.0")
    (True, '')
    """
    found = _MADE_OF.match(text)
    return found[1] if found else ""


def names(text: str) -> list[str]:
    """The kernels in a text."""
    return [found[1] for found in _ENTRY.finditer(text)]


def kernel_text(text: str, name: str, numbers: bytes, registers: int | None = None) -> str:
    """One kernel for one variant: `numbers` are the bytes of its rules, `registers` the most per thread."""
    entries = {found[1]: found for found in _ENTRY.finditer(text)}
    head = text[: min(found.start() for found in entries.values())]
    head = re.sub(r"^\.extern \.const .*\n", "", head, flags=re.M)
    body = specialised(entries[name][0], numbers)
    if registers is not None:
        body = re.sub(r"^\)\n", f")\n.maxnreg {registers}\n", body, count=1, flags=re.M)
    return f"{head}{body}\n"


def specialised(text: str, numbers: bytes) -> str:
    """The text for one variant.

    >>> specialised("ld.const.v2.b16 {%rs1, %r2}, [numbers+2];", bytes([0, 0, 7, 0, 0, 1]))
    'mov.b16 %rs1, 7; mov.b32 %r2, 256;'
    """

    def written(found: re.Match[str]) -> str:
        size, at = int(found[1]) // 8, int(found[3] or 0)
        registers = [part.strip() for part in found[2].strip("{}").split(",")]
        moves = []
        for n, register in enumerate(registers):
            value = int.from_bytes(numbers[at + n * size : at + (n + 1) * size], "little")
            moves.append(f"mov.b{_WIDTH[register.rstrip('0123456789')]} {register}, {value};")
        return " ".join(moves)

    return _READ.sub(written, text)
