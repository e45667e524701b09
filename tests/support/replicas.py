"""Local sites with the publishing habits of replica_habits.py, for tests of `newscrawl add-site`.

All of them are served by one server on loopback, each under a name of its own (`wordpress.localhost`); a replica serves
exactly what its habit (replica_habits.py) names and answers 404 to everything else. The texts are made of sentences
that were written for this project.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.testing.news_server import Answer, NewsServer

DESKS: Final = ("politics", "sport", "culture")
_WHO: Final = {
    "en": ("The city council", "A group of teachers", "The harbour board", "The orchestra", "The old brewery"),
    "es": ("El ayuntamiento", "Un grupo de maestros", "La junta del puerto", "La orquesta", "La antigua fábrica"),
    "zh": ("市议会", "一群教师", "港务局", "交响乐团", "老啤酒厂"),
}
_WHAT: Final = {
    "en": ("votes for a new bridge", "opens its doors to visitors", "asks for more time", "sells the northern quay"),
    "es": ("aprueba un puente nuevo", "abre sus puertas a los vecinos", "pide más tiempo", "vende el muelle del norte"),
    "zh": ("投票决定修建新的大桥", "向游客开放大门", "要求更多时间", "出售北部码头"),
}
_SENTENCES: Final = {
    "en": (
        "The plan had been on the table for more than a year, and nobody in the room expected it to pass so soon.",
        "Neighbours who have lived along the river for decades said they were glad that somebody had listened to them.",
        "It is not the first time that the matter has been put off, but the mood this week was different from before.",
        "According to the report, the work will cost less than was feared and should be finished before the winter.",
        "Those who are against it have announced that they will take the decision to the court in the coming days.",
        "In the afternoon the square was full of people who had come to see for themselves what was going to change.",
    ),
    "es": (
        "El plan llevaba más de un año sobre la mesa y nadie en la sala esperaba que se aprobara tan pronto.",
        "Los vecinos que viven junto al río desde hace décadas dijeron que se alegraban de que alguien los escuchara.",
        "No es la primera vez que el asunto se aplaza, pero el ambiente de esta semana era distinto al de otras veces.",
        "Según el informe, las obras costarán menos de lo que se temía y deberían estar listas antes del invierno.",
        "Quienes están en contra han anunciado que llevarán la decisión a los tribunales en los próximos días.",
        "Por la tarde la plaza estaba llena de gente que había venido a ver con sus propios ojos lo que iba a cambiar.",
    ),
    "zh": (
        "这项计划已经在桌上放了一年多，会议室里没有人预料到它会这么快就获得通过。",
        "几十年来一直住在河边的居民们说，他们很高兴终于有人愿意倾听他们的意见。",
        "这件事情并不是第一次被推迟，但是这个星期的气氛和以前完全不一样了。",
        "根据这份报告，工程的费用比原先担心的要少，并且应该能够在冬天到来之前完成。",
        "反对这项决定的人已经宣布，他们将在未来几天之内把这个决定提交给法院审理。",
        "下午广场上挤满了人，他们都是专门前来亲眼看看这里将会发生什么变化的。",
    ),
}


@dataclass(frozen=True, slots=True)
class ReplicaArticle:
    """An article without markup."""

    number: int
    title: str
    paragraphs: tuple[str, ...]
    published: datetime

    @property
    def slug(self) -> str:
        """Returns a unique slug: the words of the title joined by hyphens, and the number in words."""
        plain = "".join(c if c.isascii() and c.isalnum() else " " for c in self.title.lower())
        return "-".join([*plain.split(), "abcdefghijklmnopqrstuvwxyz"[self.number % 26] * 3])


def make_stories(seed: int, count: int, language: str, now: datetime) -> list[ReplicaArticle]:
    """Returns stories with different titles and texts, the newest first, five hours apart."""
    chance = random.Random(seed)
    language = language if language in _WHO else "en"
    titles = [f"{who} {what}" if language != "zh" else who + what for who in _WHO[language] for what in _WHAT[language]]
    chance.shuffle(titles)
    stories = []
    for number in range(count):
        sentences = list(_SENTENCES[language])
        chance.shuffle(sentences)
        joint = "" if language == "zh" else " "
        count_of = "" if language == "zh" else f" No. {seed}-{number}."
        paragraphs = tuple(
            joint.join([sentences[i], sentences[(i + 2) % 6], sentences[(i + 3) % 6]]) + count_of for i in range(4)
        )
        stories.append(
            ReplicaArticle(number, titles[number % len(titles)], paragraphs, now - timedelta(hours=5 * number + 1))
        )
    return stories


@dataclass(slots=True)
class Replica:
    """A site. `pages` has answers by host and path; `titles` maps the addresses of articles to their titles."""

    name: str
    origin: str
    language: str = "en"
    layout: int = 0
    pages: dict[str, Any] = field(default_factory=dict)
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
        """Serves `body` at a path or at a whole address; that of a redirect is its target. Returns the address."""
        url = path if path.startswith("http") else self.origin + path
        data, headers = body.encode() if isinstance(body, str) else body, {"content-type": kind}
        if 300 <= status < 400:
            data, headers = b"", {**headers, "location": data.decode()}
        self.pages[url.removeprefix("http://")] = (status, headers, data)
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


def rss(
    site: Replica,
    links: Iterable[tuple[str, ReplicaArticle]],
    *,
    title: str = "",
    version: str = "2.0",
    extra: str = "",
) -> str:
    """An RSS feed."""
    items = "".join(
        f"<item><title>{escape(story.title)}</title><link>{escape(url)}</link><pubDate>{format_datetime(story.published)}"
        f"</pubDate></item>"
        for url, story in links
    )
    return (
        f'<?xml version="1.0"?><rss version="{version}"><channel><title>{title or site.name}</title>'
        f"<link>{site.home}</link><language>{site.language}</language>{extra}{items}</channel></rss>"
    )


def atom(site: Replica, links: Iterable[tuple[str, ReplicaArticle]]) -> str:
    """An Atom feed."""
    entries = "".join(
        f'<entry><title>{escape(story.title)}</title><link href="{escape(url)}"/><id>{escape(url)}</id>'
        f"<updated>{story.published.isoformat()}</updated></entry>"
        for url, story in links
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{site.name}</title>{entries}</feed>'


def sitemap(links: Iterable[str | tuple[str, ReplicaArticle]], *, news: str | None = None) -> str:
    """Returns a sitemap; with `news`, a language, a news sitemap."""
    entries = []
    for link in links:
        url, story = (link, None) if isinstance(link, str) else link
        date = ""
        if news and story:
            date = (
                f"<news:news><news:publication><news:name>n</news:name><news:language>{news}</news:language>"
                f"</news:publication><news:publication_date>{story.published.isoformat()}</news:publication_date>"
                f"<news:title>{escape(story.title)}</news:title></news:news>"
            )
        elif story:
            date = f"<lastmod>{story.published.isoformat()}</lastmod>"
        entries.append(f"<url><loc>{escape(url)}</loc>{date}</url>")
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {spaces}>{"".join(entries)}</urlset>'


def index(children: Iterable[tuple[str, datetime | None]]) -> str:
    """A sitemap index."""
    entries = "".join(
        f"<sitemap><loc>{escape(url)}</loc>{f'<lastmod>{when.isoformat()}</lastmod>' if when else ''}</sitemap>"
        for url, when in children
    )
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'


def alternate(href: str, kind: str = "application/rss+xml", title: str = "") -> str:
    """Returns the link element that announces a feed in the head of a page."""
    return f'<link rel="alternate" type="{kind}" title="{title}" href="{href}">'


def packed(text: str) -> bytes:
    """Returns the body compressed by gzip."""
    return gzip.compress(text.encode(), mtime=0)


STORIES: Final = 14


class Replicas(NewsServer):
    """Serves the sites on loopback until `close`, or the end of a with statement."""

    def __init__(self) -> None:
        super().__init__()
        self.sites: list[Replica] = []
        self.now = datetime.now(UTC).replace(microsecond=0)

    @property
    def addresses(self) -> list[str]:
        """Host and path of every request."""
        return [address for address, _ in self.log]

    def site(self, name: str, *, language: str = "en", layout: int = 0, stories: int = STORIES) -> Replica:
        """Adds an empty site with the name NAME.localhost."""
        site = Replica(name, f"http://{name}.localhost:{self.port}", language, layout, self.pages)
        site.stories = make_stories(len(self.sites) + 1, stories, language, self.now)
        self.sites.append(site)
        return site

    def answer(self, path: str, etag: str | None, host: str = "") -> Answer:
        """As the server does, but for sites that have a page for what does not exist."""
        if host + path not in self.pages and path != "/robots.txt":
            path = next((site.missing for site in self.sites if site.missing and site.origin == f"http://{host}"), path)
        return super().answer(path, etag, host)
