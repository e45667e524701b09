"""The stored state of a fleet: schedules of sources, sightings, budgets, due pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from kinds_of_databases import ON_SQLITE
from patience import PATIENCE
from source_items import record_answer, record_failure
from sqlalchemy import select

from newscrawl.crawling.scheduling.robots import Robots
from newscrawl.crawling.scheduling.sources import plan
from newscrawl.model import TOO_COSTLY, Candidate, Discovery, SourcePlan, UsageRights
from newscrawl.model.identity import url_key
from newscrawl.reports.sources import hosts_of
from newscrawl.storage.frontier import hosts, pages, sightings, sources
from newscrawl.storage.frontier.source_state import Recovery
from newscrawl.storage.records import MOVED_TIMES, PROOF, SourceAnswer
from newscrawl.storage.tables.frontier import sightings as table
from newscrawl.storage.tables.frontier import sources as source_table

STATED = ("title", "date")
SITE = "https://harbour.example"
FEED = f"{SITE}/feed.xml"
HOUR = timedelta(hours=1)


def candidate(path, title="A title", published=None, source=FEED):
    return Candidate(f"{SITE}/{path}", Discovery("feed", source, title, published))


def answer(now, **changes):
    return SourceAnswer(**{"site": "harbour", "url": FEED, "kind": "feed", "status": 200, "fetched_at": now} | changes)


def only(call, site="harbour"):
    (source,) = call(sources.load_site, site)
    return source


def test_due_sources_come_with_the_ones_that_expect_most_first(call, now):
    for name, rate in (("slow", 0.1), ("busy", 9.0), ("unknown", None)):
        found = answer(now, url=f"{SITE}/{name}", site=name)
        call(record_answer, found, [], now, plan=lambda *_, r=rate: SourcePlan(now + HOUR, {}, r))
    assert call(sources.due, now) == []
    due = call(sources.due, now + HOUR)
    assert [source.site for source in due] == ["busy", "slow", "unknown"]
    assert [source.site for source in call(sources.due, now + HOUR, site="slow")] == ["slow"]


def test_a_sitemap_is_read_with_its_index_and_what_it_brings_counts_for_that(call, now):
    index = f"{SITE}/sitemap.xml"
    call(record_answer, answer(now, url=index, kind="sitemap"), [], now, plan=plan)
    before = call(sources.load_site, "harbour")[0]
    child = answer(now, url=f"{SITE}/2026-11.xml", kind="sitemap", parent=index)
    call(record_answer, child, [candidate(str(n), published=now) for n in range(30)], now, plan=plan)
    parent, stored = call(sources.load_site, "harbour")
    assert stored.next_due is None
    assert stored.parent == index
    assert parent.next_due < before.next_due
    assert parent.arrival_rate > before.arrival_rate
    assert [source.url for source in call(sources.due, now + 5 * HOUR)] == [index]


def test_validators_that_lied_are_not_sent_again(call, now):
    first = answer(now, etag='"v1"', content_hash="a" * 32)
    call(record_answer, first, [candidate("a")], now)
    assert only(call).validators(now + HOUR) == ('"v1"', None)
    assert only(call).validators(now + PROOF) == (None, None)
    same = answer(now + PROOF, etag='"v1"', content_hash="b" * 32)
    call(record_answer, same, [candidate("a")], now + PROOF)
    assert only(call).validator_mismatches == 0  # another advert, nothing new
    lied = answer(now + 2 * PROOF, etag='"v1"', content_hash="c" * 32)
    call(record_answer, lied, [candidate("b")], now + 2 * PROOF)
    assert only(call).validator_mismatches == 1
    assert only(call).validators(now + 2 * PROOF) == (None, None)


def test_a_permanent_redirect_is_adopted_after_repeated_confirmation_and_left_when_it_fails(call, now):
    new = f"{SITE}/feed/new"
    for n in range(MOVED_TIMES - 1):
        at = now + n * timedelta(days=1)
        call(record_answer, answer(at, moved_to=new), [], at)
        assert only(call).address == FEED
    at = now + timedelta(days=9)
    call(record_answer, answer(at, moved_to=new), [], at)
    assert only(call).address == new
    call(record_answer, answer(at), [], at)  # asked at the new address: no redirect
    assert only(call).address == new
    for _ in range(MOVED_TIMES):
        call(record_failure, "harbour", FEED, "feed", "http/404", 404, at)
    assert only(call).address == FEED


def test_a_redirect_that_ends_or_changes_is_counted_anew(call, now):
    call(record_answer, answer(now, moved_to=f"{SITE}/x"), [], now)
    call(record_answer, answer(now, moved_to=f"{SITE}/y"), [], now)
    assert (only(call).moved_to, only(call).moved_times) == (f"{SITE}/y", 1)
    call(record_answer, answer(now), [], now)
    assert (only(call).moved_to, only(call).moved_times) == (None, 0)


def test_a_source_that_fails_for_days_is_retired_and_comes_back(call, now):
    call(record_answer, answer(now), [], now, plan=plan)
    for day in range(1, 7):
        at = now + timedelta(days=day)
        call(record_failure, "harbour", FEED, "feed", "http/503", 503, at, plan=plan)
    retired = only(call)
    assert (retired.failing_since, retired.failures) == (now + timedelta(days=1), 6)
    assert retired.retired_at is not None
    assert retired.next_due == at + timedelta(days=1)
    call(record_answer, answer(retired.next_due), [], retired.next_due, plan=plan)
    assert (only(call).retired_at, only(call).failing_since) == (None, None)


def seen_at(connection, address):
    """The sightings of an address, in the order of its sources."""
    columns = (source_table.c.url.label("source"), source_table.c.kind, *(table.c[name] for name in STATED))
    query = select(*columns).join(source_table).where(table.c.url_key == url_key(address))
    return connection.execute(query.order_by(table.c.source_id)).all()


def test_of_too_many_sources_that_name_a_page_the_first_are_kept(call, now):
    for n in range(sightings.KEEP + 5):
        call(record_answer, answer(now + n * HOUR, url=f"{SITE}/feed/{n}"), [candidate("a")], now + n * HOUR)
    seen = call(seen_at, f"{SITE}/a")
    assert [one.source for one in seen] == [f"{SITE}/feed/{n}" for n in range(sightings.KEEP)]


def test_robots_txt_is_kept_with_its_last_good_copy(call, now):
    assert call(hosts.load_robots, SITE) is None
    good = Robots("rules", 200, now, now + 24 * HOUR, b"User-agent: *\nDisallow: /x\n# \x00\xff", good_at=now)
    call(hosts.save_robots, SITE, good)
    assert call(hosts.load_robots, SITE) == good
    for later, reading, may_be_asked in ((24 * HOUR, "rules", True), (31 * 24 * HOUR, "disallow", False)):
        away = Robots("rules", 503, now + later, now + later + HOUR, b"", 1, "answered 503")
        call(hosts.save_robots, SITE, away)
        kept = call(hosts.load_robots, SITE)
        assert (kept.reading, kept.reason, kept.body, kept.good_at) == (reading, "answered 503", good.body, now)
        assert [kept.allows(f"{SITE}/{path}", "newscrawl") for path in ("a", "x")] == [may_be_asked, False]
        (shown,), _ = call(hosts_of, [SITE], "newscrawl", now + later)
        assert (shown.robots.reading, shown.robots.allows_front_page) == (reading, may_be_asked)


def test_what_a_page_says_about_its_use_is_kept_until_it_says_something_else(call, store, page, now):
    from dataclasses import replace

    made = page(f"{SITE}/a", "the ferry")
    said = UsageRights(noindex=True, tdm_reservation=True, tdm_policy=f"{SITE}/policy")

    def stored():
        from newscrawl.storage.articles.lookup import known_pages

        key = url_key(f"{SITE}/a")
        return call(lambda connection: known_pages(connection, [key]).page_of(key).use)

    store.save(replace(made, use=said)).result(timeout=PATIENCE)
    assert stored() == said
    store.save(page(f"{SITE}/a", "the ferry again")).result(timeout=PATIENCE)
    assert stored() == said
    store.save(replace(made, use=UsageRights())).result(timeout=PATIENCE)
    assert stored() == UsageRights()


@ON_SQLITE
def test_a_tick_walks_no_table_however_many_sites_are_idle(store):
    """The plan is read as SQLite writes it."""
    from sqlalchemy.dialects import sqlite

    from newscrawl.storage.frontier.sites import _announced, _due_pages, _due_sources

    now = datetime(2026, 11, 21, tzinfo=UTC)
    with store.reading() as connection:
        for query in (_due_sources(now, ()), _due_pages(now, {"nobody"}), _announced()):
            told = str(query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
            plan_of_it = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {told}")]
            tables = [line for line in plan_of_it if "pages" in line or "sources" in line]
            indexes = ("ix_sources_next_due", "ix_pages_due", "ix_pages_found")
            assert all(any(name in line for name in indexes) for line in tables)
            assert tables


def test_a_sitemap_that_does_harm_rests_by_itself_without_being_due_by_itself(call, now):
    index, child = f"{SITE}/sitemap.xml", f"{SITE}/2026-11.xml"
    for failures, minutes in enumerate((15, 30, 60), start=1):
        failed = ("harbour", child, "sitemap", TOO_COSTLY, 200, now)
        call(record_failure, *failed, parent=index, plan=plan)
        row = only(call)
        assert (row.failures, row.next_due) == (failures, None)
        assert row.not_before == now + timedelta(minutes=minutes)


def test_an_index_that_cost_too_much_has_recovered_when_all_that_it_names_was_read(call, now):
    """Its own answer alone would make every back-off the first."""
    unsettled = {"url": FEED, "kind": "sitemap", "is_settled": False}
    for failures in (1, 2, 3):
        call(record_answer, answer(now, **unsettled), [], now, plan=plan)
        call(record_failure, "harbour", FEED, "sitemap", TOO_COSTLY, 200, now, plan=plan)
        assert only(call).failures == failures
    call(record_answer, answer(now, **unsettled), [], now, plan=plan)
    killed_here = only(call)
    assert (killed_here.failures, killed_here.failure_kind) == (3, TOO_COSTLY)
    assert killed_here.next_due == killed_here.not_before == now + HOUR
    call(sources.record, [Recovery("harbour", FEED, now, plan)])
    well = only(call)
    assert (well.failures, well.failure_kind, well.failing_since, well.not_before) == (0, None, None, None)
    assert now < well.next_due <= now + 4 * HOUR


def test_an_index_that_failed_otherwise_is_well_with_its_answer_and_needs_no_recovery(call, now):
    call(record_failure, "harbour", FEED, "sitemap", "http/503", 503, now, plan=plan)
    call(sources.record, [Recovery("harbour", FEED, now, plan)])
    assert only(call).failures == 1
    call(record_answer, answer(now, kind="sitemap", is_settled=False), [], now, plan=plan)
    assert only(call).failures == 0


def test_an_answer_with_new_validators_replaces_the_old_ones(call, now):
    call(record_answer, answer(now, etag='"v1"', last_modified="then"), [], now)
    call(record_answer, answer(now, etag='"v2"'), [], now)
    source = only(call)
    assert (source.etag, source.last_modified) == ('"v2"', None)


def test_spellings_of_one_address_are_one_candidate_and_bad_addresses_are_counted(call, now):
    urls = ["http://www.harbour.example/a?utm_source=x", "https://harbour.example/a#top", "javascript:x", "https://"]
    due = call(record_answer, answer(now), [Candidate(url, Discovery("feed", FEED)) for url in urls], now)
    assert len(due) == 1
    source = only(call)
    assert (source.named, source.new, source.unusable) == (1, 1, 2)


def test_the_watermark_is_the_newest_date_named_that_is_not_in_the_future(call, now):
    dates = [now - timedelta(hours=3), now - timedelta(hours=1), now + timedelta(days=900), None]
    named = [candidate(str(n), published=published) for n, published in enumerate(dates)]
    call(record_answer, answer(now), named, now)
    call(record_answer, answer(now), named[:1], now)
    call(record_answer, answer(now), named[3:], now)
    source = only(call)
    assert source.watermark == now - timedelta(hours=1)


def test_due_pages_can_be_limited_to_one_domain(call, now):
    urls = ["https://harbour.example/a", "https://other.example/harbour.example/b", "https://news.harbour.example/c"]
    call(record_answer, answer(now, site="generic"), [Candidate(url, Discovery("feed", FEED)) for url in urls], now)
    due = call(pages.due, "generic", now, 10, domain="harbour.example")
    assert [page.url for page in due] == [urls[0], urls[2]]
    assert len(call(pages.due, "generic", now, 1, domain="harbour.example")) == 1
