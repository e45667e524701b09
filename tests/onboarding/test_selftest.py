"""Saved pages: stored, read again, and compared with the former results."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newscrawl.crawling.runtime.site_client import SiteAnswer
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.onboarding import selftest
from newscrawl.discovery.onboarding.survey import Sample
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.discovery.proposals.sources import SourceTrial
from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.model import Candidate, Discovery

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
OPTIONS = ArticleOptions()
ANY = ArticleRule.of(())
TEXT = "".join(
    f"<p>On day {n} of the week the council met again in the old hall, and after a long debate about the price of the "
    f"work it was decided that the bridge would be built in the spring after all, as the engineers had asked.</p>"
    for n in range(6)
)


def page(title: str = "Council votes for a bridge", text: str = TEXT, head: str = "") -> bytes:
    return (
        f'<html lang="en"><head><title>{title}</title><meta property="article:published_time" '
        f'content="2026-03-01T08:00:00Z">{head}</head><body><article><h1>{title}</h1>{text}</article></body></html>'
    ).encode()


def sample(number: int = 1, body: bytes = page(), headers: dict[str, str] | None = None) -> Sample:
    url = f"https://news.example/a-bridge-for-the-town-{100000 + number}"
    candidate = Candidate(url, Discovery("feed", "https://news.example/feed"))
    answer = SiteAnswer(url, url, NOW, 200, {"content-type": "text/html", "set-cookie": "a=b", **(headers or {})}, body)
    made = make_article(answer.raw_page("news"), OPTIONS)
    return Sample(candidate, answer, made.article, made.failure)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A self-test of two pages."""
    folder = tmp_path / "site-tests" / "news"
    source = SourceTrial(FoundSource("https://news.example/feed", "feed"))
    assert selftest.freeze(folder, "news", [sample(1), sample(2)], [source]) == 2
    return folder


def loaded(folder: Path) -> selftest.SelfTest:
    test = selftest.load(folder)
    assert test is not None
    return test


def with_body(test: selftest.SelfTest, body: bytes) -> selftest.SelfTest:
    first, *others = test.pages
    return replace(test, pages=(replace(first, raw=replace(first.raw, body=body)), *others))


def kinds(test: selftest.SelfTest, rule: ArticleRule = ANY) -> list[str]:
    return [change.kind for change in selftest.check(test, rule, OPTIONS)]


def test_a_hint_that_matches_on_no_frozen_page_is_a_change(folder: Path) -> None:
    options = ArticleOptions(hints=SiteHints.of({"drop": (".gone", "h6"), "title": "h1"}))
    changes = selftest.check(loaded(folder), ANY, options)
    assert [(change.kind, change.where, change.detail) for change in changes] == [
        ("hint/idle", "news", "drop .gone matches nothing on any page"),
        ("hint/idle", "news", "drop h6 matches nothing on any page"),
    ]


def test_what_was_frozen_is_read_again_as_it_was(folder: Path) -> None:
    test = loaded(folder)
    assert [page.expected.title for page in test.pages] == ["Council votes for a bridge"] * 2
    assert test.pages[0].raw.fetched_at == NOW
    assert test.sources == {"https://news.example/feed": 0}
    assert kinds(test) == []
    assert "set-cookie" not in (folder / "expected.json").read_text()
    assert selftest.load(folder.parent / "other") is None


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        (page(text=TEXT[: len(TEXT) // 2] + "</p>"), ["text/shrunk"]),
        (page(text=TEXT + TEXT.replace("bridge", "tunnel")), ["text/grown"]),
        (page(text=TEXT.replace("engineers", "builders")), ["text/changed"]),
        (page(title="Another title for the page"), ["title/changed"]),
        (page().replace(b"article:published_time", b"other"), ["published/empty"]),
        (b"<html><body></body></html>", ["text/gone"]),
    ],
)
def test_what_changed_is_named(body: bytes, changed: list[str], folder: Path) -> None:
    assert kinds(with_body(loaded(folder), body)) == changed


def test_a_rule_that_refuses_a_frozen_article_is_a_change(folder: Path) -> None:
    assert kinds(loaded(folder), ArticleRule.of([r"-\d{6}$"])) == []
    assert kinds(loaded(folder), ArticleRule.of([r"/story/"])) == ["rule/refused"] * 2


def test_a_live_page_may_be_edited_but_not_lose_its_text(folder: Path) -> None:
    frozen = loaded(folder).pages[0]
    edited = make_article(sample(1, page("A new title", TEXT + TEXT[:400])).answer.raw_page("news"), OPTIONS)
    assert selftest.compared(frozen, edited, live=True) == []
    halved = make_article(sample(1, page(text=TEXT[: len(TEXT) // 3])).answer.raw_page("news"), OPTIONS)
    assert [change.kind for change in selftest.compared(frozen, halved, live=True)] == ["text/shrunk"]


def test_an_update_takes_what_is_read_now_for_right(folder: Path) -> None:
    test = with_body(loaded(folder), page(title="Another title for the page"))
    updated = selftest.updated(test, OPTIONS)
    selftest.write(folder, updated)
    assert kinds(loaded(folder)) == []
    assert loaded(folder).pages[0].expected.title == "Another title for the page"


@pytest.mark.parametrize(
    "asking",
    [
        sample(body=page(head='<meta name="robots" content="max-snippet:-1, noarchive">')),
        sample(headers={"x-robots-tag": "noarchive"}),
    ],
)
def test_a_page_that_asks_not_to_be_kept_is_not(asking: Sample, tmp_path: Path) -> None:
    assert selftest.freeze(tmp_path / "news", "news", [asking, sample(2)], []) == 1


@pytest.mark.parametrize("damage", ["json", "missing", "gzip", "outside"])
def test_a_damaged_self_test_costs_one_line(damage: str, folder: Path) -> None:
    file = folder / "expected.json"
    if damage == "json":
        file.write_text("{")
    elif damage == "missing":
        (folder / "1.html.gz").unlink()
    elif damage == "gzip":
        (folder / "1.html.gz").write_bytes(gzip.compress(page())[:50])
    else:
        read = json.loads(file.read_text())
        read["pages"][0]["file"] = "../../../etc/passwd"
        file.write_text(json.dumps(read))
    with pytest.raises(UsageError, match="cannot read the self-test"):
        selftest.load(folder)
