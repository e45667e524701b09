"""Which articles of a site no chosen source names, and which are wrongly taken for such."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.discovery.proposals.coverage import Gap, answered, compare, dated_entries, left_out, questions
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import url_key

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SITE = "https://town.example"


def feed(*paths: str, age: int = 1, language: str | None = None) -> list[Candidate]:
    """Entries of a feed, an hour apart."""
    return [
        Candidate(SITE + path, Discovery("feed", "/feed", "A title", NOW - (age + n) * HOUR, language=language))
        for n, path in enumerate(paths)
    ]


def links(*paths: str, age: float | None = None, language: str | None = None) -> list[Candidate]:
    """Links of a front page, without a date or all of one age in hours."""
    date = NOW - age * HOUR if age is not None else None
    return [
        Candidate(path if "://" in path else SITE + path, Discovery("section", SITE, None, date, language=language))
        for path in paths
    ]


def below(folder: str, count: int, start: int = 0) -> list[str]:
    return [f"{folder}/a-story-of-the-town-{n}" for n in range(start, start + count)]


def gap_of(named: list[Candidate], shown: list[Candidate], **more: object) -> Gap:
    return compare(named, shown, domains=("town.example",), now=NOW, **more)  # type: ignore[arg-type]


NAMED = feed(*below("/news", 10), language="en")


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(links(*below("/de", 20), language="de", age=30), id="dated language"),
        pytest.param(links(*below("/sport", 20), age=8), id="dated section"),
        pytest.param(links(*below("/news", 8, start=50), age=2), id="dated entries of a named section"),
    ],
)
def test_new_articles_that_no_source_names_are_missing(shown: list[Candidate]) -> None:
    gap = gap_of(NAMED, [*links(*below("/news", 10)), *shown])
    assert [one.url for one in gap.missing] == [one.url for one in shown]
    assert gap.counts


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(links(*[f"https://other.example{path}" for path in below("/x", 30)]), id="other sites"),
        pytest.param(links(*[f"/archive/page/{n}" for n in range(2, 30)], age=1), id="pages of an archive"),
        pytest.param(links(*[f"/news/all?page={n}" for n in range(2, 30)], age=1), id="pages by parameter"),
        pytest.param(links(*below("/guides", 12), age=24 * 90), id="evergreens with their date"),
        pytest.param(links(*[f"/live/the-match-of-the-day-{n}" for n in range(9)], age=0), id="live blogs"),
        pytest.param(links(*[f"/news/liveblog/the-vote-{n}" for n in range(9)], age=0), id="live blogs in a section"),
        pytest.param(links(*below("/news", 30, start=50), age=40), id="older than the window"),
        pytest.param(links(*[f"/2026/10/0{n}/a-story-of-old" for n in range(1, 9)]), id="a day in the address"),
        pytest.param(links(*below("/dossier", 4), age=1), id="too few"),
    ],
)
def test_what_is_no_new_article_of_the_site_is_not_missing(shown: list[Candidate]) -> None:
    gap = gap_of(NAMED, [*links(*below("/news", 10)), *shown])
    assert not gap.counts
    assert questions(gap) == []


def test_of_links_without_a_date_a_few_pages_decide() -> None:
    shown = links(*below("/sport", 20))
    gap = gap_of(NAMED, shown)
    assert not gap.counts
    asked = questions(gap)
    assert [one.url for one in asked] == [one.url for one in shown[:3]]
    assert len(answered(gap, dict.fromkeys((one.url for one in asked), NOW - HOUR)).missing) == 20
    for date in (NOW - 90 * 24 * HOUR, None):
        assert answered(gap, dict.fromkeys((one.url for one in asked), date)).missing == ()
    assert answered(gap, {}).missing == ()


def test_a_wrong_language_of_the_feed_makes_nothing_foreign() -> None:
    shown = links(*below("/news", 30), language="es")
    gap = gap_of(NAMED, shown)
    assert gap.missing == ()
    assert len(gap.unsure[0].links) == 20
    assert gap.unsure[0].since == min(one.discovery.published for one in NAMED if one.discovery.published)


def test_a_sitemap_that_stamps_all_with_one_moment_has_no_dates() -> None:
    stamped = [Candidate(f"{SITE}/{n}", Discovery("sitemap", "/s", None, NOW)) for n in range(20)]
    assert dated_entries(stamped) == dated_entries(stamped[:5]) == []
    assert dated_entries(stamped[:4]) == stamped[:4]  # too few to tell
    news = [Candidate(f"{SITE}/{n}", Discovery("sitemap", "/s", "Title", NOW)) for n in range(20)]
    assert dated_entries(news) == news


def test_pages_that_the_database_knows_are_named() -> None:
    shown = links(*below("/sport", 20), age=2)
    assert gap_of(NAMED, shown).counts
    assert gap_of(NAMED, shown, known=[url_key(one.url) for one in shown]).missing == ()


def test_what_is_missing_is_said_with_examples() -> None:
    assert left_out(links(*below("/de", 20))) == (
        "20 articles that no chosen source names, such as https://town.example/de/a-story-of-the-town-0, "
        "https://town.example/de/a-story-of-the-town-1, https://town.example/de/a-story-of-the-town-2"
    )
