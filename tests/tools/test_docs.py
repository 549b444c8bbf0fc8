"""`make docs`: every page and every module is on the site, and every link leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import docs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(docs, "BUILD", tmp_path)
    return tmp_path


def listed(entries: docs.Nav) -> list[str]:
    pages: list[str] = []
    for entry in entries:
        inside = entry if isinstance(entry, str) else entry[1]
        pages += [inside] if isinstance(inside, str) else listed(inside)
    return pages


def test_the_navigation_leads_to_every_page() -> None:
    written = {str(page.relative_to(docs.ROOT / "docs")) for page in (docs.ROOT / "docs").rglob("*.md")}
    assert sorted(listed(docs.NAV)) == sorted(written | set(docs.FRONT.values()))


def test_links_lead_to_where_the_pages_are(folder: Path) -> None:
    docs.prepare()
    assert "](hosting.md)" in (folder / "pages" / "index.md").read_text("utf-8")
    assert "](files/benchmarks/playout.c)" in (folder / "pages" / "benchmarks.md").read_text("utf-8")
    assert (folder / "pages" / "files" / "benchmarks" / "playout.c").exists()


def test_the_reference_has_the_public_modules_and_no_catalogues() -> None:
    modules = docs.modules()
    assert {"genial", "genial.core.position", "genial.server.tables"} <= set(modules)
    assert not [name for name in modules if name.endswith((".en", ".de", ".nl", "__main__"))]


def test_examples_in_docstrings_become_code_blocks() -> None:
    source = "Adds.\n\n    >>> 1 + 1\n    2\n\n    That is all."
    assert docs.fenced(source) == "Adds.\n\n    ```pycon\n    >>> 1 + 1\n    2\n    ```\n\n    That is all."


def test_a_docstring_is_still_python_once_its_examples_are_fenced() -> None:
    for path in (docs.ROOT / "src" / "genial" / "core").glob("*.py"):
        source = docs.fenced(path.read_text("utf-8"))
        compile(source, str(path), "exec")
        assert source.count("```pycon") * 2 == source.count("```")


needs_builder = pytest.mark.skipif(docs.builder() is None, reason="no Zensical here; `make docs` installs it")


@pytest.mark.slow
@needs_builder
def test_the_site_is_built_without_a_warning(folder: Path) -> None:
    assert docs.main() == 0
    site = folder / "site"
    assert "bonus_moves" in (site / "reference" / "genial.core.tracks.html").read_text("utf-8")
    assert "Ablagebank" in (site / "rules" / "de" / "classic.html").read_text("utf-8")
    outside = [page.name for page in site.glob("*.html") if 'src="http' in page.read_text("utf-8")]
    assert outside == [], "the site works without a network"
    searched = "".join(path.read_text("utf-8") for path in site.glob("search*"))
    assert "Geniaal!" in searched


@pytest.mark.slow
@needs_builder
@pytest.mark.parametrize("broken", ["[gone](gone.md)", "[gone](hosting.md#gone)"])
def test_a_broken_link_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    monkeypatch.setattr(docs, "modules", lambda: ["genial"])
    settings = docs.prepare()
    program = docs.builder()
    assert program
    with (folder / "pages" / "index.md").open("a", encoding="utf-8") as page:
        page.write(f"\n\n{broken}\n")
    assert docs.build(program, settings) != 0
