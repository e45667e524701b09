"""22 habits by which sites announce their sources and name their articles: each function fills a replica with one.

For each, `newscrawl add-site` must find a readable source that names articles, a rule that accepts the articles and
refuses all other addresses, and the titles of the sampled articles. The number in a docstring is that of the habit; 1
to 9 are those of publishing systems.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from replicas import DESKS, Replica, ReplicaArticle, alternate, atom, index, packed, rss, sitemap

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


MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def robots_sitemap(site: Replica) -> None:
    """10: a news sitemap is on another host and named only in robots.txt."""
    links = site.articles(lambda s: f"/story/{55000 + s.number}/{s.slug}")
    url = f"{site.host(f'cdn.{site.name}maps')}/maps/site-news.xml"
    site.source(url, sitemap(links, news=site.language))
    site.robots(f"Sitemap: {url}")
    site.front(links, nav=["/topics/12/bridges", "/topics/13/harbour"])


def packed_sitemaps(site: Replica) -> None:
    """11: the sitemap index and its children are compressed, whatever their names are."""
    links = site.articles(lambda s: f"/a/{code(s)[:6]}/{s.slug}")
    half = len(links) // 2
    children = [(f"{site.origin}/sitemaps/{name}", None) for name in ("2.xml", "1.xml.gz")]
    site.source("/sitemaps/index.xml.gz", packed(index(children)), "application/x-gzip")
    site.put("/sitemaps/2.xml", packed(sitemap(links[:half])), "application/xml")
    site.put("/sitemaps/1.xml.gz", sitemap(links[half:]), "application/xml")
    site.robots(f"Sitemap: {site.origin}/sitemaps/index.xml.gz")
    site.front(links, nav=["/k/harbour", "/k/old-town"])


def days(site: Replica) -> None:
    """12: a sitemap index of years leads to indexes of months and of days, without dates."""
    links = site.articles(lambda s: f"/{s.published:%Y}/{MONTHS[s.published.month - 1]}/{s.published:%d}/{s.slug}")
    tree: dict[str, list[tuple[str, ReplicaArticle]]] = {}
    for link in links:
        tree.setdefault(f"{link[1].published:%Y-%m-%d}", []).append(link)
    for day, listed in tree.items():
        site.put(f"/sitemap-{day}.xml", sitemap([url for url, _ in listed]))
    months = sorted({day[:7] for day in tree})
    for month in months:
        names = [day for day in tree if day.startswith(month)]
        site.put(f"/sitemap-{month}.xml", index([(f"{site.origin}/sitemap-{day}.xml", None) for day in names]))
    years = sorted({month[:4] for month in months} | {"2019"})
    for year in years:
        names = [month for month in months if month.startswith(year)]
        site.put(f"/sitemap-{year}.xml", index([(f"{site.origin}/sitemap-{month}.xml", None) for month in names]))
    site.source("/sitemap.xml", index([(f"{site.origin}/sitemap-{year}.xml", None) for year in years]))
    site.robots(f"Sitemap: {site.origin}/sitemap.xml")
    site.front(links[:5], nav=["/politics/all", "/sport/all"])


def sections_alone(site: Replica) -> None:
    """13: no feed and no sitemap; front page and sections link to articles with cards."""
    links = site.articles(lambda s: f"/{desk(s)}/{s.slug}")
    nav = ["/politics/", "/sport/", "/culture/", "/politics/elections"]
    for name in DESKS:
        site.front([link for link in links if desk(link[1]) == name], path=f"/{name}/", nav=nav)
    site.front(links[:6], nav=nav, foot='<a href="/about/our-history-and-values">Our history</a>')


def endless_scroll(site: Replica) -> None:
    """14: ten links, and thirty articles in a JSON-LD ItemList."""
    links = site.articles(lambda s: f"/article/{s.slug}-0c6f{s.number:04x}-1b2c-4d3e-8f90-{s.number * 7919:012x}")
    items = [{"@type": "ListItem", "position": n + 1, "url": url} for n, (url, _) in enumerate(links)]
    statement = json.dumps({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": items})
    script = f'<script type="application/ld+json">{statement}</script>'
    nav = ["/section/politics", "/section/sport"]
    for place in nav:
        site.front(links[:4], path=place, nav=nav, extra=script)
    site.front(links[:4], nav=nav, head=script)


def amp(site: Replica) -> None:
    """15: the feed lists two addresses of every article."""
    links = site.articles(lambda s: f"/{s.slug}-{810000 + s.number}.html")
    variants = [(site.article(f"/amp/{s.slug}-{810000 + s.number}.html", s), s) for _, s in links]
    site.source("/rss.xml", rss(site, [link for pair in zip(links, variants, strict=True) for link in pair]))
    site.front(links, head=alternate("/rss.xml"), nav=["/politics/", "/amp/"])


def languages(site: Replica) -> None:
    """16: each language has a feed; the hreflang links are not feeds."""
    links = site.articles(lambda s: f"/{'en' if s.number % 2 else 'es'}/{s.slug}-{64000 + s.number}")
    head = '<link rel="alternate" hreflang="es" href="/es/"><link rel="alternate" hreflang="en" href="/en/">'
    for name in ("en", "es"):
        site.source(f"/{name}/rss", rss(site, [link for link in links if f"/{name}/" in link[0]]))
        head += alternate(f"/{name}/rss", title=name)
    site.source("/news.xml", sitemap(links, news="en"))
    site.robots(f"Sitemap: {site.origin}/news.xml")
    site.front(links, head=head, nav=["/en/", "/es/"])


def feed_service(site: Replica) -> None:
    """17: a feed service has the feed and redirects its links; feedburner:origLink names the article."""
    links = site.articles(lambda s: f"/blog/{s.published:%Y/%m}/{s.slug}")
    service = site.host(f"feeds.{site.name}burner")
    feed = rss(site, [(f"{service}/~r/{story.number}", story) for _, story in links])
    for url, story in links:
        feed = feed.replace(
            f"<link>{service}/~r/{story.number}</link>",
            f"<link>{service}/~r/{story.number}</link><feedburner:origLink>{url}</feedburner:origLink>",
        )
    feed = feed.replace("<rss ", '<rss xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" ', 1)
    url = site.source(f"{service}/site", feed)
    site.front(links, head=alternate(url), nav=["/blog/", "/about/"])


def page_of_feeds(site: Replica) -> None:
    """18: /rss is a page that lists feeds."""
    links = site.articles(lambda s: f"/{desk(s)}/{s.slug}-a{91000 + s.number}.html")
    for name in DESKS:
        site.source(f"/rss/{name}.xml", rss(site, [link for link in links if desk(link[1]) == name]))
    listed = "".join(f'<li><a href="/rss/{name}.xml">{name}</a></li>' for name in DESKS)
    site.put("/rss", f"<!doctype html><html><head><title>Our feeds</title></head><body><ul>{listed}</ul></body></html>")
    site.front(links, head=alternate("/rss"), nav=["/politics", "/sport"])


def json_feed(site: Replica) -> None:
    """19: a JSON feed and no XML."""
    links = site.articles(lambda s: f"/{s.published:%Y-%m-%d}/{s.slug}")
    items = [{"id": u, "url": u, "title": s.title, "date_published": s.published.isoformat()} for u, s in links]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": site.name,
        "home_page_url": site.home,
        "items": items,
    }
    site.source("/feed.json", json.dumps(feed), "application/feed+json")
    site.front(links, head=alternate("/feed.json", "application/feed+json"), nav=["/archive", "/about"])


def no_spaces(site: Replica) -> None:
    """20: Chinese without slugs; a link in the footer names a feed in GB2312."""
    links = site.articles(lambda s: f"/c/{s.published:%Y-%m-%d}/{15100000 + s.number}.shtml")
    feed = rss(site, links).replace('version="1.0"', 'version="1.0" encoding="gb2312"', 1)
    site.source("/feedlist.xml", feed.encode("gb18030"))
    site.front(links, nav=["/c/", "/roll/", "/zt/bridge"], foot='<a href="/feedlist.xml">RSS</a>')


def subdomains(site: Replica) -> None:
    """21: an empty front page; each section has a host that announces a feed."""
    desks = [site.host(name) for name in ("sport", "regional")]
    half = len(site.stories) // 2
    links = [
        (site.article(f"{desks[story.number >= half]}/{47000 + story.number}/{story.slug}", story), story)
        for story in site.stories
    ]
    for number, origin in enumerate(desks):
        own = links[number * half : (number + 1) * half]
        site.source(f"{origin}/rss", rss(site, own))
        site.front(own, path=f"{origin}/", head=alternate("/rss"))
    site.front([], nav=[f"{origin}/" for origin in desks])


def everything_lies(site: Replica) -> None:
    """22: an old empty feed, a sitemap that answers 404, and status 200 for missing pages; the valid feed is at a
    usual address."""
    links = site.articles(lambda s: f"/{s.slug}-{2600000 + s.number}")
    site.put("/feed/", rss(site, []), "application/rss+xml")
    site.source("/news-sitemap.xml", sitemap(links, news=site.language))
    site.robots(f"Sitemap: {site.origin}/sitemap-of-old.xml")
    site.put("/sitemap-of-old.xml", "gone", "text/plain", 404)
    site.front(links, head=alternate("/feed/"), nav=["/politics", "/sport"])
    site.missing = "/"


HABITS: Final[tuple[tuple[Habit, str, int], ...]] = (
    (wordpress_dates, "en", 0),
    (wordpress_slugs, "en", 1),
    (wordpress_sitemap_only, "en", 0),
    (drupal, "en", 2),
    (arc, "en", 1),
    (blogger, "es", 0),
    (home_made, "es", 2),
    (slug_number, "es", 1),
    (query_number, "en", 2),
    (static_generator, "en", 0),
    (robots_sitemap, "en", 1),
    (packed_sitemaps, "en", 0),
    (days, "en", 1),
    (sections_alone, "en", 0),
    (endless_scroll, "en", 1),
    (amp, "es", 1),
    (languages, "en", 0),
    (feed_service, "en", 0),
    (page_of_feeds, "es", 2),
    (json_feed, "en", 0),
    (no_spaces, "zh", 0),
    (subdomains, "en", 1),
    (everything_lies, "en", 2),
    (wordpress_dates, "es", 2),
    (arc, "es", 2),
    (home_made, "en", 1),
    (days, "es", 0),
    (sections_alone, "es", 1),
    (no_spaces, "zh", 2),
    (everything_lies, "es", 0),
)
"""Thirty replicas: every habit, some in other languages and other mark-up."""
