"""Looking back: replays, advice, and opinions of every move of a game."""
