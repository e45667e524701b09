"""A client of a local site without a server, and a bilingual site."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from replicas import Replica, alternate, make_stories, rss, sitemap

from newscrawl.crawling.runtime.site_client import SiteAnswer
from newscrawl.discovery.proposals.find_sources import robots_sitemaps
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.workers.extraction_worker import Computed


class Paper:
    """A client of a local site without a server."""

    def __init__(self, site: Replica) -> None:
        self.site = site
        self.asked: list[str] = []

    async def get(self, url: str) -> SiteAnswer:
        self.asked.append(url)
        status, headers, body = self.site.pages.get(url.removeprefix("http://"), (404, {}, b"no"))
        failure = None if status == 200 else Failure(f"http/{status}", f"the server answered {status}")
        return SiteAnswer(url, url, datetime.now(UTC), status, headers, body, failure)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        robots = (await self.get(f"{self.site.origin}/robots.txt")).body
        return tuple(robots_sitemaps(robots, f"{self.site.origin}/robots.txt"))


class Here:
    """Workers of a SiteReader that are none: what they compute is computed here, and travels as it does elsewhere."""

    async def call(
        self, function: Callable[..., Any], *arguments: Any, subject: str, cpu: float | None = None
    ) -> Computed:
        function, arguments = pickle.loads(pickle.dumps((function, arguments)))
        return Computed(pickle.loads(pickle.dumps(function(*arguments))), None, 0.0)

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        return make_article(raw, options or ArticleOptions())


def bilingual(
    site: Replica | None = None, *, prefix: str = "/de", sitemap_dated: bool = True, on_front: int = 20
) -> Replica:
    """Ten English articles in the announced feed, twenty German ones on the front page and in the sitemap."""
    site = site or Replica("town", "http://town.localhost:8080")
    site.language = "de"
    stories = make_stories(1, 30, "en", datetime.now(UTC))
    site.stories = stories
    english = [(site.article(f"/en/{story.slug}-{story.number}/", story), story) for story in stories[::3]]
    german = [
        (site.article(f"{prefix}/{story.slug}-{story.number}/", story), story)
        for story in stories
        if story not in stories[::3]
    ]
    site.put("/en/index.xml", rss(site, english).replace("<language>de<", "<language>en<"))
    both = english + german
    site.put("/sitemap.xml", sitemap(both if sitemap_dated else [url for url, _ in both]))
    site.robots(f"Sitemap: {site.origin}/sitemap.xml")
    site.front(german[:on_front], head=alternate("/en/index.xml"))
    return site
