"""What a search is told: one row of numbers with names, the same for Python, compiled code and C."""

from __future__ import annotations

NODES = 0
"""So many nodes in all: playouts, looks ahead by value, or lines of an exact endgame."""
WIDTH = 1
"""So many candidates at most, beside those that are wanted; 1 at least."""
WANTED = 2
"""So many actions are candidates in any case, and stay in the race."""
WORLDS = 3
"""So many worlds are handed over."""
REDEALING = 4
"""Whether what is hidden in a world may be dealt anew for each round, so that one world is enough."""
ENDGAME = 5
"""Whether the last places are played exactly."""
LEARNED = 6
"""Whether the learned value judges; without it, games are played out to their ends."""
LEAD_WEIGHT = 7
"""How much the lead counts beside the win."""
LEAD_SCALE = 8
"""How large a lead is nearly as good as a win."""
COUNT = 16
"""How many numbers the row has; the rest is kept free."""
