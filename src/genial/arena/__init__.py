"""Many games: simulation, and contests of bots that are measured and rated."""
