"""Which announcements of edits are followed, and how a source gains and loses trust."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.edit_signals import ListedEntry, NotedEntry, SourceReading, describe
from newscrawl.scheduling.announced_edits import (
    BULK_MIN,
    DEFAULT,
    LIMITED_AT_ONCE,
    MAX_PROBE_FACTOR,
    TRUSTED_AT_ONCE,
    Trust,
    earlier_visits,
    read_trust,
    write_trust,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
FETCHED = NOW - 5 * HOUR
TOMORROW = NOW + DAY


def noted(**changes):
    return NotedEntry(**{"title": "Ferry opens", "date": NOW - 8 * HOUR, "listed": True} | changes)


def entry(key="a", **changes):
    """A page that was fetched five hours ago and is due tomorrow; its entry is what was noted."""
    values = {"key": key, "fetched": FETCHED, "next_due": TOMORROW, "title": "Ferry opens", "published": NOW - 8 * HOUR}
    return ListedEntry(**values | {"noted": noted()} | changes)


def edited(key="a", **changes):
    """The same with a change an hour ago."""
    return entry(key, **{"modified": NOW - HOUR} | changes)


def reading(*entries, **changes):
    values = {"kind": "sitemap", "at": NOW, "previous": NOW - 10 * MINUTE, "listed": 100, "entries": entries}
    return SourceReading(**values | changes)


def visits(*entries, memory=None, **changes):
    return [(visit.key, visit.signal) for visit in earlier_visits(memory, reading(*entries, **changes)).visits]


def learned(*outcomes, signal="date", last=None):
    """The memory after visits that found an edit, or none."""
    trust = Trust(last=last)
    for found_edit in outcomes:
        trust = trust.after(found_edit=found_edit)
    return write_trust({signal: trust})


TRUSTED = learned(*[True] * 5)
LIAR = learned(*[False] * 5, last=NOW - MINUTE)


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
        pytest.param({"title": "Ferry sinks", "noted": noted(title=None)}, None, id="a first title"),
        pytest.param(
            {"title": "Ferry sinks", "noted": noted(listed=False)}, None, id="a title changed nobody knows when"
        ),
        pytest.param({"modified": NOW - HOUR, "noted": None}, "date", id="a source that names it for the first time"),
        pytest.param({"published": NOW - HOUR, "noted": None}, None, id="a late first publication date"),
        pytest.param({"modified": NOW + HOUR, "noted": None}, None, id="a first date in the future"),
        pytest.param({}, None, id="nothing new"),
    ],
)
def test_an_announcement_is_what_can_only_have_changed_since_the_last_fetch(changes, signal):
    assert visits(entry(**changes)) == ([("a", signal)] if signal else [])


def test_a_date_without_a_time_stands_for_its_whole_day():
    midnight = NOW.replace(hour=0)
    morning = entry(fetched=midnight + 5 * HOUR, published=None, noted=noted(date=midnight - DAY))
    assert visits(replace(morning, modified=midnight))
    assert not visits(replace(morning, modified=midnight + 4 * HOUR))


def test_a_title_that_changed_around_the_fetch_counts_when_it_probably_came_after():
    """Discovered, fetched seconds later, and named otherwise at the next reading."""
    soon_after = entry(title="Ferry sinks", fetched=NOW - 58 * MINUTE)
    just_before = entry(title="Ferry sinks", fetched=NOW - 2 * MINUTE)
    assert visits(soon_after, previous=NOW - HOUR)
    assert not visits(just_before, previous=NOW - HOUR)


def test_a_visit_that_comes_anyway_is_not_brought_forward():
    assert not visits(edited(next_due=NOW))
    assert visits(edited(next_due=None)), "a page that had no further visit gets one"


def test_an_announcement_that_found_no_place_waits_for_the_next_reading_unless_it_was_fetched_since():
    waiting = entry(noted=noted(announced=NOW - HOUR, signal="title"))
    assert visits(waiting) == [("a", "title")]
    assert not visits(replace(waiting, fetched=NOW - MINUTE))
    old = entry(fetched=NOW - 9 * DAY, noted=noted(announced=NOW - 3 * DAY, signal="title"))
    assert not visits(old)


@pytest.mark.parametrize("ago", [1, 14], ids=["fetched a minute ago", "fetched 14 minutes ago"])
def test_a_page_is_not_fetched_again_before_the_gap_has_passed(ago):
    hot = edited(fetched=NOW - ago * MINUTE, modified=NOW)
    (visit,) = earlier_visits(TRUSTED, reading(hot)).visits
    assert visit.next_due == hot.fetched + DEFAULT.gap


# Trust


def test_an_untested_source_gets_a_few_visits_and_what_is_out_counts():
    many = [edited(str(n)) for n in range(40)]
    assert len(visits(*many)) == LIMITED_AT_ONCE
    assert len(visits(*many, pending=[("date", NOW - HOUR)])) == LIMITED_AT_ONCE - 1
    assert len(visits(*many, pending=[("date", NOW - 3 * DAY)] * 9)) == LIMITED_AT_ONCE, "these never ended"
    assert len(visits(*many, pending=[("title", NOW)] * 9)) == LIMITED_AT_ONCE


def test_a_source_whose_announcements_were_true_is_followed_up_to_a_bound():
    many = [edited(str(n)) for n in range(200)]
    assert len(visits(*many, memory=TRUSTED, listed=1000)) == TRUSTED_AT_ONCE


def test_a_source_whose_announcements_were_empty_loses_trust_after_three_visits():
    memory = None
    for _ in range(3):
        memory = earlier_visits(memory, reading(edited(), outcomes=[("date", False)])).trust
    assert visits(edited(), memory=memory) == []
    assert visits(edited(), memory=learned(False, False))


def test_one_signal_of_a_source_says_nothing_of_another():
    assert visits(edited(title="Ferry sinks"), memory=LIAR) == [("a", "title")]


def test_of_two_signals_the_one_that_is_trusted_more_is_tested():
    both = edited(title="Ferry sinks")
    assert visits(both, memory=learned(True, signal="title")) == [("a", "title")]
    assert visits(both, memory=learned(True, signal="date")) == [("a", "date")]


def test_a_distrusted_source_is_probed_ever_less_often():
    """A liar that announces everything at every reading, read four times an hour for sixty days."""
    memory, pending, probes = None, [], []
    for step in range(60 * 96):
        now = NOW + step * 15 * MINUTE
        page = entry(fetched=now - 5 * HOUR, next_due=now + DAY, modified=now - MINUTE)
        decided = earlier_visits(memory, reading(page, at=now, previous=now - 15 * MINUTE, outcomes=pending))
        memory, pending = decided.trust, [(visit.signal, False) for visit in decided.visits]
        probes += [now for _ in decided.visits]
    assert len(probes) < 15
    assert probes[-1] - probes[-2] >= MAX_PROBE_FACTOR * DAY


def test_a_distrusted_source_regains_trust_by_its_probes():
    memory, probes = LIAR, 0
    for day in range(1, 60):
        now = NOW + day * DAY
        page = entry(fetched=now - 5 * HOUR, next_due=now + DAY, modified=now - HOUR)
        decided = earlier_visits(memory, reading(page, at=now, previous=now - HOUR))
        probes += len(decided.visits)
        memory = earlier_visits(decided.trust, reading(outcomes=[("date", True)] * len(decided.visits))).trust
        if read_trust(memory)["date"].share >= 0.5:
            break
    assert probes <= 8
    assert len(visits(*(edited(str(n)) for n in range(20)), memory=memory)) == 20


def test_a_listing_that_was_built_anew_announces_nothing_but_single_titles():
    stamped = [edited(str(n), modified=NOW) for n in range(30)]
    stamped[7] = replace(stamped[7], title="Ferry sinks")
    decided = earlier_visits(TRUSTED, reading(*stamped, listed=40))
    assert [(visit.key, visit.signal) for visit in decided.visits] == [("7", "title")]
    assert decided.announced == {"7": "title"}
    few = stamped[: BULK_MIN - 1]
    assert len(visits(*few, memory=TRUSTED, listed=len(few))) == len(few), "a short feed may be edited as a whole"


# Entries that are gone


def missing(key="gone", age=5 * HOUR, **changes):
    return ListedEntry(key, FETCHED, TOMORROW, noted=noted(date=NOW - age), **changes)


def hours_ago(*hours):
    return [NOW - hour * HOUR for hour in hours]


def gone(*entries, staying, **changes):
    return [key for key, _ in visits(missing=entries, staying=staying, **changes)]


def test_an_entry_that_disappears_while_older_ones_stay_may_have_been_withdrawn():
    assert gone(missing(), staying=hours_ago(1, 2, 6, 7, 8)) == ["gone"]


def test_a_feed_of_fixed_length_drops_its_oldest_entry():
    assert gone(missing(age=9 * HOUR), staying=hours_ago(0, 1, 2, 6, 7, 8)) == []


def test_pinned_posts_are_no_older_entries_that_stay():
    assert gone(missing(age=9 * HOUR), staying=hours_ago(1, 2, 6, 7, 500, 900)) == []


def test_a_feed_that_is_sorted_by_its_latest_change_drops_what_was_changed_longest_ago():
    """Published later than three that stay, but those were edited since and went to the top."""
    assert gone(missing(age=6 * HOUR), staying=hours_ago(0, 0.5, 1, 2, 3)) == []


def test_many_missing_entries_are_another_selection():
    entries = [missing(str(n)) for n in range(4)]
    assert gone(*entries, staying=hours_ago(*range(6, 26))) == []
    assert len(gone(*entries[:2], staying=hours_ago(*range(6, 26)))) == 2


def test_a_listing_too_short_to_tell_says_nothing():
    assert gone(missing(), staying=hours_ago(7, 8)) == []
    assert gone(missing(), staying=[]) == []


def test_a_page_that_was_fetched_after_its_entry_went_is_left_alone():
    fetched = replace(missing(), fetched=NOW - MINUTE)
    assert gone(fetched, staying=hours_ago(6, 7, 8), previous=NOW - HOUR) == []


def test_an_announcement_is_told_in_words():
    assert describe("sitemap", "date") == "the sitemap gives a newer lastmod"
    assert describe("feed", "title") == "the feed gives another title"
    assert describe("feed", "withdrawn") == "the feed no longer lists it, while older entries stay"
