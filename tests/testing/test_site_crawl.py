"""Crawls of a spider over pages that a test serves: the results, and the error of a crawl that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import write_project
from newscrawl.testing.site_crawl import CrawlFailed, crawl_site

STORY = "https://news.harbour.example/2026/a-story-of-the-harbour"
TEXT = [f"The council of the harbour town spoke on day {day} about the ferry and its price." for day in range(1, 6)]
SPIDER = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.example",)
    feeds = ("https://feeds.harbour.example/news.xml",)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write_project(folder, SPIDER)
    return folder


def test_a_second_crawl_with_the_same_database_asks_only_for_what_may_have_changed(
    project: Path, tmp_path: Path
) -> None:
    with NewsServer() as site:
        site.feed("feeds.harbour.example/news.xml", (STORY, ""))
        site.article("/2026/a-story-of-the-harbour", "A story of the harbour", TEXT)
        first = crawl_site(project, "harbour", site, database=tmp_path / "news.db")
        again = crawl_site(project, "harbour", site, database=tmp_path / "news.db")
    assert first.text_of(STORY) is not None
    assert again.articles == first.articles
    assert first.text_of("https://news.harbour.example/elsewhere") is None
    assert site.asked("/2026/a-story-of-the-harbour") == 1
    assert site.asked("/news.xml") == 2
    assert {address.partition("/")[0] for address, _ in site.log} == {"feeds.harbour.example", "news.harbour.example"}


def test_a_spider_that_does_not_exist_fails_with_the_end_of_the_log(project: Path) -> None:
    with NewsServer() as site, pytest.raises(CrawlFailed, match=r"(?s)ended with exit code 2: .*unknown site 'harbor'"):
        crawl_site(project, "harbor", site)


def test_a_crawl_that_takes_too_long_is_told(project: Path) -> None:
    with NewsServer() as site, pytest.raises(CrawlFailed, match=r"harbour in .* took longer than 0\.01 seconds"):
        crawl_site(project, "harbour", site, seconds=0.01)
