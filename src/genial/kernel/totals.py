"""What a search reports about a candidate: a row of named numbers, the same for Python, compiled code and C.

During a search, everything from SCORE on is a sum over the candidate's nodes; the result has means.
"""

from __future__ import annotations

from genial.kernel.state import COLOURS, MOST_SEATS

ACTION = 0
"""The candidate's action number."""
STAGE = 1
"""How many halvings it has survived."""
NODES = 2
"""How often it was played out, considered or solved."""
SCORE, SQUARES = 3, 4
"""What it is worth to the mover, and the square of that."""
LEAD = 5
"""The mover's lead over the best opponent's lowest marker at the end; solo: the lowest marker."""
FEAR = 6
"""The points of the next opponent's next turn, by colour."""
WINS = FEAR + COLOURS
"""Each seat's share of the win."""
WIDTH = WINS + MOST_SEATS
"""The length of a row."""
