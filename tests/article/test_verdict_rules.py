"""Verdict rules of users: the pages that they refuse, the reason code, and rules that fail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from distribution import install, write_module, write_package

import newscrawl
from newscrawl.errors import ConfigurationError, ExtensionError, ExtractionError
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.extraction.article.signals import Signals
from newscrawl.extraction.article.verdict_rules import MAX_EVIDENCE, load_rules
from newscrawl.model import ProcessedPage, RawPage, group_of
from newscrawl.workers.extraction_worker import process_page

STORY = "<p>The council met on Monday and decided to build the bridge that people had asked for.</p>" * 20
HTML = f"<title>Bridge</title><main><h1>Bridge</h1>{STORY}</main>"
LISTING = "<title>News</title>" + "<p><a href='/a'>One more headline of the day</a></p>" * 40
SOURCE = """
def advertorial(signals):
    if "sponsored" in signals.segments:
        yield "its address says so"
        yield f"{signals.words} words"

def obituary(signals):
    return ["in memory of"] if "obituaries" in signals.segments else []

def failing(signals):
    raise ValueError("no section")
"""


def page(path: str, html: str = HTML) -> RawPage:
    url = f"https://example.org{path}"
    at = datetime(2026, 11, 1, tzinfo=UTC)
    return RawPage(url, url, 200, {"content-type": "text/html"}, html.encode(), at, "example")


def made(path: str, *rules: Any, html: str = HTML) -> ProcessedPage:
    return make_article(page(path, html), ArticleOptions(verdict_rules=rules))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project with a module of rules, and an installed package that declares one of them."""
    write_module(tmp_path, "ext_rules", SOURCE)
    write_package(tmp_path, {"verdict_rules": {"obituary": "ext_rules:obituary"}})
    install(monkeypatch, tmp_path)


@pytest.mark.usefixtures("project")
def test_a_page_that_a_rule_refuses_has_the_rules_name_as_its_code() -> None:
    found = made("/sponsored/bridge", "ext_rules:advertorial", "obituary")
    assert found.article is None
    assert found.failure is not None
    assert (found.failure.code, found.failure.reason) == ("verdict/advertorial", "its address says so; 320 words")
    assert group_of(found.failure.code) == "no article"
    other = made("/obituaries/bridge", "ext_rules:advertorial", "obituary")
    assert other.failure is not None
    assert other.failure.code == "verdict/obituary"


@pytest.mark.usefixtures("project")
def test_a_page_that_no_rule_refuses_is_the_article_that_it_is() -> None:
    found = made("/2026/bridge", "ext_rules:advertorial", "obituary")
    assert found.article is not None
    assert found.article.verdict == "article"


def test_rules_are_asked_about_articles_only() -> None:
    asked: list[str] = []

    def asking(signals: Signals) -> Iterator[str]:
        asked.append(signals.path)
        yield "always"

    assert newscrawl.extract(LISTING, url="https://example.org/list", verdict_rules=[asking]).verdict != "asking"
    assert newscrawl.extract(HTML, url="https://example.org/one", verdict_rules=[asking]).verdict == "asking"
    assert asked == ["/one"]


def test_the_evidence_is_bounded() -> None:
    def endless(signals: Signals) -> Iterator[str]:
        while True:
            yield "again"

    found = newscrawl.extract(HTML, verdict_rules=[endless])
    assert found.evidence == ("again",) * MAX_EVIDENCE
    assert f"endless: {'again'}" in found.problems


@pytest.mark.usefixtures("project")
def test_a_rule_that_raises_costs_its_page_and_says_which_rule_it_was() -> None:
    options = ArticleOptions(verdict_rules=("ext_rules:failing",))
    found, defect = process_page(make_article, page("/2026/bridge"), options, 1 << 30)
    assert found.failure is not None
    assert found.failure.code == "extraction/error"
    assert "verdict rule 'failing' (ext_rules:failing) raised ValueError: no section" in found.failure.reason
    assert "Traceback" in defect


def exits(signals: Signals) -> Any:
    raise SystemExit("bye")


def says(signals: Signals) -> Any:
    return "an advert"


def forgets(signals: Signals) -> Any:
    return None


@pytest.mark.parametrize(
    ("rule", "words"),
    [(exits, "raised SystemExit: bye"), (says, "returned a str: let it yield"), (forgets, "returned a NoneType")],
)
def test_a_rule_that_misbehaves_is_an_error_of_its_page(rule: Any, words: str) -> None:
    with pytest.raises(ExtractionError, match=words):
        _ = newscrawl.extract(HTML, verdict_rules=[rule]).verdict


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("rules", "error", "words"),
    [
        (["nobody"], ConfigurationError, "no verdict rule 'nobody': installed are obituary; .*MODULE:FUNCTION"),
        (["ext_rules:nobody"], ExtensionError, "NEWSCRAWL_VERDICT_RULES: verdict rule 'nobody' .*has no 'nobody'"),
        (["elsewhere:listing"], ExtensionError, "'listing' is built in"),
        (["obituary", "ext_rules:obituary"], ConfigurationError, "are both named 'obituary': rename one"),
        (["ext_rules:Advert"], ExtensionError, "its name cannot be used"),
    ],
)
def test_rules_that_cannot_work_are_refused(rules: list[str], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load_rules(rules)
    with pytest.raises(error, match=words):
        ArticleOptions(verdict_rules=tuple(rules)).resolve()
