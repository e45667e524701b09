"""Reading a page takes time in proportion to its size, whatever its fields contain."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import pytest

from newscrawl.discovery.links.extraction import extract_links
from newscrawl.discovery.proposals.find_sources import find_sources
from newscrawl.extraction.article.extracted import Extracted
from newscrawl.extraction.article.make import ArticleOptions, read_use
from newscrawl.page import parse

URL: Final = "https://news.example/2026/05/02/a-story-of-rain"
PROSE: Final = "<p>It rains on the hills, and the river rises by a metre until the evening comes.</p>" * 12
CHAIN: Final = ArticleOptions().resolve()

PIECES: Final = {
    "blanks": " ",
    "words": "word ",
    "one word": "a",
    "bars": " | ",
    "colons": ": ",
    "hyphens": " - ",
    "quotation signs": "» ",
    "status codes": "404 ",
    "commas": "a, ",
    "conjunctions": "Ada B and ",
    "initials": "A. ",
    "bylines": "By Ada ",
    "days": "Jan 1, ",
    "day and clock": "2026-01-01 10:00 ",
    "digits": "1",
    "slashes": "/",
    "underlines": "a_",
    "escaped tags": "&lt;b ",
    "references": "&amp;amp;",
    "brackets": "([",
    "at signs": "a@",
    "Chinese": "年月",
    "marks": "a\u0301\u0301",
    "wide blanks": "\u3000\u00a0",
    "percent signs": "%41?",
}

METAS: Final = (
    "og:title og:site_name og:description og:image og:url og:type og:locale article:published_time "
    "article:modified_time article:section article:tag article:author author date keywords news_keywords description "
    "robots twitter:title twitter:site parsely-pub-date parsely-title dc.title dc.date dc.creator citation_author "
    "application-name datepublished headline content-language lastmod sailthru.date refresh generator thumbnail"
).split()

THINGS: Final = (
    "headline name author creator datePublished dateModified image keywords articleSection inLanguage url publisher "
    "description mainEntityOfPage @id @type articleBody"
).split()


def _metas(names: list[str]) -> Callable[[str], str]:
    return lambda v: _page("".join(f'<meta name="{name}" property="{name}" content="a{v}b">' for name in names))


def _things(names: list[str]) -> Callable[[str], str]:
    def page(value: str) -> str:
        thing = {"@type": "NewsArticle", "headline": "Rain on the hills", **dict.fromkeys(names, f"a{value}b")}
        return _page(f'<script type="application/ld+json">{json.dumps(thing)}</script>')

    return page


def _page(
    head: str = "", body: str = "", title: str = "Rain on the hills | News", heading: str = "Rain on the hills"
) -> str:
    return (
        f"<html lang=en><head><title>{title}</title>{head}</head><body><h1>{heading}</h1>{body}"
        f"<article>{PROSE}</article></body></html>"
    )


FIELDS: Final[dict[str, Callable[[str], str]]] = {
    **{f"meta {METAS[k]} and others": _metas(METAS[k : k + 6]) for k in range(0, len(METAS), 6)},
    **{f"JSON-LD {THINGS[k]} and others": _things(THINGS[k : k + 5]) for k in range(0, len(THINGS), 5)},
    "broken JSON-LD": lambda v: _page(f'<script type="application/ld+json">{{"headline": "a {v}</script>'),
    "title": lambda v: _page(title=v),
    "title around": lambda v: _page(title=f"Rain on the hills{v}News"),
    "headings": lambda v: _page(heading=f"Rain on {v} hills", body=f"<h2>{v}</h2><h3>It rains {v}</h3>"),
    "times": lambda v: _page(body=f'<time>{v}</time><time datetime="{v}">x</time><div class="date">{v}</div>'),
    "bylines": lambda v: _page(body=f'<div class="byline author">By {v}</div><a rel=author href="/author/x">{v}</a>'),
    "classes and ids": lambda v: _page(body=f'<div class="{v}" id="{v}">words of text here</div>'),
    "links": lambda v: _page(
        f'<link rel=canonical href="/{v}"><link rel=alternate type="application/rss+xml" href="/{v}" title="{v}">',
        f'<a href="{v}">Some words of a link</a><a href="/2026/{v}">{v}</a><a href="https://news.example/?{v}">x</a>',
    ),
    "base and language": lambda v: _page(f'<base href="https://news.example/{v}"><meta name=language content="{v}">'),
    "microdata": lambda v: _page(
        body=f'<div itemscope itemtype="http://schema.org/NewsArticle"><span itemprop=author>{v}</span>'
        f'<span itemprop=datePublished content="{v}">x</span><span itemprop="{v}">x</span></div>'
    ),
    "text": lambda v: _page(
        body=f"<div>{v}</div><p>It rains {v}</p><li>{v}</li><td>{v}</td><figcaption>{v}</figcaption>"
    ),
}

MANY: Final[dict[str, Callable[[int], str]]] = {
    "ids": lambda i: f'<p id="a{i}">word</p>',
    "equal ids": lambda _: '<p id="a">word</p>',
    "classes": lambda i: f'<p class="a{i} b{i}">word</p>',
    "bylines": lambda i: f'<p class="byline">By Ada Example{i}</p>',
    "times": lambda _: '<time datetime="2026-01-01">x</time>',
    "first headings": lambda i: f"<h1>Rain {i}</h1>",
    "second headings": lambda i: f"<h2>Rain on the hills {i}</h2>",
    "links to articles": lambda i: f'<a href="/2026/01/01/story-number-{i}">Some words of a headline here {i}</a>',
    "equal links": lambda _: '<a href="/story">Some words</a>',
    "titles for machines": lambda i: f'<meta property="og:title" content="Title {i}">',
    "metas": lambda i: f'<meta name="k{i}" content="Title {i}">',
    "tags": lambda i: f'<meta property="article:tag" content="Tag {i}">',
    "announced feeds": lambda i: f'<link rel=alternate type="application/rss+xml" href="/f{i}" title="t">',
    "languages": lambda i: f'<link rel=alternate hreflang=de href="/de{i}">',
    "scripts": lambda i: (
        f'<script type="application/ld+json">{{"@type":"NewsArticle","@id":"#{i}","headline":"x"}}</script>'
    ),
    "properties": lambda i: f'<span itemprop="author">Ada B{i}</span>',
    "author links": lambda i: f'<a rel=author href="/author/a{i}">Ada B{i}</a>',
    "adverts with labels": lambda i: f"<div><span>Advertisement</span><p>Buy the umbrella number {i} today.</p></div>",
    "next articles": lambda i: f'<div class="story"><h1>Rain {i}</h1><p>It rains on the hills {i} for a day.</p></div>',
    "captions": lambda i: f"<figure><figcaption>c {i}</figcaption></figure>",
    "list items": lambda i: f"<li>item {i} of the list</li>",
    "paragraphs": lambda i: f"<p>It rains on the hills {i}, and the river rises by a metre.</p>",
    "feed links": lambda i: f'<a href="/rss/f{i}.xml">RSS</a>',
    "scopes": lambda _: (
        '<div itemscope itemtype="http://schema.org/NewsArticle"><span itemprop="headline">x</span></div>'
    ),
    "nested scopes": lambda _: '<div itemscope itemprop="author">x',
    "nested bylines": lambda _: '<div class="byline">x',
    "nested links": lambda i: f'<a href="/x{i}">xx',
    "nested articles": lambda _: "<article>x words",
    "nested tables": lambda _: "<table><tr><td>x",
    "nested lists": lambda _: "<ul><li>x",
}


def read(body: bytes) -> None:
    """All that a worker and a look at a front page do with a page."""
    page = parse(body, url=URL)
    extracted = Extracted(page, CHAIN, datetime(2026, 5, 3, tzinfo=UTC))
    assert extracted.verdict
    assert 0 <= extracted.confidence <= 1
    assert extracted.signals.titles is not None
    read_use(page, {})
    find_sources(page, URL)
    extract_links(page, URL)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("field", FIELDS)
def test_a_long_field(field: str, piece: str, grows_evenly: Callable[..., None]) -> None:
    grows_evenly(read, lambda n: FIELDS[field](PIECES[piece] * (n // len(PIECES[piece]))).encode(), 8_000)


@pytest.mark.parametrize("element", MANY)
def test_many_elements(element: str, grows_evenly: Callable[..., None]) -> None:
    grows_evenly(read, lambda n: _page(body="".join(map(MANY[element], range(n)))).encode(), 500)
