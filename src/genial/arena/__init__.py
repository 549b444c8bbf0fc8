"""Many games at once: simulations, and contests in which bots are measured and rated."""
