"""Crawls of sources that announce edits: a server on loopback, the real downloader and a real store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from newscrawl.crawling.scheduling.announced_edits import LEAST_A_DAY

Crawl = Callable[..., dict[str, Any]]
Database = Callable[[str], list[tuple[Any, ...]]]

ARTICLES = (r"^/story/",)
LIES = 5
"""Entries of the source that stamps all of them with now; few enough not to be taken for a listing built anew."""


class Newsroom:
    """A site whose four sources name one page each, the liar five; `edited` says since when each page is another."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.began = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=3)
        self.edited: dict[str, datetime] = {}
        self.stamped = self.began
        self.publish()

    def stamp(self) -> datetime:
        """A second ahead of now, as dates of sources have no fractions, and later than every stamp before."""
        now = datetime.now(UTC).replace(microsecond=0)
        self.stamped = max(now, self.stamped) + timedelta(seconds=1)
        return self.stamped

    def publish(self) -> None:
        """Build all pages and sources."""
        old, now = self.began, self.stamp()
        changed = {path: self.edited.get(path, old) for path in ("lastmod", "updated", "title")}
        title = "Ferry sinks" if "title" in self.edited else "Ferry opens"
        lies = "".join(self._item(f"liar{n}", "Ferry opens", now) for n in range(LIES))
        self.server.pages |= {
            "/news.xml": f"<urlset><url><loc>{self.server.url}/story/lastmod</loc>"
            f"<lastmod>{changed['lastmod'].isoformat()}</lastmod></url></urlset>",
            "/atom": '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Ferry opens</title>'
            f'<link href="/story/updated"/><published>{old.isoformat()}</published>'
            f"<updated>{changed['updated'].isoformat()}</updated></entry></feed>",
            "/rss": f'<rss version="2.0"><channel>{self._item("title", title, old)}</channel></rss>',
            "/liar": f'<rss version="2.0"><channel>{lies}</channel></rss>',
        }
        for path in ("lastmod", "updated", "title", *(f"liar{n}" for n in range(LIES))):
            version = "sinks" if path in self.edited else "opens"
            self.server.pages[f"/story/{path}"] = f"The {path} ferry {version}"

    @staticmethod
    def _item(path: str, title: str, when: datetime) -> str:
        return (
            f"<item><title>{title}</title><link>/story/{path}</link><pubDate>{format_datetime(when)}</pubDate></item>"
        )

    def edit(self) -> None:
        """Every honest source's page is edited."""
        self.edited = dict.fromkeys(("lastmod", "updated", "title"), self.stamp())

    def asked(self) -> dict[str, int]:
        """Requests for the pages of each source so far."""
        pages = {path: self.server.asked(f"/story/{path}") for path in ("lastmod", "updated", "title")}
        return {**pages, "liar": sum(self.server.asked(f"/story/liar{n}") for n in range(LIES))}


def test_announced_edits_are_fetched_at_the_next_reading_up_to_the_limit_of_the_day(
    server: Any, crawl: Crawl, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSCRAWL_TIME_SCALE", "5000")  # the least time between two fetches is 0.2 s
    newsroom = Newsroom(server)

    def crawled() -> dict[str, int]:
        before = newsroom.asked()
        newsroom.publish()
        crawl(
            sitemaps=[f"{server.url}/news.xml"],
            feeds=[f"{server.url}/{path}" for path in ("atom", "rss", "liar")],
            articles=ARTICLES,
        )
        return {name: number - before[name] for name, number in newsroom.asked().items()}

    assert crawled() == {"lastmod": 1, "updated": 1, "title": 1, "liar": LIES}
    assert database("select count(*) from pages where next_due is not null") == [(0,)], "no visit is due by itself"
    newsroom.edit()
    assert LEAST_A_DAY == 3 + LIES
    assert crawled() == {"lastmod": 1, "updated": 1, "title": 1, "liar": LIES}
    assert crawled() == {"lastmod": 0, "updated": 0, "title": 0, "liar": 0}
    texts = database("select text from articles join pages on pages.article_id = articles.id order by text")
    assert [text for (text,) in texts if "sinks" in text] == [
        "The lastmod ferry sinks",
        "The title ferry sinks",
        "The updated ferry sinks",
    ]
    reasons = dict(database("select substr(url, -3), reason from events where kind = 'revisit/announced'"))
    assert reasons["mod"] == f"the sitemap gives a newer lastmod: {server.url}/news.xml"
    assert reasons["ted"] == f"the feed gives a newer date: {server.url}/atom"
    assert reasons["tle"] == f"the feed gives another title: {server.url}/rss"
