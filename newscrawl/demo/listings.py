"""The sources of stories: RSS and Atom feed, news sitemap, front page and section pages; and robots.txt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from typing import Final

from newscrawl.demo import noise, oddities
from newscrawl.demo.story import DemoStory, Language
from newscrawl.demo.templates import parts
from newscrawl.demo.templates.parts import Around

CRAWL_DELAY: Final = 0.1
"""Seconds that robots.txt asks crawlers to wait between requests."""

SITEMAP_PATH: Final = "/sitemap-news.xml"
FEED_LENGTH: Final = 24
"""Stories in a feed; older ones are found through section pages and the sitemap."""
TRACKING: Final = "?utm_source=feed&utm_medium=rss"
"""The query that the feeds add to every story's address."""

Entry = tuple[str, str]
"""An address and its title."""


def newest_first(stories: Iterable[DemoStory]) -> list[DemoStory]:
    """Returns the stories that feeds and section pages show, the latest first. A story without a date counts as the
    oldest."""
    shown = [story for story in stories if not story.in_sitemap_only]
    return sorted(shown, key=lambda s: s.published or datetime.min.replace(tzinfo=UTC), reverse=True)


def robots(around: Around) -> bytes:
    """robots.txt: one forbidden folder, a Crawl-delay and the sitemap."""
    return (
        "# Welcome. Please do not hurry.\nUser-agent: *\nDisallow: /members/\n"
        f"Crawl-delay: {CRAWL_DELAY}\n\nSitemap: {around.base}{SITEMAP_PATH}\n"
    ).encode()


def rss(stories: Sequence[DemoStory], around: Around) -> bytes:
    """The English feed: the newest stories, and some links that end badly."""
    items = "\n".join(_rss_item(story, around) for story in newest_first(stories)[:FEED_LENGTH])
    odd = "\n".join(
        f"<item><title>{escape(title)}</title><link>{escape(url)}</link></item>" for url, title in _odd_entries(around)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>{noise.SITE_NAMES["en"]}</title><link>{around.url("/")}</link>
<description>News from Lanternhead and the coast</description><language>en</language>
{items}
{odd}
</channel></rss>
""".encode()


def _odd_entries(around: Around) -> list[Entry]:
    return [
        (around.base + oddities.MOVED_PATH, "Bridge open"),
        (around.base + oddities.WITHDRAWN_PATH, "Notice"),
        (around.base + oddities.FAILING_PATH, "Bulletin of the press office"),
        (around.base + oddities.IMAGE_PATH, "Picture of the day"),
        (around.base + oddities.MEMBERS_PATH, "Diary of a councillor"),
        (around.base + oddities.REPRINT_PATH, oddities.REPRINT_TITLE),
        (oddities.ELSEWHERE, "What others write"),
    ]


def _rss_item(story: DemoStory, around: Around) -> str:
    link = around.url(story.path + TRACKING)
    date = f"<pubDate>{format_datetime(story.published)}</pubDate>" if story.published else ""
    creators = "".join(f"<dc:creator>{escape(author)}</dc:creator>" for author in story.authors)
    return (
        f'<item><title>{escape(story.title)}</title><link>{link}</link><guid isPermaLink="false">{story.number}</guid>'
        f"{date}{creators}<description>{escape(story.description)}</description></item>"
    )


def atom(stories: Sequence[DemoStory], around: Around) -> bytes:
    """The Spanish feed."""
    shown = newest_first(stories)[:FEED_LENGTH]
    entries = "\n".join(_atom_entry(story, around) for story in shown)
    updated = max((s.updated for s in shown if s.updated), default=datetime.min.replace(tzinfo=UTC))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es">
<title>{noise.SITE_NAMES["es"]}</title><id>{around.url("/es/")}</id><updated>{updated.isoformat()}</updated>
<link rel="self" href="{around.url(parts.feed("es"))}"/><link rel="alternate" href="{around.url("/es/")}"/>
{entries}
</feed>
""".encode()


def _atom_entry(story: DemoStory, around: Around) -> str:
    authors = "".join(f"<author><name>{escape(author)}</name></author>" for author in story.authors)
    published = f"<published>{story.published.isoformat()}</published>" if story.published else ""
    updated = f"<updated>{story.updated.isoformat()}</updated>" if story.updated else ""
    return (
        f"<entry><title>{escape(story.title)}</title><id>{around.url(story.path)}</id>"
        f'<link rel="alternate" type="text/html" href="{around.url(story.path + TRACKING)}"/>'
        f"{published}{updated}{authors}<summary>{escape(story.description)}</summary></entry>"
    )


def sitemap(stories: Sequence[DemoStory], around: Around) -> bytes:
    """The news sitemap: every story in both languages, and the second address of one."""
    urls = "\n".join(_sitemap_url(story, around.url(story.path)) for story in stories)
    twice = next((s for s in stories if s.number == oddities.TWICE), None)
    again = _sitemap_url(twice, around.url(oddities.SECOND_PATH)) if twice else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" \
xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
{urls}
{again}
</urlset>
""".encode()


def _sitemap_url(story: DemoStory, url: str) -> str:
    name = escape(noise.SITE_NAMES[story.language])
    date = f"<news:publication_date>{story.published.isoformat()}</news:publication_date>" if story.published else ""
    changed = f"<lastmod>{story.updated.isoformat()}</lastmod>" if story.updated else ""
    return (
        f"<url><loc>{url}</loc>{changed}<news:news><news:publication><news:name>{name}</news:name>"
        f"<news:language>{story.language}</news:language></news:publication>{date}"
        f"<news:title>{escape(story.title)}</news:title></news:news></url>"
    )


def listing(
    language: Language, heading: str, stories: Sequence[DemoStory], around: Around, extra: Iterable[Entry]
) -> bytes:
    """A front or section page: headlines with teasers, further links, navigation and an advert."""
    (advert,) = noise.adverts(language, around.hit, 1)
    teasers = "\n".join(
        f'<div class="teaser"><h2><a href="{around.url(story.path)}">{escape(story.title)}</a></h2>'
        f"<p>{escape(story.description)}</p></div>"
        for story in newest_first(stories)
    )
    links = "".join(f'<li><a href="{escape(url)}">{escape(title)}</a></li>' for url, title in extra)
    site = escape(noise.SITE_NAMES[language])
    kind = "rss" if language == "en" else "atom"
    return f"""<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{escape(heading)} | {site}</title>
<link rel="alternate" type="application/{kind}+xml" title="{site}" href="{around.url(parts.feed(language))}"></head>
<body><header><a href="{around.url(parts.home(language))}">{site}</a>
<nav><ul>{parts.navigation(language, around)}</ul></nav></header>
<div class="ad"><a href="http://adverts.invalid/{around.hit}">{escape(advert)}</a></div>
<main><h1>{escape(heading)}</h1>
{teasers}
<ul class="more">{links}</ul></main>
<footer><p>{parts.words(language, "rights")}</p></footer></body></html>
""".encode()
