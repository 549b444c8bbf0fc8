"""The kernel in WebAssembly, where it runs: the same games in Node and in Chromium, and how fast it is.

    python -m tools.kernel.web FILE             plays the games in it, and names those that end differently
    python -m tools.kernel.web FILE --speed     compares Node with the native library, alternating

FILE is made by `python -m tools.kernel.expectations`, genial.wasm and the library by `make kernel`; all of it
is done by `make agreement-web`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from gzip import compress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from hatch_build import main as npm
from hatch_build import node_home
from tools.chromium import CHROMIUM
from tools.kernel.expectations import read
from tools.kernel.speed import ROUNDS, ratios, timed

from genial.kernel import library

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "build" / "kernel" / "web"
WASM = library.FOLDER / "genial.wasm"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.kernel.web")
    parser.add_argument("file", type=Path)
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    if not WASM.exists():
        print("genial.wasm is missing; make it with: make kernel", file=sys.stderr)
        return 2
    code = WASM.read_bytes()
    print(f"genial.wasm: {len(code):,} bytes, compressed {len(compress(code, 9)):,}")
    if npm(["kernel"]):
        return 2
    return _speed(options.file) if options.speed else _agreement(options.file)


# The same games


def _agreement(file: Path) -> int:
    cases, differing = read(file), 0
    games = sum(len(hashes) for case in cases for hashes in case.games.values())
    searches = sum(len(case.searches) for case in cases)
    for name, played in {"Node": _in_node, "Chromium": _in_chromium}.items():
        problems = played(file)
        if problems is None:
            print(f"{name} is missing here, so nothing was played in it.")
            continue
        differing += len(problems)
        print(
            f"{name}: {games:,} games, {searches:,} by search, {len(problems)} ended otherwise",
            *problems[:10],
        )
    return int(differing > 0)


def _in_node(file: Path) -> list[str]:
    with _node(file) as ask:
        found: list[str] = ask("differences")
    return found


def _in_chromium(file: Path) -> list[str] | None:
    """The same in a page, which loads everything over HTTP."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        return None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for path in (*MODULES.glob("*.js"), WASM):
            shutil.copy(path, folder)
        shutil.copy(file, Path(folder, "expectations.bin"))
        Path(folder, "index.html").write_text("<!doctype html><title>Kernel</title>", encoding="utf-8")
        with _served(folder) as address:
            page = playwright.chromium.launch(executable_path=CHROMIUM).new_page()
            page.set_default_timeout(0)
            page.goto(address)
            found: list[str] = page.evaluate(
                """async () => {
                    const { Kernel, read, differences } = await import("/agreement.js");
                    const module = await WebAssembly.compileStreaming(fetch("/genial.wasm"));
                    const file = await (await fetch("/expectations.bin")).arrayBuffer();
                    return differences(module, read(file, new Kernel(module).version));
                }"""
            )
    return found


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def _served(folder: str) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def _node(file: Path) -> Iterator[Callable[..., Any]]:
    """Node with the kernel loaded: a function that sends it requests."""
    home = node_home()
    if home is None:
        raise RuntimeError("Node is missing: install requirements/web.txt.")
    command = [home / "bin" / "node", ROOT / "web" / "tools" / "kernel.mjs", MODULES, WASM, file]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin
        assert node.stdout
        asked, answers = node.stdin, node.stdout

        def ask(*words: Any) -> Any:
            print(json.dumps(words), file=asked, flush=True)
            return json.loads(answers.readline())

        yield ask
        asked.close()


# How fast it is


def _speed(file: Path) -> int:
    cases, native = read(file), library.load()
    print(f"Node's speed, {native.path.name} being 1: by the processor's time, the best of {ROUNDS} in turns")
    with _node(file) as ask:
        for number, case in enumerate(cases):
            found = ratios(case, partial(timed, native, case), partial(ask, "timed", number))
            print(f"{case.name:14}", *found, sep="  ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
