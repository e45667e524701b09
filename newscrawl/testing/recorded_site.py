"""Serves the recorded pages of a corpus as a news site on loopback."""

from __future__ import annotations

import time
from html import escape
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.identity import clean_url, url_key
from newscrawl.keep_alive import KeepAliveHandler, KeepAliveServer

HOST: Final = "corpus.localhost"
"""Means this machine (RFC 6761); the crawler's address guard knows that as well."""


class CorpusServer:
    """Serves a corpus on 127.0.0.1 from `start` to `stop`, or inside a with statement."""

    def __init__(self, corpus: Corpus, port: int = 0) -> None:
        self._http = _Server(("127.0.0.1", port), _Handler)
        self.log = self._http.log
        """Path and moment of every request."""
        self.origin = f"http://{HOST}:{self._http.server_address[1]}"
        self.pages = dict(_addresses(corpus, self.origin))
        self._http.bodies = {url_key(url): page for url, page in self.pages.items()}
        self._http.front = {
            "/": ("text/html; charset=utf-8", _front_page()),
            "/robots.txt": ("text/plain", b"User-agent: *\nDisallow:\n"),
            "/feed.xml": ("application/rss+xml", _feed(self.origin, self.pages)),
        }
        self._http.origin = self.origin

    def start(self) -> Self:
        """Starts the thread that serves."""
        self._http.start()
        return self

    def stop(self) -> None:
        """Stops the server."""
        self._http.stop()

    def wait(self) -> None:
        """Blocks until the server is stopped."""
        self._http.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Server(KeepAliveServer):
    origin: str
    front: dict[str, tuple[str, bytes]]
    bodies: dict[str, GoldPage]

    def __init__(self, address: tuple[str, int], handler: type[KeepAliveHandler]) -> None:
        self.log: list[tuple[str, float]] = []
        super().__init__(address, handler)


class _Handler(KeepAliveHandler):
    server: _Server

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server looks for
        self.server.log.append((self.path, time.monotonic()))
        front = self.server.front.get(self.path)
        page = None if front else self.server.bodies.get(url_key(self.server.origin + self.path))
        if front:
            self._send(200, *front)
        elif page:
            self._send(200, "text/html", page.body())  # the header's charset is not kept in corpora
        else:
            self._send(404, "text/plain", b"no such page\n")

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self.answer(status, {"Content-Type": content_type}, body)


def _addresses(corpus: Corpus, origin: str) -> list[tuple[str, GoldPage]]:
    """Returns an address for each page: its own path and query, or one made of its id if that is missing or taken."""
    found: dict[str, tuple[str, GoldPage]] = {}
    for page in corpus.pages:
        parts = urlsplit(page.url or "")
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        url = clean_url(origin + path) if path.strip("/") else ""
        if not url or url_key(url) in found:
            url = f"{origin}/news/{page.id}.html"
        found[url_key(url)] = (url, page)
    return list(found.values())


def _front_page() -> bytes:
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    return f"<!doctype html><html><head><title>A corpus</title>{feed}</head><body>A corpus</body></html>".encode()


def _feed(origin: str, pages: dict[str, GoldPage]) -> bytes:
    items = "\n".join(
        f"<item><title>{escape(page.id)}</title><link>{escape(url)}</link></item>" for url, page in pages.items()
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>A corpus</title>'
        f"<link>{origin}/</link><description>Pages of a corpus</description>\n{items}\n</channel></rss>"
    ).encode()
