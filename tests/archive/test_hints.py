"""Hints of a site act alike in reextraction, ingest and spans, and `newscrawl hints` shows what they would change."""

from __future__ import annotations

import json
import sys
from datetime import timedelta

import pytest
from click.testing import CliRunner
from command_settings import give_settings

from newscrawl import reports
from newscrawl.archive.batch.spans import SpanOptions, extract_span
from newscrawl.archive.ingest.inputs import find_inputs
from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.archive.ingest.run import Ingest
from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.reextract.run import Reextraction
from newscrawl.archive.reextract.tally import changed_paragraphs, effect_of
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.cli.main import main
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.storage.captures.locations import Selection
from newscrawl.storage.store import open_store

pytestmark = pytest.mark.process

APPEAL = "Our readers pay for this paper: a subscription costs four crowns a month and can be ended on any day."
HINTS = SiteHints.of(({"drop": "div.appeal"}, {"since": "2026-11-21T12:00:02", "drop": ".appeal, .gone"}))
SPIDER = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.example",)
    hints = {"drop": ("div.appeal", ".gone")}
"""


def with_appeal(raw, number):
    """A page of which the chain keeps the appeal."""
    body = raw(number).body.replace(b"</p><p>", b"</p><div class=appeal><p>" + APPEAL.encode() + b"</p></div><p>")
    return raw(number, body=body)


@pytest.fixture
def stored(crawled, keeper, raw):
    """Three pages with the appeal and one without, in the archive and in the database."""
    crawled([*(with_appeal(raw, number) for number in range(3)), raw(7)])
    keeper.close()


def texts(store):
    with store.reading() as connection:
        return {article.url: article.text for article in reports.articles(connection)}


def test_a_reextraction_applies_the_hints_of_each_sites_time(stored, store, folder, raw):
    assert sum(APPEAL in text for text in texts(store).values()) == 3
    settings = Settings(ArticleOptions(), of_sites={"harbour": ArticleOptions(hints=HINTS)})
    *_, progress = Reextraction(store, ArchiveSettings(folder), Selection(), settings, apply=True).run()
    assert (progress.pages, progress.changed) == (4, 3)
    own = ArticleOptions(hints=HINTS)
    expected = {raw(number).url: make_article(with_appeal(raw, number), own).article.text for number in range(3)}
    now = texts(store)
    assert {url: now[url] for url in expected} == expected
    assert not any(APPEAL in text for text in now.values())
    *_, again = Reextraction(store, ArchiveSettings(folder), Selection(), settings, apply=True).run()
    assert again.changed == 0


def test_an_ingest_and_a_span_give_what_a_crawl_gives(stored, folder, tmp_path, raw, now):
    (file,) = folder.rglob("*.warc.gz")
    own = ArticleOptions(hints=HINTS)
    wanted, of_sites = PageFilter(sites={"harbour.example": "harbour"}), {"harbour": own}
    with open_store(f"sqlite:///{tmp_path}/ingested.db", upgrade=True) as other:
        for _ in Ingest(other, find_inputs([file]), Settings(ArticleOptions(), wanted, of_sites=of_sites)).run():
            pass
        ingested = texts(other)
    options = SpanOptions(as_of=now + timedelta(days=1), wanted=wanted, of_sites=of_sites)
    rows = extract_span(file, 0, 1 << 40, options).to_pylist()
    expected = {
        page.url: fingerprint(make_article(page, own)).article.text
        for page in [*(with_appeal(raw, number) for number in range(3)), raw(7)]
    }
    assert ingested == expected
    assert {row["url"]: row["text"] for row in rows} == expected


@pytest.fixture
def project(tmp_path, monkeypatch, database):
    """The project's commands, with the site of the archive declared."""
    (tmp_path / "harbour_sites.py").write_text(SPIDER)
    monkeypatch.syspath_prepend(tmp_path)
    give_settings(
        monkeypatch,
        NEWSCRAWL_DATABASE_URL=database,
        NEWSCRAWL_ARCHIVE_URL=str(tmp_path / "news.archive"),
        SPIDER_MODULES=["harbour_sites"],
    )
    yield lambda *words: CliRunner().invoke(main, words, prog_name="newscrawl")
    sys.modules.pop("harbour_sites", None)


def test_a_trial_counts_the_pages_and_stores_nothing(stored, store, project, tmp_path):
    before = texts(store)
    done = project("hints", "try", "harbour", "--workers", "1", "--diff", str(tmp_path / "report.html"))
    assert done.exit_code == 0, done.output
    assert (
        "harbour: the latest 4 captures with the declaration as it is now\n     1  have the same text\n" in done.stdout
    )
    assert "     0  lose one paragraph\n" in done.stdout
    assert "     3  lose more than 5 % of their text\n" in done.stdout
    assert "drop .gone: matches nothing\ndrop div.appeal: on 3 of 4\n" in done.stdout
    assert f": - {APPEAL}" in done.stdout
    assert "harbour" in (tmp_path / "report.html").read_text("utf-8")
    latest = json.loads(project("hints", "try", "harbour", "--workers", "1", "--limit", "1", "--json").stdout)
    assert (latest["captures"], latest["effects"]) == (1, {"same": 1})
    assert texts(store) == before
    unknown = project("hints", "try", "harbuor")
    assert unknown.exit_code == 2


def test_an_import_prints_an_attribute_and_lists_the_rest(project, tmp_path):
    file = tmp_path / "pier.example.txt"
    file.write_text("title: //h1[@class='head']\nstrip_id_or_class: appeal\nsingle_page_link: //a\n")
    done = project("hints", "import", str(file))
    assert done.exit_code == 0
    assert done.stderr == "left out: line 3: single_page_link has no counterpart\n"
    declared: dict[str, object] = {}
    exec("class Made:\n" + done.stdout, declared)
    assert SiteHints.of(declared["Made"].hints).sets[0].title == ("//h1[@class='head']",)  # type: ignore[attr-defined]


def test_a_page_is_explained_and_extracted_with_the_hints_of_a_site(project, raw, tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes(with_appeal(raw, 1).body)
    assert APPEAL in project("extract", str(page)).stdout
    assert APPEAL not in project("extract", str(page), "--site", "harbour").stdout
    explained = project("explain", str(page), "--site", "harbour").stdout
    assert "<td>drop div.appeal</td><td>1</td>" in explained


def test_effects_are_told_apart():
    def effect(old, new):
        return effect_of(old, new, *changed_paragraphs(old or "", new or ""))

    long = "\n\n".join(f"paragraph {number} of a story with some words" for number in range(60))
    lines = long.split("\n\n")
    assert effect(long, long) == "same"
    assert effect(long, "\n\n".join(lines[1:])) == "loses_one"
    assert effect(long, "\n\n".join(lines[2:])) == "loses_more"
    assert effect(long, "\n\n".join(lines[9:])) == "loses_much"
    assert effect(long, f"{long}\n\nmore") == "gains"
    assert effect(long, "\n\n".join([*lines[1:], "more"])) == "both"
    assert (effect(long, None), effect(None, long), effect(None, None)) == ("gone", "new", "same")


def test_the_trial_of_a_page_without_hints_says_so(stored, project, tmp_path):
    (tmp_path / "harbour_sites.py").write_text(
        SPIDER.replace("    hints =", "    other =").replace("other", "delay = 1 #")
    )
    done = project("hints", "try", "harbour", "--workers", "1")
    assert "harbour declares no hints for these captures" in done.stdout
