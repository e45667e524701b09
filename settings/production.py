"""Settings for a crawl of real sites that runs for long: it must say whom to write to, and where it stores."""

from __future__ import annotations

from newscrawl.config.environment import errors_in_one_line, setting
from newscrawl.config.user_agent import user_agent
from newscrawl.errors import ConfigurationError
from settings.base import *  # noqa: F403

with errors_in_one_line():
    NEWSCRAWL_CONTACT = setting("NEWSCRAWL_CONTACT")
    if not NEWSCRAWL_CONTACT:
        raise ConfigurationError(
            "NEWSCRAWL_CONTACT", "is empty: set an address or URL at which the owners of sites can reach you"
        )
    USER_AGENT = user_agent(NEWSCRAWL_CONTACT)
    DOWNLOAD_DELAY = setting("NEWSCRAWL_DELAY", 2.0)
    LOGSTATS_INTERVAL = 300.0
