"""Command-line options of every benchmark of the server."""

from __future__ import annotations

from argparse import ArgumentParser


def parser(description: str | None) -> ArgumentParser:
    """`--json` and `--quick`; some add their own."""
    made = ArgumentParser(description=description)
    made.add_argument("--json", action="store_true", help="print the figures as JSON")
    made.add_argument("--quick", action="store_true", help="a tenth of it, to see that it runs")
    return made


def against(made: ArgumentParser) -> ArgumentParser:
    """Add the options of benchmarks that can also run another commit's server."""
    made.add_argument("--against", metavar="COMMIT", help="a commit to measure beside this checkout")
    made.add_argument("--rounds", type=int, help="how often to measure everything")
    made.add_argument("--markdown", action="store_true", help="print the table for a document")
    return made
