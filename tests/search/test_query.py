"""The grammar of queries: what each part means, and the one line that says what cannot be meant."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawl.errors import UsageError
from newscrawl.publishing.search.filters import Filters, combined
from newscrawl.publishing.search.query import Term, parse_query

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def shape(typed: str) -> str:
    """The clauses of a query in a short form: `^` is a title, `~` a word with stems."""
    clauses = parse_query(typed, NOW).clauses
    return " & ".join(("-" if clause.excluded else "") + "|".join(map(of_term, clause.terms)) for clause in clauses)


def of_term(term: Term) -> str:
    return f"{'^' * term.in_title}{' '.join(term.words)}{'*' * term.prefix}{'~' * bool(term.stems)}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ferry", "ferry~"),
        ("ferry strike", "ferry~ & strike~"),
        ("ferry AND strike", "ferry~ & strike~"),
        ('"new ferry"', "new ferry"),
        ('"ferry"', "ferry"),
        ("„neue Fähre“", "neue fahre"),
        ("ferr*", "ferr*"),
        ("ferry OR boat", "ferry~|boat~"),
        ('a1b OR "new boat" OR ship strike', "a1b~|new boat|ship~ & strike~"),
        ("-ferry boat", "-ferry~ & boat~"),
        ('-"new ferry" boat', "-new ferry & boat~"),
        ("title:ferry", "^ferry~"),
        ('title:"new ferry" OR title:boat', "^new ferry|^boat~"),
        ("-title:ferry boat", "-^ferry~ & boat~"),
        ("l'économie", "l economie"),
        ("or and not title", "or & and~ & not~ & title~"),
        ("12:30 subtitle:x http://a.example", "12 30 & subtitle x & http a example"),
        ("(ferry)", "ferry~"),
        ("ferry ferry", "ferry~"),
    ],
)
def test_a_query_is_read_as_the_grammar_says(typed: str, meant: str) -> None:
    assert shape(typed) == meant


@pytest.mark.parametrize(
    ("typed", "filters"),
    [
        ("ferry site:demo", Filters(site="demo")),
        ('ferry site:"my paper"', Filters(site="my paper")),
        ("lang:DE ferry", Filters(language="de")),
        ("lang:pt_BR ferry", Filters(language="pt-br")),
        ("ferry since:3d", Filters(since=NOW - timedelta(days=3))),
        ("ferry since:12h since:3d", Filters(since=NOW - timedelta(hours=12))),
        ("ferry since:2026-11-01", Filters(since=datetime(2026, 11, 1, tzinfo=UTC))),
        ("ferry since:2026-11-01T10:00+02:00", Filters(since=datetime(2026, 11, 1, 8, tzinfo=UTC))),
        ("ferry lang:de lang:de-AT", Filters(language="de-at")),
    ],
)
def test_filters_are_read_from_the_query(typed: str, filters: Filters) -> None:
    assert parse_query(typed, NOW).filters == filters


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ('ferry "new boat', "the quotation mark at character 7 is not closed"),
        ("OR ferry", "OR needs a word or a phrase on both sides"),
        ("ferry OR", "OR stands at the end"),
        ("ferry OR OR boat", "OR needs a word"),
        ("ferry OR -boat", "-word cannot stand beside it"),
        ("-ferry OR boat", "OR needs a word or a phrase on both sides, without -"),
        ("ferry OR site:demo", "site: is neither"),
        ("site:demo OR ferry", "OR needs a word"),
        ("(ferry boat) OR ship", "OR cannot be used with parentheses"),
        ("ferry NOT boat", "write -word"),
        ("title: ferry", "title: needs a word or a phrase"),
        ("ferry title:-boat", "write -title:word"),
        ("ferry title:", "title: needs a word or a phrase"),
        ("ferry site:", "site: needs a value directly after it, like site:demo"),
        ("ferry lang:german-language!", "is no code of a language"),
        ("ferry since:yesterday", "is no time: give a day"),
        ("ferry since:2026-13-32", "is no time"),
        (f"ferry since:{'x' * 50}", f"since:{'x' * 40} is no time"),
        ("ferry -site:demo", "site: cannot be excluded"),
    ],
)
def test_a_query_that_cannot_be_meant_is_one_line(typed: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_query(typed, NOW)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_options_and_the_query_must_agree() -> None:
    day = datetime(2026, 11, 1, tzinfo=UTC)
    options = Filters("demo", day, "de", by_local_day=True)
    assert combined(options, Filters(language="de-AT")).language == "de-at"
    assert combined(options, Filters(since=NOW)) == Filters("demo", NOW, "de", by_local_day=True)
    with pytest.raises(UsageError, match="site 'demo' is asked for, and 'other' in the query"):
        combined(options, Filters("other"))
    with pytest.raises(UsageError, match="lang"):
        combined(options, Filters(language="fr"))


def test_every_example_of_the_reference_is_read() -> None:
    page = Path(__file__).parents[2] / "docs/reference/search-grammar.md"
    rows = [line.split("|")[1] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    examples = [example for row in rows for example in re.findall("`([^`]+)`", row)]
    assert len(examples) >= 11
    for example in examples:
        query = parse_query(example, NOW)
        assert query.clauses or query.filters != Filters()
