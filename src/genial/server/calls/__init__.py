"""What clients can ask of a server, call by call; nothing here knows how a call arrived."""
