"""Samples and baselines are stored as readable JSON, and any other content is refused."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest
from page_samples import at, sample

from newscrawl.monitoring import codec
from newscrawl.monitoring.codec import (
    DamagedRecord,
    decode_extraction,
    decode_sample,
    decode_volume,
    encode_extraction,
    encode_sample,
    encode_volume,
)
from newscrawl.monitoring.extraction_baseline import LATEST, USUAL, ExtractionBaseline
from newscrawl.monitoring.page_sample import FAILURE_LIMIT, PageSample
from newscrawl.monitoring.volume_baseline import VolumeBaseline

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


def test_each_field_of_a_sample_has_one_name_in_the_document():
    assert [one.name for one in codec._FIELDS] == [one.name for one in fields(PageSample)]
    assert len({one.key for one in codec._FIELDS}) == len(codec._FIELDS)
    assert all(getattr(WHOLE, one.name) != getattr(PageSample(), one.name) for one in fields(PageSample))


@pytest.mark.parametrize(
    "one", [WHOLE, PageSample(), replace(WHOLE, verdict=None, repeats_text=None)], ids=["all", "none", "null"]
)
def test_a_sample_is_read_as_it_was_written(one):
    assert decode_sample(encode_sample(one)) == one


def test_a_person_can_read_what_is_remembered():
    values = json.loads(encode_extraction(baseline()))
    assert values["usual"][0] == {"chars": 3000}
    assert values["latest"][0] == {"at": "2026-12-08T09:30:00+00:00", "chars": 3000, "page": "p405", "text": "t405"}
    values = json.loads(encode_volume(volume()))
    assert values["since"] == "2026-11-21T12:00+00:00"
    assert values["counts"]["2026-11-21"][13] == 1
    assert sorted(values["counts"]) == ["2026-11-21", "2026-11-23"]


def test_baselines_are_read_as_they_were_written():
    assert decode_extraction(encode_extraction(baseline())) == baseline()
    assert decode_extraction(encode_extraction(ExtractionBaseline())) == ExtractionBaseline()
    assert decode_volume(encode_volume(volume())) == volume()
    assert encode_volume(VolumeBaseline()) is None


def test_the_largest_baseline_is_bounded():
    failure = PageSample(NOW, failure="x" * FAILURE_LIMIT, is_suspect=True)
    worst = replace(WHOLE, failure=None, verdict="paywalled", characters=10**6, page_hash="a" * 8, text_hash="b" * 8)
    for one in (failure, worst):
        latest = replace(one.remembered(), repeats_text=True)
        usual = replace(latest.as_usual(), is_suspect=False)
        full = ExtractionBaseline((usual,) * USUAL, (latest,) * LATEST)
        assert len(encode_extraction(full)) < 60_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        "null",
        '{"version":2,"usual":[],"latest":[]}',
        '{"version":1,"usual":[]}',
        '{"version":1,"usual":[],"latest":[],"more":[]}',
        '{"version":1,"usual":{},"latest":[]}',
        '{"version":1,"usual":[{"chars":-1}],"latest":[]}',
        '{"version":1,"usual":[{"chars":"7"}],"latest":[]}',
        '{"version":1,"usual":[{"chars":NaN}],"latest":[]}',
        '{"version":1,"usual":[{"chars":true}],"latest":[]}',
        '{"version":1,"usual":[{"title":0}],"latest":[]}',
        '{"version":1,"usual":[{"verdict":"novel"}],"latest":[]}',
        '{"version":1,"usual":[{"verdict":["article"]}],"latest":[]}',
        '{"version":1,"usual":[{"colour":"red"}],"latest":[]}',
        '{"version":1,"usual":["7a1532"],"latest":[]}',
        '{"version":1,"usual":[],"latest":[{"chars":7}]}',
        '{"version":1,"usual":[],"latest":[{"at":"2026-11-21T12:30:00"}]}',
        '{"version":1,"usual":[],"latest":[{"at":"yesterday"}]}',
        '{"version":1,"usual":' + "[" * 100_000 + "]" * 100_000 + ',"latest":[]}',
        json.dumps({"version": 1, "usual": [{}] * (USUAL + 1), "latest": []}),
    ],
)
def test_a_damaged_extraction_baseline_is_refused(text):
    with pytest.raises(DamagedRecord):
        decode_extraction(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"version": None},
        {"since": 497545},
        {"since": None},
        {"through": "2026-11-21T12:30+00:00"},
        {"gap": "1"},
        {"gap": True},
        {"crawled": 7},
        {"skipped": [["2026-11-21T12:00+00:00"]]},
        {"counts": []},
        {"counts": {"497545": 5}},
        {"counts": {"2026-11-21": [1] * 23}},
        {"counts": {"2026-11-21": [-1] * 24}},
        {"counts": {"2026-11-21": 24}},
        {"more": 1},
    ],
    ids=str,
)
def test_a_damaged_volume_baseline_is_refused(changes):
    with pytest.raises(DamagedRecord):
        decode_volume(json.dumps(json.loads(encode_volume(volume())) | changes))


def test_a_damaged_sample_is_refused_with_what_is_wrong():
    with pytest.raises(DamagedRecord, match="'old' is no verdict"):
        decode_sample('{"version":1,"verdict":"old"}')
