"""A crawl of a few articles takes the newest, whatever an earlier crawl left unfetched."""

from __future__ import annotations

from crash_recovery import CrashSite, Crawls
from databases import sqlite_databases


class GrowingSite(CrashSite):
    """Lists its highest numbers first, as news sites do; `articles` may grow between crawls; its feed never changes
    its validator, so this also shows that a 304 takes up what is waiting."""

    def body(self, path: str) -> tuple[str, str] | None:
        found = super().body(path)
        if path == "/feed.xml":
            items = "".join(
                f"<item><link>{self.url}2026/11/{self.slug(n)}</link>"
                f"<pubDate>Sun, 01 Nov 2026 {n // 60:02d}:{n % 60:02d}:00 GMT</pubDate></item>"
                for n in reversed(range(self.articles))
            )
            return "application/rss+xml", f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'
        return found


def asked(site: CrashSite) -> list[str]:
    return sorted(path for path in site.hits if "bridge" in path)


def test_new_articles_go_before_those_left_waiting() -> None:
    site = GrowingSite(20)
    with sqlite_databases() as databases:
        try:
            crawls = Crawls(site, next(databases), arguments=("-a", "max_articles=3"))
            assert crawls.run() == 0
            assert asked(site) == [f"/2026/11/{site.slug(n)}" for n in (17, 18, 19)]
            site.hits.clear()
            assert crawls.run() == 0
            assert asked(site) == [f"/2026/11/{site.slug(n)}" for n in (14, 15, 16)], "304: what waits, newest first"
            site.hits.clear()
            site.articles = 23
            site.feed_tag = '"another"'
            assert crawls.run() == 0
            assert asked(site) == [f"/2026/11/{site.slug(n)}" for n in (20, 21, 22)]
        finally:
            site.close()
