"""What makes a crawl safe and polite: the Scrapy settings that a project starts from (settings/base.py), and all that a
command outside of a project has. Where a line departs from Scrapy's default, the comment says why.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

from newscrawl.crawling.configuration import setting
from newscrawl.crawling.user_agent import user_agent

BOT_NAME: Final = "newscrawl"

NEWSCRAWL_CONTACT = setting("NEWSCRAWL_CONTACT", "")
"""Address or URL at which the owner of a site reaches the operator; goes into the user agent."""
USER_AGENT = user_agent(NEWSCRAWL_CONTACT)

# --- politeness: newscrawl.crawling.politeness owns the delay; Scrapy's own means go below it -------------------------
DOWNLOADER = "newscrawl.crawling.downloader.PoliteDownloader"
SCHEDULER_PRIORITY_QUEUE = "newscrawl.crawling.queue.OneAtATimeQueue"
DOWNLOAD_DELAY = setting("NEWSCRAWL_DELAY", 1.0)
"""Seconds between the requests to a site that declares no delay of its own."""
DOWNLOAD_DELAY_JITTER = 0.0  # plus or minus; ours only lengthens
AUTOTHROTTLE_ENABLED = False  # goes below a Crawl-delay
CONCURRENT_REQUESTS_PER_DOMAIN = 1
CONCURRENT_REQUESTS = 32  # all of them for different domains
ROBOTSTXT_OBEY = False  # ours does, in all circumstances
NEWSCRAWL_FIRST_BACKOFF = setting("NEWSCRAWL_FIRST_BACKOFF", 5.0)
"""Seconds of rest after a first 429 or 503 that names no time; doubles with each."""
NEWSCRAWL_LONGEST_WAIT = setting("NEWSCRAWL_LONGEST_WAIT", 3600.0)
"""Seconds. A host that wants to rest for longer gets no more requests in this round."""
RETRY_TIMES = 2

# --- limits -----------------------------------------------------------------------------------------------------------
DOWNLOAD_TIMEOUT = 30  # seconds for the whole answer
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024  # also of each layer of compression
DOWNLOAD_WARNSIZE = 0
REDIRECT_MAX_TIMES = 8
URLLENGTH_LIMIT = 2083
DNS_TIMEOUT = 20

# --- security ---------------------------------------------------------------------------------------------------------
TWISTED_DNS_RESOLVER = "newscrawl.crawling.guard.GuardedResolver"
NEWSCRAWL_ALLOWED_ADDRESSES: list[str] = setting("NEWSCRAWL_ALLOWED_ADDRESSES", [])
"""Networks that may be connected to besides global addresses, on any port; e.g. 127.0.0.0/8."""
NEWSCRAWL_ALLOWED_PORTS: list[str] = setting("NEWSCRAWL_ALLOWED_PORTS", [])
"""Ports besides 80 and 443."""
DOWNLOAD_HANDLERS = {
    "http": "newscrawl.crawling.handler.HeadLimitedHandler",
    "https": "newscrawl.crawling.handler.HeadLimitedHandler",
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
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "newscrawl.crawling.offsite.Offsite": 50,
    "newscrawl.crawling.robots.RobotsMiddleware": 100,
    "newscrawl.crawling.retry.Retry": 550,
    "newscrawl.crawling.redirects.Redirects": 600,
    "newscrawl.crawling.limits.EncodingLimit": 610,
}
EXTENSIONS: dict[str, Any] = {"newscrawl.crawling.guard.GuardCheck": 0}

# --- extraction -------------------------------------------------------------------------------------------------------
NEWSCRAWL_CHAIN = setting("NEWSCRAWL_CHAIN", "classic")
NEWSCRAWL_CHAINS: dict[str, Any] = setting("NEWSCRAWL_CHAINS", {})
NEWSCRAWL_MIN_WORDS = setting("NEWSCRAWL_MIN_WORDS", 60)
NEWSCRAWL_MIN_CHARACTERS = setting("NEWSCRAWL_MIN_CHARACTERS", 300)

# --- speed ------------------------------------------------------------------------------------------------------------
NEWSCRAWL_UVLOOP = setting("NEWSCRAWL_UVLOOP", True)
ASYNCIO_EVENT_LOOP = "uvloop.Loop" if NEWSCRAWL_UVLOOP and find_spec("uvloop") else None

# --- the rest ---------------------------------------------------------------------------------------------------------
COMMANDS_MODULE = "newscrawl.crawling.commands"  # `scrapy crawl` with errors in one line and exit codes
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 64 * 1024 * 1024  # the default of 5 MB holds 28 news pages: a batch of 50 never fills
LOG_LEVEL = "INFO"
