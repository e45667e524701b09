"""The generated pages of the documentation are up to date, and everything in them has its description."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from docs._scripts import architecture, codes, pages, tables

GLOSSARY = pages.DOCS / "reference" / "glossary.md"


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    """All pages, made once: 0.1 s of CPU."""
    return pages.generated()


@pytest.mark.parametrize("path", pages.generated(), ids=lambda path: path.name)
def test_the_committed_page_is_what_the_code_gives(path: Path, generated: dict[Path, str]) -> None:
    assert path.read_text(encoding="utf-8") == generated[path], "run `make reference`"


def test_every_table_and_column_has_a_meaning() -> None:
    assert tables.gaps() == []


def test_every_code_in_the_source_has_a_sentence() -> None:
    assert len(codes.in_source()) > 100
    assert codes.gaps() == []


def test_a_column_and_a_code_without_a_sentence_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module, name in ((tables, "MEANINGS"), (codes, "SENTENCES")):
        path = tmp_path / name
        lines = getattr(module, name).read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join(line for line in lines if not line.startswith(("etag", "forbidden"))))
        monkeypatch.setattr(module, name, path)
    assert tables.gaps() == ["no line for pages.etag", "no line for sources.etag"]
    assert codes.gaps() == ["no sentence for offsite/forbidden", "no sentence for robots/forbidden"]


def test_the_picture_has_every_module_of_the_contract() -> None:
    svg = architecture.drawing()
    modules = [module for layer in architecture.layers() for module in layer]
    assert {"newscrawl.storage", "pipelines"} <= set(modules)
    for module in modules:
        assert f">{module.removeprefix('newscrawl.')}</text>" in svg
    assert sorted(architecture.CAPTIONS) == sorted(modules)


def terms() -> list[tuple[str, str]]:
    """Term and code of every line of the glossary."""
    return re.findall(r"^- \*\*(.+?)\*\*: .+ \((`.+?`)\)$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_glossary_has_each_term_once() -> None:
    names = [name for name, _ in terms()]
    assert {"candidate", "lease", "verdict"} <= set(names)
    assert len(set(names)) == len(names) == GLOSSARY.read_text(encoding="utf-8").count("\n- ")


@pytest.mark.parametrize("term", terms(), ids=lambda term: term[0])
def test_the_code_that_the_glossary_names_exists(term: tuple[str, str]) -> None:
    named = re.findall(r"`(newscrawl[\w.]*)`", term[1])
    assert named
    for path in named:
        assert exists(path), path


def exists(path: str) -> bool:
    """Whether a dotted path names a module, or a name within one."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for name in parts[end:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


def test_a_path_that_leads_nowhere_is_none() -> None:
    assert exists("newscrawl.model.Candidate")
    assert not exists("newscrawl.model.Nothing")
    assert not exists("newscrawl.nowhere.at_all")
