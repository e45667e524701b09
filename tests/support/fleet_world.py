"""Hundreds of small news sites in one server process, with a log of every request: what a fleet crawls.

    python tests/support/fleet_world.py '{"sites": 200, "seed": 1, "log": "requests.jsonl", ...}'

Prints its port. Each site is http://siteN.localhost:PORT with a feed and a news sitemap that name the same articles,
articles that appear over time, some of which are edited later, links that robots.txt forbids, and now and then a plea
for rest (429 with Retry-After). Everything follows from the seed and the time since the start.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from fleet_stories import (
    FORBIDDEN,
    LISTED,
    SHARED,
    FleetArticle,
    WorldOptions,
    announces,
    stories_of,
    text_of,
)

from newscrawl.demo.keep_alive import IDLE_SECONDS

BUILDS: Final = 10.0
"""Seconds between two builds of a sitemap that lies."""


@dataclass(slots=True)
class LocalSite:
    """One site. `pleas` decides which requests are answered with 429 or 503."""

    name: str
    stories: list[FleetArticle]
    chance: random.Random = field(default_factory=random.Random)

    def listed(self, now: float) -> list[FleetArticle]:
        """Returns the newest stories at a moment, newest first."""
        return [story for story in self.stories if story.at <= now][-LISTED:][::-1]


class World:
    """The server's state and handlers."""

    def __init__(self, options: WorldOptions) -> None:
        self.options = options
        self.began = time.time()
        self.sites = {
            f"site{number}.localhost": LocalSite(
                f"site{number}",
                stories_of(number, options),
                random.Random(f"pleas {options.seed} {number}"),
            )
            for number in range(options.sites)
        }
        self._of_feeds: dict[str, random.Random] = {}
        self._log = Path(options.log).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115  lives as the process

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Logs a request with its begin and end, and answers it."""
        begun = time.time()
        host = request.host.partition(":")[0]
        site = self.sites.get(host)
        if site is not None:
            answer = self._answer(site, request, begun - self.began)
        else:
            answer = self._shared_feed(host, request, begun - self.began)
        line = {"host": host, "path": request.path, "begun": begun, "agent": request.headers.get("User-Agent")}
        if self.options.hang and request.path.endswith(self.options.hangs):
            self._write(line)
            await asyncio.sleep(self.options.hang)
        # Before it is sent: who has the answer may ask again, or look here, before this process continues.
        self._write(
            {
                **line,
                "ended": time.time(),
                "status": answer.status,
                "tag": answer.headers.get("ETag"),
                "asked": request.headers.get("If-None-Match"),
                "rest": answer.headers.get("Retry-After"),
            }
        )
        await answer.prepare(request)
        await answer.write_eof()
        return answer

    def _shared_feed(self, host: str, request: web.Request, now: float) -> web.Response:
        """Returns the feed of a site on a host that several sites share: http://feeds0.localhost/site1.xml."""
        owner = f"{request.path.strip('/').removesuffix('.xml')}.localhost"
        if not host.startswith(SHARED) or (owner not in self.sites and request.path != "/robots.txt"):
            return web.Response(status=404, text="not found")
        if request.path == "/robots.txt":
            return web.Response(text=f"User-agent: *\nCrawl-delay: {self.options.delay}\n")
        chance = self._of_feeds.setdefault(host, random.Random(f"pleas {self.options.seed} {host}"))
        if (plea := self._plea(chance)) is not None:
            return plea
        _, _, port = request.host.partition(":")
        return web.Response(
            text=self._feed(self.sites[owner], f"{owner}:{port}", now), content_type="application/rss+xml"
        )

    def _plea(self, chance: random.Random) -> web.Response | None:
        """A plea for rest in place of an answer, now and then."""
        if chance.random() >= self.options.pleas:
            return None
        return web.Response(status=429, headers={"Retry-After": str(chance.choice(self.options.rests))})

    def _write(self, line: dict[str, Any]) -> None:
        self._log.write(json.dumps(line) + "\n")

    def _answer(self, site: LocalSite, request: web.Request, now: float) -> web.Response:
        path = request.path
        if path == "/robots.txt":
            rules = f"User-agent: *\nDisallow: {FORBIDDEN}\nCrawl-delay: {self.options.delay}\n"
            return web.Response(text=rules)
        if (plea := self._plea(site.chance)) is not None:
            return plea
        body, kind = self._body(site, request.host, path, now)
        if body is None:
            return web.Response(status=404, text="not found")
        tag = f'"{hashlib.blake2b(body.encode(), digest_size=8).hexdigest()}"'
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers={"ETag": tag})
        return web.Response(text=body, content_type=kind, headers={"ETag": tag})

    def _body(self, site: LocalSite, host: str, path: str, now: float) -> tuple[str | None, str]:
        if path == "/feed.xml":
            return self._feed(site, host, now), "application/rss+xml"
        if path == "/news.xml":
            return self._sitemap(site, host, now), "application/xml"
        for story in site.stories:
            if story.path == path and story.at <= now:
                version = int(story.edited_at is not None and story.edited_at <= now)
                return self._page(site, host, story, version, self._title(host, story, now)), "text/html"
        return None, ""

    def _when(self, story: FleetArticle) -> datetime:
        return datetime.fromtimestamp(int(self.began + story.at), UTC)

    def _changed(self, story: FleetArticle, now: float) -> datetime:
        """Returns when the story was last changed."""
        if story.edited_at is None or story.edited_at > now:
            return self._when(story)
        return datetime.fromtimestamp(int(self.began + story.edited_at), UTC)

    def _title(self, host: str, story: FleetArticle, now: float) -> str:
        is_edited = announces(host) == "title" and story.edited_at is not None and story.edited_at <= now
        return f"{story.title}, corrected" if is_edited else story.title

    def _lastmod(self, host: str, story: FleetArticle, place: int, now: float) -> str:
        """Returns the <lastmod> of the story at `place` of the sitemap, "" for most stories."""
        build = int((self.began + now) // BUILDS)
        if announces(host) == "lastmod":
            return f"<lastmod>{self._changed(story, now).isoformat()}</lastmod>"
        if announces(host) == "lies" and (place + build) % 3 == 0:
            return f"<lastmod>{datetime.fromtimestamp(build * BUILDS, UTC).isoformat()}</lastmod>"
        return ""

    def _feed(self, site: LocalSite, host: str, now: float) -> str:
        listed = site.listed(now)
        items = "".join(
            f"<item><title>{self._title(host, story, now)}</title><link>http://{host}{story.path}</link>"
            f"<pubDate>{format_datetime(self._when(story))}</pubDate>{self._updated(host, story, now)}</item>"
            for story in listed
        )
        secret = f"<item><title>Members</title><link>http://{host}{FORBIDDEN}{len(listed)}.html</link></item>"
        space = 'xmlns:atom="http://www.w3.org/2005/Atom"'
        return f'<rss version="2.0" {space}><channel><title>{site.name}</title>{items}{secret}</channel></rss>'

    def _updated(self, host: str, story: FleetArticle, now: float) -> str:
        is_stated = announces(host) == "updated"
        return f"<atom:updated>{self._changed(story, now).isoformat()}</atom:updated>" if is_stated else ""

    def _sitemap(self, site: LocalSite, host: str, now: float) -> str:
        urls = "".join(
            f"<url><loc>http://{host}{story.path}</loc><news:news><news:publication><news:name>{site.name}</news:name>"
            f"<news:language>en</news:language></news:publication>"
            f"<news:publication_date>{self._when(story).isoformat()}</news:publication_date>"
            f"<news:title>{self._title(host, story, now)}</news:title></news:news>"
            f"{self._lastmod(host, story, place, now)}</url>"
            for place, story in enumerate(site.listed(now))
        )
        spaces = (
            'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
            'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
        )
        return f"<urlset {spaces}>{urls}</urlset>"

    def _page(self, site: LocalSite, host: str, story: FleetArticle, version: int, title: str) -> str:
        paragraphs = "".join(f"<p>{part}</p>" for part in text_of(host.partition(":")[0], story, version))
        if self.options.canary and site.name == "site0":
            paragraphs += f"<p>This report has the word {self.options.canary} in its last sentence.</p>"
        return (
            f'<!doctype html><html lang="en"><head><title>{title} - {site.name}</title>'
            f'<meta property="article:published_time" content="{self._when(story).isoformat()}"></head><body>'
            f'<nav><a href="/">Home</a> <a href="/feed.xml">Feed</a></nav>'
            f"<article><h1>{title}</h1>{paragraphs}</article><footer>All rights kept</footer></body></html>"
        )


async def serve(options: WorldOptions) -> None:
    """Serves until the process is ended."""
    world = World(options)
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", world.handle)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=IDLE_SECONDS)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port: Any = runner.addresses[0][1]
    print(json.dumps({"port": port, "began": world.began}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(WorldOptions(**json.loads(sys.argv[1]))))
