"""Bots' moves in a page and here: the same Python asks for them, with whichever kernel there is."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from genial.bots import bot_named
from genial.bots.bot import Budget
from genial.bots.driver import whole_turn

MOMENTS = '''
from random import Random

import genial


def moment(variant, seats, moves):
    """A position after so many random moves, from who is to move; always the same."""
    rng, position = Random(f"{variant}-{seats}-{moves}"), genial.new(variant, seats=seats, seed=moves)
    for _ in range(moves):
        actions = position.actions()
        position, _ = position.apply(actions[rng.randrange(len(actions))])
    return position.view({position.seat})


def told(turn):
    """What somebody does and how they end their turn, as text."""
    return f"{turn.action} {turn.then}"
'''
"""Python code that runs both here and in the page."""

BEGIN = """async ([folder, parts]) => {
    const load = (name) => import(new URL(`${name}.js`, parts));
    const [{ Engine }, { KernelBeside }, { Searching }] = await Promise.all(
        ["engine", "kernel", "searching"].map(load));
    const engine = await Engine.at(new URL(folder, location.href).href, () => undefined);
    const [python, kernel] = await Promise.all([engine.python(), engine.kernel()]);
    const worker = new Worker(new URL("search.worker.js", parts), { type: "module" });
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ type: "begin" }, [port2]);
    const [beside, search] = [new KernelBeside(kernel), new Searching(port1, kernel)];
    python.globals.set("page", { vault: {}, tabs: null, search, kernel: beside });
    window.python = python;
}"""
THINKERS = """
from time import perf_counter

from genial.bots.bot import Budget
from genial.kernel import engine
from genial.kernel.lent import Lent
from genial.server.page.shell import PageShell
from genial.server.page.thinking import PageThinkers

shell = PageShell(page)
engine.give(Lent(shell.kernel))
thinkers = PageThinkers(shell.search)


async def thought(bot, variant, seats, moves, nodes):
    view, begun = moment(variant, seats, moves), perf_counter()
    budget = Budget(nodes=nodes) if nodes else None
    choice = await thinkers.choose(bot, view, seed="5", deadline=600.0, tag="", budget=budget)
    assert not choice.fallback, choice.problem
    return told(choice), perf_counter() - begun
"""


class PageThoughts:
    """Python in a page with both kernels, as the rules worker has it."""

    def __init__(self, page: Page, folder: str, parts: str) -> None:
        """The addresses of the site (`folder`) and of our modules (`parts`)."""
        self._page = page
        page.evaluate(BEGIN, [folder, parts])
        page.evaluate("code => python.runPythonAsync(code)", MOMENTS + THINKERS)

    def thought(self, bot: str, variant: str, seats: int, moves: int, nodes: int = 0) -> tuple[str, float]:
        """A bot's turn at a moment, and the seconds it took. Without nodes it has its own budget."""
        asked = f"(await thought({bot!r}, {variant!r}, {seats}, {moves}, {nodes}))"
        turn, seconds = self._page.evaluate(
            "async (code) => (await python.runPythonAsync(code)).toJs()", asked
        )
        return turn, seconds


def thought(bot: str, variant: str, seats: int, moves: int, nodes: int) -> str:
    """The same turn, with the kernel that runs here."""
    known: dict[str, Any] = {}
    exec(MOMENTS, known)
    view, rng = known["moment"](variant, seats, moves), known["Random"]("5")
    return str(known["told"](whole_turn(bot_named(bot), view, rng, Budget(nodes=nodes))))
