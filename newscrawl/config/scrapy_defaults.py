"""What makes a crawl safe and polite: the Scrapy settings that a project starts from (settings/base.py), and all that a
command outside of a project has. Where a line departs from Scrapy's default, the comment says why.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

from newscrawl.config.environment import setting
from newscrawl.config.user_agent import user_agent

BOT_NAME: Final = "newscrawl"

NEWSCRAWL_CONTACT = setting("NEWSCRAWL_CONTACT", "")
"""Address or URL at which the owner of a site reaches the operator; goes into the user agent."""
USER_AGENT = user_agent(NEWSCRAWL_CONTACT)

# --- politeness: crawling.downloader.host_throttle owns the delay; Scrapy's own means go below it ---
DOWNLOADER = "newscrawl.crawling.downloader.throttled_downloader.ThrottledDownloader"
SCHEDULER_PRIORITY_QUEUE = "newscrawl.crawling.downloader.scheduler_queue.OneAtATimeQueue"
DOWNLOAD_DELAY = setting("NEWSCRAWL_DELAY", 1.0)
"""Seconds between the requests to a site that declares no delay of its own."""
DOWNLOAD_DELAY_JITTER = 0.0  # plus or minus; ours only lengthens
AUTOTHROTTLE_ENABLED = False  # goes below a Crawl-delay
CONCURRENT_REQUESTS_PER_DOMAIN = 1
CONCURRENT_REQUESTS = 32  # all of them for different domains
CONCURRENT_ITEMS = 4  # Scrapy makes so many tasks for every answer, by default 100; a page is one item
ROBOTSTXT_OBEY = False  # ours does, in all circumstances
NEWSCRAWL_FIRST_BACKOFF = setting("NEWSCRAWL_FIRST_BACKOFF", 5.0)
"""Seconds of rest after a first 429 or 503 that names no time; doubles with each."""
NEWSCRAWL_LONGEST_WAIT = setting("NEWSCRAWL_LONGEST_WAIT", 3600.0)
"""Seconds. A host that wants to rest for longer gets no more requests in this round."""
NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS = setting("NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS", False)
"""Whether sites that are served from one address share its delay, as if they were one site."""
RETRY_TIMES = 2

# --- limits -----------------------------------------------------------------------------------------------------------
DOWNLOAD_TIMEOUT = 30  # seconds for the whole answer
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024  # also of each layer of compression
DOWNLOAD_WARNSIZE = 0
REDIRECT_MAX_TIMES = 8
URLLENGTH_LIMIT = 2083
DNS_TIMEOUT = 20

# --- security ---------------------------------------------------------------------------------------------------------
TWISTED_DNS_RESOLVER = "newscrawl.crawling.downloader.address_guard.AddressGuard"
NEWSCRAWL_ALLOWED_ADDRESSES: list[str] = setting("NEWSCRAWL_ALLOWED_ADDRESSES", [])
"""Networks that may be connected to besides global addresses, on any port; e.g. 127.0.0.0/8."""
NEWSCRAWL_ALLOWED_PORTS: list[str] = setting("NEWSCRAWL_ALLOWED_PORTS", [])
"""Ports besides 80 and 443."""
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
    "newscrawl.crawling.downloader.offsite.Offsite": 50,
    "newscrawl.crawling.downloader.robots.RobotsMiddleware": 100,
    "newscrawl.crawling.downloader.retry.Retry": 550,
    "newscrawl.crawling.downloader.lazy_decoding.Unpacking": 590,
    "newscrawl.crawling.downloader.redirects.Redirects": 600,
    "newscrawl.crawling.downloader.encoding_limit.EncodingLimit": 610,
}
EXTENSIONS: dict[str, Any] = {"newscrawl.crawling.downloader.address_guard.GuardCheck": 0}

# --- extraction -------------------------------------------------------------------------------------------------------
NEWSCRAWL_CHAIN = setting("NEWSCRAWL_CHAIN", "classic")
NEWSCRAWL_CHAINS: dict[str, Any] = setting("NEWSCRAWL_CHAINS", {})
NEWSCRAWL_MIN_WORDS = setting("NEWSCRAWL_MIN_WORDS", 60)
NEWSCRAWL_MIN_CHARACTERS = setting("NEWSCRAWL_MIN_CHARACTERS", 300)

# --- speed ------------------------------------------------------------------------------------------------------------
NEWSCRAWL_UVLOOP = setting("NEWSCRAWL_UVLOOP", True)
ASYNCIO_EVENT_LOOP = (
    "uvloop.Loop" if NEWSCRAWL_UVLOOP and find_spec("uvloop") else "newscrawl.crawling.runtime.event_loop.ShortTurns"
)

# --- scheduling: when to come again, and `newscrawl run` (docs/run.md) ------------------------------------------------
NEWSCRAWL_SOURCE_SHORTEST = setting("NEWSCRAWL_SOURCE_SHORTEST", 240.0)
"""Seconds. No feed, sitemap or section is read more often, however much it brings."""
NEWSCRAWL_SOURCE_PATIENCE = setting("NEWSCRAWL_SOURCE_PATIENCE", 0.1)
"""What one request is worth, in hours that an article may wait for it: less means more requests, sooner."""
NEWSCRAWL_DAILY_NEW_PAGES = setting("NEWSCRAWL_DAILY_NEW_PAGES", 1000)
"""Addresses that were never fetched before, a day (UTC), that a site without `daily_requests` may ask for; ten times
its usual day of new articles where that is more."""
NEWSCRAWL_RUN_CONCURRENT_SITES = setting("NEWSCRAWL_RUN_CONCURRENT_SITES", 16)
NEWSCRAWL_RUN_SITES: dict[str, Any] = setting("NEWSCRAWL_RUN_SITES", {})
"""Timetables and budgets over what declarations say: {"elpais": {"interval": 900, "daily_requests": 500}}.
`daily_requests` may be "unlimited"; that holds for `scrapy crawl`, too."""
NEWSCRAWL_RUN_TICK = setting("NEWSCRAWL_RUN_TICK", 2.0)
"""Seconds between two looks at what is due."""
NEWSCRAWL_RUN_REST = setting("NEWSCRAWL_RUN_REST", 60.0)
"""Seconds between the beginnings of two crawls of one site."""
NEWSCRAWL_RUN_TURN = setting("NEWSCRAWL_RUN_TURN", 1200.0)
"""Seconds after which a crawl is asked to end when others wait for its place."""
NEWSCRAWL_RUN_LEASE = setting("NEWSCRAWL_RUN_LEASE", 60.0)
"""Seconds that a site stays reserved for a process that does not say it is still there."""
NEWSCRAWL_RUN_DRAIN = setting("NEWSCRAWL_RUN_DRAIN", 22.0)
"""Seconds that crawls have to finish what they are doing when `run` is asked to stop."""
NEWSCRAWL_RUN_LONGEST_WAIT = setting("NEWSCRAWL_RUN_LONGEST_WAIT", 300.0)
"""As NEWSCRAWL_LONGEST_WAIT, in `run`: a site whose host rests gives its place to others."""
NEWSCRAWL_TIME_SCALE = setting("NEWSCRAWL_TIME_SCALE", 1.0)
"""For trials only: scheduling sees so many seconds for each that passes."""

# --- the watchdog (docs/watchdog.md) ----------------------------------------------------------------------------------
NEWSCRAWL_WATCH_SECONDS = setting("NEWSCRAWL_WATCH_SECONDS", 30.0)
"""Seconds between two looks of `newscrawl run` at who has gone quiet; 0 turns the watchdog off."""
NEWSCRAWL_ALERT_WEBHOOK = setting("NEWSCRAWL_ALERT_WEBHOOK", "")
"""Where alarms are posted as JSON. The operator's own address: the address guard is not asked."""

NEWSCRAWL_HOLD = setting("NEWSCRAWL_HOLD", True)
"""Whether pages are held back while their site's extraction looks broken (docs/holding.md)."""
NEWSCRAWL_HOLD_CHAINS: list[str] = setting("NEWSCRAWL_HOLD_CHAINS", ["best", "danag", "boilerpipe-article"])
"""Chains that have a try at such a page, in this order."""

# --- how long things are kept (docs/retention.md) --------------------------------------------------------------------
NEWSCRAWL_RETENTION: dict[str, Any] = setting("NEWSCRAWL_RETENTION", {})
"""Days, for a site or "*" for all: {"*": {"versions": 365, "events": 90}, "elpais": {"articles": 30}}; all for ever."""
NEWSCRAWL_PRUNE_HOURS = setting("NEWSCRAWL_PRUNE_HOURS", 24.0)
"""How often `newscrawl run` does what `newscrawl db prune` does; 0: never."""

# --- the rest ---------------------------------------------------------------------------------------------------------
COMMANDS_MODULE = "newscrawl.crawling.commands"  # `scrapy crawl` with errors in one line and exit codes
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 12 * 1024 * 1024  # the default of 5 MB holds 28 pages that came open: no full batch
LOG_LEVEL = "INFO"
