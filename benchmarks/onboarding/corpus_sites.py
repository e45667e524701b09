"""Sites made of a corpus's pages: one for each domain with three or more, under a name of its own.

Corpora have no front pages, feeds and sitemaps; these are ours and take turns: an announced feed, a news sitemap in
robots.txt, a feed that must be guessed, a front page alone. Titles in the feeds are the pages' ids: a right title can
only come from the page.
"""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from replicas import Replica, ReplicaArticle, Replicas, alternate, rss, sitemap

from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.discovery.links.article_urls import is_home
from newscrawl.discovery.links.resolve import key_of
from newscrawl.identity import clean_url

MIN_PAGES: Final = 3
SAME: Final = 0.9
"""Likeness (difflib) of titles, letters and digits only, from which they are the same: corpora differ in quotes."""


def corpus_sites(server: Replicas, folder: Path, most: int) -> list[Replica]:
    """At most `most` sites of a corpus, those with the most pages first."""
    groups: defaultdict[str, dict[str, GoldPage]] = defaultdict(dict)
    for page in read_corpus(folder).pages:
        key = key_of(page.url) if page.url else None
        if page.url and page.domain and page.title and key and not is_home(page.url):
            groups[page.domain].setdefault(key, page)
    large = sorted((group for group in groups.items() if len(group[1]) >= MIN_PAGES), key=lambda g: (-len(g[1]), g[0]))
    return [_site(server, number, domain, list(pages.values())) for number, (domain, pages) in enumerate(large[:most])]


def _site(server: Replicas, number: int, domain: str, pages: list[GoldPage]) -> Replica:
    name = f"{re.sub('[^a-z0-9]+', '', domain.lower())}c{number}"
    site = server.site(name, language=pages[0].language or "en", layout=0, stories=0)
    links: list[tuple[str, ReplicaArticle]] = []
    for position, page in enumerate(pages):
        parts = urlsplit(clean_url(page.url or ""))  # as the crawler will ask for it
        url = site.put(f"{parts.path}?{parts.query}" if parts.query else parts.path, page.body(), "text/html")
        site.titles[url] = page.title or ""
        links.append((url, ReplicaArticle(position, page.id, ("",), server.now)))
    feed = rss(site, links)
    way = number % 4
    if way == 0:
        site.source("/feed/", feed)
    elif way == 1:
        url = site.source("/maps/news.xml", sitemap(links, news=site.language))
        site.robots(f"Sitemap: {url}")
    elif way == 2:
        site.source("/rss.xml", feed)
    cards = [(url, ReplicaArticle(0, site.titles[url], ("",), server.now)) for url, _ in links]
    site.front(cards, head=alternate("/feed/") if way == 0 else "", nav=["/politics/", "/sport/", "/author/ana-paz/"])
    return site


def same_title(found: str | None, gold: str) -> bool:
    """Returns whether a title is the gold one, except for quotes, dashes and capitals."""
    one, other = (re.sub(r"\W+", "", text or "").casefold() for text in (found, gold))
    return one == other or difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= SAME
