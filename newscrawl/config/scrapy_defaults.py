"""The Scrapy settings that make a crawl safe and polite. A project starts from them (settings/base.py), and a command
outside of a project uses them alone. If a line departs from Scrapy's default, its comment says why.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

from newscrawl.config.environment import catalogue_settings, setting
from newscrawl.config.user_agent import user_agent

BOT_NAME: Final = "newscrawl"

globals().update(catalogue_settings())  # NEWSCRAWL_ names: what the environment says, else newscrawl.config.catalogue
USER_AGENT = user_agent(setting("NEWSCRAWL_CONTACT"))

# --- politeness: crawling.downloader.throttle owns the delay; Scrapy's own delays may be shorter ---
DOWNLOADER = "newscrawl.crawling.downloader.throttled_downloader.ThrottledDownloader"
SCHEDULER_PRIORITY_QUEUE = "newscrawl.crawling.downloader.scrapy_internals.OneAtATimeQueue"
DOWNLOAD_DELAY = setting("NEWSCRAWL_DELAY")
DOWNLOAD_DELAY_JITTER = 0.0  # it shortens delays, too; the jitter of the throttle only lengthens them
AUTOTHROTTLE_ENABLED = False  # its delay may be shorter than a Crawl-delay
CONCURRENT_REQUESTS_PER_DOMAIN = 1
CONCURRENT_REQUESTS = 32  # all of them for different domains
CONCURRENT_ITEMS = 4  # tasks that Scrapy makes for every answer (default 100); a page is one item
ROBOTSTXT_OBEY = False  # RobotsMiddleware below obeys robots.txt, whatever this says
RETRY_TIMES = 2
ASYNCIO_EVENT_LOOP = "uvloop.Loop" if find_spec("uvloop") else None  # a page costs the main process 15 % less

# --- limits -----------------------------------------------------------------------------------------------------------
DOWNLOAD_TIMEOUT = 30  # seconds for the whole answer
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024  # also of each layer of compression
DOWNLOAD_WARNSIZE = 0
REDIRECT_MAX_TIMES = 8
URLLENGTH_LIMIT = 2083
DNS_TIMEOUT = 20

# --- security ---------------------------------------------------------------------------------------------------------
TWISTED_DNS_RESOLVER = "newscrawl.crawling.downloader.address_guard.AddressGuard"
DOWNLOAD_HANDLERS = {
    "http": "newscrawl.crawling.downloader.download_handler.HeadLimitedHandler",
    "https": "newscrawl.crawling.downloader.download_handler.HeadLimitedHandler",
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
}
DOWNLOAD_VERIFY_CERTIFICATES = True
HTTPPROXY_ENABLED = False  # behind a proxy the guard sees only the proxy
COOKIES_ENABLED = False
REFERER_ENABLED = False
METAREFRESH_ENABLED = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False  # runs Python that it receives over HTTP

DOWNLOADER_MIDDLEWARES: dict[str, Any] = {
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "newscrawl.crawling.downloader.middlewares.offsite.Offsite": 50,
    "newscrawl.crawling.downloader.middlewares.robots.RobotsMiddleware": 100,
    "newscrawl.crawling.downloader.middlewares.retry.RetryMiddleware": 550,
    "newscrawl.crawling.downloader.middlewares.redirects.Redirects": 600,
    "newscrawl.crawling.downloader.middlewares.decompression.Decompression": 610,
}
EXTENSIONS: dict[str, Any] = {"newscrawl.crawling.downloader.address_guard.GuardCheck": 0}

# --- the rest ---------------------------------------------------------------------------------------------------------
COMMANDS_MODULE = "newscrawl.crawling.commands"  # `scrapy crawl` with errors in one line and exit codes
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 12 * 1024 * 1024  # the default of 5 MB holds 28 uncompressed pages, less than a batch
LOG_LEVEL = "INFO"
