"""Reports: failing sources, the history of a source, the metadata of an exported article."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE

from newscrawl import reports
from newscrawl.model import PublishedDate

pytestmark = ON_SQLITE


@pytest.fixture
def told(store):
    """What a function of `reports` says of the store."""

    def ask(function, *args):
        store.flush()
        with store.reading() as connection:
            found = function(connection, *args)
            return found if isinstance(found, list | reports.UrlReport | None) else list(found)

    return ask


def test_an_article_leaves_with_the_metadata_of_the_page_that_states_most(store, told, page, now):
    date = PublishedDate(now, "meta:article:published_time", "minute")
    bare, full, late = (f"https://harbour.example/{name}" for name in ("print", "story", "again"))
    store.save(page(bare, "one", title="Print")).result()
    store.save(page(full, "one", title="Full", authors=("A. Writer",), published=date)).result()
    store.save(page(late, "one", title="Late", authors=("B. Writer",), published=date)).result()
    (article,) = told(reports.articles)
    assert (article.url, article.title, article.authors) == (full, "Full", ("A. Writer",))
    assert article.pages == (bare, full, late)


def test_another_sites_page_does_not_speak_for_the_article_of_the_first(store, told, page, now):
    date = PublishedDate(now, "meta:article:published_time", "minute")
    store.save(page("https://harbour.example/a", "one", title="First")).result()
    store.save(page("https://inland.example/a", "one", title="Copy", site="inland", published=date)).result()
    (article,) = told(reports.articles)
    assert (article.site, article.title, len(article.pages)) == ("harbour", "First", 2)


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        pytest.param(0, None, True, id="the day of the page shown first"),
        pytest.param(5, 6, True, id="the day of a later page"),
        pytest.param(9, None, True, id="the publication that a page states"),
        pytest.param(10, None, False, id="after all of them"),
        pytest.param(None, 0, False, id="before all of them"),
        pytest.param(1, 5, False, id="between two of them"),
    ],
)
def test_a_span_of_time_finds_an_article_through_any_page_that_shows_it(store, told, page, now, since, until, found):
    def day(number):
        return None if number is None else now + timedelta(days=number)

    store.save(page("https://harbour.example/a", "one", fetched_at=now)).result()
    store.save(page("https://inland.example/a", "one", site="inland", fetched_at=day(5))).result()
    date = PublishedDate(day(9), "meta:article:published_time", "minute")
    store.save(page("https://island.example/a", "one", site="island", fetched_at=day(6), published=date)).result()
    stated = told(reports.articles, reports.ArticleSelection(period=reports.Period(day(since), day(until))))
    assert [article.url for article in stated] == (["https://harbour.example/a"] if found else [])
