"""Downloader middleware that keeps a crawl on its site, redirect targets included.

Scrapy's own middleware drops such a request when it is scheduled, without a message to the spider. It accepts every
request with `dont_filter`, such as start requests and their redirects.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler

from newscrawl.crawling.refusals import Refused
from newscrawl.model.identity.domains import ascii_host

OFFSITE: Final = "offsite/forbidden"


def on_site(url: str, domains: Iterable[str]) -> bool:
    """Returns whether the URL's host is one of the domains or a subdomain of one."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


class Offsite:
    """Refuses requests outside `spider.allowed_domains`; a spider without that attribute may request any host.

    `request.meta["allow_offsite"]` lets a declared source on another host pass (a feed at a feed service).
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Offsite:
        """Returns the middleware for a crawler, as Scrapy builds middlewares."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Lets a request on the site pass; raises Refused for others."""
        domains = [
            ascii_host(domain) or domain.lower()
            for domain in getattr(self._crawler.spider, "allowed_domains", None) or ()
        ]
        if not domains or request.meta.get("allow_offsite") or on_site(request.url, domains):
            return
        self._crawler.stats.inc_value(OFFSITE)
        raise Refused(OFFSITE, f"{urlsplit(request.url).hostname} is not on this site")
