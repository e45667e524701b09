"""Stores the results of another extraction of captures in place of their results so far.

The pages are stored like all pages (articles.apply), with an occasion of their own: there was no visit, so dates,
counts and plans of the pages stay. Doing it twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.articles.deciding.previous_readings import capture_id, may_replace
from newscrawl.storage.articles.lookup import previous_readings
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.records import Outcome


def save(connection: Connection, writer: BatchWriter, pages: Sequence[ProcessedPage], now: datetime) -> list[Outcome]:
    """Stores the new articles; one outcome a page that was saved.

    Pages are passed over without an article, whose capture was forgotten meanwhile, whose texts went because of their
    age, and with a part of a text where there was a whole one (previous_readings.may_replace).
    """
    ids = {number: page for page in pages if (number := capture_id(page)) is not None}
    known = previous_readings(connection, ids)
    found = [page for number, page in ids.items() if number in known and may_replace(page, known[number])]
    if not found:
        return []
    return writer.save_within(connection, found, Occasion("reextracted", writer.next_due, now))
