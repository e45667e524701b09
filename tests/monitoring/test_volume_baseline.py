"""A site without new articles is noticed by its usual rhythm, and no other site is called quiet."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from newscrawl.monitoring.volume import SPAN, Learning, VolumeBaseline, judge_volume, learning_of

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def office_hours(when: datetime, *, weekend: bool = False) -> int:
    """Three articles an hour from eight to eighteen on weekdays."""
    return 3 if 8 <= when.hour < 18 and (weekend or when.weekday() < 5) else 0


def watched(volume, start, end, published=office_hours):
    for number in range(int((end - start) / HOUR)):
        hour = start + number * HOUR
        for minute in range(published(hour)):
            volume.add(hour + timedelta(minutes=minute), None)
        volume.watched_until(hour + HOUR)
    return volume


@pytest.fixture
def usual():
    """Four weeks of office hours, up to a Monday."""
    volume = VolumeBaseline()
    volume.watched_until(MONDAY)
    return watched(volume, MONDAY, MONDAY + 28 * DAY)


def nothing(_when):
    return 0


NEXT = MONDAY + 28 * DAY


def test_silence_on_a_working_day_is_an_alarm_within_the_day_and_says_since_when(usual):
    watched(usual, NEXT, NEXT + 18 * HOUR, nothing)
    quiet = judge_volume(usual)
    assert quiet.alarm == "warning"
    assert quiet.since is not None
    assert quiet.since <= NEXT
    assert quiet.expected > 20
    assert quiet.seen == 0


def test_nights_and_weekends_of_a_site_that_rests_are_no_alarm(usual):
    for number in range(7 * 24):
        hour = NEXT + number * HOUR
        watched(usual, hour, hour + HOUR)
        assert judge_volume(usual).alarm is None, hour


def test_a_longer_silence_is_critical(usual):
    watched(usual, NEXT, NEXT + 4 * DAY, nothing)
    assert judge_volume(usual).alarm == "critical"


def test_a_trickle_is_an_alarm_although_articles_come(usual):
    watched(usual, NEXT, NEXT + 3 * DAY, lambda when: int(when.hour == 12))
    quiet = judge_volume(usual)
    assert quiet.alarm is not None
    assert quiet.seen in {1, 2, 3}


def new_site(days, published=office_hours, start=MONDAY):
    volume = VolumeBaseline()
    volume.watched_until(start)
    return watched(volume, start, start + days * DAY, published)


def test_nothing_is_said_of_a_site_that_was_watched_for_less_than_three_days_or_has_few_articles():
    assert not judge_volume(watched(new_site(2), MONDAY + 2 * DAY, MONDAY + 4 * DAY, nothing)).known
    rare = new_site(6, lambda when: int(when.hour == 12))
    assert not judge_volume(watched(rare, MONDAY + 6 * DAY, MONDAY + 7 * DAY, nothing)).known


def test_a_large_new_site_that_falls_silent_on_a_working_day_is_noticed_within_its_first_week():
    silent = watched(new_site(3, lambda _: 10), MONDAY + 3 * DAY, MONDAY + 4 * DAY + HOUR, nothing)
    assert judge_volume(silent).alarm is not None


@pytest.mark.parametrize("start", range(7))
@pytest.mark.parametrize("shift", [-9, 0, 8], ids=lambda hours: f"{hours:+d}h")
def test_a_new_site_that_rests_at_weekends_opens_no_alarm_in_its_first_weeks(start, shift):
    """Whatever the weekday of its first crawl and its time zone: nothing is known of weekends yet."""

    def busy(when):
        return 40 * office_hours(when + shift * HOUR) // 3

    volume = VolumeBaseline()
    begin = MONDAY + start * DAY
    volume.watched_until(begin)
    for number in range(8 * 24):
        hour = begin + number * HOUR
        watched(volume, hour, hour + HOUR, busy)
        assert judge_volume(volume).alarm is None, hour


def test_status_can_say_from_when_alarms_are_believed():
    assert learning_of(VolumeBaseline()) is None  # before its first crawl has ended
    young = new_site(1, lambda _: 1)
    known = learning_of(young)
    assert known == Learning(24, 24, MONDAY + 3 * DAY, MONDAY + 8 * DAY)
    assert not known.is_cautious
    cautious = learning_of(new_site(4, lambda _: 1))
    assert cautious.is_cautious
    assert cautious.full_from == MONDAY + 8 * DAY
    rare = learning_of(new_site(6, lambda when: int(when.hour == 23)))
    assert rare.articles == 6
    assert rare.cautious_from == MONDAY + 30 * DAY  # one article a day
    assert learning_of(new_site(9, lambda _: 1)) is None


def test_what_a_first_crawl_finds_is_no_volume():
    volume = VolumeBaseline()
    for _ in range(300):
        volume.add(MONDAY, None)
    volume.watched_until(MONDAY + HOUR)
    assert volume.counts == {}


def test_when_nobody_looked_nothing_is_expected(usual):
    usual.not_watched_until(NEXT + 3 * DAY)
    quiet = judge_volume(usual)
    assert quiet.known
    assert quiet.alarm is None


def test_after_days_without_the_crawler_only_the_last_day_is_judged(usual):
    back = NEXT + 5 * DAY + 12 * HOUR
    for hour in range(10, 12):
        for _ in range(3):
            usual.add(back, NEXT + 5 * DAY + hour * HOUR)
    usual.watched_until(back)
    assert judge_volume(usual).alarm is None


def test_an_article_counts_for_the_hour_in_which_it_was_published(usual):
    usual.add(NEXT + 9 * HOUR, NEXT + 1 * HOUR)
    usual.add(NEXT + 9 * HOUR, NEXT - 400 * DAY)
    first = int(NEXT.timestamp()) // 3600
    assert usual.counts[first + 1] == 1
    assert usual.counts[first + 9] == 1


def test_when_the_whole_fleet_is_low_one_site_is_no_alarm(usual):
    watched(usual, NEXT, NEXT + 18 * HOUR, nothing)
    assert judge_volume(usual, level=0.2).alarm is None


def test_an_alarm_is_over_when_articles_come_as_usual_and_not_with_the_first_one(usual):
    watched(usual, NEXT, NEXT + DAY + 9 * HOUR, nothing)
    assert judge_volume(usual).alarm
    watched(usual, NEXT + DAY + 9 * HOUR, NEXT + DAY + 10 * HOUR, lambda _when: 1)
    assert not judge_volume(usual).can_close
    watched(usual, NEXT + DAY + 10 * HOUR, NEXT + DAY + 18 * HOUR)
    assert judge_volume(usual).can_close


def test_a_silence_that_outlasts_the_memory_is_never_called_over(usual):
    watched(usual, NEXT, NEXT + timedelta(hours=SPAN + 48), nothing)
    quiet = judge_volume(usual)
    assert not quiet.can_close
    assert quiet.alarm is None or quiet.alarm == "critical"


def test_it_is_the_same_after_a_restart_and_stays_small(usual):
    watched(usual, NEXT, NEXT + 18 * HOUR, lambda _when: 40)
    text = msgspec.json.encode(usual)
    assert len(text) < 4_000
    assert judge_volume(msgspec.json.decode(text, type=VolumeBaseline)) == judge_volume(usual)
    assert msgspec.json.decode(text, type=VolumeBaseline) == usual


def test_the_pause_between_crawls_is_learned():
    volume = VolumeBaseline()
    for number in range(10):
        volume.crawl_ended(MONDAY + number * DAY)
    assert volume.gap == 24
