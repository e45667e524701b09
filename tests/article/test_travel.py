"""Values that are passed between processes are unchanged."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

import pytest

from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import Capture, Discovery, Exchange, RawPage, Spot

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
TEXT = "The council met on Monday and spoke for three hours about the bridge that people had asked for. " * 9
BODY = f"<title>Bridge</title><main><h1>Bridge</h1><p>{TEXT}</p></main>".encode()
URL = "https://example.org/2026/bridge"


def raw() -> RawPage:
    spot = Spot(1, 2, 3)
    found, asked = Discovery("feed", URL, published=NOW), Exchange({"accept": "*/*"}, "192.0.2.1", (URL,))
    return RawPage(URL, URL, 200, {"etag": "x"}, BODY, NOW, "example", found, asked, Capture("response", spot, spot))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_page_and_its_article_arrive_as_they_were(protocol: int) -> None:
    page = fingerprint(make_article(raw(), ArticleOptions()))
    assert page.article is not None
    assert pickle.loads(pickle.dumps((raw(), page), protocol)) == (raw(), page)


@dataclass(frozen=True)
class OwnPage(RawPage):
    """An operator's own, with a field more."""

    mark: str = ""


def test_a_class_made_of_ours_keeps_its_own_fields() -> None:
    own = OwnPage(**{field.name: getattr(raw(), field.name) for field in fields(RawPage)}, mark="own")
    assert pickle.loads(pickle.dumps(own)) == own
    assert pickle.loads(pickle.dumps(replace(own, mark="other"))).mark == "other"
