"""Serves a corpus, and checks what a crawl stored of it."""

from __future__ import annotations

import io
import json
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import feedparser
import pytest
from patience import PATIENCE

from benchmarks.real_pages.__main__ import judge
from newscrawl.article import ArticleOptions, fingerprint, make_article
from newscrawl.bench.corpora import Corpus, read_corpus
from newscrawl.discovery import find_sources
from newscrawl.model import RawPage
from newscrawl.page import parse
from newscrawl.storage import open_store
from newscrawl.testing.recorded_site import CorpusServer

SENTENCE = "The harbour board met on Monday and agreed that the old crane should stay where it has always been. "


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Three pages: two of one address, and one without."""
    rows = [
        {"id": "a1", "url": "https://one.example/news/crane-stays?id=7", "title": "Crane stays", "text": "x"},
        {"id": "b2", "url": "https://two.example/news/crane-stays?id=7", "title": "Crane “stays”!", "text": "x"},
        {"id": "c3", "title": "Another matter", "text": "x"},
    ]
    (tmp_path / "pages").mkdir()
    for number, row in enumerate(rows):
        body = f"<title>Crane stays</title><body><div><div><p>{number} {SENTENCE * 5}</p></div></div></body>"
        (tmp_path / "pages" / f"{row['id']}.html").write_text(body, encoding="utf-8")
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return read_corpus(tmp_path)


def local(server: CorpusServer, url: str) -> str:
    """The address without the name, which not every system resolves."""
    return url.replace("corpus.localhost", "127.0.0.1")


def test_every_page_is_served_at_an_address_of_its_own_that_the_feed_names_without_its_title(corpus: Corpus) -> None:
    with CorpusServer(corpus) as server:
        with urllib.request.urlopen(local(server, f"{server.origin}/"), timeout=PATIENCE) as response:
            front = parse(response.read(), url=f"{server.origin}/")
        assert [source.url for source in find_sources(front, f"{server.origin}/")] == [f"{server.origin}/feed.xml"]
        with urllib.request.urlopen(local(server, f"{server.origin}/feed.xml"), timeout=PATIENCE) as response:
            feed = feedparser.parse(io.BytesIO(response.read()))
        assert [entry.title for entry in feed.entries] == ["a1", "b2", "c3"]
        assert feed.entries[0].link == f"{server.origin}/news/crane-stays?id=7"
        for number, entry in enumerate(feed.entries):
            with urllib.request.urlopen(local(server, entry.link), timeout=PATIENCE) as response:
                assert f"<p>{number} ".encode() in response.read()


def test_stored_articles_are_counted_and_titles_compared_without_punctuation(corpus: Corpus, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/judged.db"
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with CorpusServer(corpus) as server:
        pages = server.pages
    stored = list(pages.items())[1:]
    with open_store(database, upgrade=True) as store:
        for url, page in stored:
            raw = RawPage(url, url, 200, {"content-type": "text/html"}, page.body(), now, "generic")
            store.save(fingerprint(make_article(raw, ArticleOptions()))).result(timeout=PATIENCE)
    found = judge(pages, database)
    assert (found.pages, found.short) == (3, 0)
    assert [*found.missing.values()] == ["never requested"]
    assert [*found.wrong_titles.values()] == [("Another matter", "Crane stays")]
    assert found.stored == pytest.approx(2 / 3)
    assert found.titled == pytest.approx(1 / 3)
