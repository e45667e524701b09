"""The demo's stories: enough of them, in two languages, as its author wrote them."""

from __future__ import annotations

import tomllib
from collections import Counter
from datetime import datetime, timedelta

import pytest
from demo_expected import ADVERTISERS

from newscrawl.demo import DemoSite
from newscrawl.demo.content import DemoStory, story_of

SOURCE = """
number = 1
slug = "a-title"
language = "en"
template = "modern"
section = "city"
tags = ["a", "b c"]
in_sitemap_only = true
published = 2025-10-01T08:00:00+01:00
authors = ["One Person", "Another Person"]
title = "A title: with a colon"
text = '''
First sentence. Second one.

> Said by somebody.
'''
"""


def read(source: str) -> DemoStory:
    return story_of(tomllib.loads(source))


def test_there_are_sixty_stories_in_two_languages_and_four_templates(site: DemoSite) -> None:
    assert Counter(story.language for story in site.stories) == {"en": 40, "es": 20}
    assert min(Counter(story.template for story in site.stories if story.template != "cards").values()) >= 15


def test_every_story_is_as_long_as_a_short_news_item(site: DemoSite) -> None:
    lengths = {s.slug: sum(len(p.text.split()) for p in s.paragraphs) for s in site.stories}
    assert {slug: words for slug, words in lengths.items() if not 100 <= words <= 420} == {}


def test_every_story_belongs_to_a_section_of_its_language(site: DemoSite) -> None:
    assert all(story.section in site.papers[story.language].sections for story in site.stories)


def test_no_story_names_an_advertiser(site: DemoSite) -> None:
    texts = " ".join(p.text for story in site.stories for p in story.paragraphs)
    assert [name for name in ADVERTISERS if name in texts] == []


def test_every_advert_names_an_advertiser(site: DemoSite) -> None:
    adverts = [text for paper in site.papers.values() for text in paper.adverts]
    assert all(any(name in text for name in ADVERTISERS) for text in adverts)


def test_a_story_is_read_as_written() -> None:
    story = read(SOURCE)
    assert story.title == "A title: with a colon"
    assert story.authors == ("One Person", "Another Person")
    assert story.tags == ("a", "b c")
    assert story.published == datetime.fromisoformat("2025-10-01T07:00:00+00:00")
    assert story.in_sitemap_only
    assert [(p.text, p.is_quote) for p in story.paragraphs] == [
        ("First sentence. Second one.", False),
        ("Said by somebody.", True),
    ]
    assert story.description == "First sentence."
    assert story.path == "/city/1/a-title"


def test_the_digest_changes_with_the_text_and_the_date_alone() -> None:
    story = read(SOURCE)
    assert read(SOURCE).digest == story.digest
    assert read(SOURCE.replace("Second", "Third")).digest != story.digest
    later = SOURCE.replace("2025-10-01", "2025-10-02")
    assert read(later).digest != story.digest


def test_a_story_without_a_title_is_an_error() -> None:
    with pytest.raises(TypeError, match="title"):
        read(SOURCE.replace('title = "A title: with a colon"\n', ""))


def test_dates_carry_their_zone(site: DemoSite) -> None:
    dates = [story.published for story in site.stories if story.published]
    assert {date.utcoffset() for date in dates} == {timedelta(hours=1)}
    assert len(dates) == len(site.stories) - 1  # one has none, so that a missing date stays missing
