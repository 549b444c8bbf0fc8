"""The folder that `genial site` makes, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from genial.cli import main
from genial.kernel import library
from genial.server.http.static import built
from genial.server.operate import site


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if "engine/parts.json" not in built():
        pytest.skip("the browser client is not built: `make web` builds it")
    if not (library.FOLDER / "genial.wasm").exists():
        pytest.skip("the kernel for browsers is not compiled: `make kernel` compiles it")
    assert main(["site", str(tmp_path / "site")]) == 0
    return tmp_path / "site"


def test_the_page_declares_itself_standalone_and_its_content_policy(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    policy = re.search(r'<meta http-equiv="content-security-policy" content="([^"]+)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';")
    assert policy[1].count("unsafe") == 1
    assert page.index(policy[0]) < page.index("<script")
    assert '<meta name="genial" content="here" />' in page


def test_all_addresses_are_relative_so_that_it_works_in_any_folder(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!\./)[^"]*"', page)
    manifest = json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    named = [manifest["start_url"], manifest["scope"], *(icon["src"] for icon in manifest["icons"])]
    assert not [address for address in named if address.startswith("/") or ":" in address]


def test_everything_that_the_engine_names_is_there_with_its_licence(folder: Path) -> None:
    listed = json.loads((folder / "engine" / "engine.json").read_text(encoding="utf-8"))
    found = {path.name: path.stat().st_size for path in (folder / "engine").iterdir()}
    assert found.pop("engine.json")
    assert found == {part["path"]: part["bytes"] for part in listed.values() if "path" in part}
    notices = json.loads((folder / "third-party.json").read_text(encoding="utf-8"))
    told = {part["name"]: part for part in notices}
    assert {"msgspec", "pyodide", "python", "svelte"} <= told.keys()
    assert all(part["license"] and part["notice"] for part in notices)


def test_the_whole_site_is_listed_for_offline_use(folder: Path) -> None:
    kept = json.loads(
        (folder / "kept.js").read_text(encoding="utf-8").removeprefix("self.KEPT = ").rstrip(";\n")
    )
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {*kept["page"], *kept["files"]} == found - {"sw.js", "kept.js", "index.html"} | {"./"}
    assert all(re.search(r"-[\w-]{8,}\.\w+$", name) for name in kept["files"])
    assert {"engine/engine.json", "answers.json"} <= {*kept["page"]}
    assert kept["here"]


def test_a_site_is_rebuilt_in_its_own_folder(folder: Path) -> None:
    (folder / "assets" / "old-12345678.js").write_text("old")
    assert main(["site", str(folder)]) == 0
    assert not (folder / "assets" / "old-12345678.js").exists()


def test_a_folder_with_other_files_is_left_alone(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear Ada")
    for path in (tmp_path / "mine", tmp_path / "mine" / "letter.txt"):
        assert main(["site", str(path)]) == 2
        assert str(path) in capsys.readouterr().err
    assert (tmp_path / "mine" / "letter.txt").read_text() == "Dear Ada"


def test_without_a_client_it_says_how_to_build_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "built", dict)
    assert main(["site", str(tmp_path / "site")]) == 2
    assert "make web" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
