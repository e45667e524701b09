"""The digest changes with everything that decides rows, and with nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawl.archive.batch import digest
from newscrawl.archive.batch.digest import DECIDING, PACKAGES, ROOT, digest_of
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.model.address_policy import AddressPolicy

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
OPTIONS = SpanOptions(as_of=NOW, article=ArticleOptions(chains={"a": ("justext",), "b": ("cetr",)}))
NOT_DECIDING = {
    *("archive/capture_records.py", "archive/ingest/crew.py", "archive/ingest/inputs.py", "archive/places.py"),
    *("archive/web_files.py", "compiled.py", "config/extensions.py", "errors.py", "storage/captures/locations.py"),
    *("workers/processes/__init__.py", "workers/processes/forkserver.py"),
}
"""Modules that the deciding ones import: they read files, start processes, load code and name types, and change no
page."""
CHANGES: list[dict[str, object]] = [
    {"as_of": NOW + timedelta(seconds=1)},
    {"article": ArticleOptions("justext")},
    {"article": replace(OPTIONS.article, chains={"a": ("cetr",), "b": ("cetr",)})},
    {"article": replace(OPTIONS.article, limits=Limits(3))},
    {"article": replace(OPTIONS.article, extractors={"own": "newscrawl.model.wording:counted"})},
    {"article": replace(OPTIONS.article, verdict_rules=("newscrawl.model.wording:counted",))},
    {"article": replace(OPTIONS.article, kinds=("article",))},
    {"article": replace(OPTIONS.article, hints=SiteHints.of({"drop": "div.advert"}))},
    {"article": replace(OPTIONS.article, hints=SiteHints.of({"drop": "div.advert", "since": "2026-11-01"}))},
    {"article": replace(OPTIONS.article, boilerplate=SiteBoilerplate.of(1, 9, {7: 5}))},
    {"of_sites": {"harbour": ArticleOptions("justext")}},
    {"wanted": PageFilter(only=frozenset({"harbour"}))},
    {"wanted": PageFilter(pattern="x")},
    {"wanted": PageFilter(since=NOW)},
    {"wanted": PageFilter(sites={"harbour.example": "harbour"})},
    {"languages": frozenset({"pt"})},
    {"timeout": 3.0},
    {"memory_mb": 1024},
    {"max_body": 1},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_an_option_that_decides_rows_changes_the_digest(change: dict[str, object]) -> None:
    assert digest_of(replace(OPTIONS, **change)) != digest_of(OPTIONS)  # type: ignore[arg-type]


def test_each_option_is_in_the_digest_or_decides_nothing() -> None:
    tried = {next(iter(change)) for change in CHANGES}
    assert tried | {"addresses"} == set(SpanOptions.__dataclass_fields__)


def test_each_option_of_articles_is_in_the_digest() -> None:
    articles = [change["article"] for change in CHANGES if "article" in change]
    tried = {name for name in ArticleOptions.__dataclass_fields__ for one in articles if _differs(one, name)}
    decided_before = {"leaves_out_boilerplate"}  # whether `boilerplate` is given at all
    assert tried | decided_before == set(ArticleOptions.__dataclass_fields__)


def _differs(one: object, name: str) -> bool:
    return getattr(one, name) != getattr(OPTIONS.article, name)


def test_modules_that_decide_import_none_that_is_not_in_the_digest() -> None:
    """A new module of extraction outside the packages of DECIDING would let two versions mix their rows."""
    deciding = {ROOT / place for place in DECIDING}
    files = [file for place in deciding for file in (place.rglob("*.py") if place.is_dir() else [place])]
    imported = {module for file in files for module in _imported(file)}
    missed = {file for file in imported if deciding.isdisjoint((file, *file.parents))}
    assert {file.relative_to(ROOT).as_posix() for file in missed} == NOT_DECIDING


def _imported(file: Path) -> Iterator[Path]:
    """The modules of newscrawl that a module imports."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("newscrawl"):
            package = ROOT.parent / str(node.module).replace(".", "/")
            for name in node.names:
                found = (package / f"{name.name}.py", package.with_suffix(".py"), package / "__init__.py")
                yield next(path for path in found if path.is_file())


def test_what_decides_no_row_does_not_change_the_digest() -> None:
    assert digest_of(replace(OPTIONS, addresses=AddressPolicy.of(["127.0.0.0/8"], []))) == digest_of(OPTIONS)
    swapped = replace(OPTIONS.article, chains={"b": ("cetr",), "a": ("justext",)})
    assert digest_of(replace(OPTIONS, article=swapped)) == digest_of(OPTIONS)


def test_another_version_of_the_code_or_of_a_package_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all((ROOT / place).exists() for place in DECIDING)
    ours = digest_of(OPTIONS)
    monkeypatch.setattr(digest, "DECIDING", (*DECIDING, "lazy.py"))
    digest.extractor_digest.cache_clear()
    try:
        assert digest_of(OPTIONS) != ours
        monkeypatch.undo()
        digest.extractor_digest.cache_clear()
        assert digest_of(OPTIONS) == ours
        monkeypatch.setattr(digest, "_version", lambda package: "0" if package == PACKAGES[0] else "1")
        digest.extractor_digest.cache_clear()
        assert digest_of(OPTIONS) != ours
    finally:
        digest.extractor_digest.cache_clear()
