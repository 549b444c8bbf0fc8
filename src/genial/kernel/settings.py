"""The settings of a search: one row of named numbers, the same for Python, compiled code and C."""

from __future__ import annotations

NODES = 0
"""Total nodes: playouts, looks ahead by value, or lines of an exact endgame."""
WIDTH = 1
"""The most candidates, besides those wanted; at least 1."""
WANTED = 2
"""How many actions are candidates in any case, and stay in the race."""
WORLDS = 3
"""How many worlds are passed."""
REDEALING = 4
"""Whether what is hidden in a world may be redealt for each round, so that one world is enough."""
ENDGAME = 5
"""Whether the last spaces are played exactly."""
LEARNED = 6
"""Whether the learned value judges; without it, games are played to their end."""
LEAD_WEIGHT = 7
"""How much the lead counts besides the win."""
LEAD_SCALE = 8
"""The lead that is nearly as good as a win."""
COUNT = 16
"""The length of the row; the rest is reserved."""
