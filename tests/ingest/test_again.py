"""What a second ingest of a file reads: the records that could not be read, if they may be complete now."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gzip import compress

import pytest
from patience import PATIENCE

from newscrawl import reports
from newscrawl.archive.ingest import inputs
from newscrawl.archive.ingest.inputs import find_inputs
from newscrawl.archive.ingest.run import Ingest
from newscrawl.archive.ingest.worker import Settings
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.storage.captures import ingests

SETTINGS = Settings(ArticleOptions(), workers=1, batch_size=5, timeout=PATIENCE)


def ingested(store, path, **changes):
    ingest = Ingest(store, find_inputs([path]), replace(SETTINGS, **changes))
    for _ in ingest.run():
        pass
    return ingest.progress


def articles(store):
    with store.reading() as connection:
        return sum(1 for _ in reports.articles(connection))


def damaged(whole, number, packed):
    """The file with its story of this number damaged, in the same length."""
    marker = f"Bridge {number}</h1>".encode()
    if not packed:
        at = whole.index(b"WARC/1.0\r\nWARC-Type: response", whole.index(f"bridge-{number}\r\n".encode()))
        return whole[:at] + b"XXXX" + whole[at + 4 :]
    at = 0
    import zlib

    while at < len(whole):
        member = zlib.decompressobj(31)
        content = member.decompress(whole[at:])
        end = len(whole) - len(member.unused_data)
        if marker in content:
            half = at + (end - at) // 2
            return whole[:half] + b"\0" * 40 + whole[half + 40 :]
        at = end
    raise AssertionError(number)


@pytest.fixture
def small_spans(monkeypatch):
    """Spans of a few records."""
    monkeypatch.setattr(inputs, "COMPRESSED_SPAN", 1_500)
    monkeypatch.setattr(inputs, "MIN_SPAN", 1_500)
    monkeypatch.setattr(inputs, "PLAIN_SPAN", 8_000)
    monkeypatch.setattr(inputs, "_FINGERPRINT_BYTES", 64)


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])
def test_a_repaired_file_of_the_same_size_is_read_where_it_was_broken(store, warc, stories, small_spans, packed):
    path = warc(stories(40), "x.warc.gz" if packed else "x.warc", gzip=packed)
    whole = path.read_bytes()
    path.write_bytes(damaged(whole, 20, packed))
    first = ingested(store, path)
    assert first.counts["warc/broken"] >= 1
    assert articles(store) < 40
    assert ingested(store, path).pages == 0  # nothing has changed
    path.write_bytes(whole)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    again = ingested(store, path)
    assert articles(store) == 40
    assert 1 <= again.pages < 25
    assert again.counts["warc/broken"] == 0
    os.utime(path, (1_800_000_001, 1_800_000_001))
    assert ingested(store, path).pages == 0  # whole by now


def test_a_record_whose_begin_is_damaged_at_the_edge_of_a_span_is_counted(store, warc, stories, small_spans):
    path = warc(stories(16))
    whole = path.read_bytes()
    begins = [at for at in range(len(whole)) if whole.startswith(b"\x1f\x8b\x08", at)]
    edges = [span.start.offset for one in find_inputs([path]) for span in one.spans() if span.start.offset]
    assert len(edges) > 2
    for edge in edges:
        at = next(begin for begin in begins if begin >= edge)
        path.write_bytes(whole[:at] + b"XX" + whole[at + 2 :])
        (one,) = find_inputs([path])
        store.run(ingests.forget, one.key).result()
        assert ingested(store, path).counts["warc/broken"] == 1, edge


@pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])
@pytest.mark.parametrize("share", [(0.2, 0.8), (0.41, 0.5), (0.3, 0.97)])
def test_a_repaired_hole_is_read_wherever_it_began_and_ended(store, warc, stories, small_spans, packed, share):
    """Spans may lie wholly in the hole, or begin in it, or end in it."""
    path = warc(stories(60), "x.warc.gz" if packed else "x.warc", gzip=packed)
    whole = path.read_bytes()
    begin, end = (int(part * len(whole)) for part in share)
    path.write_bytes(whole[:begin] + bytes(end - begin) + whole[end:])
    assert ingested(store, path).counts["warc/broken"] >= 1
    lost = 60 - articles(store)
    assert lost > 1
    path.write_bytes(whole)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    again = ingested(store, path)
    assert articles(store) == 60
    assert again.counts["warc/broken"] == 0
    assert lost <= again.pages < 60


def test_a_record_that_goes_on_through_whole_spans_leaves_no_record_out(store, warc, stories, small_spans):
    large = ("https://www.harbour.example/2026/large", random.Random(7).randbytes(20_000))
    path = warc([*stories(4), large, *stories(8)[4:]])
    (one,) = find_inputs([path])
    assert sum(1 for _ in one.spans()) > 12
    progress = ingested(store, path)
    assert (progress.counts["warc/broken"], articles(store)) == (0, 8)


def test_a_file_that_was_touched_and_was_whole_is_not_read_again(store, warc, stories):
    path = warc(stories(3))
    ingested(store, path)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    progress = ingested(store, path)
    assert (progress.pages, progress.skipped) == (0, progress.total)


def test_spans_from_before_the_upgrade_count_as_whole(store, warc, stories):
    path = warc(stories(3))
    ingested(store, path)
    (one,) = find_inputs([path])
    for mark in store.run(ingests.done, one.key).result().values():
        old = ingests.InputProgress(mark.input_key, mark.span_start, mark.member_offset, mark.record_number)
        store.save_parts([], [old], datetime.now(UTC)).result()
    os.utime(path, (1_800_000_000, 1_800_000_000))
    assert ingested(store, path).pages == 0


def test_a_record_of_the_future_is_a_page_of_unknown_age(store, warc, stories):
    (first, *others) = stories(3)
    path = warc([(*first, {"at": datetime.now(UTC) + timedelta(days=30)}), *others])
    progress = ingested(store, path)
    assert (progress.pages, progress.counts["time_unknown"]) == (3, 1)
    with store.reading() as connection:
        assert max(article.first_seen for article in reports.articles(connection)) <= datetime.now(UTC)
    progress = ingested(store, path)
    assert (progress.pages, progress.skipped) == (0, progress.total)


def test_a_digest_that_does_not_match_is_counted_and_the_page_is_taken(store, warc, stories):
    (first, second) = stories(2)
    path = warc([(*first, {"warc": {"WARC-Block-Digest": "sha1:" + "A" * 32}}), second])
    progress = ingested(store, path)
    assert (progress.pages, progress.counts["warc/digest_mismatch"]) == (2, 1)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    assert ingested(store, path).pages == 2


DATED = '<script type="application/ld+json">{{"@type":"NewsArticle","datePublished":"{0}"}}</script>'


@pytest.mark.parametrize(
    ("changed", "stated", "unknown"),
    [
        (0, "2019-05-01T08:00:00Z", 3),
        (86_400 * 3_650, "2019-05-01T08:00:00Z", 3),
        (4_000_000_000, "2019-05-01T08:00:00Z", 3),
        (1_546_300_800, "2019-05-01T08:00:00Z", 3),
        (1_577_836_800, "2019-05-01T08:00:00Z", 0),
        (1_577_836_800, "2219-05-01T08:00:00Z", 0),
    ],
    ids=["unset", "before the web", "in the future", "before what is stated", "credible", "stated for the future"],
)
def test_a_wrong_time_of_a_file_costs_no_date(store, stories, tmp_path, changed, stated, unknown):
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, (_, body) in enumerate(stories(3)):
        path = folder / f"{number}.html"
        path.write_bytes(body.replace(b"<main>", DATED.format(stated).encode() + b"<main>"))
        os.utime(path, (changed, changed))
    began = datetime.now(UTC)
    progress = ingested(store, folder)
    assert progress.counts["time_unknown"] == unknown
    with store.reading() as connection:
        found = list(reports.articles(connection))
    assert len(found) == 3
    for article in found:
        assert (article.published is None) is stated.startswith("22")
        assert article.first_seen >= began if unknown else article.first_seen.year == 2020


def test_a_page_of_unknown_age_lies_within_no_bounds(store, stories, tmp_path):
    path = tmp_path / "a.html"
    ((_, body),) = stories(1)
    path.write_bytes(body.replace(b"<main>", DATED.format("2019-05-01").encode() + b"<main>"))
    os.utime(path, (1_546_300_800, 1_546_300_800))
    wanted = replace(SETTINGS.wanted, until=datetime(2020, 1, 1, tzinfo=UTC))
    progress = ingested(store, path, wanted=wanted)
    assert (progress.pages, progress.counts["not_wanted"]) == (0, 1)


def test_an_archive_of_one_member_has_no_lost_records(store, warc, stories, tmp_path, small_spans):
    plain = warc(stories(6), "plain.warc", gzip=False)
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(compress(plain.read_bytes()))
    progress = ingested(store, path)
    assert (progress.pages, progress.counts["warc/broken"]) == (6, 0)
