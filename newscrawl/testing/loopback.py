"""A download handler that sends all requests of a crawl to one server of a test."""

from __future__ import annotations

from typing import Any, Final

from newscrawl.crawling.downloader.local_handler import LocalHandler

PORT_SETTING: Final = "TESTING_PORT"
"""The Scrapy setting with the port of this machine that every connection leads to."""


class LoopbackHandler(LocalHandler):
    """The project's handler for HTTP/1.1; each connection, HTTPS as well, leads to one port and is not encrypted.

    Above the connection nothing differs from a crawl of the real site: robots.txt, delays, addresses, redirects. No
    name is resolved, so no other host can be reached.
    """

    def port_of(self, key: Any) -> int | None:
        """Returns the test's server for every host."""
        return self._crawler.settings.getint(PORT_SETTING)
