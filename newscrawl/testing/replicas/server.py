"""Serves local sites with the publishing habits of docs/reference/publishing-habits.md, for tests of `newscrawl
add-site`.

All of them are served by one server on loopback, each under a name of its own (`wordpress.localhost`); a replica serves
exactly what its habit names and answers 404 to everything else. The texts are made of sentences written for this.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from newscrawl.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.testing.replicas.site import Replica
from newscrawl.testing.replicas.stories import make_stories

STORIES: Final = 14


class Replicas:
    """Serves the sites on loopback while the with statement runs."""

    def __init__(self) -> None:
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self.port = int(self._http.server_address[1])
        self.asked = self._http.asked
        """Host and path of every request."""
        self.log = self._http.log
        """The same, each with the moment of its arrival."""
        self.now = datetime.now(UTC).replace(microsecond=0)

    def site(self, name: str, *, language: str = "en", layout: int = 0, stories: int = STORIES) -> Replica:
        """Adds an empty site with the name NAME.localhost."""
        site = Replica(name, f"http://{name}.localhost:{self.port}", language, layout)
        site.stories = make_stories(len(self._http.sites) + 1, stories, language, self.now)
        self._http.sites.append(site)
        return site

    def __enter__(self) -> Self:
        self._http.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.stop()


class _Server(KeepAliveServer):
    def __init__(self, address: tuple[str, int], handler: type[KeepAliveHandler]) -> None:
        self.sites: list[Replica] = []
        self.asked: list[str] = []
        self.log: list[tuple[str, float]] = []
        super().__init__(address, handler)


class _Handler(KeepAliveHandler):
    server: _Server

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server looks for
        host = self.headers.get("Host", "")
        key = host + self.path
        self.server.asked.append(key)
        self.server.log.append((key, time.monotonic()))
        for site in self.server.sites:
            if key in site.pages:
                return self._send(*site.pages[key])
        owner = next((site for site in self.server.sites if urlsplit(site.origin).netloc == host), None)
        if owner is not None and owner.missing is not None and self.path != "/robots.txt":
            return self._send(*owner.pages[host + owner.missing])
        return self._send(404, "text/plain", b"no such page\n")

    def _send(self, status: int, kind: str, body: bytes) -> None:
        headers = {"Content-Type": kind}
        if 300 <= status < 400:
            headers["Location"] = body.decode()
            body = b""
        self.answer(status, headers, body)
