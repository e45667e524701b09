"""Stores the results of another extraction of captures in place of the earlier results.

The pages are stored as all pages are (articles.apply), with the occasion `reextracted`: no visit took place, so the
dates, counts and plans of the pages stay. Storing the same result twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.articles.deciding.previous_readings import capture_id, may_replace
from newscrawl.storage.articles.lookup import previous_readings
from newscrawl.storage.captures.withdrawals import failed_by_verdict, is_withdrawn, withdraw
from newscrawl.storage.engine.batch import keep_refused, store_pages
from newscrawl.storage.records import NextDue, Outcome


def saving(
    next_due: NextDue, now: datetime
) -> tuple[
    Callable[[Connection, Sequence[ProcessedPage], bool], list[Outcome]],
    Callable[[Connection, ProcessedPage, Exception, bool], list[Outcome]],
]:
    """Returns the functions that store new articles, and a page that the database refuses (engine.writer.Parts)."""
    occasion = Occasion("reextracted", next_due, now)

    def store(connection: Connection, pages: Sequence[ProcessedPage], _is_last: bool) -> list[Outcome]:
        return save(connection, pages, occasion, now)

    def refuse(connection: Connection, page: ProcessedPage, error: Exception, _is_last: bool) -> list[Outcome]:
        return [keep_refused(connection, page, error, occasion)]

    return store, refuse


def save(connection: Connection, pages: Sequence[ProcessedPage], occasion: Occasion, now: datetime) -> list[Outcome]:
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
            outcomes += store_pages(connection, replacing, occasion)
    return outcomes
