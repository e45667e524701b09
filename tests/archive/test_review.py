"""A site is redesigned: pages that look broken are held for review, extracted by other chains, and released."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from patience import PATIENCE
from scrapy.settings import Settings as ScrapySettings
from sqlalchemy import text

from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.reextract.run import Reextraction
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.config.derived.article_options import review_chains_of
from newscrawl.config.reading import config_of
from newscrawl.errors import ConfigurationError
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import ProcessedPage
from newscrawl.monitoring.review_gate import ReviewGate, review_gate_of
from newscrawl.publishing.feed.reader import FeedReader
from newscrawl.publishing.feed.sink import Delivery, SinkPosition
from newscrawl.reports import articles, url_report
from newscrawl.reports.review import in_review
from newscrawl.reports.sites import totals
from newscrawl.storage.captures.locations import Selection
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.checks import WatchScope, accept, check
from newscrawl.workers.blocking import LoopThread
from newscrawl.workers.extraction_pool import ExtractionPool

WORDS = (
    "harbour council ferry school winter market bridge river report minister budget season player garden museum "
    "teacher storm hospital railway farmer village energy network lawyer border island theatre kitchen engine"
).split()
NOTICE = "We and our partners keep and read data on your device to show you what you like and to count you. " * 8
OTHERS = ("best", "danag")


def sentences(number, many=26):
    chance = random.Random(number)
    return [
        f"The {' of the '.join(chance.choices(WORDS, k=4))} and a {chance.choice(WORDS)}, as the paper said."
        for _ in range(many)
    ]


def html(number, body):
    head = "<meta property='article:published_time' content='2026-11-20T10:00:00Z'>"
    return f"<html><title>Story {number}</title>{head}<body>{body}</body></html>".encode()


def before(number):
    """The site as it always was."""
    paragraphs = "".join(f"<p>{' '.join(sentences(number)[n : n + 4])}</p>" for n in range(0, 26, 4))
    return html(number, f"<nav><a href='/'>Home</a></nav><article><h1>Story {number}</h1>{paragraphs}</article>")


def emptied(number):
    """The new template has its text come by a script, and a notice on every page."""
    return html(number, f"<div id=app><h1>Story {number}</h1></div><div><p>{NOTICE}</p></div>")


def linked(number):
    """The new template makes a link of every paragraph, which `classic` takes for a menu."""
    story = "".join(f"<p><a href='#{n}'>{' '.join(sentences(number)[n : n + 4])}</a></p>" for n in range(0, 26, 4))
    return html(number, f"<div class=story><h1>Story {number}</h1>{story}</div><div><p>{NOTICE}</p></div>")


@pytest.fixture(scope="module")
def pool():
    opened = ExtractionPool(ArticleOptions(), workers=1, timeout=PATIENCE, memory_mb=1024)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def loop(pool):
    """The event loop of the pool: with another one for each crawl, it would start its worker again each time."""
    with LoopThread("review") as running:
        yield running


@pytest.fixture(scope="module")
def own():
    """What the site's own chain makes of a page: most tests begin with the same thirty."""
    known = {}

    def made(raw):
        key = raw.final_url, raw.body
        if key not in known:
            known[key] = fingerprint(make_article(raw, ArticleOptions()))
        return known[key]

    return made


@pytest.fixture
def go(store, keeper, pool, loop, own, raw):
    """One crawl: pages by number, each with its body, kept, extracted, looked at and stored as the pipelines do it."""

    def crawl(pages, later=0, chains=OTHERS, counters=None):
        gate = ReviewGate(store, pool, chains, lambda name: counters is None or counters.update([name]))
        late = timedelta(minutes=later)
        fetched = [raw(number, body=body) for number, body in pages]
        made = [(replace(one, fetched_at=one.fetched_at + late), own(one)) for one in fetched]
        kept = [keeper.keep(one) for one, _ in made]

        async def look():
            looked = []
            for (one, page), capture in zip(made, kept, strict=True):
                whole = replace(one, capture=capture.result(timeout=PATIENCE))
                looked.append(await gate.look(whole, replace(page, raw=replace(whole, body=None))))
            return looked

        looked = loop.run(look())
        saved = [store.save(page) for page in looked]
        store.flush()
        return [(page, future.result(timeout=PATIENCE)) for page, future in zip(looked, saved, strict=True)]

    return crawl


class Memory:
    """What a consumer of the feed was told."""

    def __init__(self):
        self.titles = []

    def position(self):
        return SinkPosition("one", None)

    def send(self, entries):
        self.titles += [entry.document.title for entry in entries if entry.document is not None]
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self):
        pass


def told(store):
    consumer = Memory()
    reader = FeedReader(store, consumer, "consumer", lambda: datetime.now(UTC))
    while reader.step():
        pass
    return consumer.titles


def watch(store, now):
    return store.run(check, now, WatchScope()).result(timeout=PATIENCE)


def kinds(done):
    return [outcome.kind for _, outcome in done]


def exported(store):
    with store.reading() as connection:
        return {article.url for article in articles(connection)}


def test_a_redesign_is_held_for_review_tried_with_the_next_extractor_and_told_once_it_is_extracted_again(
    go, store, keeper, folder, now
):
    assert kinds(go([(n, before(n)) for n in range(30)])) == ["inserted"] * 30
    assert watch(store, now).opened == ()
    assert len(told(store)) == 30
    counters = Counter()
    done = go([(n, linked(n)) for n in range(30, 50)], later=60, chains=("justext",), counters=counters)
    # Nobody can tell what the first three are: a site may well publish three short pieces.
    assert set(kinds(done)[3:]) == {"held_for_review"}
    assert "same text as another page" in done[-1][0].doubt.reasons
    assert counters["review/queued"] == len([one for one in kinds(done) if one == "held_for_review"]) == 17
    assert counters["review/same_text_as_another_page"] > 12
    shown = {page.raw.final_url for page, outcome in done[:3]}
    assert exported(store) - {f"https://harbour.example/2026/bridge-{n}" for n in range(30)} <= shown
    told(store)
    [alarm] = watch(store, now + timedelta(hours=2)).opened
    assert (alarm.kind, alarm.severity) == ("extraction", "critical")
    assert "newscrawl review list" in alarm.message
    with store.reading() as connection:
        [site] = totals(connection)
        assert (site.in_review, "review/looks_broken" in site.failures) == (17, False), (
            "pages in review are no failures"
        )
        last = url_report(connection, "https://harbour.example/2026/bridge-49")
    assert last.in_review[0].reasons == done[-1][0].doubt.reasons
    assert last.events[-1].kind == "stored/held_for_review"
    keeper.close()

    work = Reextraction(
        store, ArchiveSettings(folder), Selection(in_review=True), Settings(ArticleOptions("best")), apply=True
    )
    *_, progress = work.run()
    assert (progress.pages, progress.tally.outcomes["inserted"]) == (17, 17)
    assert sorted(told(store)) == [f"Story {n}" for n in range(33, 50)]
    with store.reading() as connection:
        assert in_review(connection) == []
        [found] = [one for one in articles(connection) if one.url.endswith("bridge-49")]
    assert " ".join(sentences(49)[:4]) in found.text


def test_what_another_extractor_reads_as_usual_is_stored_at_once_and_the_alarm_stays(go, store, now):
    go([(n, before(n)) for n in range(30)])
    done = go([(n, linked(n)) for n in range(30, 45)], later=60)
    assert set(kinds(done)[3:]) == {"inserted"}
    page = done[-1][0]
    assert page.article.extractor == "learned"
    assert page.article.is_fallback
    assert page.article.trace[0].reason.startswith("not credible")
    assert " ".join(sentences(44)[:4]) in page.article.text
    with store.reading() as connection:
        events = url_report(connection, page.raw.final_url).events
    assert [event.kind for event in events] == ["stored/inserted", "stored/other_extractor"]
    [alarm] = watch(store, now + timedelta(hours=2)).opened
    assert alarm.kind == "extraction"
    # The watchdog goes on seeing what `classic` makes of them, however often another reads them.
    go([(n, linked(n)) for n in range(45, 55)], later=120)
    news = watch(store, now + timedelta(hours=3))
    assert (news.opened, news.closed) == ((), ())
    # The old template is back: the alarm ends by itself.
    assert set(kinds(go([(n, before(n)) for n in range(55, 64)], later=180))) == {"inserted"}
    assert [alarm.kind for alarm in watch(store, now + timedelta(hours=4)).closed] == ["extraction"]


def test_a_good_version_stays_and_the_feed_tells_what_is_released(go, store, now):
    go([(n, before(n)) for n in range(30)])
    told(store)
    go([(n, emptied(n)) for n in range(30, 36)], later=60)
    [(_, outcome)] = go([(7, emptied(7))], later=90)
    assert outcome.kind == "held_for_review"
    page = story_of(store, 7)
    assert page.page.state == "fetched"
    assert len(page.versions) == 1
    assert page.versions[0].extractor == "boilerpipe-wide+group"
    # A short text of one's own is what a release gives back; the notice, which is everybody's, joins its like.
    told(store)
    released = store.release(now + timedelta(hours=2), site="harbour").result(timeout=PATIENCE)
    assert released.pages == 4
    assert released.stored >= 3
    with store.reading() as connection:
        assert in_review(connection) == []
        assert url_report(connection, "https://harbour.example/2026/bridge-34").events[-1].kind == "stored/released"
        assert (
            connection.execute(text("SELECT count(*) FROM captures WHERE failure = 'review/looks_broken'")).scalar()
            == 0
        )
    assert told(store)
    assert store.release(now, site="harbour").result(timeout=PATIENCE).pages == 0


def story_of(store, number):
    with store.reading() as connection:
        return url_report(connection, f"https://harbour.example/2026/bridge-{number}").page


def test_accepting_the_site_as_it_is_lets_its_pages_through(go, store, now):
    go([(n, before(n)) for n in range(30)])
    go([(n, emptied(n)) for n in range(30, 46)], later=60)
    watch(store, now + timedelta(hours=2))
    assert [alarm.kind for alarm in store.run(accept, "harbour", now).result(timeout=PATIENCE)] == ["extraction"]
    assert set(kinds(go([(n, emptied(n)) for n in range(46, 50)], later=120))) <= {"inserted", "joined"}
    with store.reading() as connection:
        assert alarms.open_alarms(connection) == []


def test_a_new_site_and_the_site_for_any_site_hold_nothing_back(go, store, raw, pool, loop):
    assert set(kinds(go([(n, emptied(n)) for n in range(12)]))) <= {"inserted", "joined"}
    page = raw(1, site="generic")
    looked = loop.run(ReviewGate(store, pool, OTHERS).look(page, ProcessedPage(page)))
    assert looked == ProcessedPage(page)


def test_the_chains_that_are_tried_leave_out_the_one_in_use_and_are_known(store, pool):
    assert review_chains_of(config_of(ScrapySettings({"NEWSCRAWL_CHAIN": "best"}))) == ("danag", "boilerpipe-article")
    assert review_gate_of(config_of(ScrapySettings({"NEWSCRAWL_REVIEW": False})), store, pool) is None
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_REVIEW_CHAINS"):
        review_gate_of(config_of(ScrapySettings({"NEWSCRAWL_REVIEW_CHAINS": ["nobody"]})), store, pool)
