"""Samples and baselines are stored as JSON that a person can read, and any other content is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from msgspec.structs import replace
from page_samples import at, sample

from newscrawl.monitoring.extraction import LATEST, USUAL, ExtractionBaseline
from newscrawl.monitoring.samples import FAILURE_LIMIT, MAX_HINTS, PageSample
from newscrawl.monitoring.volume import VolumeBaseline

NOW = datetime(2026, 11, 21, 12, 30, 15, 250, tzinfo=UTC)
HOUR = timedelta(hours=1)
WHOLE = PageSample(
    fetched_at=NOW,
    is_new=True,
    published=NOW - HOUR,
    failure="http/500",
    verdict="live",
    characters=7,
    has_title=False,
    has_authors=False,
    has_date=False,
    used_fallback=True,
    page_hash="1f",
    text_hash="2f",
    repeats_text=True,
    is_suspect=True,
    hints_matched=("drop .box",),
    hints_idle=("keep .note",),
)
"""Differs from a good article in every field."""


def baseline() -> ExtractionBaseline:
    found = ExtractionBaseline()
    for number in range(USUAL + LATEST + 5):
        found.add(at(NOW + number * HOUR, sample(page_hash=f"p{number}", text_hash=f"t{number}")), is_alarm=False)
    return found


def volume() -> VolumeBaseline:
    found = VolumeBaseline()
    found.watched_until(NOW)
    found.crawl_ended(NOW)
    for hours in (1, 5, 40):
        found.add(NOW + hours * HOUR, None)
        found.watched_until(NOW + (hours + 1) * HOUR)
    return found


@pytest.mark.parametrize(
    "one",
    [
        *(WHOLE, PageSample(), replace(WHOLE, verdict=None, repeats_text=None)),
        *(baseline(), ExtractionBaseline(), volume(), VolumeBaseline()),
    ],
)
def test_what_is_stored_is_read_as_it_was(one):
    assert msgspec.json.decode(msgspec.json.encode(one), type=type(one)) == one


def test_a_person_can_read_what_is_remembered():
    values = json.loads(msgspec.json.encode(baseline()))
    assert values["usual"][0] == {"chars": 3000}
    assert values["latest"][0] == {"at": "2026-12-08T09:30:00Z", "chars": 3000, "page": "p405", "text": "t405"}
    values = json.loads(msgspec.json.encode(volume()))
    hour = int(NOW.timestamp()) // 3600
    assert (values["since"], values["through"]) == (hour, hour + 41)
    assert values["counts"] == {str(hour + hours): 1 for hours in (1, 5, 40)}


def test_the_largest_baseline_is_bounded():
    failure = PageSample(NOW, failure="x" * FAILURE_LIMIT, is_suspect=True)
    worst = replace(WHOLE, failure=None, verdict="paywalled", characters=10**6, page_hash="a" * 8, text_hash="b" * 8)
    for one in (failure, worst):
        latest = replace(one.remembered(), repeats_text=True)
        usual = replace(latest.as_usual(), is_suspect=False)
        full = ExtractionBaseline((usual,) * USUAL, (latest,) * LATEST)
        assert len(msgspec.json.encode(full)) < 60_000


@pytest.mark.parametrize(
    "text",
    [
        *("", "no json", "[]", "null"),
        '{"version":1,"usual":[]}',
        '{"usual":{}}',
        '{"usual":[{"chars":-1}]}',
        '{"usual":[{"chars":1e99}]}',
        '{"usual":[{"chars":"7"}]}',
        '{"usual":[{"chars":NaN}]}',
        '{"usual":[{"chars":true}]}',
        '{"usual":[{"title":0}]}',
        '{"usual":[{"verdict":"novel"}]}',
        '{"latest":[{"at":"9999-12-31T23:59:59-23:59"}]}',
        '{"usual":[{"verdict":["article"]}]}',
        '{"usual":[{"colour":"red"}]}',
        '{"usual":["7a1532"]}',
        '{"latest":[{"at":"2026-11-21T12:30:00"}]}',
        '{"latest":[{"at":"yesterday"}]}',
        '{"usual":' + "[" * 100_000 + "]" * 100_000 + "}",
        json.dumps({"usual": [{}] * (USUAL + 1)}),
        json.dumps({"hints": [["a", 1, 1, 0]] * (MAX_HINTS + 1)}),
        '{"hints":[["a",1,1,0,0]]}',
        '{"hints":[["a",5,1,5]]}',
    ],
)
def test_a_damaged_extraction_baseline_is_refused(text):
    with pytest.raises(ValueError):
        msgspec.json.decode(text, type=ExtractionBaseline)


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 1},
        {"since": "2026-11-21T12:30+00:00"},
        {"since": 10**12},
        {"through": -1},
        {"since": 0},
        {"gap": "1"},
        {"gap": True},
        {"gap": 1e9},
        {"crawled": None},
        {"skipped": [[497545]]},
        {"counts": []},
        {"counts": {"2026-11-21": 1}},
        {"counts": {"497545": -1}},
        {"counts": {"9999999999": 1}},
    ],
    ids=str,
)
def test_a_damaged_volume_baseline_is_refused(changes):
    damaged = json.dumps(json.loads(msgspec.json.encode(volume())) | changes)
    with pytest.raises(ValueError):
        msgspec.json.decode(damaged, type=VolumeBaseline)
