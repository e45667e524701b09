"""Good sites with many articles and one whose sitemaps are costly to parse, in one server process.

    python -m benchmarks.hostile_site.world '{"sites": 20, "log": "/tmp/requests.txt"}'

Prints its port. Each good site is http://goodN.localhost:PORT, the other http://hostile.localhost:PORT. Every request
is a line in the log: time, host, path.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sys
import time
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from fleet_stories import WORDS

CHILDREN: Final = 48
ARTICLES: Final = 300
"""Of each good site: more than a round can fetch."""
PARAGRAPHS: Final = 12
PIECE: Final = 240_000
"""Bytes of a body of one repeated piece."""
ENTRIES: Final = 50_000
"""Of the large sitemap: the protocol's limit."""


def bodies() -> list[bytes]:
    """What the hostile site's sitemaps are, in turn: pieces that expressions and parsers were slow for, and a sitemap
    that is large and in order."""
    space = b'<feed xmlns="http://e.example/" '
    rows = "".join(
        f"<url><loc>http://hostile.localhost/2026/a-long-name-of-a-story-{n:06d}.html</loc>"
        f"<lastmod>2026-11-{1 + n % 20:02d}T10:00:00Z</lastmod></url>"
        for n in range(ENTRIES)
    )
    large = f"<urlset>{rows}</urlset>"
    return [
        b"<feed " * (PIECE // 6),
        b"<a:feed" * (PIECE // 7),
        space * (PIECE // len(space)),
        gzip.compress(large.encode(), 1),
    ]


class World:
    """The answers, all made before the first request."""

    def __init__(self, sites: int, log: str) -> None:
        self._log = Path(log).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115  for as long as the process lives
        self._pages = [self._page(random.Random(n)) for n in range(50)]
        self._costly = bodies()
        self._sites = sites

    async def answer(self, request: web.Request) -> web.Response:
        """Log and answer."""
        host, path = request.host.partition(":")[0], request.path
        self._log.write(f"{time.time():.3f} {host} {path}\n")
        if path == "/robots.txt":
            return web.Response(text="User-agent: *\nDisallow: /private/\n")
        if host == "hostile.localhost":
            return self._hostile(request, path)
        if path == "/feed.xml":
            return web.Response(text=self._feed(host, request.host), content_type="application/rss+xml")
        page = self._pages[hash(path) % len(self._pages)].replace("TOKEN", f"{host} tells of {path}.")
        return web.Response(text=page, content_type="text/html")

    def _hostile(self, request: web.Request, path: str) -> web.Response:
        if path == "/index.xml":
            now = time.time_ns()  # new names with each reading
            rows = "".join(
                f"<sitemap><loc>http://{request.host}/{now}-{n}.xml</loc></sitemap>" for n in range(CHILDREN)
            )
            return web.Response(text=f"<sitemapindex>{rows}</sitemapindex>", content_type="application/xml")
        number = int(path.rpartition("-")[2].partition(".")[0])
        return web.Response(body=self._costly[number % len(self._costly)], content_type="application/xml")

    @staticmethod
    def _feed(host: str, authority: str) -> str:
        items = "".join(
            f"<item><title>Story {n} of {host}</title><link>http://{authority}/2026/story-of-the-day-{n:05d}.html</link>"
            "</item>"
            for n in range(ARTICLES)
        )
        return f"<rss version='2.0'><channel><title>{host}</title>{items}</channel></rss>"

    @staticmethod
    def _page(chance: random.Random) -> str:
        def sentence() -> str:
            return " ".join(chance.choices(WORDS, k=14)).capitalize() + "."

        paragraphs = "".join(f"<p>TOKEN {' '.join(sentence() for _ in range(5))}</p>" for _ in range(PARAGRAPHS))
        menu = "".join(f"<li><a href='/s/{n}'>{chance.choice(WORDS)}</a></li>" for n in range(60))
        return f"<title>{sentence()}</title><nav><ul>{menu}</ul></nav><main><h1>{sentence()}</h1>{paragraphs}</main>"


async def serve(options: dict[str, Any]) -> None:
    """Serve until the process is ended."""
    world = World(options["sites"], options["log"])
    app = web.Application()
    app.router.add_get("/{path:.*}", world.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(json.dumps({"port": runner.addresses[0][1]}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(json.loads(sys.argv[1])))
