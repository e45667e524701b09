"""The pure parts together, on sites in memory: from a home page to a declaration, for several publishing habits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.links.learned_rules import LearnedRule
from newscrawl.discovery.proposals.declaration import Declaration, render
from newscrawl.discovery.proposals.find_sources import (
    FoundSource,
    common_sources,
    find_sources,
    ranked,
    robots_sitemaps,
)
from newscrawl.discovery.proposals.site_page import site_page
from newscrawl.discovery.proposals.sources import SourceTrial, propose, try_source
from newscrawl.discovery.reading import SourceContents
from newscrawl.discovery.sitemaps.child_choice import choose_children
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.identity import registrable_domain
from newscrawl.page import parse

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SITE = "https://www.news.example"
WORDS = "bridge river mayor vote strike storm school budget court harbour".split()
MENU = "".join(f'<li><a href="/{name}/">{name.title()}</a></li>' for name in ("politics", "sport", "culture"))
FOOT = '<footer><a href="/about/">About</a><a href="/privacy-policy/">Privacy</a><a href="/login">Log in</a></footer>'


def slug(number: int) -> str:
    return "-".join(WORDS[(number * step) % len(WORDS)] for step in (1, 3, 7, 9)) + f"-in-the-{WORDS[number % 7]}"


def home(articles: list[str], head: str = "") -> str:
    cards = "".join(f'<article><h2><a href="{path}">A long headline of the day</a></h2></article>' for path in articles)
    return f'<html lang="en"><head>{head}</head><body><nav>{MENU}</nav><main>{cards}</main>{FOOT}</body></html>'


def rss(articles: list[str], host: str = SITE) -> str:
    dates = (NOW - timedelta(hours=n) for n in range(len(articles)))
    items = "".join(
        f"<item><title>A</title><link>{host}{path}</link><pubDate>{when:%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
        for path, when in zip(articles, dates, strict=True)
    )
    return f"<rss version='2.0'><channel><link>{SITE}/</link>{items}</channel></rss>"


def urlset(articles: list[str]) -> str:
    return f"<urlset>{''.join(f'<url><loc>{SITE}{path}</loc></url>' for path in articles)}</urlset>"


def feed_link(href: str) -> str:
    return f'<link rel="alternate" type="application/rss+xml" href="{href}">'


def onboard(site: Mapping[str, str]) -> tuple[Declaration, LearnedRule]:
    """What add-site does, with a dictionary for the network."""
    url = f"{SITE}/"
    page = parse(site[url], url=url)
    named = [FoundSource(target, "sitemap") for target in robots_sitemaps(site.get(f"{url}robots.txt", ""), url)]
    found = [*find_sources(page, url), *named] or [*common_sources(url, thorough=True)]
    trials: list[SourceTrial] = []
    asked: set[str] = set()
    waiting = [(source, "") for source in ranked(found, url)]
    while waiting and len(asked) < 30:
        source, parent = waiting.pop(0)
        if source.url in asked:
            continue
        asked.add(source.url)
        body = site.get(source.url)
        reader = read_feed if source.kind == "feed" else read_sitemap
        reading = SourceContents() if body is None else reader(body.encode(), source.url)
        waiting += [(FoundSource(target, "feed"), "") for target in reading.announced]
        children = choose_children(reading.children, NOW)[:3]
        waiting += [(FoundSource(child.url, "sitemap"), parent or source.url) for child in children]
        status = 404 if body is None else 200
        trials.append(try_source(source, reading, [registrable_domain(url)], NOW, status=status, parent=parent))
    return propose(site_page(page, url, (registrable_domain(url),)), url, trials)


Shape = Callable[[int], str]


def site(shape: Shape, head: str = "", **pages: str) -> dict[str, str]:
    return {f"{SITE}/": home([shape(n) for n in range(8)], head)} | {
        f"{SITE}/{path}" if "://" not in path else path: body for path, body in pages.items()
    }


def wordpress() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/2026/03/{n % 28 + 1:02}/{slug(n)}/"

    head = feed_link("/comments/feed/") + feed_link("/feed/")
    return site(shape, head, **{"feed/": rss([shape(n) for n in range(15)])}), shape, "/feed/"


def robots_only() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/story/{500_000 + n}/{slug(n)}"

    maps = "https://cdn.maps.example/news.xml"
    pages = {"robots.txt": f"User-agent: *\nSitemap: {maps}\n", maps: urlset([shape(n) for n in range(30)])}
    return site(shape, **pages), shape, "/news.xml"


def index_of_sitemaps() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/{slug(n)}-{700_000 + n}/"

    names = ("post-sitemap1", "post-sitemap2", "author-sitemap")
    index = "".join(f"<sitemap><loc>{SITE}/{name}.xml</loc></sitemap>" for name in names)
    pages = {
        "robots.txt": "Sitemap: /sitemap_index.xml",
        "sitemap_index.xml": f"<sitemapindex>{index}</sitemapindex>",
        "post-sitemap2.xml": urlset([shape(n) for n in range(40)]),
    }
    return site(shape, **pages), shape, "/sitemap_index.xml"


def html_for_a_feed() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/politics/{slug(n)}-a{3_000_000 + n}.html"

    listed = '<!DOCTYPE html><html><body><a href="/rss/all.xml">All</a></body></html>'
    pages = {"rss": listed, "rss/all.xml": rss([shape(n) for n in range(20)])}
    return site(shape, feed_link("/rss"), **pages), shape, "/rss/all.xml"


def feed_service() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/blog/2026/03/{slug(n)}"

    service = "https://feeds.service.example/news"
    return site(shape, feed_link(service), **{service: rss([shape(n) for n in range(20)], "")}), shape, "/news"


def guessed() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/article/{90_000 + n}"

    return site(shape, **{"rss.xml": rss([shape(n) for n in range(20)])}), shape, "/rss.xml"


def sections_only() -> tuple[dict[str, str], Shape, str]:
    def shape(n: int) -> str:
        return f"/{('politics', 'sport')[n % 2]}/{slug(n)}"

    return site(shape), shape, "/"


@pytest.mark.parametrize(
    "habit", [wordpress, robots_only, index_of_sitemaps, html_for_a_feed, feed_service, guessed, sections_only]
)
def test_sources_are_found_and_the_rule_tells_articles_from_the_rest(
    habit: Callable[[], tuple[dict[str, str], Shape, str]],
) -> None:
    pages, shape, source = habit()
    declared, learned = onboard(pages)
    sources = (*declared.feeds, *declared.sitemaps, *declared.sections)
    assert sources
    assert sources[0].endswith(source)
    assert len(sources) == 1 or source == "/"
    assert all(learned.rule.accepts(f"{SITE}{shape(n)}") for n in range(40, 80)), learned.patterns
    others = ["/", "/politics/", "/sport/", "/sport/football/", "/about/", "/login", "/tag/bridge/", "/a.pdf", "/?s=x"]
    assert not [path for path in others if learned.rule.accepts(f"{SITE}{path}")], learned.patterns
    assert declared.language == "en"


def test_the_docstring_of_a_declaration_names_all_that_its_rules_look_for() -> None:
    meanings = tuple(f"what the rule number {number} looks for" for number in range(9))
    text = render(
        Declaration(name="one", title="One", domains=("one.example",), home="https://one.example/", meanings=meanings)
    )
    tree = ast.parse(text)
    (spider,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert " ".join((ast.get_docstring(spider) or "").split()) == f"Articles: {'; '.join(meanings)}."
    assert max(map(len, text.splitlines())) <= 120
