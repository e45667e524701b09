"""The work on a span: what killed a worker is read once more, and then left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from newscrawl.archive.ingest import worker
from newscrawl.archive.ingest.inputs import InputSpan, find_inputs
from newscrawl.archive.ingest.pages import Skipped
from newscrawl.archive.ingest.run import IngestProgress
from newscrawl.archive.ingest.worker import KILLED, Batch, Settings, SpanJob, work
from newscrawl.archive.warc import RecordPosition
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Failure

SETTINGS = Settings(ArticleOptions(), max_body=1 << 20, memory=1 << 30, now=datetime(2026, 11, 2, tzinfo=UTC))
DIED = Failure("extraction/worker_died", "the worker process died with exit code -9")


@pytest.fixture(autouse=True)
def a_span_is_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long its first page takes, which loads the model of languages."""
    monkeypatch.setattr(worker, "BATCH_SECONDS", PATIENCE)


def whole(job: SpanJob) -> Batch:
    (batch,) = work(SETTINGS, job)
    return batch


def span_of(path: Path) -> InputSpan:
    (span,) = find_inputs([path])[0].spans()
    return span


def test_a_record_that_killed_a_worker_is_a_failed_page_and_after_a_second_death_a_broken_record(
    warc: Callable[..., Path], stories: Callable[[int], list[Any]]
) -> None:
    span = span_of(warc(stories(3)))
    place = whole(SpanJob(span)).places[1]
    once = SpanJob(span).without(place, DIED)
    failures = [page.failure for page in whole(once).pages]
    assert failures == [None, DIED, None]
    twice = whole(once.without(place, DIED))
    assert [page.failure for page in twice.pages] == [None, None]
    assert [(at, bad.kind, bad.reason) for at, bad in twice.bad] == [(place, "warc/broken", KILLED)]


def test_a_file_of_a_folder_that_killed_a_worker_twice_is_left_out(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.html").write_text("<title>Bridge</title>")
    job, place = SpanJob(span_of(tmp_path)), RecordPosition(1)
    batch = whole(job.without(place, DIED).without(place, DIED))
    assert [(at, bad.kind, bad.reason) for at, bad in batch.bad] == [(place, "file/unreadable", KILLED)]


def test_a_job_goes_on_after_its_last_batch(warc: Callable[..., Path], stories: Callable[[int], list[Any]]) -> None:
    span = span_of(warc(stories(6)))
    job = SpanJob(span, limit=5)
    first = next(work(replace(SETTINGS, batch_size=2), job))
    rest = job.after(first)
    places = [place for batch in work(SETTINGS, rest) for place in batch.places]
    assert rest.limit == len(places) == 5 - len(first.places)
    assert min(places) > max(first.places)


def test_of_the_bad_records_of_a_file_the_first_is_told_in_whatever_order_they_come() -> None:
    progress, broken = IngestProgress(total=1), Skipped("warc/broken", "cut")
    for offset in (700, 300, 900):
        progress.add_bad("a.warc.gz", RecordPosition(offset), broken)
    progress.add_bad("b.warc.gz", RecordPosition(5), broken)
    assert progress.bad == {"a.warc.gz": (3, RecordPosition(300), broken), "b.warc.gz": (1, RecordPosition(5), broken)}
