"""The kernel on an NVIDIA graphics card: one thread per game, hundreds of thousands at once, bit-identical.

Needs only CuPy (`pip install 'genial[gpu]'`); if it or the card is missing, `NoCard` says so.
"""

from __future__ import annotations

from genial.kernel.gpu.batch import Batch, Playouts
from genial.kernel.gpu.card import NoCard

__all__ = ["Batch", "NoCard", "Playouts"]
