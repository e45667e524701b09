"""A news site on loopback. A test writes its pages."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from html import escape
from types import TracebackType
from typing import Self

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""
Seen = tuple[str, dict[str, str]]
"""Path and headers of a request; header names are lower-case."""

HTML = "text/html; charset=utf-8"


class NewsServer:
    """A news site that serves from its creation until `close`, or the end of a with statement.

    `pages` maps a path, or a host and a path ("feeds.example.org/news.xml"), to a body or a whole answer; everything
    else is a 404. Each 200 has an ETag made of its body, which is answered with 304. `host` is an address of this
    machine.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.pages: dict[str, bytes | str | Answer] = {}
        self.requests: list[Seen] = []
        self.log: list[tuple[str, float]] = []
        """Host and path of every request, and the moment of its arrival (time.monotonic)."""
        site = self

        class Handler(KeepAliveHandler):
            def do_GET(self) -> None:  # noqa: N802  the name that http.server looks for
                host = self.headers.get("Host", "")
                site.log.append((host + self.path, time.monotonic()))
                site.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                self.answer(*site.answer(self.path, self.headers.get("If-None-Match"), host))

        self._server = KeepAliveServer((host, 0), Handler).start()
        self.port: int = self._server.server_address[1]
        self.url = f"http://{host}:{self.port}"

    def answer(self, path: str, etag: str | None, host: str = "") -> Answer:
        """Returns the answer to a GET of `path` with the validator `etag`."""
        page = self.pages.get(host + path, self.pages.get(path))
        if page is None:
            return 404, {}, b"not here"
        if isinstance(page, tuple):
            return page
        body = page.encode() if isinstance(page, str) else page
        own = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if etag == own:
            return 304, {"ETag": own}, b""
        return 200, {"ETag": own, "Content-Type": HTML}, body

    def article(self, path: str, title: str, paragraphs: Iterable[str], published: str = "") -> None:
        """Adds the page of an article at `path`, with navigation and footer. `published` is ISO 8601."""
        meta = f'<meta property="article:published_time" content="{escape(published)}">' if published else ""
        text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
        self.pages[path] = (
            f'<!doctype html><html><head><meta charset="utf-8"><title>{escape(title)}</title>{meta}</head><body>'
            '<nav><ul><li><a href="/">Home</a></li><li><a href="/sport/">Sport</a></li></ul></nav>'
            f"<main><article><h1>{escape(title)}</h1>{text}</article></main>"
            '<footer><a href="/terms">Terms</a> <a href="/contact">Contact</a></footer></body></html>'
        )

    def feed(self, path: str, *entries: tuple[str, str]) -> None:
        """Adds an RSS feed of (link, publication date or "") at `path`."""
        items = "".join(
            f"<item><title>Title of {link}</title><link>{link}</link>"
            + (f"<pubDate>{date}</pubDate>" if date else "")
            + "</item>"
            for link, date in entries
        )
        self.pages[path] = f'<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>{items}</channel></rss>'

    def asked(self, path: str) -> int:
        """Returns how often `path` was requested."""
        return sum(seen == path for seen, _ in self.requests)

    def close(self) -> None:
        """Stops the server. Returns when all its threads have ended."""
        self._server.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
