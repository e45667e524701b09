"""A forgotten page leaves no rows, and a blocked one is not stored again."""

from __future__ import annotations

from datetime import timedelta

from all_tables import metadata
from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import select

from newscrawl.model import Candidate, Discovery
from newscrawl.storage.feed import changes
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget, register
from newscrawl.storage.removal.register import ForgetCause, ForgottenEntry

URL = "https://harbour.example/a"
FEED = "https://harbour.example/feed.xml"


NUMBERS = ("page_samples", "site_hours", "sites")
"""Tables with numbers of sites, which name no page."""


def rows(store, but=("changes", "blocked", "forgotten", "sources", "alembic_version", *NUMBERS)):
    with store.reading() as connection:
        found = {table.name: connection.execute(select(table)).all() for table in metadata.sorted_tables}
    found["sites"] = [row for row in found["sites"] if row.site != FLEET]
    return {name: kept for name, kept in found.items() if kept and name not in but}


def announce(store, now, url=URL):
    answer = SourceAnswer("harbour", FEED, "feed", 200, now)
    return store.run(record_answer, answer, [Candidate(url, Discovery("feed", FEED))], now).result(timeout=PATIENCE)


def test_a_forgotten_page_leaves_nothing_but_a_removal(save, store, page, now):
    announce(store, now)
    first, second, _ = [
        *save(page(URL, "one")),
        *save(page(URL, "two", fetched_at=now + timedelta(hours=1))),
        *save(page(URL, "two", title="Other", fetched_at=now + timedelta(hours=2))),
    ]
    cause = ForgetCause("ann", "asked by mail")
    found = store.run(forget.forget_url, f"{URL}#top", now, cause=cause).result(timeout=PATIENCE)
    assert (found.pages, found.articles, found.kept) == (1, 2, 0)
    assert rows(store) == {}
    with store.reading() as connection:
        removed = [change.article_id for change in changes.read(connection, 0, 99) if change.op == "remove"]
        (entry,) = register.latest(connection, 9)
    assert set(removed) == {first.article_id, second.article_id}
    assert entry == ForgottenEntry(now, "page", "harbour", 1, 2, on_blocklist=False, who="ann", reason="asked by mail")


def test_what_is_blocked_is_neither_asked_for_nor_stored(save, store, page, now):
    save(page(URL, "one"))
    store.run(forget.forget_url, URL, now, block=True).result(timeout=PATIENCE)
    assert announce(store, now) == []
    blocked, other = save(page(URL, "one"), page("https://harbour.example/b", "two"))
    assert (blocked.kind, blocked.article_id) == ("failed", None)
    assert other.kind == "inserted"
    store.run(forget.forget_site, "harbour", now, block=True).result(timeout=PATIENCE)
    assert announce(store, now, "https://harbour.example/new") == []
    assert save(page("https://harbour.example/c", "three"))[0].kind == "failed"
