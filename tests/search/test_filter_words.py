"""The words of an index for sites, languages and days: they leave out nothing that the filters allow."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.publishing.search import Filters, open_index, parse_query, update_index
from newscrawl.publishing.search import postgresql as postgresql_index
from newscrawl.publishing.search import sqlite as sqlite_index
from newscrawl.publishing.search.expression import Tree, fts5
from newscrawl.publishing.search.filters import _span, wanted_words, words_of
from newscrawl.publishing.search.words import STEM_MARK, language_of_stem
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import Store

Save = Callable[..., int]
FIRST, LAST = (datetime(year, 1, 1) for year in (2020, 2027))  # noqa: DTZ001  the strategy adds the zone
DAYS = st.dates(date(1900, 1, 1), date(2099, 12, 31))
TIMES = st.datetimes(timezones=st.just(UTC)) | st.datetimes(FIRST, LAST, timezones=st.just(UTC))


def marks(
    at: datetime, first_at: datetime, offset: int, site: str = "harbour", language: str | None = None
) -> set[str]:
    """The words of an entry whose pages have these times, and for readers those of a zone `offset` minutes east."""
    return set(words_of([site], language, [at, first_at, _moved(at, offset), _moved(first_at, offset)]))


def _moved(at: datetime, minutes: int) -> datetime:
    try:
        return at + timedelta(minutes=minutes)
    except OverflowError:
        return at


@given(DAYS, DAYS)
@settings(max_examples=examples(60), deadline=None)
def test_a_span_is_its_days_and_no_others(one: date, other: date) -> None:
    first, last = sorted((one, other))
    parts = list(_span(first, last))
    assert len(parts) <= 2 * (30 + 11 + 9) + 20
    named = [day for part in parts for day in _days(part)]
    assert len(named) == len(set(named)) == (last - first).days + 1
    assert (min(named), max(named)) == (first, last)


def _days(part: str) -> list[date]:
    """The days whose digits begin so."""
    day = date.fromisoformat(f"{part}{'00000101'[len(part) :]}")
    found = []
    while day.isoformat().replace("-", "").startswith(part):
        found.append(day)
        day += timedelta(days=1)
    return found


@given(TIMES, TIMES, st.integers(-14 * 60, 14 * 60), TIMES, st.booleans())
@settings(max_examples=examples(300))
def test_an_entry_that_the_filters_allow_has_the_words(
    one: datetime, other: datetime, offset: int, asked: datetime, by_local_day: bool
) -> None:
    first, last = sorted((one, other))
    words = marks(last, first, offset)
    shown_first, shown_last = (_moved(at, offset) if by_local_day else at for at in (first, last))
    if shown_last >= asked:
        assert all(
            words.intersection(listed) for listed in wanted_words(Filters(since=asked, by_local_day=by_local_day))
        )
    if shown_first <= asked:
        assert all(
            words.intersection(listed) for listed in wanted_words(Filters(until=asked, by_local_day=by_local_day))
        )


NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("site", "language", "filters", "is_allowed"),
    [
        ("harbour", "en", Filters(site="harbour"), True),
        ("harbour", "en", Filters(site="harbou"), False),
        ("Le  Monde\u2028 – fr", "fr", Filters(site="Le  Monde\u2028 – fr"), True),
        ("harbour", "de-at", Filters(language="de"), True),
        ("harbour", "de-at", Filters(language="de-AT"), True),
        ("harbour", "de", Filters(language="de-AT"), False),
        ("harbour", "den", Filters(language="de"), False),
        ("harbour", "pt_br", Filters(language="pt_BR"), True),
        ("harbour", None, Filters(language="de"), False),
    ],
)
def test_sites_and_languages(site: str, language: str | None, filters: Filters, *, is_allowed: bool) -> None:
    words = marks(NOW, NOW, 0, site, language)
    assert all(words.intersection(listed) for listed in wanted_words(filters)) is is_allowed


ALLOWED: tuple[tuple[Filters, set[str]], ...] = (
    (Filters(site="north"), {"north"}),
    (Filters(language="de"), {"north"}),
    (Filters(since=NOW - timedelta(days=3)), {"south"}),
    (Filters(until=NOW - timedelta(days=3)), {"north"}),
    (Filters(site="north", since=NOW - timedelta(days=3)), set()),
    (Filters(), {"north", "south"}),
)


def test_the_index_itself_finds_what_filters_allow(
    database: str, store: Store, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without comparing any row with the filters: all times here are days apart."""
    for module in (sqlite_index, postgresql_index):
        monkeypatch.setattr(module, "conditions", lambda _filters: ("", {}))
    old = NOW.astimezone(timezone(timedelta(hours=2))) - timedelta(days=40)
    saved = {
        "north": save("http://a.example/1", "A ferry to the north.", site="north", language="de-AT", fetched_at=old),
        "south": save("http://b.example/1", "A ferry to the south.", site="south", language="en"),
    }
    with closing(open_index(database)) as index:
        update_index(index, partial(open_reader, database))
        for filters, expected in ALLOWED:
            found = {match.article_id for match in index.matches(parse_query("ferry"), filters, 10)}
            assert found == {saved[site] for site in expected}, filters


def test_a_query_asks_for_stems_of_the_languages_of_the_articles(
    database: str, store: Store, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of Norwegian are stored for two languages."""
    texts = {"de": "Zwei Fähren fahren.", "nn": "Ferjene går ikkje.", "en": "No ferries today.", "ja": "今日は休み"}
    saved = {code: save(f"http://{code}.example/", text, language=code) for code, text in texts.items()}
    queries = {"de": "Fähre", "nn": "ferje", "en": "ferry", "ja": "今日"}
    expressions: list[str] = []

    def printed(tree: Tree) -> str:
        expressions.append(fts5(tree))
        return expressions[-1]

    monkeypatch.setattr(sqlite_index, "fts5", printed)
    with closing(open_index(database)) as index:
        update_index(index, partial(open_reader, database))
        for asked, stems in ((None, {"de", "no", "en"}), ("de", {"de"}), ("nn", {"no"}), ("ja", set())):
            expressions.clear()
            for code, typed in queries.items():
                found = [match.article_id for match in index.matches(parse_query(typed), Filters(language=asked), 10)]
                assert found == ([saved[code]] if asked in {None, code} else [])
            if database.startswith("sqlite"):
                words = " ".join(expressions).split('"')
                assert {language_of_stem(word) for word in words if STEM_MARK in word} == stems


def test_a_code_with_a_low_line_is_of_its_language(database: str, store: Store, save: Save) -> None:
    """Its stems are: other forms of a word are found where all Portuguese articles have such a code."""
    saved = save("http://a.example/1", "Os barcos saem cedo.", language="pt_BR")
    with closing(open_index(database)) as index:
        update_index(index, partial(open_reader, database))
        for asked in (None, "pt_BR"):
            found = index.matches(parse_query("barco"), Filters(language=asked), 10)
            assert [match.article_id for match in found] == [saved]
