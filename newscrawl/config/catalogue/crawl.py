"""The settings of a crawl: requests, the address guard, extraction and its worker processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from newscrawl.config.catalogue.setting import DAY, flag, mapping, names, number, text, whole
from newscrawl.processes import MIN_MEMORY_MB


@dataclass(frozen=True, slots=True)
class PolitenessSettings:
    """Requests to hosts"""

    contact: str = text(
        "NEWSCRAWL_CONTACT",
        "",
        "Address or URL at which the owner of a site reaches the operator. It goes into the user agent. Without one, "
        "only sites on this machine are crawled.",
        instead="set USER_AGENT there",
    )
    delay: float = number(
        "NEWSCRAWL_DELAY",
        1.0,
        "Pause between two requests to a host, if the host does not ask for a longer one (2 in settings/production.py)."
        " This name is for the environment; a settings module sets Scrapy's DOWNLOAD_DELAY.",
        unit="seconds",
        maximum=DAY,
        stored_as="DOWNLOAD_DELAY",
        instead="declare `delay`",
    )
    first_backoff: float = number(
        "NEWSCRAWL_FIRST_BACKOFF",
        5.0,
        "Back-off after a first 429 or 503 without Retry-After. It doubles with each further one.",
        unit="seconds",
        maximum=DAY,
        is_per_site=True,
    )
    max_host_wait: float = number(
        "NEWSCRAWL_MAX_HOST_WAIT",
        3_600.0,
        "A host that asks for a longer pause than this, and than 300 seconds, gets no more requests in this crawl. "
        "`newscrawl run` takes NEWSCRAWL_RUN_MAX_HOST_WAIT instead.",
        unit="seconds",
        maximum=30 * DAY,
        is_per_site=True,
    )
    share_limit_by_address: bool = flag(
        "NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS",
        False,
        "Whether hosts that are served from one IP address share one delay.",
        is_per_site=True,
    )


@dataclass(frozen=True, slots=True)
class TargetSettings:
    """Address guard"""

    addresses: tuple[str, ...] = names(
        "NEWSCRAWL_ALLOWED_ADDRESSES",
        (),
        "Networks that may be connected to besides public addresses, on any port: 127.0.0.0/8.",
    )
    ports: tuple[str, ...] = names("NEWSCRAWL_ALLOWED_PORTS", (), "Ports that may be connected to besides 80 and 443.")


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    """Extraction"""

    chain: str = text(
        "NEWSCRAWL_CHAIN",
        "classic",
        "The chain of extractors that reads pages.",
        is_required=True,
        allowed_text="a name or an address",
        is_per_site=True,
    )
    chains: Mapping[str, Any] = mapping(
        "NEWSCRAWL_CHAINS",
        'Chains of your own by name, each a list of extractors: {"mine": ["justext", "boilerpipe-article"]}.',
        is_per_site=True,
    )
    extractors: Mapping[str, Any] = mapping(
        "NEWSCRAWL_EXTRACTORS",
        'Extractors of your own by name, each an import path: {"lead": "house:lead"}. Chains and NEWSCRAWL_CHAIN may '
        "name them. Extractors of installed packages need no setting.",
        is_per_site=True,
    )
    verdict_rules: tuple[str, ...] = names(
        "NEWSCRAWL_VERDICT_RULES",
        (),
        "Rules that say which pages are not articles, asked in this order: import paths (house:advertorial), and names "
        "of rules of installed packages.",
        is_per_site=True,
    )
    kinds: tuple[str, ...] = names(
        "NEWSCRAWL_KINDS",
        ("article", "live", "paywalled", "short"),
        "Kinds of pages that are stored as articles. Others: listing, product, forum, documentation, service, video, "
        "gallery.",
        is_per_site=True,
    )
    min_words: int = whole(
        "NEWSCRAWL_MIN_WORDS",
        60,
        "A text with fewer words is too short: the next extractor of the chain is tried.",
        unit="words",
        maximum=10**6,
        is_per_site=True,
    )
    min_characters: int = whole(
        "NEWSCRAWL_MIN_CHARACTERS",
        300,
        "A text with fewer characters is too short: the next extractor of the chain is tried.",
        unit="characters",
        maximum=10**7,
        is_per_site=True,
    )
    leave_out_boilerplate: bool = flag(
        "NEWSCRAWL_LEAVE_OUT_BOILERPLATE",
        True,
        "Whether lines that a site repeats on pages of many stories are learned (`newscrawl learn`) and left out of "
        "texts.",
        is_per_site=True,
    )


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Worker processes"""

    count: int = whole(
        "NEWSCRAWL_EXTRACT_WORKERS",
        0,
        "Worker processes that extract pages; 0: one for each core. Feeds, sitemaps and front pages have up to three "
        "more.",
        unit="processes",
        maximum=1_024,
    )
    timeout: float = number(
        "NEWSCRAWL_EXTRACT_TIMEOUT",
        20.0,
        "Limit for one page, feed, sitemap or front page. Time in which a worker waits for a core does not count.",
        unit="seconds",
        maximum=DAY,
        is_minimum_excluded=True,
    )
    memory_mb: int = whole(
        "NEWSCRAWL_EXTRACT_MEMORY_MB",
        2_048,
        "Address space of one worker process.",
        unit="MB",
        minimum=MIN_MEMORY_MB,
        maximum=10**7,
    )
