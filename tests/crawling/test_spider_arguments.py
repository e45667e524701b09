"""The arguments of a crawl, and the values of a declaration."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.crawling.spider import NewsSpider
from newscrawl.crawling.spider.site_declaration import read_arguments
from newscrawl.errors import UsageError

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


class Example(NewsSpider):
    name = "example"
    domains = ("example.com",)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("2026-08-30", datetime(2026, 8, 30, tzinfo=UTC)),
        ("3d", NOW - timedelta(days=3)),
        ("12h", NOW - timedelta(hours=12)),
        (" 1h ", NOW - timedelta(hours=1)),
        (None, None),
    ],
)
def test_since_is_a_date_or_a_span(text: str | None, since: datetime | None) -> None:
    assert read_arguments(since=text, now=NOW).since == since


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-02-31", "3", "d", "-3d", "3w", "99999999d", "2026-8-3", "0000-01-01"]
)
def test_any_other_since_is_refused_with_what_may_be_written(text: str) -> None:
    with pytest.raises(UsageError, match=r"since=.*give a date like since=2026-08-31, or a span"):
        read_arguments(since=text, now=NOW)


@pytest.mark.parametrize("text", ["0", "-1", "many", "", "1.5", "1e3", "²", "99999999999999999999"])
def test_max_articles_is_a_whole_number_from_one_on(text: str) -> None:
    with pytest.raises(UsageError, match=r"max_articles=.*whole number from 1 on"):
        read_arguments(max_articles=text, now=NOW)


@pytest.mark.parametrize(
    "text", ["", "ftp://example.com/", "javascript:alert(1)//x", "http://", "https://exa mple.com", "http://a:99999/"]
)
def test_an_address_that_cannot_be_fetched_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"argument url=.*give an address like"):
        read_arguments(url=text, now=NOW)


def test_an_unknown_argument_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="unknown argument max_article: the arguments are max_articles, since and url"):
        Example(max_article="3")


def test_an_address_of_another_site_is_refused() -> None:
    with pytest.raises(UsageError, match=r"not on example\.com; use `generic` for any site"):
        Example(url="https://example.org/a")
    assert Example(url="https://news.example.com/a").arguments.url == "https://news.example.com/a"


def test_a_sites_delay_counts_where_it_is_longer_than_the_projects() -> None:
    from scrapy.settings import Settings

    class Slow(Example):
        delay = 7.0

    for project, expected in ((1.0, 7.0), (30.0, 30.0)):
        settings = Settings({"DOWNLOAD_DELAY": project})
        Slow.update_settings(settings)
        assert settings.getfloat("DOWNLOAD_DELAY") == expected
