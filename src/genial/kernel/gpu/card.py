"""The graphics card through CuPy: whether there is one, and a game's kernels, compiled on first use."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from genial.kernel.entries import Kind
from genial.kernel.gpu.kernels import COMMON, KERNELS, POLICIES, Kernel, Layout
from genial.kernel.gpu.text import kernel_text, made_of, version
from genial.kernel.tables import IS_CARDS, PLANES, SPOTS, STACKING, STATE_SIZE

if TYPE_CHECKING:
    from genial.kernel.api import Game

TEXT = Path(__file__).parents[1] / "library" / "genial.ptx"
_INSTALL = "Install it with: pip install 'genial[gpu]'"
_MAKE = "A checkout makes it with: make kernel-gpu"
STATIC_SHARED = 48 * 1024
"""A kernel that needs more shared memory than this has to ask for it."""


class NoCard(RuntimeError):
    """Why the graphics card cannot be used here."""


@cache
def arrays() -> Any:
    """CuPy, if it is installed and finds a card; `NoCard` says what is missing."""
    try:
        import cupy
    except ImportError as error:
        raise NoCard(f"Games on a graphics card need CuPy ({error}). {_INSTALL}") from error
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoCard(f"CuPy finds no NVIDIA card that it can use: {error}") from error
    if not found:
        raise NoCard("CuPy finds no NVIDIA card in this machine.")
    return cupy


@cache
def code(path: Path = TEXT) -> str:
    """The source text of the kernels; raises `NoCard` if it is missing or out of date."""
    try:
        text = path.read_text("ascii")
    except FileNotFoundError as error:
        raise NoCard(f"{path.name} is missing. {_MAKE}") from error
    if made_of(text) != version():
        raise NoCard(f"{path.name} is older than its source. {_MAKE}")
    return text


def hot_bytes(rules: Any, kernel: Kernel) -> int:
    """How many bytes of a state a kernel with its own copy works on.

    Random play never uses planes or, on a flat board, spots; both stay as dealt.
    """
    random = kernel.fixed.get("policy") == POLICIES["random"]
    if rules[IS_CARDS] or not random or kernel.layout is Layout.OWN:
        return int(rules[STATE_SIZE])
    return int(rules[PLANES] if rules[STACKING] else rules[SPOTS])


class Card:
    """The kernels of one game, on the card that is current when they are first called."""

    def __init__(self, game: Game, text: Path = TEXT, kernels: Iterable[Kernel] = KERNELS) -> None:
        self.xp = arrays()
        self._text = code(text)
        self._kernels = {kernel.name: kernel for kernel in kernels}
        self._numbers = np.frombuffer(game.tables.rules, np.uint16)
        self._common = {
            "rules": self.xp.asarray(self._numbers),
            "fresh": self.xp.asarray(np.frombuffer(game.fresh, np.uint8)),
        }
        self._compiled: dict[str, Any] = {}

    def launch(self, name: str, count: int, **values: Any) -> Any:
        """Run a kernel in `count` threads; their results are summed in an array of one number."""
        kernel = self._kernels[name]
        block = kernel.shape.block
        hot = hot_bytes(self._numbers, kernel)
        pitch = hot + (8 if hot % 16 == 0 else 0)  # an odd number of words, so neighbours use other banks
        total = self.xp.zeros(1, np.int64)
        arguments: list[Any] = []
        for parameter, kind in kernel.entry.parameters.items():
            if parameter in COMMON:
                arguments.append(self._common[parameter] if parameter in self._common else values[parameter])
            elif parameter in kernel.fixed:
                continue
            elif kind is Kind.WHOLE:
                arguments.append(np.int64(values[parameter]))
            else:
                array = values[parameter]
                arguments += [array, np.int64(array.strides[0])]
                if parameter == "given":
                    arguments.append(np.int64(values["parts"]))
                if parameter == "state" and kernel.layout is not Layout.OWN:
                    arguments += [np.int64(hot), np.int64(pitch)]
        arguments += [np.int64(count), total]
        shared = 0
        if kernel.layout is Layout.SHARED:
            shared = block * pitch
        elif kernel.staged:
            shared = block * values[kernel.staged].strides[0]
        compiled = self.function(name)
        if shared > STATIC_SHARED:
            compiled.max_dynamic_shared_size_bytes = shared
        compiled((-(-count // block),), (block,), tuple(arguments), shared_mem=shared)
        return total

    def function(self, name: str) -> Any:
        """A kernel as a CuPy function, with its attributes."""
        if name not in self._compiled:
            kernel = self._kernels[name]
            numbers = self._numbers.copy()
            numbers[STATE_SIZE] = hot_bytes(numbers, kernel)
            text = kernel_text(self._text, name, numbers.tobytes(), kernel.shape.registers)
            self._compiled[name] = loaded(name, text, self.xp.cuda.Device().id)
        return self._compiled[name]


@cache
def loaded(name: str, text: str, device: int) -> Any:
    """A kernel compiled from a text by the card's driver, which caches the result."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.ptx"
        path.write_text(text, "ascii")
        made = arrays().RawModule(path=str(path)).get_function(name)
        made.num_regs  # noqa: B018 - asked for while the file is there: only then is it read
    return made
