"""Where a page states the fields of its metadata."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.extraction.metadata.statements import MAX_STATEMENTS, stated_fields
from newscrawl.page import parse

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ARTICLE = {
    "@type": "NewsArticle",
    "headline": "Bridge opens at last",
    "author": [{"@type": "Person", "name": "Ada Marsh"}],
    "articleSection": "City",
}
PAGE = f"""<html lang="en-GB"><head><title>Bridge opens at last | Town News</title>
<meta property="og:title" content="Bridge opens at last"><meta name="author" content="Ada Marsh">
<meta property="og:locale" content="en_GB"><link rel="canonical" href="/2026/bridge">
<script type="application/ld+json">{json.dumps(ARTICLE)}</script></head>
<body><h1>Bridge opens at last</h1><p>Text</p></body></html>"""


def found(html: str) -> dict[str, tuple[set[str], set[str]]]:
    page = parse(html, url="https://town.example/2026/bridge?x=1")
    fields = stated_fields(page, MetadataReader(page, fetched_at=NOW))
    return {f"{one.name} {one.value}": (set(one.exact), set(one.within)) for one in fields}


def test_each_field_names_the_places_that_state_it() -> None:
    fields = found(PAGE)
    exact, within = fields["title Bridge opens at last"]
    assert exact == {"h1", "meta:og:title", "json-ld:headline"}
    assert within == {"title"}
    assert fields["authors Ada Marsh"][0] == {"meta:author", "json-ld:author.name"}
    assert fields["language en"][0] == {"html lang", "meta:og:locale"}
    assert fields["section City"][0] == {"json-ld:articleSection"}
    assert fields["canonical https://town.example/2026/bridge"][0] == {"link:canonical"}


def test_a_page_that_states_nothing_has_no_fields() -> None:
    assert found("<p>Text</p>") == {}


def test_a_page_with_too_many_statements_is_read_in_part() -> None:
    many = "".join(f'<meta name="odd{number}" content="odd">' for number in range(MAX_STATEMENTS * 2))
    assert "title Bridge opens at last" in found(f"{many}{PAGE}")


def test_deep_and_broken_data_is_survived() -> None:
    deep = "[" * 50 + '"x"' + "]" * 50
    broken = f'<script type="application/ld+json">{{"@type": "NewsArticle", "author": {deep}}}</script>'
    assert isinstance(found(f"{PAGE}{broken}"), dict)
