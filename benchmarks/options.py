"""What every benchmark of the server understands on its command line."""

from __future__ import annotations

from argparse import ArgumentParser


def parser(description: str | None) -> ArgumentParser:
    """`--json` and `--quick`; some add their own."""
    made = ArgumentParser(description=description)
    made.add_argument("--json", action="store_true", help="print the figures as JSON")
    made.add_argument("--quick", action="store_true", help="a tenth of it, to see that it runs")
    return made
