"""Sends what is due in a database: alarms to the webhook at the address, searches to their places. Run by
test_outbox.py, which kills it at a failpoint."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from scrapy.settings import Settings

from newscrawl.config.reading import config_of
from newscrawl.publishing.deliver.places import SETTING
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.storage.store import open_store

if __name__ == "__main__":
    database, address = sys.argv[1:]
    with open_store(database, upgrade=False) as store:
        Sender.of(store, config_of(Settings({SETTING: address})), lambda: datetime.now(UTC)).send()
