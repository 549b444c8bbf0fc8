"""Pictures of positions: pure functions from a position or a view to SVG (`svg.py`) or text (`text.py`)."""
