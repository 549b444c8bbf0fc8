"""The rules of a table: what it is, what may be done at it, and what each viewer is told."""
