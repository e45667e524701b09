"""The settings of continuous operation: visits, `newscrawl run`, monitoring, and the process itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from newscrawl.config.catalogue.setting import DAY, HOUR, flag, mapping, names, number, text, whole


@dataclass(frozen=True, slots=True)
class SchedulingSettings:
    """Visits to sources and pages"""

    min_source_interval: float = number(
        "NEWSCRAWL_MIN_SOURCE_INTERVAL",
        240.0,
        "Shortest interval between two readings of a feed, sitemap or section, however many new entries it lists.",
        unit="seconds",
        maximum=4 * HOUR,
        is_minimum_excluded=True,
    )
    article_hours_per_source_visit: float = number(
        "NEWSCRAWL_ARTICLE_HOURS_PER_SOURCE_VISIT",
        0.1,
        "A source is read again when its expected new articles have together waited this long unseen. A smaller value "
        "means more requests and shorter delays.",
        unit="article-hours",
        maximum=24,
        is_minimum_excluded=True,
    )
    daily_new_pages: int = whole(
        "NEWSCRAWL_DAILY_NEW_PAGES",
        1_000,
        "Daily limit (UTC) on requests for addresses never fetched before, for a site without `daily_requests`; ten "
        "times its usual day of new articles if that is more.",
        unit="pages",
        minimum=1,
        maximum=10**7,
        instead="declare `daily_requests`",
    )
    site_schedules: Mapping[str, Any] = mapping(
        "NEWSCRAWL_SITE_SCHEDULES",
        'Timetables and budgets that replace what sites declare: {"elpais": {"interval": 900, "daily_requests": 500}}. '
        "The keys are interval, cron, quiet_hours, time_zone, daily_requests and paused; daily_requests may be "
        '"unlimited", and holds for `scrapy crawl` as well.',
        instead="declare `interval`, `cron`, `quiet_hours` or `daily_requests`",
    )
    time_scale: float = number(
        "NEWSCRAWL_TIME_SCALE",
        1.0,
        "For trials only: scheduling counts this many seconds for each real second.",
        maximum=10_000,
        is_minimum_excluded=True,
    )


@dataclass(frozen=True, slots=True)
class RunSettings:
    """`newscrawl run`"""

    concurrent_sites: int = whole(
        "NEWSCRAWL_RUN_CONCURRENT_SITES",
        16,
        "Sites that are crawled at the same time.",
        unit="sites",
        minimum=1,
        maximum=1_000,
    )
    poll_interval: float = number(
        "NEWSCRAWL_RUN_POLL_INTERVAL",
        2.0,
        "How often the process asks the database which sites are due.",
        unit="seconds",
        maximum=60,
        is_minimum_excluded=True,
    )
    min_site_interval: float = number(
        "NEWSCRAWL_RUN_MIN_SITE_INTERVAL",
        60.0,
        "Least time between the starts of two crawls of one site.",
        unit="seconds",
        maximum=DAY,
    )
    max_crawl_seconds: float = number(
        "NEWSCRAWL_RUN_MAX_CRAWL_SECONDS",
        1_200.0,
        "A crawl that has taken longer is asked to end when other sites wait for its place.",
        unit="seconds",
        maximum=DAY,
        is_minimum_excluded=True,
    )
    lease_seconds: float = number(
        "NEWSCRAWL_RUN_LEASE_SECONDS",
        60.0,
        "A site's lease ends this long after its process last renewed it. Another process can then take over the site "
        "of a killed process.",
        unit="seconds",
        minimum=3,
        maximum=HOUR,
    )
    drain_timeout: float = number(
        "NEWSCRAWL_RUN_DRAIN_TIMEOUT",
        22.0,
        "Time for crawls to finish their pages when the process is asked to stop.",
        unit="seconds",
        maximum=HOUR,
    )
    max_host_wait: float = number(
        "NEWSCRAWL_RUN_MAX_HOST_WAIT",
        300.0,
        "NEWSCRAWL_MAX_HOST_WAIT in `newscrawl run`: a site whose host asks for a longer pause gives its place to "
        "others.",
        unit="seconds",
        maximum=DAY,
    )
    learn_boilerplate: bool = flag(
        "NEWSCRAWL_RUN_LEARN_BOILERPLATE",
        False,
        "Whether the daily upkeep of `newscrawl run` does what `newscrawl learn --due` does, in one process. It "
        "needs a raw archive.",
    )


@dataclass(frozen=True, slots=True)
class MonitoringSettings:
    """Monitoring and review"""

    watchdog_interval: float = number(
        "NEWSCRAWL_WATCHDOG_INTERVAL",
        30.0,
        "How often `newscrawl run` checks which sites publish fewer articles than usual; 0: no alarms, also not after "
        "`scrapy crawl`.",
        unit="seconds",
        maximum=HOUR,
    )
    alert_webhook: str = text(
        "NEWSCRAWL_ALERT_WEBHOOK",
        "",
        "URL to which alarms are posted as JSON. The operator's own: the address guard does not check it.",
    )
    alert_mail_host: str = text(
        "NEWSCRAWL_ALERT_MAIL_HOST",
        "",
        "SMTP server to which alarms are sent as mail. The operator's own: the address guard does not check it.",
    )
    alert_mail_port: int = whole(
        "NEWSCRAWL_ALERT_MAIL_PORT",
        0,
        "Port of the SMTP server; 0: 587 with starttls, 465 with ssl, 25 with none.",
        maximum=65_535,
    )
    alert_mail_tls: str = text(
        "NEWSCRAWL_ALERT_MAIL_TLS",
        "starttls",
        "Encryption of the connection to the SMTP server. The certificate is checked. none: only without a user, or on "
        "this machine.",
        choices=("starttls", "ssl", "none"),
    )
    alert_mail_user: str = text(
        "NEWSCRAWL_ALERT_MAIL_USER",
        "",
        "User of the SMTP server. The password is read from the environment variable NEWSCRAWL_ALERT_MAIL_PASSWORD, or "
        "from NEWSCRAWL_ALERT_MAIL_PASSWORD_FILE.",
    )
    alert_mail_password_file: str = text(
        "NEWSCRAWL_ALERT_MAIL_PASSWORD_FILE", "", "File whose first line is the password of the SMTP server's user."
    )
    alert_mail_from: str = text("NEWSCRAWL_ALERT_MAIL_FROM", "", "Address from which alarms are sent as mail.")
    alert_mail_to: tuple[str, ...] = names("NEWSCRAWL_ALERT_MAIL_TO", (), "Addresses to which alarms are sent as mail.")
    review: bool = flag(
        "NEWSCRAWL_REVIEW",
        True,
        "Whether pages are held for review while the extraction of their site looks broken.",
        is_per_site=True,
    )
    review_chains: tuple[str, ...] = names(
        "NEWSCRAWL_REVIEW_CHAINS",
        ("best", "danag", "boilerpipe-article"),
        "Chains that are tried on such a page before it is held, in this order.",
        is_per_site=True,
    )


@dataclass(frozen=True, slots=True)
class ProcessSettings:
    """Process"""

    progress: bool = flag(
        "NEWSCRAWL_PROGRESS",
        True,
        "Whether a crawl shows a live line (log lines without a terminal) and a table.",
    )
    log_format: str = text(
        "NEWSCRAWL_LOG_FORMAT",
        "text",
        "Format of the log of crawls. json: one JSON object a line, with time, level, logger, message, and site, url, "
        "reason and exception where they are known. Scrapy's LOG_FORMAT and the live line have no effect then.",
        choices=("text", "json"),
    )


@dataclass(frozen=True, slots=True)
class AddOnSettings:
    """Add-on in another Scrapy project"""

    downloader: bool = flag(
        "NEWSCRAWL_ADDON_DOWNLOADER",
        True,
        "Whether the add-on also brings the downloader of newscrawl. Without it, nothing of newscrawl guards "
        "addresses, spaces requests to a host, or obeys robots.txt.",
    )
    keep: tuple[str, ...] = names(
        "NEWSCRAWL_ADDON_KEEP",
        (),
        "Scrapy settings that the add-on leaves as the project has them, although it usually overrides them.",
    )
