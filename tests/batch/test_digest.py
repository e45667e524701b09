"""The digest changes with everything that decides rows, and with nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.address_policy import AddressPolicy
from newscrawl.article import ArticleOptions
from newscrawl.batch import SpanOptions, digest, digest_of
from newscrawl.batch.digest import DECIDING, PACKAGES, ROOT
from newscrawl.extraction import Limits
from newscrawl.ingest import PageFilter

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
OPTIONS = SpanOptions(as_of=NOW, article=ArticleOptions(chains={"a": ("justext",), "b": ("cetr",)}))
CHANGES: list[dict[str, object]] = [
    {"as_of": NOW + timedelta(seconds=1)},
    {"article": ArticleOptions("justext")},
    {"article": replace(OPTIONS.article, chains={"a": ("cetr",), "b": ("cetr",)})},
    {"article": replace(OPTIONS.article, limits=Limits(3))},
    {"article": replace(OPTIONS.article, extractors={"own": "newscrawl.wording:counted"})},
    {"article": replace(OPTIONS.article, verdict_rules=("newscrawl.wording:counted",))},
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


def test_what_decides_no_row_does_not_change_the_digest() -> None:
    assert digest_of(replace(OPTIONS, addresses=AddressPolicy.of(["127.0.0.0/8"], []))) == digest_of(OPTIONS)
    swapped = replace(OPTIONS.article, chains={"b": ("cetr",), "a": ("justext",)})
    assert digest_of(replace(OPTIONS, article=swapped)) == digest_of(OPTIONS)


def test_another_version_of_the_code_or_of_a_package_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all((ROOT / place).exists() for place in DECIDING)
    ours = digest_of(OPTIONS)
    monkeypatch.setattr(digest, "DECIDING", (*DECIDING, "wording.py"))
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
