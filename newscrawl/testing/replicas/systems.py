"""Sites as publishing systems lay them out: habits 1 to 9 of docs/reference/publishing-habits.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from newscrawl.testing.replicas.site import Replica
from newscrawl.testing.replicas.sources import alternate, atom, index, rss, sitemap
from newscrawl.testing.replicas.stories import DESKS, ReplicaArticle

Habit = Callable[[Replica], None]
CODE: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ234567"


def desk(story: ReplicaArticle) -> str:
    """Returns the section of a story."""
    return DESKS[story.number % len(DESKS)]


def code(story: ReplicaArticle) -> str:
    """Returns 26 letters and digits, as in addresses of the system Arc."""
    return "".join(CODE[(story.number * 7 + i * 11 + i * i) % len(CODE)] for i in range(26))


def wordpress_dates(site: Replica) -> None:
    """1: a date in the path, /feed/ and /comments/feed/, wp-sitemap.xml in robots.txt."""
    links = site.articles(lambda s: f"/{s.published:%Y/%m/%d}/{s.slug}/")
    site.source("/feed/", rss(site, links))
    comments = rss(site, [(f"{links[0][0]}#comment-1", links[0][1])], title="Comments")
    site.put("/comments/feed/", comments)
    site.put("/wp-sitemap.xml", index([(f"{site.origin}/wp-sitemap-posts-post-1.xml", None)]))
    site.put("/wp-sitemap-posts-post-1.xml", sitemap(links))
    site.robots(f"Sitemap: {site.origin}/wp-sitemap.xml")
    head = alternate("/feed/", title="Feed") + alternate("/comments/feed/", title="Comments Feed")
    nav = [
        "/category/politics/",
        "/category/sport/",
        "/tag/bridge/",
        "/author/ana-paz/",
        f"/{site.stories[0].published:%Y/%m}/",
    ]
    site.front(links[:10], head=head, nav=nav)


def wordpress_slugs(site: Replica) -> None:
    """2: plain slugs, an index of sitemaps with pages, categories and authors."""
    links = site.articles(lambda s: f"/{s.slug}/")
    site.source("/feed/", rss(site, links[:10]))
    children = [(f"{site.origin}/{name}-sitemap.xml", site.stories[0].published) for name in ("post", "page", "author")]
    site.put("/sitemap_index.xml", index(children))
    site.put("/post-sitemap.xml", sitemap(links))
    site.put("/page-sitemap.xml", sitemap([f"{site.origin}/about-us/"]))
    site.robots(f"Sitemap: {site.origin}/sitemap_index.xml")
    site.front(links[:10], head=alternate("/feed/"), nav=["/category/politics/", "/category/sport/", "/about-us/"])


def wordpress_sitemap_only(site: Replica) -> None:
    """2 with the feed turned off: the sitemap index is the only source."""
    wordpress_slugs(site)
    del site.pages[f"{site.origin}/feed/".removeprefix("http://")]
    site.sources = {f"{site.origin}/sitemap_index.xml"}
    links = [(url, story) for (url, _), story in zip(site.titles.items(), site.stories, strict=True)]
    site.front(links[:10], nav=["/category/politics/", "/category/sport/", "/about-us/"])


def drupal(site: Replica) -> None:
    """3: two forms of article addresses, /rss.xml, /sitemap.xml?page=1."""
    links = site.articles(lambda s: f"/node/{84000 + s.number}" if s.number % 2 else f"/news/{s.slug}")
    site.source("/rss.xml", rss(site, links))
    site.put("/sitemap.xml", index([(f"{site.origin}/sitemap.xml?page=1", None)]))
    site.put("/sitemap.xml?page=1", sitemap(links))
    site.front(links, head=alternate("/rss.xml"), nav=["/taxonomy/term/12", "/user/7", "/news", "/sport"])


def arc(site: Replica) -> None:
    """4: no feed in the head; feeds without file endings; base-32 codes and dates."""
    links = site.articles(
        lambda s: f"/{desk(s)}/{s.slug}-{code(s)}/" if s.number % 2 else f"/{desk(s)}/{s.published:%Y/%m/%d}/{s.slug}/"
    )
    site.source("/arc/outboundfeeds/rss/", rss(site, links))
    site.source("/arc/outboundfeeds/news-sitemap/", sitemap(links, news="en"))
    children = [f"{site.origin}/arc/outboundfeeds/sitemap/{page}/" for page in ("latest", "2026-01")]
    site.put("/arc/outboundfeeds/sitemap-index/", index([(url, None) for url in children]))
    site.source(children[0], sitemap(links))
    site.put(children[1], sitemap(links))
    site.sources.add(f"{site.origin}/arc/outboundfeeds/sitemap-index/")
    site.robots(f"Sitemap: {site.origin}/arc/outboundfeeds/sitemap-index/")
    site.front(links, nav=["/politics/", "/sport/", "/topic/old-town-bridge/"])


def blogger(site: Replica) -> None:
    """5: Atom and RSS at one address, archives of months, labels below /search."""
    links = site.articles(lambda s: f"/{s.published:%Y/%m}/{s.slug}.html")
    site.source("/feeds/posts/default", atom(site, links))
    site.source("/feeds/posts/default?alt=rss", rss(site, links))
    site.put("/sitemap.xml", index([(f"{site.origin}/sitemap.xml?page=1", None)]))
    site.put("/sitemap.xml?page=1", sitemap(links))
    head = alternate("/feeds/posts/default", "application/atom+xml") + alternate("/feeds/posts/default?alt=rss")
    nav = ["/search/label/Bridge", f"/{site.stories[0].published:%Y/%m}/", "/p/about.html"]
    site.front(links, head=head, nav=nav)


def home_made(site: Replica) -> None:
    """6: a number in the path; a link in the footer names the feed."""
    links = site.articles(lambda s: f"/noticia/{31000 + 17 * s.number}/{s.slug}")
    site.source("/rss", rss(site, links))
    site.front(links, nav=["/seccion/12", "/seccion/13", "/autor/4"], foot='<a href="/rss">RSS</a>')


def slug_number(site: Replica) -> None:
    """7: slugs that end with a number; twenty feeds of sections."""
    links = site.articles(lambda s: f"/{desk(s)}/local/{s.slug}_1_{4400000 + 13 * s.number}.html")
    site.source("/rss/home.xml", rss(site, links))
    names = [*DESKS, *(f"desk{n}" for n in range(17))]
    for name in names:
        site.put(f"/rss/{name}.xml", rss(site, [link for link in links if desk(link[1]) == name]))
    head = "".join(alternate(f"/rss/{name}.xml", title=name) for name in ("home", *names))
    site.source("/news-sitemap.xml", sitemap(links, news=site.language))
    site.robots(f"Sitemap: {site.origin}/news-sitemap.xml")
    site.front(links, head=head, nav=["/politics/", "/sport/local/", "/politics/local.html"])


def query_number(site: Replica) -> None:
    """8: a number in the query, RSS 0.91 in windows-1252."""
    links = site.articles(lambda s: f"/story.aspx?id={70100 + s.number}")
    feed = rss(site, links, version="0.91").replace('version="1.0"', 'version="1.0" encoding="windows-1252"', 1)
    site.source("/rss.aspx", feed.encode("cp1252", "replace"))
    site.front(links, head=alternate("/rss.aspx"), nav=["/list.aspx?section=3", "/list.aspx?section=4"])


def static_generator(site: Replica) -> None:
    """9: Atom at /feed.xml, a sitemap with every page."""
    links = site.articles(lambda s: f"/posts/{s.slug}/")
    site.source("/feed.xml", atom(site, links))
    site.put("/sitemap.xml", sitemap([*links, f"{site.origin}/tags/bridge/", f"{site.origin}/about/"]))
    site.front(links, head=alternate("/feed.xml", "application/atom+xml"), nav=["/tags/bridge/", "/about/", "/posts/"])
