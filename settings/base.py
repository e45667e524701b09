"""Settings of every deployment of this project; the others start with `from settings.base import *`.

Each NEWSCRAWL_ name can also be set as an environment variable, which wins over these files where they write it with
`setting`. What makes a crawl safe and polite comes from newscrawl.config.scrapy_defaults and can be changed here like
any Scrapy setting.
"""

from __future__ import annotations

import sys
from pathlib import Path

from newscrawl.config.environment import check_project, database_beside, errors_in_one_line, setting

PROJECT = Path(__file__).resolve().parent.parent

with errors_in_one_line():
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
    LOG_LEVEL = "WARNING" if sys.stderr.isatty() else "INFO"
    LOG_VERSIONS: list[str] = []
    STATS_DUMP = False  # the table at the end and `newscrawl status --json` say the same

    # --- newscrawl's own settings: `python -m newscrawl.config.reference` prints them all, with their defaults ---
    # A line like `NEWSCRAWL_BATCH_SIZE = setting("NEWSCRAWL_BATCH_SIZE", 100)` gives one another default here.
    NEWSCRAWL_DATABASE_URL = setting("NEWSCRAWL_DATABASE_URL", database_beside(PROJECT, "newscrawl.db"))
