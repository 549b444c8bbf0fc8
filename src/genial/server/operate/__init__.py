"""What the host of a server sees and does: commands, limits, logs, figures."""
