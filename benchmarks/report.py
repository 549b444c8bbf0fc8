"""The figures as tables for people, as JSON, and as the part of docs/benchmarks.md that a run writes."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from chart import chart
from rich.console import Console
from rich.table import Table
from side_by_side import Measured

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- made by `make bench ARGS=--write` -->", "<!-- end -->"


@dataclass
class Report:
    """Everything measured in one run."""

    random: list[Measured]
    greedy: list[Measured]
    operations: list[dict[str, Any]]
    growth: list[dict[str, Any]]
    position_bytes: int
    cycles: list[Measured] = field(default_factory=list)
    spiels: list[Measured] = field(default_factory=list)
    vectors: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        return {
            "date": date.today().isoformat(),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "games_per_second": {m.name: m.rates for m in self.random},
            "greedy_games_per_second": {m.name: m.rates for m in self.greedy},
            "operations": self.operations,
            "growth": self.growth,
            "position_bytes": self.position_bytes,
            "steps_per_second": {m.name: m.rates for m in self.cycles},
            "openspiel_steps_per_second": {m.name: m.rates for m in self.spiels},
            "vectors": self.vectors,
            "left_out": self.left_out,
        }

    def tables(self) -> list[tuple[str, list[str], list[list[str]]]]:
        """Title, headings and rows of each table."""
        found = []
        for word, rates in {"Random": self.random, "Greedy": self.greedy}.items():
            if rates:
                found.append((f"{word} play, classic, two seats, one core", *_rates(rates)))
        if self.operations:
            found.append(("Single operations of the kernel", *_asked(self.operations)))
        if self.growth:
            headings = ["", "cells", "state, bytes", "tiles a game", "random games/s", "ns a tile"]
            headings += ["greedy games/s", "ns a tile "]
            rows = [
                [
                    f"{row['variant']}/{row['seats']}",
                    str(row["cells"] or ""),
                    str(row["state_bytes"]),
                    f"{row['random']['tiles_per_game']:.1f}",
                    f"{row['random']['games_per_second']:,.0f}",
                    f"{row['random']['ns_per_tile']:.0f}",
                    f"{row['greedy']['games_per_second']:,.0f}",
                    f"{row['greedy']['ns_per_tile']:.0f}",
                ]
                for row in self.growth
            ]
            found.append(("Cost by board, seats and length of the game, one core", headings, rows))
        if self.cycles:
            title = "Environments of PettingZoo's kind, with observations and masks, one core"
            found.append((title, *_rates(self.cycles, "steps/s")))
        if self.vectors:
            found.append(
                ("Vector environment, classic, two seats, 1,024 games at once", *_asked(self.vectors))
            )
        if self.spiels:
            found.append(("Games of OpenSpiel called from Python, one core", *_rates(self.spiels, "steps/s")))
        return found

    def show(self) -> None:
        console = Console()
        for title, headings, rows in self.tables():
            table = Table(title=title)
            for heading in headings:
                table.add_column(heading, justify="left" if not heading else "right")
            for row in rows:
                table.add_row(*row)
            console.print(table)
        console.print(
            f"A kept position of core: {self.position_bytes} bytes (mean of 1,000; the limit is 4,096)"
        )

    def write(self) -> None:
        """Write docs/benchmarks.json and .svg, and the tables in docs/benchmarks.md."""
        (DOCS / "benchmarks.json").write_text(json.dumps(self.data(), indent=1) + "\n", encoding="utf-8")
        picture = chart("Random games a second, one core (logarithmic; the line is the spread)", self.random)
        (DOCS / "benchmarks.svg").write_text(picture, encoding="utf-8")
        page = DOCS / "benchmarks.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        page.write_text(f"{before}{BEGIN}\n\n{self._markdown()}\n{END}{after}", encoding="utf-8")

    def _markdown(self) -> str:
        data = self.data()
        lines = [f"Measured on {data['date']}: {data['machine']}, shared with other work.", ""]
        for title, headings, rows in self.tables():
            lines += [f"### {title}", "", f"| {' | '.join(headings)} |"]
            lines += ["| --- |" + " ---: |" * (len(headings) - 1)]
            lines += [f"| {' | '.join(row)} |" for row in rows] + [""]
        return "\n".join(lines)


def _asked(figures: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Figures, each with its unit and its target."""
    rows = [
        [
            figure["name"],
            f"{figure['median']:.3g} {figure['unit']}",
            f"{figure['lowest']:.3g} to {figure['highest']:.3g}",
            figure["wanted"],
        ]
        for figure in figures
    ]
    return ["", "median", "lowest to highest", "asked"], rows


def _rates(found: list[Measured], unit: str = "games/s") -> tuple[list[str], list[list[str]]]:
    last = found[-1]
    headings = ["", unit, "lowest to highest", f"times {last.name}", "lowest to highest "]
    headings += [f"{found[0].name} is so many times as fast"] if len(found) > 1 else []
    rows = []
    for measured in found:
        ratio, low, high = measured.ratio(last)
        row = [
            measured.name,
            f"{measured.rate:,.0f}",
            f"{min(measured.rates):,.0f} to {max(measured.rates):,.0f}",
            f"{ratio:,.2f}",
            f"{low:,.2f} to {high:,.2f}",
        ]
        if len(found) > 1:
            ours, low, high = found[0].ratio(measured)
            row.append(f"{ours:,.2f} ({low:,.2f} to {high:,.2f})")
        rows.append(row)
    return headings, rows
