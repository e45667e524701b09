"""Stores the results of another extraction of captures in place of the earlier results.

The pages are stored as all pages are (articles.apply), with the occasion `reextracted`: no visit took place, so the
dates, counts and plans of the pages stay. Storing the same result twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.articles.deciding.previous_readings import capture_id, may_replace
from newscrawl.storage.articles.lookup import previous_readings
from newscrawl.storage.captures.withdrawals import failed_by_verdict, is_withdrawn, withdraw
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.records import Outcome


def save(connection: Connection, writer: BatchWriter, pages: Sequence[ProcessedPage], now: datetime) -> list[Outcome]:
    """Stores the new articles, and withdraws those whose captures are of another kind now. Returns one outcome for each
    page that was saved or withdrawn.

    A page is skipped if no text was extracted, if its capture or its texts were removed meanwhile, or if its text is
    partial and the earlier one was whole (previous_readings.may_replace).
    """
    outcomes: list[Outcome] = []
    for is_verdict, group in groupby(pages, key=failed_by_verdict):
        ids = {number: page for page in group if (number := capture_id(page)) is not None}
        known = previous_readings(connection, ids)
        if is_verdict:
            withdrawn = [page for number, page in ids.items() if number in known and is_withdrawn(page, known[number])]
            outcomes += withdraw(connection, withdrawn, known, now)
            continue
        replacing = [page for number, page in ids.items() if number in known and may_replace(page, known[number])]
        if replacing:
            outcomes += writer.save_within(connection, replacing, Occasion("reextracted", writer.next_due, now))
    return outcomes
