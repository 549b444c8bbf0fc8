"""Looking back: replays, advice, and opinions on every move of a game."""
