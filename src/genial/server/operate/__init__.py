"""What a server's host sees and does: commands, limits, logs, metrics."""
