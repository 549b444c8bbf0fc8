"""What may be asked of a server, call by call; nothing here knows how a call came in."""
