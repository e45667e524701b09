"""The requests and decisions of a survey, with sites that answer without a network."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import replica_habits as habits
from paper import Here, Paper
from replicas import Replica, alternate, make_stories, rss

from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.onboarding.search import MAX_ASKED
from newscrawl.discovery.onboarding.survey import (
    ADDRESS,
    SAMPLES,
    WALL,
    OnboardingError,
    SiteProposal,
    site_title,
    survey,
)
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.extraction.article.make import ArticleOptions

NOW = datetime.now(UTC)


@pytest.fixture
def site() -> Replica:
    town = Replica("town", "http://town.localhost:8080")
    town.stories = make_stories(1, 14, "en", NOW)
    return town


def look(paper: Paper, **more: Any) -> SiteProposal:
    return asyncio.run(survey(paper, SiteReader(Here()), paper.site.home, options=ArticleOptions(), now=NOW, **more))


def test_an_ordinary_site_costs_few_requests(site: Replica) -> None:
    habits.wordpress_dates(site)
    paper = Paper(site)
    proposal = look(paper)
    assert proposal.site.feeds == (f"{site.origin}/feed/",)
    assert len(paper.asked) <= SAMPLES + 4
    assert len(proposal.articles) == SAMPLES


@pytest.mark.parametrize("habit", [habits.everything_lies, habits.sections_alone, habits.days])
def test_the_worst_site_costs_a_bounded_number_of_requests_and_nothing_is_asked_twice(
    habit: habits.Habit, site: Replica
) -> None:
    habit(site)
    paper = Paper(site)
    look(paper)
    assert len(paper.asked) <= MAX_ASKED + SAMPLES + 3
    assert len(set(paper.asked)) == len(paper.asked)


def test_an_old_feed_is_believed_where_the_front_page_has_nothing_newer(site: Replica) -> None:
    site.stories = make_stories(1, 14, "en", NOW - timedelta(days=400))
    habits.wordpress_dates(site)
    assert look(Paper(site)).site.feeds == (f"{site.origin}/feed/",)


def test_an_old_feed_is_not_believed_where_the_front_page_is_newer(site: Replica) -> None:
    old = make_stories(2, 10, "en", NOW - timedelta(days=400))
    site.put("/feed/", rss(site, [(f"{site.origin}/an-old-story-of-the-town-{s.number}", s) for s in old]))
    links = site.articles(lambda story: f"/politics/{story.slug}")
    site.front(links, head=alternate("/feed/"), nav=["/politics/", "/gone/"])
    site.front(links, path="/politics/", nav=["/politics/"])
    proposal = look(Paper(site))
    assert proposal.site.feeds == ()
    assert proposal.site.sections == (site.home, f"{site.origin}/politics/")
    assert {trial.problem.partition(" since")[0] for trial in proposal.tried} >= {"nothing new"}


def test_a_known_feed_whose_address_cannot_be_read_is_an_error_of_its_own(site: Replica) -> None:
    """Whoever names it: a command, a list or the web pages."""
    with pytest.raises(OnboardingError, match=r"http://\[::1: .*write it as") as refused:
        look(Paper(site), given=[FoundSource("http://[::1", "feed")])
    assert refused.value.code == ADDRESS


def test_a_known_feed_stands_in_for_a_front_page_behind_a_wall(site: Replica) -> None:
    habits.json_feed(site)
    site.put("/", "blocked", status=403)
    with pytest.raises(OnboardingError) as walled:
        look(Paper(site))
    assert (walled.value.code, walled.value.exit_code) == (WALL, 1)
    proposal = look(Paper(site), given=[FoundSource(f"{site.origin}/feed.json", "feed")])
    assert proposal.site.feeds == (f"{site.origin}/feed.json",)


def test_the_address_of_a_feed_leads_to_its_site_and_is_taken(site: Replica) -> None:
    habits.home_made(site)
    paper = Paper(site)
    proposal = asyncio.run(survey(paper, SiteReader(Here()), f"{site.origin}/rss", options=ArticleOptions(), now=NOW))
    assert proposal.site.home == site.home
    assert proposal.site.feeds == (f"{site.origin}/rss",)


@pytest.mark.parametrize(
    ("title", "home", "name"),
    [
        ("The Town Courier | The Town Courier", "https://www.towncourier.example/", "The Town Courier"),
        ("News, sport and opinion from the coast | The Coast", "https://thecoast.example/", "The Coast"),
        ("El Puerto - Noticias de hoy", "https://elpuerto.example/", "El Puerto"),
        ("Post-Gazette", "https://post-gazette.example/", "Post-Gazette"),
        ("", "https://news.example/", ""),
    ],
)
def test_the_title_is_the_sites_own_part_of_it(title: str, home: str, name: str) -> None:
    assert site_title(title, home) == name


def test_the_language_is_that_of_the_texts_whatever_the_front_page_declares(site: Replica) -> None:
    site.stories = make_stories(1, 14, "es", NOW)
    site.language = "es"
    habits.home_made(site)
    status, kind, body = site.pages["town.localhost:8080/"]
    site.pages["town.localhost:8080/"] = (status, kind, body.replace(b'lang="es"', b'lang="en"'))
    assert look(Paper(site)).site.language == "es"
