"""When an article is visited again: by itself, ever more rarely, and when a source announces an edit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.crawling.scheduling.announced_edits import (
    BULK_MIN,
    GAP,
    LEAST_A_DAY,
    SHARE,
    ListedEntry,
    SourceReading,
    describe,
    earlier_visits,
    most_a_day,
)
from newscrawl.crawling.scheduling.revisit import MAX_PAUSE, MIN_PAUSE, QUIET, next_due

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
FETCHED = NOW - 5 * HOUR
UNKNOWN = {"title_before": None, "date_before": None, "was_listed": False}
"""Of an entry that the source has not named before."""


def entry(key="a", **changes):
    """A page that was fetched five hours ago; its entry says what it said before."""
    said = {"title": "Ferry opens", "published": NOW - 8 * HOUR}
    before = {"title_before": "Ferry opens", "date_before": NOW - 8 * HOUR, "was_listed": True}
    return ListedEntry(**{"key": key, "fetched": FETCHED} | said | before | changes)


def edited(key="a", **changes):
    """The same with a change an hour ago."""
    return entry(key, **{"modified": NOW - HOUR} | changes)


def reading(*entries, **changes):
    return SourceReading(**{"at": NOW, "previous": NOW - 10 * MINUTE, "listed": 100, "entries": entries} | changes)


def visits(*entries, **changes):
    return [(visit.key, visit.signal) for visit in earlier_visits(reading(*entries, **changes))]


# What counts as an announcement


@pytest.mark.parametrize(
    ("changes", "signal"),
    [
        pytest.param({"modified": NOW - HOUR}, "date", id="a time of change after the fetch"),
        pytest.param({"published": NOW - HOUR}, "date", id="a publication date that moved"),
        pytest.param({"modified": FETCHED - HOUR}, None, id="a change before the fetch, which has seen it"),
        pytest.param({"modified": NOW - 9 * HOUR}, None, id="an older date than before"),
        pytest.param({"modified": NOW + 3 * DAY}, None, id="a date that cannot be"),
        pytest.param({"modified": NOW + 2 * HOUR}, "date", id="a local time that is stated as UTC"),
        pytest.param({"title": "Ferry sinks"}, "title", id="another title"),
        pytest.param({"title": "FERRY  opens!"}, None, id="the same words otherwise written"),
        pytest.param({"title": None}, None, id="no title any more"),
        pytest.param({"title": "Ferry sinks", "shown_title": "Ferry sinks"}, None, id="the title the page has already"),
        pytest.param({"title": "Ferry sinks", "title_before": None}, None, id="a first title"),
        pytest.param({"title": "Ferry sinks", "was_listed": False}, None, id="a title changed nobody knows when"),
        pytest.param({"modified": NOW - HOUR} | UNKNOWN, "date", id="a source that names it for the first time"),
        pytest.param({"published": NOW - HOUR} | UNKNOWN, None, id="a late first publication date"),
        pytest.param({"modified": NOW + HOUR} | UNKNOWN, None, id="a first date in the future"),
        pytest.param({}, None, id="nothing new"),
    ],
)
def test_an_announcement_is_what_can_only_have_changed_since_the_last_fetch(changes, signal):
    assert visits(entry(**changes)) == ([("a", signal)] if signal else [])


def test_a_date_without_a_time_stands_for_its_whole_day():
    midnight = NOW.replace(hour=0)
    morning = entry(fetched=midnight + 5 * HOUR, published=None, date_before=midnight - DAY)
    assert visits(replace(morning, modified=midnight))
    assert not visits(replace(morning, modified=midnight + 4 * HOUR))


def test_a_title_that_changed_around_the_fetch_counts_when_it_probably_came_after():
    """Discovered, fetched seconds later, and named otherwise at the next reading."""
    soon_after = entry(title="Ferry sinks", fetched=NOW - 58 * MINUTE)
    just_before = entry(title="Ferry sinks", fetched=NOW - 2 * MINUTE)
    assert visits(soon_after, previous=NOW - HOUR)
    assert not visits(just_before, previous=NOW - HOUR)


@pytest.mark.parametrize("ago", [1, 14], ids=["fetched a minute ago", "fetched 14 minutes ago"])
def test_a_page_is_not_fetched_again_before_the_gap_has_passed(ago):
    hot = edited(fetched=NOW - ago * MINUTE, modified=NOW)
    (visit,) = earlier_visits(reading(hot))
    assert visit.due == hot.fetched + GAP


def test_an_entry_with_two_signals_asks_for_one_visit():
    assert visits(edited(title="Ferry sinks")) == [("a", "date")]


def test_a_listing_that_was_built_anew_announces_nothing_but_single_titles():
    stamped = [edited(str(n), modified=NOW) for n in range(30)]
    stamped[7] = replace(stamped[7], title="Ferry sinks")
    assert visits(*stamped, listed=40) == [("7", "title")]
    few = stamped[: BULK_MIN - 1]
    assert len(visits(*few, listed=len(few))) == len(few), "a short feed may be edited as a whole"


# How many are followed


def test_a_site_may_have_a_tenth_of_its_visits_earlier_and_a_few_in_any_case():
    assert [most_a_day(fetched) for fetched in (0, 79, 90, 500)] == [LEAST_A_DAY, LEAST_A_DAY, 9, 50]


def test_sources_that_lie_cost_one_visit_for_nine():
    """A site of 900 ordinary visits a day whose sources announce edits without end. The visits that are brought forward
    are visits, too."""
    brought = 0
    while brought < most_a_day(900 + brought):
        brought += 1
    assert brought <= 900 * SHARE / (1 - SHARE) == 100


# Entries that are gone


def missing(key="gone", age=5 * HOUR, fetched=FETCHED):
    return ListedEntry(key, fetched, date_before=NOW - age, was_listed=True)


@pytest.mark.parametrize(
    ("entries", "staying", "expected"),
    [
        pytest.param([missing()], [1, 2, 6, 7, 8], ["gone"], id="older entries stay: it may have been withdrawn"),
        pytest.param([missing(age=9 * HOUR)], [0, 1, 2, 6, 7, 8], [], id="a feed of fixed length drops its oldest"),
        pytest.param([missing(age=9 * HOUR)], [1, 2, 6, 7, 500, 900], [], id="only pinned posts are older"),
        # Published later than three that stay, but those were edited since and went to the top.
        pytest.param([missing(age=6 * HOUR)], [0, 0.5, 1, 2, 3], [], id="sorted by the latest change"),
        pytest.param([missing(str(n)) for n in range(4)], range(6, 26), [], id="many: another selection"),
        pytest.param([missing("0"), missing("1")], range(6, 26), ["0", "1"], id="two"),
        pytest.param([missing()], [7, 8], [], id="a listing too short to tell"),
        pytest.param([missing()], [], [], id="an empty listing"),
        pytest.param([missing(fetched=NOW - MINUTE)], [6, 7, 8], [], id="the page was fetched after its entry went"),
    ],
)
def test_an_entry_that_disappears(entries, staying, expected):
    found = visits(missing=entries, staying=[NOW - hour * HOUR for hour in staying], previous=NOW - HOUR)
    assert [key for key, _ in found] == expected


def test_an_announcement_is_told_in_words():
    assert describe("sitemap", "date") == "the sitemap gives a newer lastmod"
    assert describe("feed", "title") == "the feed gives another title"
    assert describe("feed", "withdrawn") == "the feed no longer lists it, while older entries stay"


SEEN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def visits_alone(published=None, last_change=None):
    """Every visit to an article that was first read at SEEN and never answers with anything new."""
    times = [SEEN]
    while (due := next_due(SEEN, published, last_change, times[-1])) is not None:
        times.append(due)
    return times[1:]


def test_a_fresh_article_is_visited_after_growing_pauses_and_then_no_more():
    times = visits_alone()
    pauses = [later - earlier for earlier, later in zip([SEEN, *times], times, strict=False)]
    assert pauses[0] == MIN_PAUSE
    assert pauses == sorted(pauses)
    assert max(pauses) <= MAX_PAUSE
    assert times[-1] - SEEN <= QUIET + MAX_PAUSE
    assert len(times) <= 15


def test_a_change_starts_the_visits_anew():
    changed = SEEN + timedelta(days=30)
    assert next_due(SEEN, None, changed, changed) == changed + MIN_PAUSE
    assert next_due(SEEN, None, changed, changed + timedelta(hours=6)) == changed + timedelta(hours=12)


def test_an_article_that_was_old_when_it_was_found_is_not_visited_again():
    assert visits_alone(published=SEEN - timedelta(days=400)) == []


@pytest.mark.parametrize("published", [SEEN + timedelta(days=1), datetime(2099, 1, 1, tzinfo=UTC)])
def test_a_publication_date_in_the_future_does_not_keep_an_article_fresh(published):
    assert visits_alone(published=published) == visits_alone()


def test_a_clock_that_jumps_back_neither_raises_nor_hurries():
    now = SEEN - timedelta(days=1)
    assert next_due(SEEN, None, None, now) == now + MIN_PAUSE


def test_a_page_that_is_often_edited_is_visited_more_often_than_one_that_never_is():
    now = SEEN + timedelta(hours=8)
    edited = next_due(SEEN, None, None, now, visits=8, edits=6) - now
    usual = next_due(SEEN, None, None, now, visits=1, edits=0) - now
    still = next_due(SEEN, None, None, now, visits=8, edits=0) - now
    assert MIN_PAUSE < edited < usual == timedelta(hours=8) < still <= 2 * usual
