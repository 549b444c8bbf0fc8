"""What a search tells of a candidate: a row of numbers with names, the same for Python, compiled code and C.

While a search goes on, all from SCORE on are sums over the candidate's nodes; its result has means.
"""

from __future__ import annotations

from genial.kernel.state import COLOURS, MOST_SEATS

ACTION = 0
"""The candidate, by its number."""
STAGE = 1
"""How many halvings it has survived."""
NODES = 2
"""How often it was played out, looked at or solved."""
SCORE, SQUARES = 3, 4
"""What it is worth to the mover, and the square of that."""
LEAD = 5
"""How far the mover's lowest marker is before the best opponent's at the end; solo: where it stands."""
FEAR = 6
"""The points of the next opponent's next turn, by colour."""
WINS = FEAR + COLOURS
"""Each seat's share of the win."""
WIDTH = WINS + MOST_SEATS
"""How many numbers a row has."""
