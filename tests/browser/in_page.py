"""The tables of a page, asked directly over their port without a screen: many games in little time.

The page is the site's own. Its workers run beside the client's, as those of another tab would.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

PORT = """({ rules, search }) => {
    const base = new URL("./", location.href).href;
    const made = (name) => new Worker(new URL(name, base), { type: "module" });
    const [first, second] = [rules, search].map(made);
    const { port1, port2 } = new MessageChannel();
    const asked = new Map(), lines = new Map();
    let last = 0;
    window.tables = {
        ready: new Promise((resolve, reject) => asked.set("ready", { resolve, reject })),
        ask: (method, path, body = null, query = {}) => new Promise((resolve) => {
            const text = body && JSON.stringify(body);
            asked.set(++last, { resolve });
            first.postMessage({ type: "call", id: last, method, path, query, body: text, language: "en" });
        }),
        open(path, query, told) {
            const id = ++last;
            lines.set(id, told);
            first.postMessage({ type: "open", id, path, query });
            return { say: (message) => first.postMessage({ type: "say", id, text: JSON.stringify(message) }),
                     close: () => first.postMessage({ type: "close", id }) };
        },
    };
    first.onmessage = ({ data }) => {
        if (data.type === "ready") asked.get("ready").resolve();
        else if (data.type === "failed") asked.get("ready").reject(new Error(data.reason));
        else if (data.type === "answer") asked.get(data.id).resolve(data);
        else if (data.type === "told") lines.get(data.id)(JSON.parse(data.text));
    };
    second.postMessage({ type: "begin", base }, [port2]);
    first.postMessage({ type: "begin", base, language: "en" }, [port1]);
    return window.tables.ready;
}"""
"""The port between client and workers (web/src/lib/net/port.ts), for asking by hand."""

GAME = """async ({ variant, seats }) => {
    const read = ({ status, body }) => { if (status >= 300) throw new Error(body); return JSON.parse(body); };
    const any = (list) => list[Math.floor(Math.random() * list.length)];
    const board = read(await tables.ask("GET", `/api/boards/${variant}/${seats}`));
    const act = (legal) => {
        if (legal.phase === "end-turn") return legal.swap && Math.random() < 0.7 ? "swap" : "refill";
        if (legal.cards.length) return any(legal.cards).tile;
        const cells = board.pairs[any(legal.pairs)].map((cell) => board.names[cell]);
        if (Math.random() < 0.5) cells.reverse();
        return `${any(legal.tiles).tile}@${cells.join(",")}`;
    };
    const { id } = read(await tables.ask("POST", "/api/tables", {
        name: "Ada", bits: "00".repeat(16), settings: { variant, seats },
        places: Array.from({ length: seats }, () => ({ kind: "me" })),
    }));
    await new Promise((over, failed) => Array.from({ length: seats }, (_, place) => {
        const line = tables.open(`/api/tables/${id}/socket`, { place: String(place) }, (message) => {
            if (message.type === "error") failed(new Error(JSON.stringify(message.error)));
            const state = message.type === "update" ? message.state : null;
            if (!state) return;
            if (state.status === "over") { line.close(); over(); }
            else if (state.status === "running" && state.legal && state.game.mover === place) {
                const [move_id, action] = [crypto.randomUUID(), act(state.legal)];
                line.say({ type: "act", seq: state.seq, move_id, place, action });
            }
        });
    }));
    const record = await tables.ask("GET", `/api/tables/${id}/games/0/record`);
    return { id, record: record.body };
}"""
"""Plays a game of random lawful moves on one device. Returns the table's id and the record."""


class InPage:
    """A page whose tables answer a test."""

    def __init__(self, page: Page, folder: Path) -> None:
        """`folder` holds the site that the page shows."""
        self._page = page
        found = {kind: next(folder.glob(f"assets/{kind}.worker-*.js")) for kind in ("rules", "search")}
        self._workers = {kind: path.relative_to(folder).as_posix() for kind, path in found.items()}

    def start(self) -> None:
        """Start our own workers, and return when they are ready."""
        self._page.evaluate(PORT, self._workers)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Make a call, and return its answer, decoded from JSON."""
        answer = self._page.evaluate(
            "([method, path, body]) => tables.ask(method, path, body)", [method, path, body]
        )
        return json.loads(answer["body"])

    def game(self, variant: str, seats: int) -> bytes:
        """Play a whole game, and return its record."""
        played = self._page.evaluate(GAME, {"variant": variant, "seats": seats})
        return str(played["record"]).encode()
