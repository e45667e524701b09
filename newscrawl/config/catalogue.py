"""Every setting of newscrawl, described once: name, type, default, range, unit, meaning, and where it may be set.

In here: each class is a group of settings, each field one setting (see `newscrawl.config.setting`). Its name is the
group's prefix and the field in capitals: `RunSettings.poll_interval` is NEWSCRAWL_RUN_POLL_INTERVAL. The text below the
field is its meaning. `Config` holds one of each group. A duration without a unit in its name is in seconds, as in
Scrapy. Not in here: reading Scrapy's settings (`newscrawl.config.reading`) and the page about the
settings (`newscrawl.config.reference`). To add a setting, add a field to its group.

It imports no large modules, because every command loads it. The types are no texts (there is no `from __future__ import
annotations`), because they are read when a command starts.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, field

from newscrawl.config.setting import Group, Setting, described, named
from newscrawl.workers.processes import MIN_MEMORY_MB

HOUR: Final = 3_600
DAY: Final = 24 * HOUR
OF_A_SITE: Final = Meta(extra={"is_per_site": True})
"""A site may have its own value."""


class PolitenessSettings(Group, frozen=True):
    """Requests to hosts"""

    contact: Annotated[str, Meta(extra={"instead": "set USER_AGENT there"})] = ""
    """Address or URL at which the owner of a site reaches the operator. It goes into the user agent. Without one,
    only sites on this machine are crawled."""
    delay: Annotated[
        float,
        Meta(ge=0, le=DAY, extra={"unit": "seconds", "stored_as": "DOWNLOAD_DELAY", "instead": "declare `delay`"}),
    ] = 1.0
    """Pause between two requests to a host, if the host does not ask for a longer one (2 in
    settings/production.py). This name is for the environment; a settings module sets Scrapy's DOWNLOAD_DELAY."""
    first_backoff: Annotated[float, Meta(ge=0, le=DAY, extra={"unit": "seconds", "is_per_site": True})] = 5.0
    """Back-off after a first 429 or 503 without Retry-After. It doubles with each further one."""
    max_host_wait: Annotated[float, Meta(ge=0, le=30 * DAY, extra={"unit": "seconds", "is_per_site": True})] = 3_600.0
    """A host that asks for a longer pause than this, and than 300 seconds, gets no more requests in this crawl.
    `newscrawl run` takes NEWSCRAWL_RUN_MAX_HOST_WAIT instead."""
    share_limit_by_address: Annotated[bool, OF_A_SITE] = False
    """Whether hosts that are served from one IP address share one delay."""


class TargetSettings(Group, frozen=True, rename=named("NEWSCRAWL_ALLOWED_")):
    """Address guard"""

    addresses: tuple[str, ...] = ()
    """Networks that may be connected to besides public addresses, on any port: 127.0.0.0/8."""
    ports: tuple[str, ...] = ()
    """Ports that may be connected to besides 80 and 443."""


class ExtractionSettings(Group, frozen=True):
    """Extraction"""

    chain: Annotated[str, Meta(min_length=1, extra={"is_per_site": True, "allowed_text": "a name or an address"})] = (
        "classic"
    )
    """The chain of extractors that reads pages."""
    chains: Annotated[Mapping[str, Any], OF_A_SITE] = field(default_factory=dict)
    """Chains of your own by name, each a list of extractors: {"mine": ["justext", "boilerpipe-article"]}."""
    extractors: Annotated[Mapping[str, Any], OF_A_SITE] = field(default_factory=dict)
    """Extractors of your own by name, each an import path: {"lead": "house:lead"}. Chains and NEWSCRAWL_CHAIN may
    name them. Extractors of installed packages need no setting."""
    verdict_rules: Annotated[tuple[str, ...], OF_A_SITE] = ()
    """Rules that say which pages are not articles, asked in this order: import paths (house:advertorial), and names
    of rules of installed packages."""
    kinds: Annotated[tuple[str, ...], OF_A_SITE] = ("article", "live", "paywalled", "short")
    """Kinds of pages that are stored as articles. Others: listing, product, forum, documentation, service, video,
    gallery."""
    min_words: Annotated[int, Meta(ge=0, le=10**6, extra={"unit": "words", "is_per_site": True})] = 60
    """A text with fewer words is too short: the next extractor of the chain is tried."""
    min_characters: Annotated[int, Meta(ge=0, le=10**7, extra={"unit": "characters", "is_per_site": True})] = 300
    """A text with fewer characters is too short: the next extractor of the chain is tried."""
    leave_out_boilerplate: Annotated[bool, OF_A_SITE] = True
    """Whether lines that a site repeats on pages of many stories are learned (`newscrawl learn`) and left out of
    texts."""


class WorkerSettings(Group, frozen=True, rename=named("NEWSCRAWL_EXTRACT_")):
    """Worker processes"""

    count: Annotated[int, Meta(ge=0, le=1_024, extra={"unit": "processes"})] = field(
        default=0, name="NEWSCRAWL_EXTRACT_WORKERS"
    )
    """Worker processes that extract pages and read feeds, sitemaps and front pages; 0: one for each core. Costly
    feeds and sitemaps have one more."""
    timeout: Annotated[float, Meta(gt=0, le=DAY, extra={"unit": "seconds"})] = 20.0
    """Limit for one page, feed, sitemap or front page. Time in which a worker waits for a core does not count."""
    memory_mb: Annotated[int, Meta(ge=MIN_MEMORY_MB, le=10**7, extra={"unit": "MB"})] = 2_048
    """Address space of one worker process."""


class StorageSettings(Group, frozen=True):
    """Database"""

    database_url: Annotated[
        str,
        Meta(
            min_length=1,
            extra={"allowed_text": "a name or an address", "default_text": "newscrawl.db in the project's folder"},
        ),
    ] = ""
    """The database: sqlite:///FILE or postgresql://USER@HOST/NAME."""
    machine: str = ""
    """The name of this machine in the database; empty: its host name. It must stay the same as long as the archive
    of the machine does, also when a container with another host name takes its place."""
    batch_size: Annotated[int, Meta(ge=1, le=10_000, extra={"unit": "pages"})] = 50
    """A transaction is committed when it has this many pages."""
    batch_seconds: Annotated[float, Meta(gt=0, le=60, extra={"unit": "seconds"})] = 0.25
    """A transaction is committed this long after its first page, even if it has fewer pages."""


class ArchiveSettings(Group, frozen=True, rename=named("NEWSCRAWL_ARCHIVE_")):
    """Raw archive"""

    url: Annotated[str, Meta(extra={"allowed_text": "a folder, s3://BUCKET/PREFIX, auto or off"})] = "auto"
    """Where the fetched pages are kept as WARC files: a folder, or s3://BUCKET/PREFIX for an object store. auto:
    beside the SQLite file, otherwise beside scrapy.cfg; off: no archive."""
    spool: Annotated[str, Meta(extra={"allowed_text": "a folder or auto"})] = "auto"
    """Folder in which the files grow until they are moved to an object store; auto: as in NEWSCRAWL_ARCHIVE_URL.
    Without an object store it is not used."""
    max_gb: Annotated[float, Meta(ge=0, le=10**6, extra={"unit": "GB"})] = 20.0
    """The oldest files are removed while the archive (the folder, or the object store) is larger; 0: no limit."""
    max_days: Annotated[float, Meta(ge=0, le=36_500, extra={"unit": "days"})] = 0.0
    """Files that are older are removed; 0: no limit."""
    min_free_gb: Annotated[float, Meta(ge=0, le=10**6, extra={"unit": "GB"})] = 1.0
    """Fetching pauses while the disk on which the files grow has less free space."""
    file_mb: Annotated[float, Meta(ge=1, le=100_000, extra={"unit": "MB"})] = 256.0
    """Size at which a file is closed and the next one begins."""


class FeedSettings(Group, frozen=True):
    """Change feed"""

    sinks: Mapping[str, Any] = field(default_factory=dict)
    """Sinks of your own for `newscrawl feed NAME:PLACE` by name, each an import path: {"folder":
    "house:FolderSink"}. Sinks of installed packages need no setting."""


class RetentionSettings(Group, frozen=True):
    """Retention"""

    days: Mapping[str, Any] = field(default_factory=dict, name="NEWSCRAWL_RETENTION")
    """Days that articles, versions and events are kept, by site or "*" for all: {"*": {"versions": 365, "events":
    90}, "elpais": {"articles": 30}}. Everything else is kept forever."""
    prune_interval_hours: Annotated[float, Meta(ge=0, le=8_760, extra={"unit": "hours"})] = 24.0
    """How often `newscrawl run` does what `newscrawl db prune` does; 0: never."""


class SchedulingSettings(Group, frozen=True):
    """Visits to sources and pages"""

    min_source_interval: Annotated[float, Meta(gt=0, le=4 * HOUR, extra={"unit": "seconds"})] = 240.0
    """Shortest interval between two readings of a feed, sitemap or section, however many new entries it lists."""
    article_hours_per_source_visit: Annotated[float, Meta(gt=0, le=24, extra={"unit": "article-hours"})] = 0.1
    """A source is read again when its expected new articles have together waited this long unseen. A smaller value
    means more requests and shorter delays."""
    daily_new_pages: Annotated[
        int, Meta(ge=1, le=10**7, extra={"unit": "pages", "instead": "declare `daily_requests`"})
    ] = 1_000
    """Daily limit (UTC) on requests for addresses never fetched before, for a site without `daily_requests`; ten
    times its usual day of new articles if that is more."""
    site_schedules: Annotated[
        Mapping[str, Any], Meta(extra={"instead": "declare `interval`, `cron`, `quiet_hours` or `daily_requests`"})
    ] = field(default_factory=dict)
    """Timetables and budgets that replace what sites declare: {"elpais": {"interval": 900, "daily_requests": 500}}.
    The keys are interval, cron, quiet_hours, time_zone, daily_requests and paused; daily_requests may be
    "unlimited", and holds for `scrapy crawl` as well."""
    time_scale: Annotated[float, Meta(gt=0, le=10_000)] = 1.0
    """For trials only: scheduling counts this many seconds for each real second."""


class RunSettings(Group, frozen=True, rename=named("NEWSCRAWL_RUN_")):
    """`newscrawl run`"""

    concurrent_sites: Annotated[int, Meta(ge=1, le=1_000, extra={"unit": "sites"})] = 16
    """Sites that are crawled at the same time."""
    poll_interval: Annotated[float, Meta(gt=0, le=60, extra={"unit": "seconds"})] = 2.0
    """How often the process asks the database which sites are due."""
    min_site_interval: Annotated[float, Meta(ge=0, le=DAY, extra={"unit": "seconds"})] = 60.0
    """Least time between the starts of two crawls of one site."""
    max_crawl_seconds: Annotated[float, Meta(gt=0, le=DAY, extra={"unit": "seconds"})] = 1_200.0
    """A crawl that has taken longer is asked to end when other sites wait for its place."""
    lease_seconds: Annotated[float, Meta(ge=3, le=HOUR, extra={"unit": "seconds"})] = 60.0
    """A site's lease ends this long after its process last renewed it. Another process can then take over the site
    of a killed process."""
    drain_timeout: Annotated[float, Meta(ge=0, le=HOUR, extra={"unit": "seconds"})] = 22.0
    """Time for crawls to finish their pages when the process is asked to stop."""
    max_host_wait: Annotated[float, Meta(ge=0, le=DAY, extra={"unit": "seconds"})] = 300.0
    """NEWSCRAWL_MAX_HOST_WAIT in `newscrawl run`: a site whose host asks for a longer pause gives its place to
    others."""
    learn_boilerplate: bool = False
    """Whether the daily upkeep of `newscrawl run` does what `newscrawl learn --due` does, in one process. It needs
    a raw archive."""


class MonitoringSettings(Group, frozen=True):
    """Monitoring and review"""

    watchdog_interval: Annotated[float, Meta(ge=0, le=HOUR, extra={"unit": "seconds"})] = 30.0
    """How often `newscrawl run` checks which sites publish fewer articles than usual; 0: no alarms, also not after
    `scrapy crawl`."""
    alert_webhook: str = ""
    """URL to which alarms are posted as JSON. The operator's own: the address guard does not check it."""
    alert_mail_host: str = ""
    """SMTP server to which alarms are sent as mail. The operator's own: the address guard does not check it."""
    alert_mail_port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """Port of the SMTP server; 0: 587 with starttls, 465 with ssl, 25 with none."""
    alert_mail_tls: Literal["starttls", "ssl", "none"] = "starttls"
    """Encryption of the connection to the SMTP server. The certificate is checked. none: only without a user, or on
    this machine."""
    alert_mail_user: str = ""
    """User of the SMTP server. The password is read from the environment variable NEWSCRAWL_ALERT_MAIL_PASSWORD, or
    from NEWSCRAWL_ALERT_MAIL_PASSWORD_FILE."""
    alert_mail_password_file: str = ""
    """File whose first line is the password of the SMTP server's user."""
    alert_mail_from: str = ""
    """Address from which alarms are sent as mail."""
    alert_mail_to: tuple[str, ...] = ()
    """Addresses to which alarms are sent as mail."""
    review: Annotated[bool, OF_A_SITE] = True
    """Whether pages are held for review while the extraction of their site looks broken."""
    review_chains: Annotated[tuple[str, ...], OF_A_SITE] = ("best", "danag", "boilerpipe-article")
    """Chains that are tried on such a page before it is held, in this order."""


class ProcessSettings(Group, frozen=True):
    """Process"""

    progress: bool = True
    """Whether a crawl shows a live line (log lines without a terminal) and a table."""
    log_format: Literal["text", "json"] = "text"
    """Format of the log of crawls. json: one JSON object a line, with time, level, logger, message, and site, url,
    reason and exception where they are known. Scrapy's LOG_FORMAT and the live line have no effect then."""


class AddOnSettings(Group, frozen=True, rename=named("NEWSCRAWL_ADDON_")):
    """Add-on in another Scrapy project"""

    downloader: bool = True
    """Whether the add-on also brings the downloader of newscrawl. Without it, nothing of newscrawl guards
    addresses, spaces requests to a host, or obeys robots.txt."""
    keep: tuple[str, ...] = ()
    """Scrapy settings that the add-on leaves as the project has them, although it usually overrides them."""


class Config(msgspec.Struct, frozen=True):
    """All settings of a process, or of one site's crawl, with their types. They are read once and passed on."""

    politeness: PolitenessSettings = PolitenessSettings()
    allowed: TargetSettings = TargetSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    workers: WorkerSettings = WorkerSettings()
    storage: StorageSettings = StorageSettings()
    archive: ArchiveSettings = ArchiveSettings()
    feed: FeedSettings = FeedSettings()
    retention: RetentionSettings = RetentionSettings()
    scheduling: SchedulingSettings = SchedulingSettings()
    run: RunSettings = RunSettings()
    monitoring: MonitoringSettings = MonitoringSettings()
    process: ProcessSettings = ProcessSettings()
    addon: AddOnSettings = AddOnSettings()


GROUPS: Final[tuple[tuple[str, type[Group], Mapping[str, Setting]], ...]] = tuple(
    (one.name, one.type, described(one.type)) for one in msgspec.structs.fields(Config)
)
"""The groups in their order: the attribute of `Config`, the class, and its settings by attribute."""
CATALOGUE: Final[Mapping[str, Setting]] = MappingProxyType(
    {setting.name: setting for _, _, settings in GROUPS for setting in settings.values()}
)
"""Every setting by its name."""
PER_SITE: Final = frozenset(setting.name for setting in CATALOGUE.values() if setting.is_per_site)
"""The settings for which a site may have its own value."""
