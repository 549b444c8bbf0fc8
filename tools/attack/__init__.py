"""Attacks on a running server from outside, over HTTP, WebSocket and the command line.

    python -m tools.attack --against 4ecf47b

The same code attacks any commit, so that one table can say what came of each attack then and comes of it now.
Attackers come from one address of their own, in a process of their own; bystanders who play meanwhile come
from others. What each attack has to leave unharmed is its bound, and a run that breaks one ends with 1.
"""
