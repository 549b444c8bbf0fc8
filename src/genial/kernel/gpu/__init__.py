"""The kernel on an NVIDIA graphics card: one thread a game, hundreds of thousands at once, to the same bit.

Needs CuPy (`pip install 'genial[gpu]'`) and nothing else; where it or the card is missing, `NoCard` says so.
"""

from __future__ import annotations

from genial.kernel.gpu.batch import Batch, Playouts
from genial.kernel.gpu.card import NoCard

__all__ = ["Batch", "NoCard", "Playouts"]
