"""A feed, sitemap or page that is too costly to read is named, and the rest of the site is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from paper import Here, Paper
from replicas import Replica, alternate, make_stories, rss, sitemap

from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.crawling.spider.sources.site_reader import MAX_ENTRIES, NOT_READ, SiteReader, read_listing
from newscrawl.discovery.onboarding.live import look
from newscrawl.discovery.onboarding.survey import COSTLY as COSTLY_SITE
from newscrawl.discovery.onboarding.survey import OnboardingError, SiteProposal, survey
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.discovery.reading import BODY_SECONDS
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import TOO_COSTLY, Failure
from newscrawl.workers.extraction_worker import Computed

NOW = datetime.now(UTC)
COSTLY = Failure(TOO_COSTLY, "reading it took more than 10 s of CPU time")


class Limited(Here):
    """Workers that take too long for some addresses."""

    def __init__(self, *costly: str) -> None:
        self.costly = costly
        self.asked: list[str] = []

    async def call(
        self, function: Callable[..., Any], *arguments: Any, subject: str, cpu: float | None = None
    ) -> Computed:
        self.asked.append(subject)
        if subject.endswith(self.costly):
            return Computed(None, COSTLY, cpu or 0.0)
        return await super().call(function, *arguments, subject=subject, cpu=cpu)


@pytest.fixture
def site() -> Replica:
    """A site with two feeds, a sitemap and a front page that link the same articles."""
    site = Replica("town", "http://town.localhost:8080")
    site.stories = make_stories(1, 12, "en", NOW)
    links = site.articles(lambda story: f"/{story.slug}-{100000 + story.number}.html")
    for path in ("/rss.xml", "/atom.xml"):
        site.put(path, rss(site, links))
    site.put("/sitemap.xml", sitemap(links))
    site.robots(f"Sitemap: {site.origin}/sitemap.xml")
    site.front(links, head=alternate("/rss.xml") + alternate("/atom.xml"))
    return site


def named(site: Replica, workers: Here, **more: Any) -> SiteProposal:
    return asyncio.run(survey(Paper(site), SiteReader(workers), site.home, options=ArticleOptions(), now=NOW, **more))


def test_a_costly_feed_is_said_and_another_one_is_declared(site: Replica) -> None:
    proposal = named(site, Limited("/rss.xml"))
    assert proposal.site.feeds == (f"{site.origin}/atom.xml",)
    assert proposal.too_costly == (f"{site.origin}/rss.xml is not used: {COSTLY.reason}",)


def test_a_site_whose_front_page_is_too_costly_is_not_added(site: Replica) -> None:
    with pytest.raises(OnboardingError, match="the front page is too costly: reading it took more than 10 s") as error:
        named(site, Limited(".localhost:8080/"))
    assert (error.value.code, error.value.exit_code) == (COSTLY_SITE, 1)


def test_an_address_that_is_a_costly_feed_is_not_added(site: Replica) -> None:
    reader, url = SiteReader(Limited("/rss.xml")), f"{site.origin}/rss.xml"
    with pytest.raises(OnboardingError, match=r"rss\.xml: reading it took more than 10 s"):
        asyncio.run(survey(Paper(site), reader, url, options=ArticleOptions(), now=NOW))


def test_where_nothing_else_is_found_the_costly_source_is_named_once(site: Replica) -> None:
    site.front([], head=alternate("/rss.xml"))
    for path in ("/atom.xml", "/sitemap.xml"):
        del site.pages[f"town.localhost:8080{path}"]
    with pytest.raises(OnboardingError) as error:
        named(site, Limited("/rss.xml"), given=[FoundSource(f"{site.origin}/rss.xml", "feed")])
    assert str(error.value).count(f"rss.xml is not used: {COSTLY.reason}") == 1


def test_all_that_is_read_of_a_site_has_one_account(site: Replica) -> None:
    """Three bodies that cost as much as one may are enough."""
    answers = [asyncio.run(Paper(site).get(f"{site.origin}/rss.xml")) for _ in range(4)]
    workers = Limited("/rss.xml")
    reader = SiteReader(workers)

    async def read() -> list[object]:
        return [await reader.source(answer, "feed") for answer in answers]

    assert asyncio.run(read()) == [COSTLY, COSTLY, COSTLY, NOT_READ]
    assert len(workers.asked) == 30 / BODY_SECONDS


def test_a_live_look_says_which_source_is_too_costly(site: Replica) -> None:
    declared = Site.declared("town", domains=("localhost",), home=site.home, feeds=(f"{site.origin}/rss.xml",))
    found = asyncio.run(
        look(Paper(site), SiteReader(Limited("/rss.xml", "/sitemap.xml")), declared, None, ArticleOptions(), NOW)
    )
    costly = [(change.kind, change.where) for change in found.changes if change.detail == COSTLY.reason]
    assert costly == [(TOO_COSTLY, f"{site.origin}/rss.xml"), (TOO_COSTLY, f"{site.origin}/sitemap.xml")]
    assert [change.kind for change in found.changes if change.where.endswith("rss.xml")] == [TOO_COSTLY]


def test_of_an_enormous_sitemap_the_newest_entries_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.crawling.spider.sources.site_reader.MAX_ENTRIES", 3)
    entries = "".join(
        f"<url><loc>https://news.example/a-{day}</loc><lastmod>2026-05-{day:02}</lastmod></url>" for day in range(1, 9)
    )
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    read = read_listing(body, "https://news.example/sitemap.xml", {}, "sitemap")
    assert [one.url.rpartition("-")[2] for one in read.candidates] == ["6", "7", "8"]
    assert MAX_ENTRIES > 1_000
