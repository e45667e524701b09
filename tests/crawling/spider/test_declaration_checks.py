"""A wrong declaration is refused in one line that names site, attribute and what to write."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.crawling.spider import NewsSpider
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
