"""Sets up the log of a process that crawls, as NEWSCRAWL_LOG_FORMAT says."""

from __future__ import annotations

import logging
from pathlib import Path

from scrapy.settings import BaseSettings
from scrapy.utils.log import get_scrapy_root_handler

from newscrawl.config.logs.lines import JSON, JsonLines, make_log_safe, write_json
from newscrawl.config.reading import value_of

FORMAT = "NEWSCRAWL_LOG_FORMAT"
INSTALLS = "LOG_INSTALL_ROOT_HANDLER"


def set_up_log(settings: BaseSettings) -> None:
    """Makes log lines safe, and JSON if the settings say so. May be called again.

    Before Scrapy has set up its log, its handler is replaced by one that writes to the same place; a handler that it
    has already is only formatted. Scrapy's LOG_FORMAT has no effect on JSON. Raises ConfigurationError.
    """
    make_log_safe()
    if value_of(settings, FORMAT) != JSON:
        return
    write_json()
    theirs = get_scrapy_root_handler()
    if theirs is not None:
        theirs.setFormatter(JsonLines())
    elif settings.getbool(INSTALLS) and not settings.frozen:
        settings.set(INSTALLS, False, priority="cmdline")
        logging.root.setLevel(logging.NOTSET)
        logging.root.addHandler(_handler(settings))


def _handler(settings: BaseSettings) -> logging.Handler:
    """Returns a handler for the place that Scrapy's settings name."""
    handler: logging.Handler
    if settings["LOG_FILE"]:
        file = Path(settings["LOG_FILE"])
        if not settings.getbool("LOG_FILE_APPEND"):
            file.unlink(missing_ok=True)
        handler = logging.FileHandler(file, mode="a", encoding="utf-8")  # "w" cannot be opened again after a shutdown
    elif settings.getbool("LOG_ENABLED"):
        handler = logging.StreamHandler()
    else:
        handler = logging.NullHandler()
    handler.setFormatter(JsonLines())
    handler.setLevel(settings["LOG_LEVEL"])
    return handler
