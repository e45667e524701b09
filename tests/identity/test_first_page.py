"""The page by which a story is shown: statements of a page can only put it behind others."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.identity.first_page import StoryPage, choose, naming_another

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def page(number, minute=None, **stated):
    since = NOW + timedelta(minutes=number if minute is None else minute)
    return StoryPage(number, number, f"https://site{number}.example/", f"site{number}", since, **stated)


@pytest.mark.parametrize(
    ("pages", "first", "rule"),
    [
        ([page(1)], 1, "only"),
        ([page(1), page(2)], 1, "first seen"),
        ([page(1), page(2, declared=True)], 2, "declared"),
        ([page(1), page(2, declared=True, republishes=True)], 1, "republishes"),
        ([page(1, declared=True, republishes=True), page(2)], 2, "republishes"),
        ([page(1, claim=2), page(2)], 2, "canonical"),
        ([page(1, claim=2, declared=True), page(2)], 2, "canonical"),
        ([page(1, claim=9), page(2)], 1, "first seen"),
        ([page(1, claim=2), page(2, claim=1)], 1, "first seen"),
        ([page(1, claim=2), page(2, claim=3), page(3)], 3, "canonical"),
        ([page(1, claim=2), page(2, claim=3), page(3, claim=2)], 2, "canonical"),
        ([page(1, claim=1), page(2)], 1, "first seen"),
    ],
    ids=str,
)
def test_the_rules_come_one_after_the_other(pages, first, rule):
    assert (choose(pages).first.page, choose(pages).rule) == (first, rule)
    assert choose(pages[::-1]).pages == choose(pages).pages


def test_of_one_site_the_page_that_says_more_speaks():
    pages = [
        page(1),
        StoryPage(2, 2, "https://site1.example/x", "site1", NOW + timedelta(days=1), metadata_rank=3),
        page(3, metadata_rank=9),
    ]
    assert choose(pages).first.page == 2
    assert choose(pages).rule == "metadata"
    assert choose([replace(pages[0], metadata_rank=3), *pages[1:]]).rule == "first seen"


candidates = st.lists(
    st.builds(
        page,
        st.integers(1, 6),
        minute=st.integers(0, 9),
        claim=st.none() | st.integers(1, 7),
        declared=st.booleans(),
        republishes=st.booleans(),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda one: one.page,
)


@given(candidates, st.integers(1, 7))
def test_no_claim_puts_its_own_page_further_to_the_front(pages, claim):
    mine = pages[0].page
    without, having = ([*pages[1:], replace(pages[0], claim=one)] for one in (None, claim))
    places = [[one.page for one in choose(some).pages].index(mine) for some in (without, having)]
    assert places[0] <= places[1]
    assert naming_another(having) - {mine} <= naming_another(without)
