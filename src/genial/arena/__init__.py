"""Many games: simulation today; matches and ratings later."""
