"""The card's kernels without a card: NumPy arrays, and numba's functions called row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from genial.kernel.api import Game
from genial.kernel.entries import Kind
from genial.kernel.gpu.kernels import COMMON, KERNELS, Layout
from genial.kernel.source.called import rules_of, source_of

_ITEMS = {Kind.BYTES: np.uint8, Kind.SHORTS: np.uint16, Kind.INTS: np.int32, Kind.FLOATS: np.float32}


class Rows:
    """What `kernel.gpu.card.Card` does, one row after another."""

    xp: Any = np

    def __init__(self, game: Game) -> None:
        self._common = {"rules": rules_of(game.tables), "fresh": np.frombuffer(game.fresh, np.uint8)}
        self._kernels = {kernel.name: kernel for kernel in KERNELS}

    def launch(self, name: str, count: int, **values: Any) -> Any:
        kernel = self._kernels[name]
        function, total = source_of(kernel.entry), 0
        copy = np.empty(values["state"].shape[1], np.uint8)
        if kernel.staged:
            values[kernel.staged][:count] = 0
        for n in range(count):
            arguments: list[Any] = []
            for parameter, kind in kernel.entry.parameters.items():
                if parameter in COMMON:
                    arguments.append(self._common.get(parameter, values.get(parameter)))
                elif kind is Kind.WHOLE:
                    arguments.append(values[parameter] + (n if parameter == "seed" else 0))
                elif parameter == "state" and kernel.layout is not Layout.OWN:
                    arguments.append(copy)
                else:
                    row = n // values["parts"] if parameter == "given" else n
                    array = values[parameter]
                    assert array.dtype == _ITEMS[kind], parameter
                    arguments.append(array[row : row + 1] if array.ndim == 1 else array[row])
            total += function(*arguments) or 0
        return np.array([total])
