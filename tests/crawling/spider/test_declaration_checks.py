"""A wrong declaration is refused in one line that names site, attribute and what to write, a wrong file of spiders/ in
one that names its line, and a wrong argument of a crawl in one that names what may be written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from newscrawl.crawling.spider import NewsSpider
from newscrawl.crawling.spider.loader import Sites
from newscrawl.crawling.spider.site_declaration import read_arguments
from newscrawl.errors import UsageError


def declared(**attributes: Any) -> type:
    return type("Site", (NewsSpider,), {"name": "x", "domains": ("example.com",), **attributes})


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"delay": "5"}, "delay is '5', write a number of seconds"),
        ({"delay": True}, "delay is True"),
        ({"delay": -1}, "delay is -1"),
        ({"delay": float("nan")}, "delay is nan"),
        ({"republishes": "yes"}, "republishes is 'yes', write True or False"),
        ({"feeds": None}, "feeds is None, write a tuple of texts"),
        ({"feeds": "https://example.com/feed"}, "feeds is one text, write a tuple"),
        ({"sections": (None,)}, "sections holds None, which is no text"),
        ({"country": "uk"}, "country is 'uk', write 'gb', the code of ISO 3166-1"),
        ({"language": "German"}, "language is 'German', write the small letters of ISO 639, like 'de'"),
        ({"language": "en_GB"}, "like 'en'"),
        ({"country": "Germany"}, "country is 'Germany', write the two small letters of ISO 3166-1, like 'gb'"),
        ({"domains": ("https://example.com",)}, "domains holds 'https://example.com', write the bare name"),
        ({"domains": ("example.com/news",)}, "write the bare name"),
        ({"domains": ("example",)}, "write the bare name"),
        ({"language": 5}, "language is 5, write a text"),
        ({"feed": ("https://example.com/feed",)}, "there is no attribute feed, is feeds meant"),
        ({"sitemap": ()}, "is sitemaps meant"),
        ({"artciles": ()}, "is articles meant"),
        ({"domains": ()}, "declares no domains"),
        ({"feeds": ("/feed",)}, "invalid url '/feed'"),
        ({"home": "example"}, "invalid url 'example'"),
        ({"feeds": ("https://u:pw@example.com/",)}, "https://***@example.com/ holds a user"),
        ({"articles": ("/(",)}, "no expression"),
    ],
)
def test_what_cannot_work_is_refused(attributes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as raised:
        declared(**attributes)()
    assert words in str(raised.value)
    assert "site 'x'" in str(raised.value)


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"delay": 2.5, "feeds": ["https://example.com/feed"], "articles": r"/\d+"},
        {"custom_settings": {}, "start_urls": [], "editor": "me", "read_feed": lambda self: None},
    ],
)
def test_what_can_work_is_let_pass(attributes: dict[str, Any]) -> None:
    declared(**attributes)()


GOOD = "from newscrawl.crawling.spider import NewsSpider\nclass Site(NewsSpider):\n    name = 'NAME'\n"
WRONG_HINT = GOOD.replace("NAME", "wrong") + "    hints = {'drop': 'div..box'}\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of spiders with two good files, one of them deeper."""
    folder = tmp_path / "odd_spiders"
    (folder / "deeper").mkdir(parents=True)
    for name in ("__init__.py", "deeper/__init__.py"):
        (folder / name).touch()
    (folder / "good.py").write_text(GOOD.replace("NAME", "good"))
    (folder / "deeper" / "other.py").write_text(GOOD.replace("NAME", "other"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("odd_spiders")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import json\n\ndef broken(:\n", "broken.py, line 3: SyntaxError"),
        ("\n\nraise RuntimeError('two\\nlines')\n", "broken.py, line 3: RuntimeError: two lines"),
        ("import sys\nsys.exit('bye')\n", "broken.py, line 2: SystemExit: it calls sys.exit('bye')"),
        ("import nosuchmodule\n", "broken.py, line 1: ModuleNotFoundError"),
        ("def f():\n    return 1 / 0\nf()\n", "broken.py, line 2: ZeroDivisionError"),
        (WRONG_HINT, "broken.py, line 2: UsageError: site 'wrong': hints: drop 'div..box': it is no CSS selector"),
    ],
)
def test_the_file_and_line_are_named_and_the_others_load(
    package: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    (package / "broken.py").write_text(text)
    loader = Sites.from_settings(Settings({"SPIDER_MODULES": ["odd_spiders"]}))
    assert sorted(loader.list()) == ["good", "other"]
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert line.endswith("the other sites continue")
    assert list(loader.broken) == ["odd_spiders.broken"]


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
