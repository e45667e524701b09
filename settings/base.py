"""Settings of every deployment of this project; the others start with `from settings.base import *`.

Each NEWSCRAWL_ name can also be set as an environment variable, which wins over these files. What makes a crawl
safe and polite comes from newscrawl.config.scrapy_defaults and can be changed here like any Scrapy setting.
"""

from __future__ import annotations

import sys
from pathlib import Path

from newscrawl.config.environment import check_project, database_beside, setting, told_in_one_line

PROJECT = Path(__file__).resolve().parent.parent

with told_in_one_line():
    check_project(PROJECT)

    from newscrawl.config.scrapy_defaults import *  # noqa: F403
    from newscrawl.config.scrapy_defaults import EXTENSIONS as SAFE_EXTENSIONS

    SPIDER_MODULES = ["spiders"]
    NEWSPIDER_MODULE = "spiders"
    SPIDER_LOADER_CLASS = (
        "newscrawl.crawling.spider.loader.Sites"  # a file that cannot be read costs its own sites only
    )
    ITEM_PIPELINES = {
        "pipelines.archive.ArchivePipeline": 200,
        "pipelines.extract.ExtractPipeline": 300,
        "pipelines.fingerprint.FingerprintPipeline": 400,
        "pipelines.store.StorePipeline": 500,
    }
    EXTENSIONS = {
        **SAFE_EXTENSIONS,
        "newscrawl.crawling.runtime.services.Services": 100,
        "newscrawl.crawling.runtime.run_log.RunLog": 200,
        "newscrawl.crawling.monitoring.watchdog.WatchAtEnd": 220,
        "newscrawl.crawling.runtime.interrupt.Interrupt": 250,
        "newscrawl.crawling.runtime.progress.Progress": 300,
    }

    # --- what an operator sees: on a terminal a live line, elsewhere log lines; a table at the end ---
    NEWSCRAWL_PROGRESS = setting("NEWSCRAWL_PROGRESS", True)
    LOG_LEVEL = "WARNING" if sys.stderr.isatty() else "INFO"
    LOG_VERSIONS: list[str] = []
    STATS_DUMP = False  # the table at the end and `newscrawl status --json` say the same

    # --- storage ---
    NEWSCRAWL_DATABASE_URL = setting("NEWSCRAWL_DATABASE_URL", database_beside(PROJECT, "newscrawl.db"))
    NEWSCRAWL_BATCH_SIZE = setting("NEWSCRAWL_BATCH_SIZE", 50)
    NEWSCRAWL_BATCH_SECONDS = setting("NEWSCRAWL_BATCH_SECONDS", 0.25)

    # --- the raw archive: every fetched page as WARC (docs/archive.md) ---
    NEWSCRAWL_ARCHIVE_DIR = setting("NEWSCRAWL_ARCHIVE_DIR", "auto")  # auto: beside the database; off: none
    NEWSCRAWL_ARCHIVE_MAX_GB = setting("NEWSCRAWL_ARCHIVE_MAX_GB", 20.0)  # the oldest files go; 0: no limit
    NEWSCRAWL_ARCHIVE_MAX_DAYS = setting("NEWSCRAWL_ARCHIVE_MAX_DAYS", 0.0)  # 0: no limit
    NEWSCRAWL_ARCHIVE_MIN_FREE_GB = setting("NEWSCRAWL_ARCHIVE_MIN_FREE_GB", 1.0)  # with less, fetching pauses
    NEWSCRAWL_ARCHIVE_FILE_MB = setting("NEWSCRAWL_ARCHIVE_FILE_MB", 256.0)

    # --- extraction ---
    NEWSCRAWL_EXTRACT_WORKERS = setting("NEWSCRAWL_EXTRACT_WORKERS", 0)  # 0: one for each core
    NEWSCRAWL_EXTRACT_TIMEOUT = setting("NEWSCRAWL_EXTRACT_TIMEOUT", 20.0)  # seconds for one page
    NEWSCRAWL_EXTRACT_MEMORY_MB = setting("NEWSCRAWL_EXTRACT_MEMORY_MB", 2048)  # address space of one worker
