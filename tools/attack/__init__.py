"""Attacks on a running server from outside, over HTTP, WebSocket and the command line.

    python -m tools.attack --against 4ecf47b

The same code attacks any commit, so that one table can compare the outcome of each attack then and now.
Attackers use their own address and their own process; bystanders who are playing meanwhile use others. What
each attack has to leave unharmed is its bound, and a run in which one is broken ends with 1.
"""
