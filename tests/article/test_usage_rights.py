"""The statements of a page about its use are kept with it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawl.extraction.article.make import ArticleOptions, make_article, read_use
from newscrawl.model import RawPage, UsageRights
from newscrawl.page import parse

TEXT = "The ferry company said on Monday that the new timetable would begin in the first week of the coming month. "


def said(head: str = "", **headers: str) -> UsageRights:
    page = parse(f"<html><head>{head}</head><body><p>text</p></body></html>", url="https://example.org/a")
    return read_use(page, {name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (said(), UsageRights()),
        (said('<meta name="robots" content="NoIndex, follow">'), UsageRights(noindex=True)),
        (said('<meta name="ROBOTS" content="none">'), UsageRights(noindex=True)),
        (said('<meta name="newscrawl" content="noarchive">'), UsageRights(noarchive=True)),
        (said('<meta name="googlebot" content="noindex">'), UsageRights()),
        (said('<meta name="robots" content="max-snippet:0, max-image-preview:large">'), UsageRights(nosnippet=True)),
        (said(x_robots_tag="noarchive, nosnippet"), UsageRights(noarchive=True, nosnippet=True)),
        (said(x_robots_tag="otherbot: noindex, nofollow"), UsageRights()),
        (said(x_robots_tag="otherbot: noindex, newscrawl: noarchive"), UsageRights(noarchive=True)),
        (said(x_robots_tag="unavailable_after: 25 Jun 2027 15:00:00 PST, noindex"), UsageRights(noindex=True)),
        (
            said('<meta name="tdm-policy" content="https://example.org/policy">', tdm_reservation="1"),
            UsageRights(tdm_reservation=True, tdm_policy="https://example.org/policy"),
        ),
        (said('<meta name="tdm-reservation" content="1">', tdm_reservation="0"), UsageRights(tdm_reservation=False)),
        (said(tdm_reservation="perhaps"), UsageRights()),
    ],
)
def test_statements_are_read_from_headers_and_head(statements: UsageRights, expected: UsageRights) -> None:
    assert statements == expected


def test_they_come_with_the_article_and_with_what_is_none() -> None:
    for body in (TEXT * 12, "nothing"):
        html = f'<html><head><meta name="robots" content="noindex"><title>Ferry</title></head><p>{body}</p></html>'
        raw = RawPage(
            "https://example.org/a", "https://example.org/a", 200, {"tdm-reservation": "1"}, html.encode(),
            datetime(2026, 11, 1, tzinfo=UTC), "example",
        )  # fmt: skip
        use = make_article(raw, ArticleOptions()).use
        assert use == UsageRights(noindex=True, tdm_reservation=True)
