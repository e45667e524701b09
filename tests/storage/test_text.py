"""Any text of a page can be stored and read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import blake2b
from types import MappingProxyType

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import PATIENCE
from sqlalchemy import text as sql
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import psycopg

from newscrawl import reports
from newscrawl.cli.why import _lines
from newscrawl.crawling.scheduling.robots import Robots
from newscrawl.model import Attempt
from newscrawl.reports import UrlReport
from newscrawl.storage.engine.types import (
    LINE_LIMIT,
    NAME_LIMIT,
    TEXT_LIMIT,
    TRUNCATED,
    CleanJson,
    UtcDateTime,
    clean_json,
    clean_text,
)
from newscrawl.storage.frontier import hosts

anything = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=anything, title=st.none() | anything, names=st.lists(anything, max_size=3))
def test_any_text_is_storable_and_read_back(store, page, text, title, names):
    url = "https://harbour.example/any"
    hashes = dict.fromkeys(("content_hash", "identity_key"), blake2b(repr(text).encode(), digest_size=16).hexdigest())
    made = page(url, f"x{text}", title=title, authors=tuple(names), tags=tuple(names), headers={"etag": text}, **hashes)
    outcome = store.save(made).result(timeout=PATIENCE)
    assert outcome.kind in {"inserted", "new_version", "unchanged"}
    with store.reading() as connection:
        (article,) = reports.articles(connection)
    assert article.text == clean_text(made.article.text, TEXT_LIMIT)
    if names:
        assert list(article.authors) == [clean_text(name, NAME_LIMIT) for name in names]
    if title:
        assert article.title == clean_text(title, LINE_LIMIT)


@given(anything, st.integers(20, 100))
def test_clean_text_keeps_what_can_be_kept_and_marks_a_cut(text, limit):
    cleaned = clean_text(text, limit)
    assert len(cleaned) <= limit
    cleaned.encode()
    assert "\x00" not in cleaned
    assert clean_text(cleaned, limit) == cleaned
    if len(text) <= limit and text.isascii() and "\x00" not in text:
        assert cleaned == text


def test_over_long_values_are_cut_and_say_so(store, page):
    long = "x" * 3_000_000
    store.save(page("https://harbour.example/a", long, title=long, authors=(long,), image=long)).result(
        timeout=PATIENCE
    )
    with store.reading() as connection:
        (article,) = reports.articles(connection)
    for value, limit in ((article.text, TEXT_LIMIT), (article.title, LINE_LIMIT), (article.authors[0], NAME_LIMIT)):
        assert len(value) == limit
        assert value.endswith(TRUNCATED)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (float("nan"), None),
        (2**70, str(2**70)),
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01T00:00:00+00:00"),
        (MappingProxyType({1: "\x00a"}), {"1": "a"}),
        ({"a": (1, {2})}, {"a": [1, [2]]}),
        (object, "<class 'object'>"),
        (True, True),
    ],
)
def test_any_value_has_a_json_form(value, kept):
    assert clean_json(value, 100) == kept


@pytest.mark.parametrize("value", [[[]] * 400, ["x" * 5_000], json.loads("[" * 23 + "]" * 23), [1] * 1_001])
def test_large_json_is_cut_on_sqlite(value):
    assert CleanJson(3_000).bind_processor(sqlite.dialect())(value) == json.dumps(clean_json(value, 3_000))


def test_a_naive_time_is_refused_on_every_database():
    for dialect in (sqlite.dialect(), psycopg.dialect()):
        with pytest.raises(ValueError, match="naive datetime"):
            UtcDateTime().bind_processor(dialect)(datetime(2026, 11, 1, tzinfo=UTC).replace(tzinfo=None))


def test_deeply_nested_json_ends_somewhere():
    value: list[object] = []
    for _ in range(500):
        value = [value]
    assert "[[[" in str(clean_json(value, 100))


def test_numbers_the_database_cannot_hold_are_an_error_of_the_caller(store):
    now = datetime(2026, 11, 1, tzinfo=UTC)
    robots = Robots("rules", 200, now, now, failures=2**80)
    with pytest.raises(Exception, match=r"too large|out of range|cannot write"):
        store.run(hosts.save_robots, "h", robots).result(timeout=PATIENCE)
    assert store.run(hosts.load_robots, "h").result(timeout=PATIENCE) is None


@pytest.mark.parametrize("beyond", [0, 1], ids=["at the limit", "beyond it"])
def test_a_text_that_was_cut_says_so_wherever_it_is_told(store, page, beyond):
    url = "https://harbour.example/endless"
    text = "long " * (TEXT_LIMIT // 5) + "x" * beyond
    hashes = dict.fromkeys(("content_hash", "identity_key"), "endless")
    tried = (
        Attempt("none", 0, 0, accepted=False, reason="no text"),
        Attempt("classic", 9, 9, accepted=True, reason="ok"),
    )
    store.save(page(url, text, verdict="live", trace=tried, **hashes)).result(timeout=PATIENCE)
    with store.reading() as connection:
        (article,) = reports.articles(connection)
        told = reports.url_report(connection, url).page
    said = "the text has 2,000,001 characters and is cut at 2,000,000"
    cut = bool(beyond)
    assert (article.truncated, told.article.truncated) == (cut, cut)
    (version,) = told.versions
    assert list(version.problems) == [said] * cut
    assert [attempt.reason for attempt in version.trace] == ["no text", f"ok; {said}" if cut else "ok"]
    story = UrlReport(url, "", told, ())
    assert any("the text is longer and was cut" in line for line in _lines(story)) is cut


def test_values_are_bound_never_spliced(store, page, now):
    nasty = "'; DROP TABLE pages; --%_\\ \" $$ :x ?"
    store.save(page("https://harbour.example/a?q='%3B", nasty, site=nasty, authors=(nasty,), tags=(nasty,))).result(
        timeout=PATIENCE
    )
    with store.reading() as connection:
        (article,) = reports.articles(connection)
        assert connection.execute(sql("SELECT count(*) FROM pages")).scalar() == 1
    assert nasty in article.text
    assert (article.site, article.authors, article.tags) == (nasty, (nasty,), (nasty,))
