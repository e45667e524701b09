"""Archives through the pipeline of a crawl: every page once, also after errors and kills."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import warm
from patience import PATIENCE, under_limits
from pool_work import misbehave

from newscrawl import reports
from newscrawl.archive.ingest.inputs import find_inputs
from newscrawl.archive.ingest.run import Ingest
from newscrawl.archive.ingest.worker import Settings
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import RawPage
from newscrawl.storage.captures import ingests
from newscrawl.storage.feed import changes
from newscrawl.storage.store import open_store
from newscrawl.workers.extraction_pool import ExtractionPool

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SETTINGS = Settings(ArticleOptions(), workers=2, batch_size=5, timeout=PATIENCE)


def ingested(store, paths, **changes):
    ingest = Ingest(store, find_inputs(paths), replace(SETTINGS, **changes))
    for _ in ingest.run():
        pass
    return ingest.progress


def exported(store):
    with store.reading() as connection:
        return {article.url: article for article in reports.articles(connection)}


def test_articles_are_stored_with_the_dates_of_their_records(store, warc, stories):
    progress = ingested(store, [warc(stories(12))])
    assert (progress.pages, progress.outcome("inserted")) == (12, 12)
    assert progress.done == progress.total
    articles = exported(store)
    assert len(articles) == 12
    article = articles["https://www.harbour.example/2026/bridge-3"]
    assert f"{article.first_seen:%Y-%m-%d %H:%M}" == "2026-11-01 12:03"
    assert (article.site, article.title) == ("harbour.example", "Bridge 3")


def test_a_declared_sites_pages_are_extracted_with_its_own_chain(store, warc, stories):
    of_sites = {"harbour.example": ArticleOptions("boilerpipe-wide")}
    ingested(store, [warc(stories(1))], workers=1, of_sites=of_sites)
    assert [article.extractor for article in exported(store).values()] == ["boilerpipe-wide"]


def test_the_same_articles_come_from_every_kind_of_input(store, warc, stories, tmp_path):
    (tmp_path / "pages").mkdir()
    for number, (_, body) in enumerate(stories(4)):
        (tmp_path / "pages" / f"{number}.html").write_bytes(body)
    packed, plain = warc(stories(4), "a.warc.gz"), warc(stories(4), "b.warc", gzip=False)
    assert ingested(store, [packed]).outcome("inserted") == 4
    assert ingested(store, [plain]).outcome("unchanged") == 4
    assert ingested(store, [tmp_path / "pages"]).outcome("joined") == 4


def test_a_second_run_has_nothing_to_do_and_a_forgotten_input_is_done_again(store, warc, stories):
    path = warc(stories(5))
    assert ingested(store, [path]).pages == 5
    again = ingested(store, [path])
    assert (again.pages, again.skipped) == (0, again.total)
    (one,) = find_inputs([path])
    store.run(ingests.forget, one.key).result()
    assert ingested(store, [path]).outcome("unchanged") == 5


def test_a_limit_is_kept_exactly_and_the_next_run_goes_on_there(store, warc, stories):
    path = warc(stories(12))
    assert ingested(store, [path], limit=7).pages == 7
    assert ingested(store, [path], limit=3).pages == 3
    assert ingested(store, [path]).pages == 2
    assert len(exported(store)) == 12


def test_pages_that_hang_die_or_eat_cost_themselves(warc, tmp_path):
    bodies = [b"fine", b"hang", b"fine", b"die", b"fine", b"eat", b"raise", *[b"fine"] * 9]
    path = warc([(f"https://harbour.example/{n}", body) for n, body in enumerate(bodies)])
    expected = {
        "test/fine": 12,
        "extraction/timeout": 1,
        "extraction/worker_died": 1,
        "extraction/memory": 1,
        "extraction/error": 1,
    }

    def tried(timeout):
        with open_store(f"sqlite:///{tmp_path}/{timeout}.db", upgrade=False) as store:
            progress = ingested(store, [path], work=misbehave, timeout=timeout, memory=1024 << 20, workers=1)
            with store.reading() as connection:
                story = reports.url_report(connection, "https://harbour.example/3")
        counted = {kind: n for kind, n in progress.counts.items() if kind.startswith(("test/", "extraction/"))}
        return counted, story.events[0].kind

    right = (expected, "extraction/worker_died")
    assert under_limits(tried, right.__eq__) == right


def test_an_ingested_page_is_judged_as_a_crawled_one_is(store, warc, stories):
    (url, body), *_ = stories(1)
    ingested(store, [warc([(url, body)])])
    article = exported(store)[url]
    pool = ExtractionPool(ArticleOptions(), workers=1)
    try:
        raw = RawPage(url, url, 200, {"content-type": "text/html"}, body, article.first_seen, "harbour.example")
        crawled = asyncio.run(pool.extract(raw)).article
    finally:
        pool.close()
    assert crawled is not None
    assert (article.text, article.title, article.verdict) == (crawled.text, crawled.metadata.title, crawled.verdict)


@pytest.mark.parametrize("newest_first", [True, False])
def test_the_newest_capture_is_what_a_page_shows_in_whatever_order_they_come(store, warc, stories, newest_first):
    (_, old), (_, new) = stories(2)
    url = "https://harbour.example/story"
    captures = [(url, old, {"at": NOW - timedelta(days=9)}), (url, new, {"at": NOW})]
    for number, capture in enumerate(reversed(captures) if newest_first else captures):
        ingested(store, [warc([capture], f"{number}.warc.gz")])
    assert exported(store)[url].title == "Bridge 1"
    with store.reading() as connection:
        story = reports.url_report(connection, url)
    assert story is not None
    assert story.page is not None
    assert [one.title for one in story.page.versions] == ["Bridge 0", "Bridge 1"]


def test_an_article_whose_page_is_gone_leaves_the_feed_as_gone_when_it_is_ingested(store, warc, stories):
    ((url, body),) = stories(1)
    began = datetime.now(UTC)
    ingested(store, [warc([(url, body, {"at": NOW - timedelta(days=1)})], "there.warc.gz")])
    ingested(store, [warc([(url, b"", {"at": NOW, "status": "404 Not Found"})], "gone.warc.gz")])
    with store.reading() as connection:
        found = changes.read(connection, 0, 9)
    assert [(one.op, one.reason) for one in found] == [("upsert", "new"), ("remove", "gone")]
    assert all(one.at >= began for one in found)  # when they were stored, not when the pages were fetched


def test_broken_truncated_and_other_records_are_counted_and_cost_nothing_else(store, warc, stories):
    entries = stories(6)
    entries[1] = (*entries[1], {"warc": {"WARC-Truncated": "length"}})
    entries[2] = (*entries[2], {"kind": "revisit"})
    entries[3] = (*entries[3], {"status": "404 Not Found"})
    path = warc(entries)
    path.write_bytes(path.read_bytes()[:-30])
    counts = ingested(store, [path]).counts
    assert counts["outcome/inserted"] == 2
    assert {kind: counts[kind] for kind in ("warc/truncated", "warc/revisit", "http/404", "warc/broken")} == {
        "warc/truncated": 1,
        "warc/revisit": 1,
        "http/404": 1,
        "warc/broken": 1,
    }


def child(database, path, failpoint=""):
    """A process that ingests the file; see tests/support/ingest_child.py."""
    return warm.Popen(
        [sys.executable, "-m", "ingest_child", database, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NEWSCRAWL_FAILPOINT": failpoint},
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("failpoint", ["mid-transaction:11", "after-commit:1"])
def test_a_kill_loses_nothing_and_stores_nothing_twice(database, warc, stories, failpoint):
    path = warc(stories(30))
    killed = child(database, path, failpoint)
    killed.communicate(timeout=PATIENCE)
    assert killed.returncode == -signal.SIGKILL
    with open_store(database, upgrade=False) as store:
        progress = ingested(store, [path])
        assert progress.outcome("unchanged") == progress.outcome("joined") == 0
        articles = exported(store).values()
    assert Counter(article.title for article in articles) == {f"Bridge {n}": 1 for n in range(30)}


def test_kills_at_any_moment_lose_nothing(database, warc, stories):
    path = warc(stories(60))
    chance = random.Random(5)
    for _ in range(4):
        process = child(database, path)
        try:
            process.communicate(timeout=chance.uniform(0.3, 2.5))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    with open_store(database, upgrade=False) as store:
        ingested(store, [path])
        assert Counter(article.title for article in exported(store).values()) == {f"Bridge {n}": 1 for n in range(60)}


@pytest.mark.parametrize("name", ["holiday.warc", "holiday.warc.gz"])
@pytest.mark.parametrize("content", [b"\x1f\x8b\x08" + bytes(range(3, 256)) * 40, b"a shopping list\n" * 90, b""])
def test_one_file_of_a_folder_that_is_no_archive_costs_only_itself(store, warc, stories, tmp_path, name, content):
    """It is counted as broken, so that the command ends with 1; an empty one has nothing that could break."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "story.html").write_bytes(stories(1)[0][1])
    (tmp_path / "more" / name).write_bytes(content)
    progress = ingested(store, [tmp_path / "more"])
    assert (progress.outcome("inserted"), progress.counts["warc/broken"] > 0) == (1, bool(content))
    assert progress.done == progress.total
