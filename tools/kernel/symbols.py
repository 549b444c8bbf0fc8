"""What a compiled file exports and imports, read from the file: ELF, PE, Mach-O and WebAssembly."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tools.kernel.targets import Form


class Symbols(NamedTuple):
    """Names, as C knows them."""

    exports: frozenset[str]
    imports: frozenset[str]
    """Functions it needs from others, and the libraries it would load for that."""


def symbols(data: bytes, form: Form) -> Symbols:
    """The symbols of a linked file."""
    exports, imports = _READERS[form](data)
    return Symbols(frozenset(exports), frozenset(imports))


def is_signed(data: bytes) -> bool:
    """True if a Mach-O file has a signature (LC_CODE_SIGNATURE): without one macOS does not load it."""
    return any(command == 0x1D for command, _ in _commands(data))


_Found = tuple[set[str], set[str]]


def _at(layout: str, data: bytes, offset: int) -> tuple[Any, ...]:
    return struct.unpack_from("<" + layout, data, offset)


def _text(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode()


def _elf(data: bytes) -> _Found:
    assert data[:6] == b"\x7fELF\x02\x01", "no little-endian ELF of 64 bits"
    (table,) = _at("Q", data, 0x28)
    size, count = _at("HH", data, 0x3A)
    sections = [_at("IIQQQQIIQQ", data, table + size * n) for n in range(count)]
    exports: set[str] = set()
    imports: set[str] = set()
    for _, kind, _, _, offset, length, link, _, _, _ in sections:
        names = sections[link][4]
        if kind == 11:  # SHT_DYNSYM
            for place in range(offset + 24, offset + length, 24):
                name, _, _, section = _at("IBBH", data, place)
                (exports if section else imports).add(_text(data, names + name))
        if kind == 6:  # SHT_DYNAMIC
            for place in range(offset, offset + length, 16):
                tag, value = _at("QQ", data, place)
                if tag == 1:  # DT_NEEDED
                    imports.add(_text(data, names + value))
    return exports, imports


def _pe(data: bytes) -> _Found:
    (header,) = _at("I", data, 0x3C)
    assert data[header : header + 4] == b"PE\0\0", "no PE"
    (count,) = _at("H", data, header + 6)
    (size,) = _at("H", data, header + 20)
    sections = [_at("8sIIII", data, header + 24 + size + 40 * n) for n in range(count)]

    def place(address: int) -> int:
        """The offset in the file of an address in the loaded image."""
        found: int = next(raw + address - at for _, _, at, size, raw in sections if at <= address < at + size)
        return found

    (exported, _, imported, _) = _at("IIII", data, header + 24 + 112)
    exports, imports = set(), set()
    if exported:
        number, _, names = _at("III", data, place(exported) + 24)
        exports = {_text(data, place(*_at("I", data, place(names) + 4 * n))) for n in range(number)}
    at = place(imported) if imported else 0
    while at and (name := _at("IIII", data, at)[3]):
        imports.add(_text(data, place(name)))
        at += 20
    return exports, imports


def _commands(data: bytes) -> Iterator[tuple[int, int]]:
    """The load commands of a Mach-O file, and the offset of each."""
    assert data[:4] == b"\xcf\xfa\xed\xfe", "no Mach-O of 64 bits"
    (count,) = _at("I", data, 16)
    at = 32
    for _ in range(count):
        command, size = _at("II", data, at)
        yield command, at
        at += size


def _macho(data: bytes) -> _Found:
    exports: set[str] = set()
    imports: set[str] = set()
    for command, at in _commands(data):
        if command == 0xC:  # LC_LOAD_DYLIB
            imports.add(_text(data, at + _at("I", data, at + 8)[0]))
        if command == 2:  # LC_SYMTAB
            table, count, names = _at("III", data, at + 8)
            for place in range(table, table + 16 * count, 16):
                name, kind, section = _at("IBB", data, place)
                if kind & 1:  # N_EXT
                    (exports if section else imports).add(_text(data, names + name).removeprefix("_"))
    return exports, imports


def _wasm(data: bytes) -> _Found:
    assert data[:8] == b"\0asm\1\0\0\0", "no WebAssembly"
    exports: set[str] = set()
    imports: set[str] = set()
    at = 8
    while at < len(data):
        kind = data[at]
        size, at = _leb(data, at + 1)
        end, place = at + size, at
        if kind in (2, 7):  # imports and exports
            count, place = _leb(data, place)
            for _ in range(count):
                name, place = _name(data, place)
                if kind == 2:
                    field, place = _name(data, place)
                    imports.add(f"{name}.{field}")
                    break  # imports have many forms; one is enough to know
                exports.add(name)
                _, place = _leb(data, place + 1)
        at = end
    return exports, imports


def _leb(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length number, and where the next item starts."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return value, at


def _name(data: bytes, at: int) -> tuple[str, int]:
    length, at = _leb(data, at)
    return data[at : at + length].decode(), at + length


_READERS: dict[Form, Callable[[bytes], _Found]] = {
    Form.ELF: _elf,
    Form.COFF: _pe,
    Form.MACHO: _macho,
    Form.WASM: _wasm,
}
