"""The rules of a table: what it is, what people may do at it, and what each viewer gets to see."""
