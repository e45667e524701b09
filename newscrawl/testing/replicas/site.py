"""The pages of a local site."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final
from urllib.parse import urlsplit

from newscrawl.testing.replicas.stories import ReplicaArticle


@dataclass(slots=True)
class Replica:
    """A site. `pages` maps host and path to status, content type and body; `titles` maps the paths of articles to
    their titles."""

    name: str
    origin: str
    language: str = "en"
    layout: int = 0
    pages: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    sources: set[str] = field(default_factory=set)
    """Addresses one of which must be found; empty where sections are all there is."""
    others: list[str] = field(default_factory=list)
    """Paths that the learned rule must refuse."""
    missing: str | None = None
    """Path of the page that is served, with status 200, for what does not exist."""
    stories: list[ReplicaArticle] = field(default_factory=list)

    @property
    def home(self) -> str:
        """Returns the address of the front page."""
        return f"{self.origin}/"

    def host(self, label: str) -> str:
        """Returns the origin of another host of this site ("sport") or of another site ("cdn.other")."""
        parts = urlsplit(self.origin)
        own = "" if "." in label else f".{self.name}"
        return f"http://{label}{own}.localhost:{parts.port}"

    def put(self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8", status: int = 200) -> str:
        """Serves `body` at a path or at a whole address. Returns the address."""
        url = path if path.startswith("http") else self.origin + path
        self.pages[url.removeprefix("http://")] = (status, kind, body.encode() if isinstance(body, str) else body)
        return url

    def source(self, path: str, body: str | bytes, kind: str = "application/xml") -> str:
        """Serves a source that add-site is expected to find."""
        url = self.put(path, body, kind)
        self.sources.add(url)
        return url

    def article(self, path: str, story: ReplicaArticle) -> str:
        """Serves a story at a path. Returns its address."""
        url = self.put(path, page_of(self, story, path))
        self.titles[url] = story.title
        return url

    def articles(self, path: Callable[[ReplicaArticle], str]) -> list[tuple[str, ReplicaArticle]]:
        """Serves all stories. Returns addresses and stories, the newest first."""
        return [(self.article(path(story), story), story) for story in self.stories]

    def front(
        self,
        links: Iterable[tuple[str, ReplicaArticle]],
        *,
        head: str = "",
        foot: str = "",
        nav: Sequence[str] = (),
        path: str = "/",
        extra: str = "",
    ) -> str:
        """Returns a page that lists articles, with navigation and footer."""
        cards = "".join(
            f'<div class="card"><h3><a href="{url}">{escape(story.title)}</a></h3><p>{story.paragraphs[0]}</p></div>'
            for url, story in links
        )
        menu = "".join(f'<li><a href="{place}">{_name_of(place)}</a></li>' for place in nav)
        name = f"{self.name.title()} News"
        self.others += [place for place in nav if place.startswith("/")]
        return self.put(
            path,
            f'<!doctype html><html lang="{self.language}"><head><meta charset="utf-8"><title>{name}</title>'
            f'<meta property="og:site_name" content="{name}">{head}</head><body><header><nav><ul>{menu}</ul></nav>'
            f"</header><main>{cards}{extra}</main><footer>{_FOOT}{foot}</footer></body></html>",
        )

    def robots(self, *lines: str) -> None:
        """Serves robots.txt."""
        self.put("/robots.txt", "\n".join(["User-agent: *", "Disallow: /admin/", *lines]) + "\n", "text/plain")


_FOOT: Final = (
    '<a href="/about-us/">About us</a><a href="/terms-and-conditions-of-use/">Terms</a><a href="/login">Log in</a>'
    '<a href="/search?q=">Search</a><a href="https://social.example/site">Follow us</a>'
    '<a href="/newsletter">Newsletter</a>'
)


def _name_of(place: str) -> str:
    words = [word for word in urlsplit(place).path.split("/") if word] or [urlsplit(place).netloc.partition(".")[0]]
    return words[-1].replace("-", " ").title()


def page_of(site: Replica, story: ReplicaArticle, path: str) -> str:
    """Returns the page of an article, in one of three kinds of markup."""
    when, title = story.published.isoformat(), escape(story.title)
    text = "".join(f"<p>{paragraph}</p>" for paragraph in story.paragraphs)
    others = [other for other in site.stories if other.number != story.number][:4]
    related = "".join(f'<li><a href="/more-{other.number}">{escape(other.title)}</a></li>' for other in others)
    name = f"{site.name.title()} News"
    menu = '<nav><a href="/">Home</a><a href="/politics/">Politics</a><a href="/sport/">Sport</a></nav>'
    if site.layout % 3 == 0:
        head = f'<meta property="og:title" content="{title}"><meta property="article:published_time" content="{when}">'
        body = (
            f'<article class="post"><h1 class="entry-title">{title}</h1>'
            f'<p class="byline">By <a href="/author/ana-paz/">Ana Paz</a> '
            f'<time datetime="{when}">{story.published:%d/%m/%Y}</time></p>'
            f'<div class="entry-content">{text}</div></article>'
        )
    elif site.layout % 3 == 1:
        statement = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": story.title,
            "datePublished": when,
        }
        head = f'<script type="application/ld+json">{json.dumps(statement)}</script>'
        body = f'<div id="content"><div class="top"><h1>{title}</h1></div><div class="text">{text}</div></div>'
    else:
        head = f'<meta name="date" content="{when}">'
        body = f'<table><tr><td><h2 class="titulo">{title}</h2></td></tr><tr><td><div>{text}</div></td></tr></table>'
    return (
        f'<!doctype html><html lang="{site.language}"><head><meta charset="utf-8">'
        f"<title>{title} | {name}</title>{head}</head><body>{menu}{body}"
        f"<aside><h4>Most read</h4><ul>{related}</ul></aside><footer>{_FOOT}</footer></body></html>"
    )
