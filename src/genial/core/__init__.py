"""The rules, in pure Python: no third-party import, no I/O, no clock."""
